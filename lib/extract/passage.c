/* SPDX-License-Identifier: MIT */
/* Cutting a conversation into passages; see passage.h. */
#include "extract/passage.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "extract/glyph.h"
#include "extract/words.h"
#include "read/span.h"

/* In Han characters. */
#define CLAUSE_MIN 4	/* a comma ends a clause after this many */
#define TAIL_MIN 3	/* a shorter rest joins the clause before it */
#define OPENER_MAX 3	/* an opener such as 好的， is dropped */

/* In ctx_glyph_size. */
#define PASSAGE_MAX 120	/* a longer one is cut at a space */
#define CALL_MAX 32	/* of the values of a call */
#define RESULT_MAX 60	/* of a tool result */

/* In bytes. */
#define REST_MIN 6	/* must remain when a Han opener is removed */
#define VALUES_MAX 8192	/* bytes of a call's arguments to look at */
#define VALUE_MIN 2	/* a value from this length ... */
#define VALUE_MAX 40	/* ... up to this one is a fact */
#define HEAD_MAX 2048	/* bytes of a tool result to look at */

#define REFS "Refs: "

static int
add(struct ctx_passages *l, const char *text, size_t len,
    enum ctx_talk_kind kind, struct ctx_err *err)
{
	if (CTX_ROOM(l->v, l->n, &l->cap) == -1)
		return ctx_fail_nomem(err);
	l->v[l->n++] = (struct ctx_passage){
		text, (uint32_t)len, ctx_glyph_size(text, len), kind
	};
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
	return len > 1 ? add(l, p, len, kind, err) : 0;
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

/* Take an old summary's "Refs: a, b": facts without a passage to print. */
static int
take_refs(struct ctx_passages *l, const char *p, size_t len,
    struct ctx_err *err)
{
	struct ctx_fact f = { 0 };
	const char *end = p + len, *q;

	f.at = (uint32_t)l->n;
	if (add(l, p, 0, CTX_TALK_SUMMARY, err) == -1)
		return -1;
	for (; p < end; p = q + 2) {
		if ((q = memmem(p, (size_t)(end - p), ", ", 2)) == NULL)
			q = end;
		f.key = f.show = p;
		f.keylen = f.showlen = (uint32_t)(q - p);
		if (q > p && ctx_facts_add(&l->given, &f, err) == -1)
			return -1;
		if (q == end)
			break;
	}
	return 0;
}

static int
split_text(struct ctx_passages *l, const struct ctx_talk *s,
    struct ctx_err *err)
{
	const char *p = s->text, *end = s->text + s->len, *nl;
	const size_t refs = strlen(REFS);
	size_t n;
	int rc;

	for (; p < end; p = nl + 1) {
		if ((nl = memchr(p, '\n', (size_t)(end - p))) == NULL)
			nl = end;
		n = (size_t)(nl - p);
		if (s->kind == CTX_TALK_SUMMARY && n > refs &&
		    memcmp(p, REFS, refs) == 0)
			rc = take_refs(l, p + refs, n - refs, err);
		else
			rc = split_line(l, p, n, s->kind, err);
		if (rc == -1)
			return -1;
		if (nl == end)
			break;
	}
	return 0;
}

/*
 * Find the next value in the text of a call's arguments, from *i on: a string
 * that is not a key, a number or a word.  This also works on text that is not
 * JSON.  Sets *v to the value, still escaped if it was in quotes.  Returns 0 at
 * the end.
 */
static int
next_value(const char *p, size_t len, size_t *i, const char **v, size_t *vlen,
    int *quoted)
{
	size_t b, e, k;

	for (;;) {
		while (*i < len && p[*i] != '\0' &&
		    strchr(" \t\r\n{}[],:", p[*i]) != NULL)
			++*i;
		if (*i == len)
			return 0;
		*quoted = p[*i] == '"';
		b = e = *i + (size_t)*quoted;
		if (!*quoted) {
			while (e < len && (p[e] == '\0' ||
			    strchr(" \t\r\n{}[],:\"", p[e]) == NULL))
				e++;
			*i = e;
			break;
		}
		while (e < len && p[e] != '"')
			e += p[e] == '\\' && e + 1 < len ? 2 : 1;
		for (k = e + (e < len); k < len && (p[k] == ' ' ||
		    p[k] == '\n'); k++)
			;
		*i = e + (e < len);
		if (k == len || p[k] != ':')
			break;
	}
	*v = p + b;
	*vlen = e - b;
	return 1;
}

static void
blanks(char *p, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		if (p[i] == '\n' || p[i] == '\t' || p[i] == '\r')
			p[i] = ' ';
}

/* Append one value to made.  It is a fact if its length is that of a fact. */
static int
take_value(struct ctx_passages *l, const char *v, size_t len, int quoted,
    struct ctx_err *err)
{
	struct ctx_buf *b = &l->made;
	struct ctx_fact f = { 0 };
	size_t from = b->len;

	if (quoted)
		ctx_str_decode(b, v, len);
	else
		ctx_buf_add(b, v, len);
	len = b->len - from;
	if (b->failed)
		return ctx_fail_nomem(err);
	blanks(b->data + from, len);
	if (len < VALUE_MIN || len > VALUE_MAX)
		return 0;
	f.key = f.show = b->data + from;
	f.keylen = f.showlen = (uint32_t)len;
	f.at = (uint32_t)l->n;
	return ctx_facts_add(&l->given, &f, err);
}

/*
 * Make tool(value, value) of a call.  The passage shows the first values; all
 * values are facts, and the last ones are in made after the passage.
 */
static int
take_call(struct ctx_passages *l, const struct ctx_talk *s,
    struct ctx_err *err)
{
	struct ctx_buf *b = &l->made;
	size_t len = s->len < VALUES_MAX ? s->len : VALUES_MAX;
	size_t i = 0, n, start = b->len, args, shown;
	const char *v;
	int quoted, more = 0;

	ctx_buf_add(b, s->tool, s->toollen);
	ctx_buf_addc(b, '(');
	args = b->len;
	while (next_value(s->text, len, &i, &v, &n, &quoted)) {
		if (more)
			ctx_buf_adds(b, ", ");
		more = 1;
		if (take_value(l, v, n, quoted, err) == -1)
			return -1;
	}
	shown = ctx_glyph_cut(b->data + args, b->len - args, CALL_MAX);
	if (args + shown == b->len) {
		ctx_buf_addc(b, ')');
		shown++;
	}
	return add(l, b->data + start, args - start + shown, s->kind, err);
}

/* Take the beginning of a result without quotes, braces and runs of spaces. */
static int
take_result(struct ctx_passages *l, const struct ctx_talk *s,
    struct ctx_err *err)
{
	struct ctx_buf *b = &l->made;
	size_t len = s->len < HEAD_MAX ? s->len : HEAD_MAX;
	size_t i, start = b->len, shown;

	for (i = 0; i < len; i++) {
		if (s->text[i] != '\0' && strchr("\"{}\\", s->text[i]) != NULL)
			continue;
		if (strchr(" \t\r\n", s->text[i]) == NULL)
			ctx_buf_addc(b, s->text[i]);
		else if (b->len > start && b->data[b->len - 1] != ' ')
			ctx_buf_addc(b, ' ');
	}
	shown = ctx_glyph_cut(b->data + start, b->len - start, RESULT_MAX);
	b->len = start + shown;
	return shown > 1 ? add(l, b->data + start, shown, s->kind, err) : 0;
}

/* The size of all text that will be made; it is reserved and never moves. */
static size_t
made_size(const struct ctx_talk *said, size_t n)
{
	size_t i, sum = 0;

	for (i = 0; i < n; i++)
		if (said[i].kind == CTX_TALK_CALL)
			sum += said[i].toollen + 16 + 2 *
			    (said[i].len < VALUES_MAX ? said[i].len :
			    VALUES_MAX);
		else if (said[i].kind == CTX_TALK_RESULT)
			sum += said[i].len < HEAD_MAX ? said[i].len : HEAD_MAX;
	return sum + 16;
}

int
ctx_passages_split(struct ctx_passages *l, const struct ctx_talk *said,
    size_t n, struct ctx_err *err)
{
	size_t i;
	int rc = 0;

	if (ctx_buf_reserve(&l->made, made_size(said, n)) == -1)
		return ctx_fail_nomem(err);
	for (i = 0; i < n && rc == 0; i++) {
		if (said[i].kind == CTX_TALK_CALL)
			rc = take_call(l, &said[i], err);
		else if (said[i].kind == CTX_TALK_RESULT)
			rc = take_result(l, &said[i], err);
		else
			rc = split_text(l, &said[i], err);
	}
	return rc;
}

void
ctx_passages_done(struct ctx_passages *l)
{
	free(l->v);
	free(l->given.v);
	ctx_buf_done(&l->made);
	memset(l, 0, sizeof(*l));
}
