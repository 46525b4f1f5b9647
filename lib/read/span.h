/* SPDX-License-Identifier: MIT */
/*
 * A strict RFC 8259 reader that builds no tree: one pass over a line checks it
 * and leaves a flat list of nodes, each a byte range, in document order.
 *
 *	{"a":[1,"x"],"b":{}}	-> node 0 {...}, 1 "a", 2 [...], 3 "x",
 *				   4 "b", 5 {}
 *
 * A member's key is a node of its own, directly before the node of its value.
 * Numbers, true, false and null get a node as member values but not as array
 * elements, where nothing in a message history looks for them; so a list of a
 * million numbers costs nothing.  What kind a node is follows from its first
 * byte.
 *
 * Accepts what JSON accepts: lone surrogate escapes, 1e400, \u0000, duplicate
 * keys (the last one wins, ctx_doc_get).  Rejects everything else, and bytes
 * that are not UTF-8, with the column.  Offsets are bytes from the start of the
 * line; a line is at most CTX_LINE_MAX bytes, nesting at most CTX_DEPTH_MAX.
 *
 * A struct ctx_doc that is all zero is empty; its node array is reused from
 * line to line.
 *
 * Names: ctx_doc_, ctx_scan_, ctx_str_.
 */
#ifndef CTX_READ_SPAN_H
#define CTX_READ_SPAN_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"

#define CTX_LINE_MAX	(1u << 30)
#define CTX_DEPTH_MAX	1024
#define CTX_NONE	UINT32_MAX	/* no node */

struct ctx_node {
	uint32_t off;	/* of the first byte: '"' '{' '[' 't' 'f' 'n' '-' 0-9 */
	uint32_t len;	/* bytes, quotes and brackets included */
	uint32_t next;	/* index of the first node after this one and everything
			   inside it; for a key: the node after the key, which
			   is its value */
};

struct ctx_doc {
	const char *raw;	/* borrowed */
	size_t len;
	struct ctx_node *node;
	uint32_t n;
	size_t cap;
	int escapes;		/* some string may have an escape \u */
};

/*
 * Scan raw[0 .. len), which must be one JSON value with nothing but white space
 * around it (a line's newline is white space).  Replaces the contents of doc.
 *
 * Returns: 0, or -1 with CTX_EINPUT, err->col (from 1) and a text such as "not
 *          JSON: unexpected end", or CTX_ENOMEM.
 */
int	ctx_doc_scan(struct ctx_doc *doc, const char *raw, size_t len,
	    struct ctx_err *err) CTX_CHECKED;

/* Is it JSON?  Returns 1 with doc filled, 0 if not, -1 if out of memory. */
int	ctx_doc_try(struct ctx_doc *doc, const char *raw, size_t len)
	    CTX_CHECKED;

void	ctx_doc_done(struct ctx_doc *doc);

/* The first byte of node i, which tells its type. */
static inline char
ctx_node_type(const struct ctx_doc *doc, uint32_t i)
{
	return doc->raw[doc->node[i].off];
}

/*
 * Walking: the children of an object or array i are the nodes from i + 1 up to
 * node[i].next.  In an object they come in pairs, key then value:
 *
 *	for (k = i + 1; k < node[i].next; k = node[k + 1].next)
 *		key k, value k + 1
 *
 * In an array: for (e = i + 1; e < node[i].next; e = node[e].next).
 */

/*
 * The value of member key[0 .. keylen) of object obj; CTX_NONE if there is none
 * or obj is not an object.  Keys with escapes are decoded before they are
 * compared.  Of equal keys the last one counts.
 */
uint32_t ctx_doc_get(const struct ctx_doc *doc, uint32_t obj, const char *key,
	    size_t keylen);

/* Does key node k spell key?  Escapes are decoded. */
int	ctx_doc_key_is(const struct ctx_doc *doc, uint32_t k, const char *key,
	    size_t keylen);

/* String contents: the bytes between the quotes, still escaped. */

/*
 * How many bytes string contents and a word have in common before the first
 * escape.  If they end there, the contents are the beginning of the word; if
 * not, they can only be the word if an escape follows.  Words are short, so a
 * loop beats memcmp.
 */
static inline size_t
ctx_str_agrees(const char *s, size_t len, const char *word, size_t wordlen)
{
	size_t i = 0, n = len < wordlen ? len : wordlen;

	while (i < n && s[i] == word[i] && s[i] != '\\')
		i++;
	return i;
}

/* A string inside a record; p is NULL where there is none. */
struct ctx_str {
	const char *p;
	uint32_t len;
};

/* For "%.*s". */
#define CTX_STR_ARGS(s)	(int)(s).len, (s).p != NULL ? (s).p : ""

/* The contents of the buffer, valid until it changes. */
static inline struct ctx_str
ctx_str_of(const struct ctx_buf *b)
{
	return (struct ctx_str){ b->data, (uint32_t)b->len };
}

/* Do a and b have the same bytes? */
static inline int
ctx_str_same(struct ctx_str a, struct ctx_str b)
{
	return a.len == b.len && (a.len == 0 || memcmp(a.p, b.p, a.len) == 0);
}

/* Does s begin with the bytes of text, or has it no others? */
static inline int
ctx_str_starts(struct ctx_str s, const char *text)
{
	size_t n = strlen(text);

	return s.len >= n && (n == 0 || memcmp(s.p, text, n) == 0);
}

static inline int
ctx_str_is(struct ctx_str s, const char *text)
{
	return s.len == strlen(text) && ctx_str_starts(s, text);
}

/* Is s one of n texts? */
static inline int
ctx_str_in(struct ctx_str s, const char *const *text, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (ctx_str_is(s, text[i]))
			return 1;
	return 0;
}

/* Is s only white space, spelled plainly or as escapes? */
int	ctx_str_blank(struct ctx_str s);

/* The number of characters in the text; a lone surrogate counts as one. */
size_t	ctx_str_chars(const char *s, size_t len);

/*
 * The bytes of s that spell the first nchars characters; len if it has fewer.
 */
size_t	ctx_str_cut(const char *s, size_t len, size_t nchars);

/* The number of bytes of s that spell the first n bytes of the decoded text. */
size_t	ctx_str_spelling(const char *s, size_t len, size_t n);

/*
 * Append the decoded text to out; a lone surrogate becomes U+FFFD.  Returns 0,
 * or -1 if out of memory (out->failed).
 */
int	ctx_str_decode(struct ctx_buf *out, const char *s, size_t len);

/*
 * Decode the escape whose backslash is s[0] into out[0 .. 4).  Sets *n to the
 * number of bytes written.  Returns the length of its spelling, at least 1.
 */
size_t	ctx_str_escape(const char *s, size_t len, char *out, size_t *n);

/*
 * Offset of the first escape that is half a surrogate pair, in a string or a whole
 * line; len if there is none.
 */
size_t	ctx_str_half(const char *s, size_t len);

/* Replace all of them with U+FFFD, in place.  Returns how many there were. */
size_t	ctx_str_mend(char *s, size_t len);

/* Do the two spellings have the same text? */
int	ctx_str_equal(const char *a, size_t alen, const char *b, size_t blen);

/* Append text[0 .. len) (UTF-8) escaped for a JSON string, without quotes. */
int	ctx_str_encode(struct ctx_buf *out, const char *text, size_t len);

/*
 * Offset of the first byte that is not UTF-8, len if there is none.  Uses
 * vectors where the machine has them.
 */
size_t	ctx_scan_utf8(const char *p, size_t len);

/* Offset of the next newline in p[0 .. len), len if there is none. */
size_t	ctx_scan_newline(const char *p, size_t len);

#endif
