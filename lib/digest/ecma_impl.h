/* SPDX-License-Identifier: MIT */
/* The tokens of a script, for the sources of ecma.h. */
#ifndef CTX_DIGEST_ECMA_IMPL_H
#define CTX_DIGEST_ECMA_IMPL_H

#include <stdint.h>

#include "digest/ecma.h"

#define ECMA_DEPTH	300	/* brackets in each other that are read */
#define ECMA_LEVELS	400	/* the same, of what is read in them */

/* Kinds of tokens; a sign of one character is its own kind. */
enum ecma_token_kind {
	ECMA_WORD = 'w', ECMA_PRIVATE = '#', ECMA_STRING = 's',
	ECMA_NUMBER = '0', ECMA_TEMPLATE = 't', ECMA_REGEX = 'r',
	ECMA_ELEMENT = 'j',
	ECMA_ARROW = 'a',	/* => */
	ECMA_DOT = '.',		/* . and ?. */
	ECMA_OPERATOR = 'o',	/* of several characters, and ... */
	ECMA_CODE = 'x',	/* code in a template or an element begins */
	ECMA_CODE_END = 'y'
};

struct ctx_ecma_token {
	uint32_t off;
	uint32_t len : 24, kind : 8;	/* of a string, without its quotes */
	uint32_t line;			/* from 1 */
	uint32_t match;			/* of a bracket: the other one, or the
					   number of tokens; of a word: may it
					   have a meaning? */
};

/*
 * Split src[0 .. len) into e->token.  Returns 0, or -1 if out of memory.
 */
int	ctx_ecma_split(struct ctx_ecma *e, const char *src, size_t len,
	    int jsx);

/*
 * May a value begin after token i-1?  in_block says what } means: the end of a
 * block, after which one may, or of a value.
 */
int	ctx_ecma_value_may_stand(const struct ctx_ecma *e, const char *src,
	    size_t i, int in_block);

/* Is token t one of the words in " a b c "? */
int	ctx_ecma_among(const char *src, const struct ctx_ecma_token *t,
	    const char *words);

#endif
