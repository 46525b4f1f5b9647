/* SPDX-License-Identifier: MIT */
/* Cutting a conversation into passages; see passage.h. */
#include "extract/passage_impl.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "extract/glyph.h"
#include "extract/words.h"

/* In Han characters. */
#define CLAUSE_MIN 4	/* a comma ends a clause after this many */
#define TAIL_MIN 3	/* a shorter rest joins the clause before it */
#define OPENER_MAX 3	/* an opener such as 好的， is dropped */

/* In ctx_glyph_size. */
#define PASSAGE_MAX 120	/* a longer one is cut at a space */
#define ITEM_MAX 10	/* an item of a list told on one line */
#define LIST_MAX 60	/* all of them */

#define RUN_MAX 16	/* texts of an assistant, up to a user's yes */

/* In bytes. */
#define REST_MIN 6	/* must remain when a Han opener is removed */

/* The weight of an old list's first reference and about that of its last. */
#define RANK_FIRST 128
#define RANK_LAST 32

/* The last lines of a summary, in their order. */
static const struct {
	const char *lead;
	enum ctx_deed deed;
} lists[] = {
	{ CTX_PASSAGE_DONE, CTX_DEED_DONE },
	{ CTX_PASSAGE_FAILED, CTX_DEED_FAILED },
	{ CTX_PASSAGE_REFS, CTX_DEED_UNKNOWN }
};
#define LISTS (sizeof(lists) / sizeof(lists[0]))

/* Which of them a line begins like, or LISTS. */
static size_t
list_at(const char *p, size_t len)
{
	size_t i = 0;

	while (i < LISTS && (len <= strlen(lists[i].lead) ||
	    memcmp(p, lists[i].lead, strlen(lists[i].lead)) != 0))
		i++;
	return i;
}

int
ctx_passage_poses(const char *text, size_t len)
{
	return list_at(text, len) < LISTS;
}

int
ctx_passage_add(struct ctx_passages *l, const char *text, size_t len,
    enum ctx_talk_kind kind, struct ctx_err *err)
{
	if (CTX_ROOM(l->v, l->n, &l->cap) == -1)
		return ctx_fail_nomem(err);
	l->v[l->n++] = (struct ctx_passage){
		.text = text, .len = (uint32_t)len,
		.size = ctx_glyph_size(text, len), .kind = kind
	};
	if (ctx_passage_poses(text, len))
		l->v[l->n - 1].size += ctx_glyph_size(CTX_PASSAGE_QUOTE,
		    strlen(CTX_PASSAGE_QUOTE));
	return 0;
}

/* Bytes of white space, bullets and heading marks at the beginning. */
static size_t
skip_bullet(const char *p, size_t len)
{
	size_t i = 0;

	while (i < len && p[i] != '\0' && strchr(" \t\r>", p[i]) != NULL)
		i++;
	if (i + 1 < len && p[i + 1] == ' ' &&
	    (p[i] == '-' || p[i] == '*' || p[i] == '#'))
		i += 2;
	while (i < len && (p[i] == ' ' || p[i] == '#'))
		i++;
	return i;
}

/*
 * The length of a short answer like 好的， or 嗯！: a few Han characters and a
 * mark.  Returns 0 if there is none.
 */
static size_t
han_answer(const char *p, size_t len)
{
	static const char *const marks[] = { "，", "、", "！", "。", "!", "," };
	enum ctx_glyph class;
	uint32_t cp;
	size_t i = 0, k, n, chars = 0;

	for (; i < len && chars <= OPENER_MAX; i += n, chars++) {
		n = ctx_glyph_step(p + i, len - i, &cp, &class);
		if (class != CTX_GLYPH_HAN)
			break;
	}
	if (chars == 0 || chars > OPENER_MAX)
		return 0;
	for (k = 0; k < sizeof(marks) / sizeof(marks[0]); k++) {
		n = strlen(marks[k]);
		if (len - i >= n && memcmp(p + i, marks[k], n) == 0)
			return i + n;
	}
	return 0;
}

/* The length of an opener such as "Well, um, ". */
static size_t
word_opener(const char *p, size_t len)
{
	char low[8];
	size_t i = 0, w = 0;

	while (i < len && w < sizeof(low) &&
	    (unsigned)((p[i] | 32) - 'a') < 26) {
		low[w++] = (char)(p[i] | 32);
		i++;
	}
	if (w == 0 || w == sizeof(low) ||
	    !ctx_word_is(CTX_WORD_OPENER, low, w) ||
	    (i < len && strchr(" ,.!?-", p[i]) == NULL))
		return 0;
	while (i < len && p[i] != '\0' && strchr(" ,.!?-", p[i]) != NULL)
		i++;
	return i;
}

/* Is it like ###END###, which one program writes for another? */
static int
is_signal(const char *p, size_t len)
{
	size_t i = 0;

	while (i < len && p[i] == '#')
		i++;
	return i > 1 && i < len && p[len - 1] == '#' &&
	    memchr(p, ' ', len) == NULL;
}

/* The length of the next filler at the beginning, or 0. */
static size_t
opener(const char *p, size_t len)
{
	size_t n = word_opener(p, len);

	if (n > 0)
		return n;
	n = ctx_word_affix(CTX_WORD_HAN_OPENER, p, len);
	return len < n + REST_MIN ? 0 : n;
}

/* The length of the next filler at the end, or 0. */
static size_t
closer(const char *p, size_t len)
{
	if (p[len - 1] != '\0' && strchr(" \t\r,.;", p[len - 1]) != NULL)
		return 1;
	return ctx_word_affix(CTX_WORD_HAN_CLOSER, p, len);
}

/* Add p[0 .. len) without the fillers at its beginning and end. */
static int
add_trimmed(struct ctx_passages *l, const char *p, size_t len,
    enum ctx_talk_kind kind, struct ctx_err *err)
{
	size_t n;

	while (len > 0 && p[0] == ' ') {
		p++;
		len--;
	}
	while (len > 0 && p[len - 1] == ' ')
		len--;
	if (is_signal(p, len))
		return 0;
	n = skip_bullet(p, len);
	n += han_answer(p + n, len - n);
	p += n;
	len -= n;
	while (len > 0 && (n = opener(p, len)) > 0) {
		p += n;
		len -= n;
	}
	while (len > 0 && (n = closer(p, len)) > 0)
		len -= n;
	return len > 1 ? ctx_passage_add(l, p, len, kind, err) : 0;
}

/* Whether a sentence or clause may end here. */
enum stop { NO_STOP, SENTENCE, CLAUSE };

/*
 * Does the character cp, which ends at i, end something?  A full stop must be
 * followed by a space and the beginning of a sentence.
 */
static enum stop
stop_at(const char *p, size_t len, size_t i, uint32_t cp)
{
	size_t j = i;

	if (cp == 0x3002 || cp == 0xff01 || cp == 0xff1f || cp == 0xff1b)
		return SENTENCE;
	if (cp == 0xff0c)
		return CLAUSE;
	if (cp != '.' && cp != '!' && cp != '?')
		return NO_STOP;
	while (j < len && (p[j] == ' ' || p[j] == '\t'))
		j++;
	if (j == i || j == len)
		return NO_STOP;
	return (p[j] >= 'A' && p[j] <= 'Z') || (p[j] >= '0' && p[j] <= '9') ||
	    p[j] == '"' || p[j] == '\'' || p[j] == '(' ? SENTENCE : NO_STOP;
}

/* The state of the passage being read. */
struct cursor {
	size_t start;
	size_t clause;	/* start of the previous clause, while that may grow */
	unsigned han;	/* Han characters since start */
	int open;	/* clause is valid */
	int words;	/* has letters since start, so it is not just "1." */
};

/* End the current passage at byte i; a short tail joins the clause before. */
static int
flush(struct ctx_passages *l, struct cursor *cur, const char *p, size_t i,
    enum ctx_talk_kind kind, struct ctx_err *err)
{
	size_t from = cur->start;

	if (cur->open && i > from && cur->han < TAIL_MIN) {
		/* the clause was added last: replace it with a longer one */
		l->n--;
		from = cur->clause;
	}
	cur->open = 0;
	cur->start = i;
	cur->han = 0;
	cur->words = 0;
	return add_trimmed(l, p + from, i - from, kind, err);
}

/* At a comma, end the clause but remember it in case the tail is short. */
static int
flush_clause(struct ctx_passages *l, struct cursor *cur, const char *p,
    size_t i, enum ctx_talk_kind kind, struct ctx_err *err)
{
	size_t n = l->n, from = cur->start;

	cur->start = i;
	cur->han = 0;
	cur->words = 0;
	if (add_trimmed(l, p + from, i - from, kind, err) == -1)
		return -1;
	cur->open = l->n > n;
	cur->clause = from;
	return 0;
}

static int
split_line(struct ctx_passages *l, const char *p, size_t len,
    enum ctx_talk_kind kind, struct ctx_err *err)
{
	struct cursor cur = { 0 };
	enum ctx_glyph class;
	enum stop stop;
	uint32_t cp;
	size_t i, n;

	for (i = 0; i < len; ) {
		n = ctx_glyph_step(p + i, len - i, &cp, &class);
		i += n;
		cur.han += class == CTX_GLYPH_HAN;
		cur.words |= class == CTX_GLYPH_HAN ||
		    class == CTX_GLYPH_ALPHA || class == CTX_GLYPH_LETTER;
		stop = stop_at(p, len, i, cp);
		if (class == CTX_GLYPH_SPACE &&
		    i - cur.start > 4 * PASSAGE_MAX)
			stop = SENTENCE;
		if (stop == SENTENCE && cur.words) {
			if (flush(l, &cur, p, i, kind, err) == -1)
				return -1;
		} else if (stop == CLAUSE && cur.han >= CLAUSE_MIN) {
			if (flush_clause(l, &cur, p, i, kind, err) == -1)
				return -1;
		} else if (i - cur.start > 16 * PASSAGE_MAX &&
		    flush(l, &cur, p, i, kind, err) == -1)
			return -1;	/* no space anywhere: cut all the
					   same */
	}
	return flush(l, &cur, p, len, kind, err);
}

/* The length of the label in "label=value", or 0. */
static size_t
label_len(const char *p, size_t len)
{
	size_t i = 0;

	while (i < len && ((p[i] >= '0' && p[i] <= '9') || p[i] == '_' ||
	    ((p[i] | 32) >= 'a' && (p[i] | 32) <= 'z')))
		i++;
	return i + 1 < len && p[i] == '=' ? i : 0;
}

/* Is it words in Latin script that begin with capitals? */
static int
is_name(const char *p, size_t len)
{
	size_t i, small = 0;

	for (i = 0; i < len; i++) {
		if (p[i] != ' ' && (unsigned)((p[i] | 32) - 'a') >= 26)
			return 0;
		small += p[i] >= 'a' && p[i] <= 'z';
	}
	return len > 0 && p[0] >= 'A' && p[0] <= 'Z' && small > 0;
}

/* Take "a" or "label=a|b"; f has what is the same for all. */
static int
take_ref(struct ctx_passages *l, struct ctx_fact *f, const char *p, size_t len,
    struct ctx_err *err)
{
	const char *end = p + len, *q;
	size_t label = label_len(p, len);

	f->label = label > 0 ? p : NULL;
	f->labellen = (uint32_t)label;
	for (p += label + (label > 0); p < end; p = q + 1) {
		q = label > 0 ? memchr(p, '|', (size_t)(end - p)) : NULL;
		q = q == NULL ? end : q;
		f->key = f->show = p;
		f->keylen = f->showlen = (uint32_t)(q - p);
		f->name = label == 0 && is_name(p, (size_t)(q - p)) ?
		    CTX_FACT_NAME : 0;
		if (q > p && ctx_facts_add(&l->given, f, err) == -1)
			return -1;
	}
	return 0;
}

/*
 * Take an old summary's "Refs: a, label=b": facts without a passage to print.
 * The line is in the order of their worth, which they keep.
 */
static int
take_refs(struct ctx_passages *l, const char *p, size_t len,
    struct ctx_err *err)
{
	struct ctx_fact f = { 0 };
	const char *begin = p, *end = p + len, *q;

	f.at = (uint32_t)l->n;
	if (ctx_passage_add(l, p, 0, CTX_TALK_SUMMARY, err) == -1)
		return -1;
	for (; p < end; p = q + 2) {
		if ((q = memmem(p, (size_t)(end - p), ", ", 2)) == NULL)
			q = end;
		f.rank = (uint32_t)(RANK_FIRST - (size_t)(p - begin) *
		    (RANK_FIRST - RANK_LAST) / len);
		if (take_ref(l, &f, p, (size_t)(q - p), err) == -1)
			return -1;
		if (q == end)
			break;
	}
	return 0;
}

/* Take an old summary's "Done: …; a(1); b(2)". */
static int
take_deeds(struct ctx_passages *l, const char *p, size_t len,
    enum ctx_deed deed, struct ctx_err *err)
{
	const char *end = p + len, *q;
	const size_t lost = strlen(CTX_PASSAGE_LOST);

	if (len >= lost && memcmp(p, CTX_PASSAGE_LOST, lost) == 0) {
		l->lost |= 1u << deed;
		p += lost;
	}
	for (; p < end; p = q + strlen(CTX_PASSAGE_NEXT)) {
		q = memmem(p, (size_t)(end - p), ")" CTX_PASSAGE_NEXT,
		    strlen(")" CTX_PASSAGE_NEXT));
		q = q == NULL ? end : q + 1;
		if (ctx_passage_deed(l, p, (size_t)(q - p), CTX_TALK_SUMMARY,
		    deed, err) == -1)
			return -1;
		if (q == end)
			break;
	}
	return 0;
}

/*
 * Where the lists of an old summary begin, or its end: only its last lines are
 * lists, in their order, and deeds end as calls do.  What looks like one before
 * them is what somebody said.
 */
static const char *
lists_of(const struct ctx_talk *s)
{
	const char *from = s->text + s->len, *line, *stop;
	size_t i, last = LISTS;

	for (stop = from; stop > s->text; stop = line - 1) {
		for (line = stop; line > s->text && line[-1] != '\n'; line--)
			;
		i = list_at(line, (size_t)(stop - line));
		if (i == LISTS || i > last ||
		    (lists[i].deed != CTX_DEED_UNKNOWN && stop[-1] != ')'))
			break;
		last = i;
		from = line;
		if (line == s->text)
			break;
	}
	return from;
}

/* Take a line that is one of the lists of an old summary. */
static int
split_list(struct ctx_passages *l, const char *p, size_t len,
    struct ctx_err *err)
{
	const size_t i = list_at(p, len), n = strlen(lists[i].lead);

	return lists[i].deed == CTX_DEED_UNKNOWN ?
	    take_refs(l, p + n, len - n, err) :
	    take_deeds(l, p + n, len - n, lists[i].deed, err);
}

/* The number N of a line "N: code", as editors list a file, else 0. */
static unsigned
line_number(const char *p, size_t len)
{
	unsigned n = 0;
	size_t i = 0;

	while (i < len && p[i] == ' ')
		i++;
	for (; i < len && p[i] >= '0' && p[i] <= '9' && n < 100000000; i++)
		n = n * 10 + (unsigned)(p[i] - '0');
	return i < len && (p[i] == ':' || p[i] == '|' || p[i] == '\t') ? n : 0;
}

/* Where the lines of a message are. */
struct listing {
	int fenced;		/* between two lines that begin with ``` */
	unsigned last;		/* number of the line before, or 0 */
};

/* Is the line one of several with numbers?  What follows it ends at end. */
static int
is_listed(struct listing *at, const char *p, size_t len, const char *end)
{
	const char *next = p + len < end ? p + len + 1 : end, *nl;
	unsigned n = line_number(p, len), was = at->last;

	at->last = n;
	if (n == 0 || (was > 0 && n == was + 1))
		return n > 0;
	nl = memchr(next, '\n', (size_t)(end - next));
	return line_number(next, (size_t)((nl == NULL ? end : nl) - next)) ==
	    n + 1;
}

/*
 * Split a line that is said, or only quoted: a listing, or what is in a fence
 * of an assistant.
 */
static int
split_said(struct ctx_passages *l, struct listing *at, const char *p,
    size_t len, const struct ctx_talk *s, struct ctx_err *err)
{
	int listed = is_listed(at, p, len, s->text + s->len);

	if (s->kind == CTX_TALK_ASSISTANT && len >= 3 &&
	    memcmp(p, "```", 3) == 0) {
		at->fenced = !at->fenced;
		return 0;
	}
	return split_line(l, p, len, listed || at->fenced ? CTX_TALK_RESULT :
	    s->kind, err);
}

/* The identifier that is all of an item, "- x" or "1. x"; NULL if it is none. */
static const char *
item_at(const char *p, size_t *len)
{
	const char *end = p + *len, *b;

	while (p < end && *p == ' ')
		p++;
	for (b = p; p < end && *p >= '0' && *p <= '9'; p++)
		;
	if (p == end || (p > b ? *p != '.' && *p != ')' : *p != '-' &&
	    *p != '*') || end - p < 3 || p[1] != ' ')
		return NULL;
	for (p += 2; end > p && end[-1] == ' '; end--)
		;
	*len = (size_t)(end - p);
	return ctx_fact_is_id(p, *len) && memchr(p, ' ', *len) == NULL &&
	    ctx_glyph_size(p, *len) <= ITEM_MAX ? p : NULL;
}

/* Where the last sentence of a line begins. */
static size_t
last_sentence(const char *p, size_t len)
{
	size_t i = len;

	while (i > 2 && (p[i - 1] != ' ' || strchr(".!?", p[i - 2]) == NULL))
		i--;
	return i > 2 ? i : 0;
}

/*
 * Take a line that ends with a colon, and the identifiers in a list after it, as
 * one passage, so that they are not told without what they are.  Returns
 * the end of what was taken, NULL if that is nothing or *rc is -1.
 */
static const char *
take_list(struct ctx_passages *l, const struct ctx_talk *s, const char *p,
    size_t len, int *rc, struct ctx_err *err)
{
	const char *end = s->text + s->len, *q = p + len, *nl, *item, *at = p;
	struct ctx_buf *b = &l->made;
	size_t from = b->len, n, items = 0, lead;

	while (len > 0 && p[len - 1] == ' ')
		len--;
	if (len < 4 || (p[len - 1] != ':' && memcmp(p + len - 3, "：", 3) != 0))
		return NULL;
	lead = last_sentence(p, len);
	ctx_buf_add(b, p + lead, len - lead);
	for (; q < end; q = nl) {
		q++;
		nl = memchr(q, '\n', (size_t)(end - q));
		nl = nl == NULL ? end : nl;
		n = (size_t)(nl - q);
		if (n == 0)
			continue;
		if ((item = item_at(q, &n)) == NULL ||
		    ctx_glyph_size(b->data + from, b->len - from) > LIST_MAX)
			break;
		ctx_buf_adds(b, items++ > 0 ? ", " : " ");
		ctx_buf_add(b, item, n);
		at = nl;
	}
	if (items < 2) {
		b->len = from;
		return NULL;
	}
	*rc = split_line(l, p, lead, s->kind, err);
	if (*rc == 0)
		*rc = add_trimmed(l, b->data + from, b->len - from, s->kind,
		    err);
	return *rc == 0 ? at : NULL;
}

/* Is it all in one element, <environment>…</environment>, as programs write? */
static int
is_wrapped(const char *p, size_t len)
{
	const char *end = p + len, *q = p + 1;
	size_t n;

	while (end > p && (unsigned char)end[-1] <= ' ')
		end--;
	if (end - p < 8 || *p != '<' || end[-1] != '>')
		return 0;
	while (q < end && (*q == '_' || *q == '-' ||
	    (unsigned)((*q | 32) - 'a') < 26))
		q++;
	n = (size_t)(q - p);
	return n > 1 && *q == '>' && (size_t)(end - p) > 2 * n + 2 &&
	    memcmp(end - n - 2, "</", 2) == 0 &&
	    memcmp(end - n, p + 1, n - 1) == 0;
}

static int
split_text(struct ctx_passages *l, const struct ctx_talk *talk,
    struct ctx_err *err)
{
	struct ctx_talk quoted = *talk;
	const struct ctx_talk *s = &quoted;
	const char *p = s->text, *end = s->text + s->len, *nl, *list;
	const char *last = s->kind == CTX_TALK_SUMMARY ? lists_of(s) : end;
	struct listing at = { 0 };
	size_t n;
	int rc;

	if (s->kind == CTX_TALK_USER && is_wrapped(p, s->len))
		quoted.kind = CTX_TALK_RESULT;
	for (; p < end; p = nl + 1) {
		if ((nl = memchr(p, '\n', (size_t)(end - p))) == NULL)
			nl = end;
		n = (size_t)(nl - p);
		rc = 0;
		if (s->kind != CTX_TALK_SUMMARY && !at.fenced &&
		    (list = take_list(l, s, p, n, &rc, err)) != NULL)
			nl = list;
		else if (rc == 0)
			rc = p >= last ? split_list(l, p, n, err) :
			    s->kind == CTX_TALK_SUMMARY ?
			    split_line(l, p, n, s->kind, err) :
			    split_said(l, &at, p, n, s, err);
		if (rc == -1)
			return -1;
		if (nl == end)
			break;
	}
	return 0;
}

/* Does a user say yes? */
static int
is_yes(const struct ctx_talk *s)
{
	static const char *const yes[] = {
		"yes", "yeah", "yep", "sure", "ok", "okay", "please", "go",
		"fine", "agreed", "perfect", "great", "sounds", "correct",
		"好", "可以", "行", "是的", "对", "没问题", "嗯", "同意"
	};
	char low[10];
	size_t i, n;

	for (i = 0; i < s->len && i < sizeof(low); i++)
		low[i] = s->text[i] >= 'A' && s->text[i] <= 'Z' ?
		    (char)(s->text[i] | 32) : s->text[i];
	for (n = i, i = 0; i < sizeof(yes) / sizeof(yes[0]); i++)
		if (n >= strlen(yes[i]) &&
		    memcmp(low, yes[i], strlen(yes[i])) == 0 &&
		    (n == strlen(yes[i]) ||
		    (unsigned)((low[strlen(yes[i])] | 32) - 'a') >= 26))
			return 1;
	return 0;
}

/*
 * Is what the first of n says, an assistant's, the last word so far, or a question
 * that a user said yes to, after which nothing changed?
 */
static int
is_agreed(const struct ctx_talk *s, size_t n)
{
	const struct ctx_talk *end = s + n, *from = s;
	int asks = 0;

	for (; s < end && s->kind == CTX_TALK_ASSISTANT && s - from < RUN_MAX;
	    s++)
		asks |= memchr(s->text, '?', s->len) != NULL ||
		    memmem(s->text, s->len, "？", 3) != NULL;
	if (s == end)
		return 1;
	if (!asks || s->kind != CTX_TALK_USER || !is_yes(s))
		return 0;
	for (s++; s < end && s->kind != CTX_TALK_USER; s++)
		if (s->kind == CTX_TALK_CALL &&
		    (s->deed == CTX_DEED_DONE || ctx_deed_of(s->tool,
		    s->toollen) == CTX_DEED_DONE))
			return 0;
	return 1;
}

int
ctx_passages_split(struct ctx_passages *l, const struct ctx_talk *said,
    size_t n, struct ctx_err *err)
{
	size_t i, from;
	int rc = 0;

	l->names = calloc(1, sizeof(*l->names));
	if (l->names == NULL || ctx_buf_reserve(&l->made,
	    ctx_passage_made(said, n)) == -1)
		return ctx_fail_nomem(err);
	for (i = 0; i < n && rc == 0; i++) {
		if (said[i].kind == CTX_TALK_CALL)
			rc = ctx_passage_call(l, &said[i], n - i, err);
		else if (said[i].kind == CTX_TALK_RESULT)
			rc = ctx_passage_result(l, &said[i], err);
		else {
			from = l->n;
			rc = split_text(l, &said[i], err);
			if (said[i].kind == CTX_TALK_ASSISTANT && rc == 0 &&
			    is_agreed(&said[i], n - i))
				for (; from < l->n; from++)
					l->v[from].agreed = 1;
		}
	}
	return rc;
}

void
ctx_passages_done(struct ctx_passages *l)
{
	free(l->v);
	free(l->given.v);
	free(l->names);
	ctx_buf_done(&l->made);
	memset(l, 0, sizeof(*l));
}
