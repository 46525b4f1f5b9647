/* SPDX-License-Identifier: MIT */
/*
 * Private keys whose block (PEM) begins in one text of a conversation and goes
 * on in a later one, as when a file is read in pieces.
 */
#ifndef CTX_REDACT_PEM_H
#define CTX_REDACT_PEM_H

#include <stddef.h>

#define CTX_PEM_RULE	"private-key"
#define CTX_PEM_BEGIN	"-----BEGIN"
#define CTX_PEM_MESSAGES	16	/* after the beginning of a private key
					   that may have the rest */

/* Where a conversation is; all zero: in no block. */
struct ctx_pem_block {
	unsigned left;		/* messages that may have the rest */
	int opens, ends;	/* a text of this message does so */
};

/* The texts of a message end: is a block open for the next? */
void	ctx_pem_message(struct ctx_pem_block *b);

/*
 * Does the text have the beginning of a private key's block without its end?
 * No, if what follows the first line is neither a line of the block nor the end
 * of the text.
 */
int	ctx_pem_opens(const char *text, size_t len);

/*
 * Find the lines of a block at the beginning of the text; a few other lines may
 * precede them, and line numbers or the signs of a diff may stand before each.
 * Sets *off and *end to where they are, and *open to whether the block has not
 * ended.  Returns 1, or 0 if there are none.
 */
int	ctx_pem_goes_on(const char *text, size_t len, size_t *off, size_t *end,
	    int *open);

#endif
