/* SPDX-License-Identifier: MIT */
/*
 * Find the ends of comments and of unusual literals.  Each function takes p,
 * where the literal opens, and end, where the text ends, and returns the
 * position after the literal, or end if it is never closed.  Some return NULL
 * as noted.
 */
#ifndef CTX_DIGEST_LITERAL_H
#define CTX_DIGEST_LITERAL_H

/* A comment from open to close; if nest is set, comments may be nested. */
const char *ctx_literal_comment(const char *p, const char *end,
	    const char *open, const char *close, int nest);

/* Lua's [==[ ... ]==]; NULL if p does not open one. */
const char *ctx_literal_long(const char *p, const char *end);

/*
 * C++'s R"x( ... )x" and R's r"---[ ... ]---", with p at the quote; NULL if p
 * does not open one.
 */
const char *ctx_literal_raw_paren(const char *p, const char *end);

/*
 * Rust's r##"..."##, with p at the quote; NULL if the text between begin and p
 * does not open one.
 */
const char *ctx_literal_raw_hash(const char *p, const char *begin,
	    const char *end);

/*
 * PostgreSQL's COPY ... FROM stdin; and the rows after it, up to the line \.,
 * with p at the start of a line; p if it does not begin one.
 */
const char *ctx_literal_copy(const char *p, const char *end);

/*
 * A block of Markdown between lines that begin with ``` or ~~~, with p at the
 * first of them, without the newline at its end.
 */
const char *ctx_literal_fence(const char *p, const char *end);

/* 'x', '\n', '\u{1F600}'; NULL if the quote is not a character literal. */
const char *ctx_literal_char(const char *p, const char *end);

/*
 * From the delimiter at p to its counterpart; pairs nest.  NULL if there is
 * none.
 */
const char *ctx_literal_delimited(const char *p, const char *end);

#endif
