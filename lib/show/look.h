/* SPDX-License-Identifier: MIT */
/*
 * How lines look on a terminal or in a pipe: how long they are, their colours,
 * and the signs that ctx writes itself.
 *
 * Names: ctx_look_, CTX_SIGN_.
 */
#ifndef CTX_SHOW_LOOK_H
#define CTX_SHOW_LOOK_H

#include "base/buf.h"
#include "read/span.h"

struct ctx_look {
	size_t columns;		/* 0: lines are not divided or cut */
	int colour;		/* by escape sequences of ECMA-48 */
	int ascii;		/* no other characters of its own */
};

#define CTX_LOOK_BOLD	"\033[1m"
#define CTX_LOOK_DIM	"\033[2m"
#define CTX_LOOK_RED	"\033[31m"
#define CTX_LOOK_GREEN	"\033[32m"
#define CTX_LOOK_YELLOW	"\033[33m"
#define CTX_LOOK_BLUE	"\033[34m"
#define CTX_LOOK_MAGENTA "\033[35m"
#define CTX_LOOK_CYAN	"\033[36m"
#define CTX_LOOK_PLAIN	"\033[0m"

enum ctx_look_sign {
	CTX_SIGN_CALL,
	CTX_SIGN_RESULT,
	CTX_SIGN_MORE,		/* of a text, or of lines */
	CTX_SIGN_CUT,		/* in the last column */
	CTX_SIGN_BECOMES,
	CTX_SIGN_RULE
};

const char *ctx_look_sign(const struct ctx_look *l, enum ctx_look_sign sign);

/* Append an escape sequence, if there are colours. */
void	ctx_look_style(const struct ctx_look *l, struct ctx_buf *out,
	    const char *sequence);

/*
 * The bytes of a line of which there is room for so many columns: all of it,
 * or its beginning, after which there is room for CTX_SIGN_CUT.
 */
size_t	ctx_look_fit(const struct ctx_look *l, const char *p, size_t len,
	    size_t columns);

/*
 * Append a line of text in a style ("": none), divided where the terminal ends;
 * what follows the first line is indented.
 */
void	ctx_look_wrap(const struct ctx_look *l, struct ctx_buf *out,
	    struct ctx_str line, const char *style);

#endif
