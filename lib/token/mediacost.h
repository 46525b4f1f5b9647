/* SPDX-License-Identifier: MIT */
/*
 * The number of tokens that documents, sound and film cost by what each
 * provider publishes: so many for a page, a second.  These are estimates.
 */
#ifndef CTX_TOKEN_MEDIACOST_H
#define CTX_TOKEN_MEDIACOST_H

#include <stddef.h>
#include <stdint.h>

#include "token/model.h"

/* A file, decoded. */
struct ctx_medium {
	const char *type;	/* "application/pdf"; NULL if unknown */
	size_t typelen;
	const char *data;	/* NULL: it is not here */
	size_t len;
	enum ctx_detail detail;	/* of film */
};

/* Is it a text, to be counted as such? */
int	ctx_mediacost_is_text(const struct ctx_medium *m);

/*
 * Set *n to the tokens of a file that is not a text, for the model called name
 * of provider.  rates, unless NULL, takes precedence.  What the file is is seen
 * in its data, or said by its type.
 *
 * Returns: CTX_ESTIMATE, or CTX_NOT_COUNTED with *n 0: the file is not here, is
 *          of no such kind, does not say how long it is, or the provider
 *          publishes nothing for its kind.
 */
enum ctx_level ctx_mediacost_tokens(const struct ctx_medium *m,
	    const char *provider, const char *name,
	    const struct ctx_rates *rates, uint64_t *n);

#endif
