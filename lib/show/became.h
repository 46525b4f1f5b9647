/* SPDX-License-Identifier: MIT */
/*
 * What became of a message, and how that is shown: a sign, a word, a colour.
 *
 * Names: ctx_became_, enum ctx_became.
 */
#ifndef CTX_SHOW_BECAME_H
#define CTX_SHOW_BECAME_H

#include <stdint.h>

enum ctx_became {
	CTX_BECAME_SAME,
	CTX_BECAME_MOVED,	/* the same, elsewhere */
	CTX_BECAME_SHORTENED,	/* fewer tokens, no part is new or longer */
	CTX_BECAME_CHANGED,
	CTX_BECAME_DROPPED,
	CTX_BECAME_ADDED,
	CTX_BECAME_N
};

/* Of two histories: what became of the messages of the old one. */
struct ctx_became_sum {
	uint64_t messages[2], tokens[2];	/* in the old one, in the new */
};

struct ctx_became_look {
	const char *name;	/* "dropped" */
	const char *colour;	/* an escape sequence of ECMA-48 */
	char sign;
};

const struct ctx_became_look *ctx_became_look(enum ctx_became became);

#endif
