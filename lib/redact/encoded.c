/* SPDX-License-Identifier: MIT */
/* Base64 and escapes in a text; see encoded.h. */
#include "redact/encoded.h"

#include <stdlib.h>
#include <string.h>

#include "base/base64.h"
#include "base/cpu.h"
#include "base/utf8.h"
#include "base/vec.h"

#define BLOCK	16	/* any run of CTX_ENCODED_MIN has all of a block,
			   which begins at a multiple of this */
#define HEAD	12	/* bytes that must be text */
#define LINE	60	/* digits of a line that another may follow */
#define BEFORE	64	/* that may be before the run, in a path */

/* --- base64 -------------------------------------------------------------- */

/* Is it a digit of base64?  By character. */
static const unsigned char digits[256] = {
	['+'] = 1, ['-'] = 1, ['/'] = 1, ['_'] = 1,
	['0'] = 1, ['1'] = 1, ['2'] = 1, ['3'] = 1, ['4'] = 1,
	['5'] = 1, ['6'] = 1, ['7'] = 1, ['8'] = 1, ['9'] = 1,
	['A'] = 1, ['B'] = 1, ['C'] = 1, ['D'] = 1, ['E'] = 1, ['F'] = 1,
	['G'] = 1, ['H'] = 1, ['I'] = 1, ['J'] = 1, ['K'] = 1, ['L'] = 1,
	['M'] = 1, ['N'] = 1, ['O'] = 1, ['P'] = 1, ['Q'] = 1, ['R'] = 1,
	['S'] = 1, ['T'] = 1, ['U'] = 1, ['V'] = 1, ['W'] = 1, ['X'] = 1,
	['Y'] = 1, ['Z'] = 1,
	['a'] = 1, ['b'] = 1, ['c'] = 1, ['d'] = 1, ['e'] = 1, ['f'] = 1,
	['g'] = 1, ['h'] = 1, ['i'] = 1, ['j'] = 1, ['k'] = 1, ['l'] = 1,
	['m'] = 1, ['n'] = 1, ['o'] = 1, ['p'] = 1, ['q'] = 1, ['r'] = 1,
	['s'] = 1, ['t'] = 1, ['u'] = 1, ['v'] = 1, ['w'] = 1, ['x'] = 1,
	['y'] = 1, ['z'] = 1
};

static inline int
is_digit(char c)
{
	return digits[(unsigned char)c];
}

/* Where the run around text[off] begins, which is not before least. */
static size_t
run_start(const char *text, size_t off, size_t least)
{
	while (off > least && is_digit(text[off - 1]))
		off--;
	/* the letter of an escape is no digit: \n */
	if (off > 0 && text[off - 1] == '\\' && text[off] != '\0' &&
	    strchr("nrtbf/", text[off]) != NULL)
		off++;
	return off;
}

/* The end of the line of digits at text[off].  Most are short. */
static inline size_t
line_end(const char *text, size_t len, size_t off)
{
	while (off < len && is_digit(text[off]))
		off++;
	return off;
}

/* Skip c at text[off], also as the escape of JSON with this letter. */
static size_t
skip_char(const char *text, size_t len, size_t off, char c, char letter)
{
	size_t i = off;

	if (i < len && text[i] == c)
		return i + 1;
	while (i < len && text[i] == '\\')
		i++;
	return i > off && i < len && text[i] == letter ? i + 1 : off;
}

/* The end of the run whose first line is text[off .. end). */
static size_t
run_end(const char *text, size_t len, size_t off, size_t end)
{
	size_t cr, lf;

	while (end - off >= LINE) {
		cr = skip_char(text, len, end, '\r', 'r');
		lf = skip_char(text, len, cr, '\n', 'n');
		if (lf == cr || lf == len || !is_digit(text[lf]))
			break;
		off = lf;
		end = line_end(text, len, off);
	}
	while (end < len && text[end] == '=')
		end++;
	return end;
}

/* May the digit c begin a group of three bytes, if a character begins there? */
static int
begins_group(char c)
{
	return (c >= 'I' && c <= 'f' && (c <= 'Z' || c >= 'a')) || c == 'C' ||
	    c == 'D' || (c >= 'w' && c <= 'z') || (c >= '0' && c <= '9');
}

/* Does it encode UTF-8 without control characters? */
static int
begins_like_text(const char *p, size_t len)
{
	char head[HEAD];
	size_t used, i, n;
	int cut = 0;

	if (ctx_base64_begin(head, HEAD, p, len, &used) < HEAD)
		return 0;
	for (i = 0; i < HEAD; i += n) {
		n = ctx_utf8_step(head + i, HEAD - i, NULL);
		if (n == 0) {
			ctx_utf8_bad(head + i, HEAD - i, &cut);
			return cut;
		}
		if (((unsigned char)head[i] < ' ' || head[i] == 0x7f) &&
		    memchr("\n\r\t", head[i], 3) == NULL)
			return 0;
	}
	return 1;
}

/*
 * Where text may begin in the run text[from .. end): there, or after one of the
 * first digits that divide words, as in a URL.  Returns end if it does nowhere.
 */
static size_t
text_start(const char *text, size_t from, size_t end)
{
	size_t last = end - from > BEFORE ? from + BEFORE : end, i;

	for (i = from; i <= last && end - i >= CTX_ENCODED_MIN; i++)
		if ((i == from || text[i - 1] == '/' || text[i - 1] == '-' ||
		    text[i - 1] == '_') && begins_group(text[i]) &&
		    begins_like_text(text + i, end - i))
			return i;
	return end;
}

/*
 * The first block of digits at or after text[off], a multiple of BLOCK; len if
 * there is none.
 */
typedef size_t next_fn(const char *text, size_t len, size_t off);

static size_t
next_portable(const char *text, size_t len, size_t off)
{
	size_t i;

	for (; len - off >= BLOCK; off += BLOCK) {
		/* all in one test, which seldom holds */
		if (!(is_digit(text[off]) & is_digit(text[off + 5]) &
		    is_digit(text[off + 10]) & is_digit(text[off + 15])))
			continue;
		for (i = 0; i < BLOCK && is_digit(text[off + i]); i++)
			;
		if (i == BLOCK)
			return off;
	}
	return len;
}

#ifdef VEC
/* The digits among the VEC bytes at p. */
VEC_TARGET static inline uint32_t
digit_mask(const char *p)
{
	/* by low nibble, which high nibbles make a digit: 2 3 4,6 5 7 */
	static const unsigned char lo[16] = { 26, 30, 30, 30, 30, 30, 30, 30,
		30, 30, 28, 5, 4, 5, 4, 13 };
	static const unsigned char hi[16] = { 0, 0, 1, 2, 4, 8, 4, 16 };
	vec v = vec_load(p);

	v = vec_and(vec_look(vec_table(lo), vec_and(v, vec_set(15))),
	    vec_look(vec_table(hi), vec_shr4(v)));
	return ~vec_mask(vec_eq(v, vec_set(0)));
}

VEC_TARGET static size_t
next_vector(const char *text, size_t len, size_t off)
{
	const size_t step = 2 * BLOCK;
	uint32_t mask;
	unsigned i;

	for (; len - off >= step; off += step) {
		for (mask = i = 0; i < step; i += VEC)
			mask |= (digit_mask(text + off + i) &
			    (VEC == 32 ? 0xffffffff : 0xffff)) << i;
		if ((mask & 0xffff) == 0xffff)
			return off;
		if (mask >> BLOCK == 0xffff)
			return off + BLOCK;
	}
	return next_portable(text, len, off);
}
#endif

static next_fn *
next(void)
{
#ifdef VEC
	if (ctx_cpu_now() != CTX_CPU_PORTABLE)
		return next_vector;
#endif
	return next_portable;
}

int
ctx_encoded_find(const char *text, size_t len, ctx_encoded_fn *fn, void *arg)
{
	next_fn *find = next();
	size_t i = 0, from, end, done = 0;
	int rc;

	while ((i = find(text, len, i)) < len) {
		end = line_end(text, len, i + BLOCK);
		from = text_start(text, run_start(text, i, done), end);
		if (from < end) {
			end = run_end(text, len, from, end);
			if ((rc = fn(arg, from, end)) != 0)
				return rc;
		}
		done = end;
		i += (end - i + BLOCK - 1) / BLOCK * BLOCK;
		if (i > len)
			break;
	}
	return 0;
}

int
ctx_encoded_decode(const char *text, size_t len, struct ctx_buf *out)
{
	uint32_t bits = 0;
	unsigned have = 0;
	size_t i;
	int d;

	if (ctx_buf_reserve(out, len / 4 * 3 + 3) == -1)
		return -1;
	for (i = 0; i < len; i++) {
		if ((d = ctx_base64_digit(text[i])) == -1) {
			/* padding, or a line end; the n of \n is no digit */
			i += text[i] == '\\' && i + 1 < len &&
			    text[i + 1] != '\\';
			continue;
		}
		bits = bits << 6 | (uint32_t)d;
		have += 6;
		if (have >= 8)
			out->data[out->len++] = (char)(bits >> (have -= 8));
	}
	return 0;
}

/* --- escapes ------------------------------------------------------------- */

static int
hex_value(char c)
{
	return c >= '0' && c <= '9' ? c - '0' :
	    c >= 'a' && c <= 'f' ? c - 'a' + 10 :
	    c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/*
 * The length of the escape at p[0 .. len), or 0; its character is written to c,
 * and *n becomes its bytes.
 */
static size_t
escape(const char *p, size_t len, char c[4], size_t *n)
{
	uint32_t cp = 0;
	size_t i;
	int d;

	*n = 1;
	c[0] = '/';
	if (len >= 2 && p[1] == '/')
		return 2;
	if (len < 6 || p[1] != 'u')
		return 0;
	for (i = 2; i < 6 && (d = hex_value(p[i])) != -1; i++)
		cp = cp << 4 | (uint32_t)d;
	if (i < 6 || cp < ' ' || cp == 0x7f || cp >> 11 == 0x1b)
		return 0;	/* a control character, half of a character */
	*n = ctx_utf8_put(c, cp);
	return 6;
}

/* From here on, text is at was. */
static int
note(struct ctx_encoded_plain *u, size_t was)
{
	if (CTX_ROOM(u->at, u->n, &u->cap) == -1)
		return -1;
	u->at[u->n].off = u->text.len;
	u->at[u->n++].was = was;
	return 0;
}

int
ctx_encoded_unescape(struct ctx_encoded_plain *u, const char *text, size_t len)
{
	size_t i = 0, n, from = 0, bytes;
	const char *p;
	char c[4];

	ctx_buf_reset(&u->text);
	u->n = 0;
	while (i < len && (p = memchr(text + i, '\\', len - i)) != NULL) {
		i = (size_t)(p - text);
		if ((n = escape(p, len - i, c, &bytes)) == 0) {
			i += 2;		/* \\ does not begin another */
			continue;
		}
		ctx_buf_add(&u->text, text + from, i - from);
		ctx_buf_add(&u->text, c, bytes);
		from = i += n;
		if (u->text.failed || note(u, from) == -1)
			return -1;
	}
	if (u->n == 0)
		return 0;
	return ctx_buf_add(&u->text, text + from, len - from) == -1 ? -1 : 1;
}

size_t
ctx_encoded_was(const struct ctx_encoded_plain *u, size_t off)
{
	size_t lo = 0, hi = u->n, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (u->at[mid].off <= off)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo == 0 ? off : u->at[lo - 1].was + (off - u->at[lo - 1].off);
}

void
ctx_encoded_done(struct ctx_encoded_plain *u)
{
	ctx_buf_done(&u->text);
	free(u->at);
}
