/* SPDX-License-Identifier: MIT */
/* Which decisions a summary keeps; see lasting.h. */
#include <stdlib.h>
#include <string.h>

#include "extract/term.h"
#include "extract/words.h"
#include "job/lasting.h"

#define SENTENCE_MIN 12		/* bytes */
#define SENTENCE_MAX 400
#define DECIDED_MAX 1000	/* sentences */

/*
 * Words that say that something was decided.  What a user says also settles
 * what is to be done: those of the second list are decisions only then.
 */
static const char *const words[] = {
	"decided", "decision:", "decision is", "decision was", "we agreed",
	"agreed to", "agreed that", "agreed on", "agreed upon", "settled on",
	"settled for", "opt for", "opted for", "opted to", "we chose",
	"i chose", "have chosen", "has chosen", "was chosen", "were chosen",
	"go with", "going with", "went with", "stick with", "stick to",
	"sticking with", "sticking to"
};
static const char *const user_words[] = {
	"i prefer", "i'd prefer", "i would prefer", "i'd rather",
	"i would rather", "i choose", "i'll choose", "i'll use", "i will use",
	"i'd like to use", "i would like to use", "i want to use",
	"please use", "let's use", "let's take", "let's go ahead",
	"let's proceed with", "please proceed with", "please go ahead with",
	"let's keep", "let's go for", "i'd like to keep", "i want to keep",
	"please keep", "i'm okay with", "i'm fine with", "i don't want",
	"i really don't want", "i do not want", "i don't need",
	"i do not need", "we'll use", "we will use", "please don't",
	"please do not", "from now on"
};
/* With one of these, "instead" is a user's wish too. */
static const char *const wishes[] = {
	"use", "please", "let's", "i'll", "i'd", "we'll"
};
static const char *const han_words[] = {
	"我们决定", "我决定", "咱们决定", "已经决定", "已决定", "最终决定",
	"最后决定", "会议决定", "一致同意", "双方同意", "选定", "敲定", "商定",
	"定下来了", "就这么定", "就这么办", "改用", "说好了", "约好",
	"统一使用", "我們決定", "我決定", "已經決定", "最終決定", "選定"
};
static const char *const user_han_words[] = {
	"我选", "我要选", "就这家", "就这个吧", "就这个了", "就它了", "就它吧",
	"还是用", "不再用", "以后都", "以后用", "我選"
};
/* At the beginning of a clause, or after what agrees: "那就去". */
static const char *const user_han_starts[] = {
	"就去", "就用", "就选", "就住", "就吃", "就订", "就定", "就按这", "就按你"
};
static const char *const before_starts[] = {
	"，", "。", "那", "好", "行", "吧"
};

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

/* A sentence in small letters and with straight apostrophes. */
struct sentence {
	char text[SENTENCE_MAX + 1];
	size_t len;
};

static int
is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || c == '\'';
}

/* Is one of three words before p one that takes it back: "if we just"? */
static int
is_denied(const char *begin, const char *p)
{
	static const char *const no[] = {
		"not", "never", "nobody", "whether", "if", "unless", "be", "yet"
	};
	const char *end;
	size_t i, n, k;

	for (k = 0; k < 3; k++) {
		while (p > begin && !is_letter(p[-1]))
			p--;
		for (end = p; p > begin && is_letter(p[-1]); p--)
			;
		n = (size_t)(end - p);
		for (i = 0; i < COUNT(no); i++)
			if (n == strlen(no[i]) && memcmp(p, no[i], n) == 0)
				return 1;
		if (n > 3 && memcmp(end - 3, "n't", 3) == 0)
			return 1;
	}
	return 0;
}

/*
 * Has the sentence one of n phrases, as words of their own?  With meant,
 * nothing must take it back.
 */
static int
has_words(const struct sentence *s, const char *const *list, size_t n,
    int meant)
{
	const char *p;
	size_t i, len;

	for (i = 0; i < n; i++) {
		len = strlen(list[i]);
		for (p = s->text; (p = strstr(p, list[i])) != NULL; p++)
			if ((p == s->text || !is_letter(p[-1])) &&
			    !is_letter(p[len]) &&
			    !(meant && is_denied(s->text, p)))
				return 1;
	}
	return 0;
}

static int
ends_with(const char *p, size_t len, const char *end)
{
	const size_t n = strlen(end);

	return len >= n && memcmp(p + len - n, end, n) == 0;
}

static int
has_han(const struct sentence *s, const char *const *list, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (strstr(s->text, list[i]) != NULL)
			return 1;
	return 0;
}

/* Does the user choose something at the beginning of a clause? */
static int
starts_han(const struct sentence *s)
{
	const char *p;
	size_t i, k;

	for (i = 0; i < COUNT(user_han_starts); i++) {
		if ((p = strstr(s->text, user_han_starts[i])) == NULL)
			continue;
		for (k = 0; k < COUNT(before_starts); k++)
			if (p == s->text || ends_with(s->text, (size_t)(p -
			    s->text), before_starts[k]))
				return 1;
	}
	return 0;
}

/*
 * A question decides nothing, but what is said before it may: "好的，就去这里，它在哪？"
 */
static void
cut_question(struct sentence *s)
{
	static const char *const ends[] = {
		"?", "？", "吗。", "呢。", "吗", "呢", "嗎"
	};
	size_t i = 0;

	while (i < COUNT(ends) && !ends_with(s->text, s->len, ends[i]))
		i++;
	if (i == COUNT(ends))
		return;
	while (s->len > 0 && !ends_with(s->text, s->len, "，"))
		s->len--;
	s->text[s->len] = '\0';
}

/* Does the sentence, of SENTENCE_MAX bytes at most, say that? */
static int
decides(const char *p, size_t len, int of_user)
{
	static const char *const instead[] = { "instead" };
	struct sentence s = { .len = 0 };
	const char *end = p + len;

	for (; p < end; p++) {
		if (end - p >= 3 && memcmp(p, "\342\200\231", 3) == 0) {
			s.text[s.len++] = '\'';
			p += 2;
		} else
			s.text[s.len++] = *p >= 'A' && *p <= 'Z' ?
			    (char)(*p | 32) : *p == '\0' ? ' ' : *p;
	}
	cut_question(&s);
	/* it decides something, and not what something else is: 决定了方向 */
	if (has_words(&s, words, COUNT(words), 1) ||
	    has_han(&s, han_words, COUNT(han_words)) ||
	    (strncmp(s.text, "决定", 6) == 0 &&
	    strncmp(s.text + 6, "了", 3) != 0))
		return 1;
	return of_user && (has_words(&s, user_words, COUNT(user_words), 1) ||
	    has_han(&s, user_han_words, COUNT(user_han_words)) ||
	    starts_han(&s) || (has_words(&s, instead, 1, 1) &&
	    has_words(&s, wishes, COUNT(wishes), 0)));
}

/* The length of the sentence that p begins, up to and with its end. */
static size_t
sentence(const char *p, const char *end)
{
	static const char *const marks[] = { "。", "！", "？" };
	const char *s = p;
	size_t i;

	for (; s < end && *s != '\n'; s++) {
		if (strchr(".!?", *s) != NULL && *s != '\0' &&
		    (s + 1 == end || s[1] == ' ' || s[1] == '\n'))
			return (size_t)(s + 1 - p);
		for (i = 0; i < sizeof(marks) / sizeof(marks[0]); i++)
			if (end - s >= 3 && memcmp(s, marks[i], 3) == 0)
				return (size_t)(s + 3 - p);
	}
	return (size_t)(s - p) + (s < end);
}

static int
add(struct ctx_lasting *k, const char *p, size_t len, int of_user,
    struct ctx_err *err)
{
	size_t i;

	while (len > 0 && strchr(" \n\r\t", *p) != NULL) {
		p++;
		len--;
	}
	while (len > 0 && strchr(" \n\r\t", p[len - 1]) != NULL)
		len--;
	if (len < SENTENCE_MIN || len > SENTENCE_MAX ||
	    k->ndecided == DECIDED_MAX || !decides(p, len, of_user))
		return 0;
	for (i = 0; i < k->ndecided; i++)
		if (k->decided[i].text.len == len &&
		    memcmp(k->decided[i].text.p, p, len) == 0)
			return 0;
	if (CTX_ROOM(k->decided, k->ndecided, &k->capdecided) == -1)
		return ctx_fail_nomem(err);
	k->decided[k->ndecided++] = (struct ctx_lasting_decision){
		.text = { p, (uint32_t)len } };
	return 0;
}

int
ctx_lasting_add_decided(struct ctx_lasting *k, const char *text, size_t len,
    int of_user, struct ctx_err *err)
{
	const char *end = text + len;
	size_t n;

	for (; text < end; text += n) {
		n = sentence(text, end);
		if (add(k, text, n, of_user, err) == -1)
			return -1;
	}
	return 0;
}

static int
by_hash(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* Does the summary have half of the sentence's terms or more? */
static int
has(const struct ctx_terms *summary, const struct ctx_terms *sentence_terms)
{
	size_t i, all = 0, found = 0;

	for (i = 0; i < sentence_terms->n; i++) {
		if (ctx_term_is_stop(sentence_terms->hash[i]))
			continue;
		all++;
		found += summary->n > 0 && bsearch(&sentence_terms->hash[i],
		    summary->hash, summary->n, sizeof(uint64_t), by_hash) !=
		    NULL;
	}
	return 2 * found >= all;
}

int
ctx_lasting_look_decided(struct ctx_lasting *k, const struct ctx_buf *summary,
    struct ctx_err *err)
{
	struct ctx_terms all = { 0 }, one = { 0 };
	struct ctx_han_set grammar;
	size_t i;
	int cue, rc = 0;

	k->decided_found = 0;
	if (k->ndecided == 0)
		return 0;
	ctx_han_set_init(&grammar, ctx_word_han_grammar);
	if (summary->len > 0)
		rc = ctx_terms_scan(&all, &grammar, summary->data,
		    summary->len, &cue, err);
	if (all.n > 1)
		qsort(all.hash, all.n, sizeof(uint64_t), by_hash);
	for (i = 0; i < k->ndecided && rc == 0; i++) {
		one.n = 0;
		rc = ctx_terms_scan(&one, &grammar, k->decided[i].text.p,
		    k->decided[i].text.len, &cue, err);
		k->decided[i].found = (uint8_t)has(&all, &one);
		k->decided_found += k->decided[i].found;
	}
	free(all.hash);
	free(one.hash);
	return rc;
}
