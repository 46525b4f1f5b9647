/* SPDX-License-Identifier: MIT */
/* Which decisions a summary keeps; see lasting.h. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "extract/term.h"
#include "extract/words.h"
#include "job/lasting.h"

#define SENTENCE_MIN 12		/* bytes */
#define SENTENCE_MAX 400
#define DECIDED_MAX 1000	/* sentences */

static const char *const words[] = {
	"decided", "agreed", "chose", "chosen", "settled"
};
static const char *const han_words[] = {
	"决定", "同意", "选定", "选择了", "改用", "约定"
};

/* Is it a word of its own at p, which begins with w? */
static int
is_word_at(const char *begin, const char *p, const char *end, const char *w)
{
	const size_t n = strlen(w);

	return (size_t)(end - p) >= n && strncasecmp(p, w, n) == 0 &&
	    (p == begin || (p[-1] | 32) < 'a' || (p[-1] | 32) > 'z') &&
	    (p + n == end || (p[n] | 32) < 'a' || (p[n] | 32) > 'z');
}

/* Does the sentence say that something was decided? */
static int
decides(const char *s, size_t len)
{
	const char *p;
	size_t i;

	for (i = 0; i < sizeof(han_words) / sizeof(han_words[0]); i++)
		if (memmem(s, len, han_words[i], strlen(han_words[i])) != NULL)
			return 1;
	for (p = s; p < s + len; p++)
		for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
			if (is_word_at(s, p, s + len, words[i]))
				return 1;
	return 0;
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
add(struct ctx_lasting *k, const char *p, size_t len, struct ctx_err *err)
{
	size_t i;

	while (len > 0 && strchr(" \n\r\t", *p) != NULL) {
		p++;
		len--;
	}
	while (len > 0 && strchr(" \n\r\t", p[len - 1]) != NULL)
		len--;
	if (len < SENTENCE_MIN || len > SENTENCE_MAX || !decides(p, len) ||
	    k->ndecided == DECIDED_MAX)
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
    struct ctx_err *err)
{
	const char *end = text + len;
	size_t n;

	for (; text < end; text += n) {
		n = sentence(text, end);
		if (add(k, text, n, err) == -1)
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
