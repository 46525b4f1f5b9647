/* SPDX-License-Identifier: MIT */
/*
 * The internals of read/span that the code paths share.  A path is one file
 * scan_<name>.c with the kernels for one kind of processor; the grammar,
 * scan_grammar.inc, is compiled into each of them, because a call through a
 * pointer for each string would cost more than most strings do.
 *
 * A path reports where a line is wrong only if that is cheap to know.  Bad
 * strings and bad UTF-8 are checked again by the plain code in scan.c and
 * base/utf8, so that all paths report the same columns.
 */
#ifndef CTX_READ_SPAN_SCAN_H
#define CTX_READ_SPAN_SCAN_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "read/span.h"

#define CTX_SCAN_BLOCK	64	/* bytes that a path may read at once */

enum ctx_scan_rc {
	CTX_SCAN_OK,
	CTX_SCAN_END,		/* the line ends too early */
	CTX_SCAN_UNEXPECTED,	/* no token begins with this byte here */
	CTX_SCAN_CONTROL,	/* below 0x20 in a string */
	CTX_SCAN_ESCAPE,	/* the backslash of an unknown escape */
	CTX_SCAN_DEPTH,
	CTX_SCAN_AFTER,		/* something after the value */
	CTX_SCAN_NOMEM
};

struct ctx_scan {
	const char *raw;
	size_t len;
	size_t room;		/* bytes of raw that may be read, at least len
				   and CTX_SCAN_BLOCK; NUL after len */
	struct ctx_doc *doc;	/* empty; stays empty on failure */
	int high;		/* some byte may be over 0x7f */
	size_t bad;		/* offset of the error */
};

struct ctx_scan_kernel {
	enum ctx_scan_rc (*doc)(struct ctx_scan *);
	int (*utf8)(const char *, size_t);	/* 1 if all is valid */
	size_t (*chars)(const char *, size_t);	/* ctx_str_chars */
};

extern const struct ctx_scan_kernel ctx_scan_avx512;
extern const struct ctx_scan_kernel ctx_scan_vector;
extern const struct ctx_scan_kernel ctx_scan_portable;

/* The path in use. */
const struct ctx_scan_kernel *ctx_scan_current(void);

/* Make room for node n.  Returns 0, or -1 if out of memory. */
int	ctx_scan_grow(struct ctx_doc *doc, uint32_t n);

/* Tell what is wrong with the string whose first byte after the quote is p. */
enum ctx_scan_rc ctx_scan_bad_string(struct ctx_scan *s, const char *p);

/* Do the string contents s[0 .. len) spell text (UTF-8)? */
int	ctx_str_spells(const char *s, size_t len, const char *text,
	    size_t textlen);

/*
 * What a byte is inside an escape.  There is one bit for each upper half of a
 * byte that has escape letters, so that a vector path can look up both halves
 * in 16-byte tables and AND the results.
 */
#define CTX_ESC_2	0x01	/* " / */
#define CTX_ESC_5	0x02	/* \ */
#define CTX_ESC_6	0x04	/* b f n */
#define CTX_ESC_7	0x08	/* r t u */
#define CTX_ESC_ANY	0x0f
#define CTX_HEX_3	0x10	/* 0-9 */
#define CTX_HEX_46	0x20	/* A-F a-f */
#define CTX_HEX_ANY	0x30

extern const unsigned char ctx_scan_class_lo[16];
extern const unsigned char ctx_scan_class_hi[16];

static inline unsigned
ctx_scan_class(char c)
{
	unsigned char u = (unsigned char)c;

	return ctx_scan_class_lo[u & 15] & ctx_scan_class_hi[u >> 4];
}

/* The length of the escape whose backslash is p[0]; 0 if invalid or cut off. */
static inline size_t
ctx_scan_escape(const char *p, size_t len)
{
	size_t i;

	if (len < 2 || (ctx_scan_class(p[1]) & CTX_ESC_ANY) == 0)
		return 0;
	if (p[1] != 'u')
		return 2;
	if (len < 6)
		return 0;
	for (i = 2; i < 6; i++)
		if ((ctx_scan_class(p[i]) & CTX_HEX_ANY) == 0)
			return 0;
	return 6;
}

/*
 * Are p[0 .. 12) the two escapes of a surrogate pair?  p[0] must be the
 * backslash of an escape.
 */
static inline int
ctx_scan_pair(const char *p, size_t len)
{
	return len >= 12 && p[1] == 'u' && (p[2] | 32) == 'd' &&
	    memchr("89abAB", p[3], 6) != NULL &&
	    p[6] == '\\' && p[7] == 'u' && (p[8] | 32) == 'd' &&
	    memchr("cdefCDEF", p[9], 8) != NULL;
}

#endif
