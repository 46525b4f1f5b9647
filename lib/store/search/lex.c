/* SPDX-License-Identifier: MIT */
/* Prepare text for the index of words; see lex.h. */
#include "store/search/lex.h"

#include <string.h>

#include "base/utf8.h"

/* Is c written without spaces between words? */
static int
is_run(uint32_t c)
{
	static const struct {
		uint32_t from, to;
	} range[] = {
		{ 0x2e80, 0x2fdf }, { 0x3005, 0x3007 }, { 0x3021, 0x3029 },
		{ 0x3031, 0x3035 }, { 0x3041, 0x30ff }, { 0x3105, 0x31bf },
		{ 0x31f0, 0x31ff }, { 0x3400, 0x4dbf }, { 0x4e00, 0x9fff },
		{ 0xac00, 0xd7a3 }, { 0xf900, 0xfaff }, { 0xff66, 0xff9f },
		{ 0x20000, 0x3ffff },
	};
	size_t i;

	if (c < range[0].from)
		return 0;
	for (i = 0; i < sizeof(range) / sizeof(range[0]); i++)
		if (c >= range[i].from && c <= range[i].to)
			return 1;
	return 0;
}

/* Length of the run at the start of text[0 .. len), 0 if there is none. */
static size_t
run_len(const char *text, size_t len)
{
	size_t n = 0, step;
	uint32_t c;

	while (n < len && (unsigned char)text[n] >= 0x80 &&
	    (step = ctx_utf8_step(text + n, len - n, &c)) > 0 && is_run(c))
		n += step;
	return n;
}

/* Add the pairs of a run; with last, also its last character. */
static void
add_pairs(struct ctx_buf *out, const char *run, size_t len, int last)
{
	size_t a = ctx_utf8_step(run, len, NULL), b;

	while (a < len) {
		b = ctx_utf8_step(run + a, len - a, NULL);
		ctx_buf_add(out, run, a + b);
		ctx_buf_addc(out, ' ');
		run += a;
		len -= a;
		a = b;
	}
	if (last)
		ctx_buf_add(out, run, len);
}

int
ctx_lex_text(struct ctx_buf *out, const char *text, size_t len)
{
	size_t i = 0, start = 0, n;

	while (i < len) {
		if ((unsigned char)text[i] < 0x80) {
			i++;
			continue;
		}
		if ((n = run_len(text + i, len - i)) == 0) {
			n = ctx_utf8_step(text + i, len - i, NULL);
			i += n > 0 ? n : 1;
			continue;
		}
		ctx_buf_add(out, text + start, i - start);
		ctx_buf_addc(out, ' ');
		add_pairs(out, text + i, n, 1);
		ctx_buf_addc(out, ' ');
		start = i += n;
	}
	return ctx_buf_add(out, len > 0 ? text + start : "", len - start);
}

void
ctx_lex_unmark(char *text, size_t len)
{
	static const char mark[] = CTX_LEX_MARK;
	size_t i;

	for (i = 0; i + 3 <= len; i++)
		if (memcmp(text + i, mark, 3) == 0)
			memset(text + i, ' ', 3);
}

static int
is_upper(char c)
{
	return c >= 'A' && c <= 'Z';
}

static int
is_lower(char c)
{
	return c >= 'a' && c <= 'z';
}

static int
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static int
is_name(char c)
{
	return is_upper(c) || is_lower(c) || is_digit(c);
}

/* Does a word begin at name[i], as in loadData and in HTTPServer? */
static int
is_hump(const char *name, size_t len, size_t i)
{
	if (i == 0 || !is_upper(name[i]))
		return 0;
	return !is_upper(name[i - 1]) || (i + 1 < len && is_lower(name[i + 1]));
}

#define NAME_BYTES	64	/* longer ones are treated as data */

static void
add_names(struct ctx_buf *out, const char *name, size_t len)
{
	size_t i, words = 1, mixed = 0;

	for (i = 1; i < len; i++) {
		words += (size_t)is_hump(name, len, i);
		mixed += (size_t)(is_digit(name[i - 1]) && !is_digit(name[i]));
	}
	/*
	 * A single word, single letters, or digits throughout: base64, a hash.
	 */
	if (words == 1 || len > NAME_BYTES || len < words * 2 || mixed > 1)
		return;
	ctx_buf_adds(out, " " CTX_LEX_MARK " ");
	for (i = 0; i < len; i++) {
		if (is_hump(name, len, i))
			ctx_buf_addc(out, ' ');
		ctx_buf_addc(out, name[i]);
	}
}

int
ctx_lex_names(struct ctx_buf *out, const char *text, size_t len)
{
	size_t i = 0, n;

	while (i < len) {
		for (n = 0; i + n < len && is_name(text[i + n]); n++)
			continue;
		if (n > 0)
			add_names(out, text + i, n);
		i += n + 1;
	}
	return out->failed ? -1 : 0;
}

/* The state of ctx_lex_query. */
struct query {
	ctx_lex_fn *fn;
	void *arg;
	struct ctx_buf cut;
};

/* A run is a phrase of its pairs; a single character is the start of a pair. */
static int
give_run(struct query *q, const char *run, size_t len)
{
	if (ctx_utf8_step(run, len, NULL) == len)
		return q->fn(run, len, 1, q->arg);
	ctx_buf_reset(&q->cut);
	add_pairs(&q->cut, run, len, 0);
	if (q->cut.failed)
		return -1;
	return q->fn(q->cut.data, q->cut.len, 0, q->arg);
}

static int
give_word(struct query *q, const char *word, size_t len)
{
	size_t i = 0, from = 0, n;

	while (i <= len) {
		n = i < len ? run_len(word + i, len - i) : 0;
		if (n == 0 && i < len) {
			i++;
			continue;
		}
		if (i > from && q->fn(word + from, i - from, 1, q->arg) == -1)
			return -1;
		if (n > 0 && give_run(q, word + i, n) == -1)
			return -1;
		from = i += n > 0 ? n : 1;
	}
	return 0;
}

/* Where the run that ends text[0 .. len) begins; len if none does. */
static size_t
last_run(const char *text, size_t len)
{
	size_t i = 0, n, step;

	while (i < len && (n = run_len(text + i, len - i)) < len - i) {
		step = n > 0 ? n : ctx_utf8_step(text + i, len - i, NULL);
		i += step > 0 ? step : 1;
	}
	return i;
}

/*
 * The run at the end may go on in a text, where its last character is not
 * alone, but begins a pair.
 */
static int
give_phrase(struct query *q, const char *text, size_t len)
{
	size_t run = last_run(text, len), n = len - run;
	int single = n > 0 && ctx_utf8_step(text + run, n, NULL) == n;

	if (len == 0 || run == 0)
		return len == 0 ? 0 : give_run(q, text, len);
	ctx_buf_reset(&q->cut);
	if (ctx_lex_text(&q->cut, text, run) == -1)
		return -1;
	if (n > 0) {
		ctx_buf_addc(&q->cut, ' ');
		add_pairs(&q->cut, text + run, n, single);
	}
	if (q->cut.failed)
		return -1;
	return q->fn(q->cut.data, q->cut.len, single, q->arg);
}

static int
is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

int
ctx_lex_query(const char *text, size_t len, ctx_lex_fn *fn, void *arg)
{
	struct query q = { .fn = fn, .arg = arg };
	const char *end = NULL;
	int more = 1, rc = 0;
	size_t i = 0, n;

	while (i < len && rc == 0) {
		if (is_space(text[i])) {
			i++;
			continue;
		}
		/*
		 * If there is no closing quote, search only once: not
		 * quadratic.
		 */
		if (text[i] == '"' && more && (end = memchr(text + i + 1, '"',
		    len - i - 1)) == NULL)
			more = 0;
		if (text[i] == '"' && more) {
			n = (size_t)(end - text) - i - 1;
			rc = give_phrase(&q, text + i + 1, n);
			i += n + 2;
			continue;
		}
		for (n = 0; i + n < len && !is_space(text[i + n]); n++)
			continue;
		rc = give_word(&q, text + i, n);
		i += n;
	}
	ctx_buf_done(&q.cut);
	return rc;
}
