/* SPDX-License-Identifier: MIT */
/*
 * Where comments and literals of unusual shapes end.  All take p, where the
 * literal opens, and end, where the text does, and return what is behind the
 * literal; end if it is never closed, unless they say NULL.
 */
#ifndef CTX_DIGEST_LITERAL_H
#define CTX_DIGEST_LITERAL_H

/* A comment from open to close; nest: comments in it count. */
const char *ctx_literal_comment(const char *p, const char *end,
	    const char *open, const char *close, int nest);

/* Lua's [==[ ... ]==]; NULL if none opens at p. */
const char *ctx_literal_long(const char *p, const char *end);

/*
 * R"x( ... )x" of C++ and r"---[ ... ]---" of R, p at the quote; NULL if none
 * opens there.
 */
const char *ctx_literal_raw_paren(const char *p, const char *end);

/*
 * Rust's r##"..."##, p at the quote; NULL if what stands before it, down to
 * begin, opens none.
 */
const char *ctx_literal_raw_hash(const char *p, const char *begin,
	    const char *end);

/* 'x', '\n', '\u{1F600}'; NULL if the quote is something else. */
const char *ctx_literal_char(const char *p, const char *end);

/* From the delimiter at p to its counterpart, pairs nest; NULL if none. */
const char *ctx_literal_delimited(const char *p, const char *end);

#endif
