/* SPDX-License-Identifier: MIT */
/* What became of a message; see became.h. */
#include "show/became.h"

#include "show/look.h"

const struct ctx_became_look *
ctx_became_look(enum ctx_became became)
{
	static const struct ctx_became_look looks[CTX_BECAME_N] = {
		{ "same", CTX_LOOK_DIM, '=' },
		{ "moved", CTX_LOOK_BLUE, '>' },
		{ "shortened", CTX_LOOK_CYAN, '<' },
		{ "changed", CTX_LOOK_YELLOW, '~' },
		{ "dropped", CTX_LOOK_RED, '-' },
		{ "added", CTX_LOOK_GREEN, '+' }
	};

	return &looks[became];
}
