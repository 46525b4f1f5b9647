/* SPDX-License-Identifier: MIT */
/*
 * What tokens cost.  A line of a table is
 *
 *	MODEL SINCE ABOVE INPUT CACHED WRITTEN HOUR OUTPUT
 *
 * MODEL is a name, with a * at its start or end for anything; SINCE the day
 * from which the line holds, 2026-03-01, or - for always; ABOVE the tokens of a
 * request above which it holds; the last five are the prices of a million
 * tokens of input, of input read from a cache, written to one, and written to
 * one for an hour, and of output, in US dollars, or - for one that is not known.
 * Empty lines, and what follows a #, say nothing.
 *
 * Of the lines for a model, those whose MODEL has the most letters hold; of
 * these, those of the last day; and of these, that with the highest ABOVE.
 */
#ifndef CTX_TOKEN_PRICE_H
#define CTX_TOKEN_PRICE_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

enum ctx_price_of {
	CTX_PRICE_INPUT,	/* none of the next three */
	CTX_PRICE_CACHED, CTX_PRICE_WRITTEN, CTX_PRICE_HOUR, CTX_PRICE_OUTPUT,
	CTX_PRICE_N
};

struct ctx_price {
	char model[80];		/* without the stars */
	int any_before, any_after;
	char since[12];		/* "" for always */
	uint64_t above;
	uint64_t rate[CTX_PRICE_N];	/* millionths of a dollar for a million
					   tokens, or CTX_PRICE_NONE */
	int own;		/* of a table that was read before another */
};

#define CTX_PRICE_NONE	UINT64_MAX

/* All zero has no prices. */
struct ctx_prices {
	struct ctx_price *row;
	size_t n, cap;
	int tables;		/* lines of the first go before all others */
	char today[12];		/* in local time, when the known ones were
				   read */
};

/*
 * Read a table.  Returns 0, or -1 with CTX_EINPUT, err->line and what is wrong
 * there, or CTX_ENOMEM.
 */
int	ctx_prices_read(struct ctx_prices *p, const char *text, size_t len,
	    struct ctx_err *err) CTX_CHECKED;
/* Read the table that is built in, the last one. */
int	ctx_prices_known(struct ctx_prices *p, struct ctx_err *err)
	    CTX_CHECKED;
void	ctx_prices_done(struct ctx_prices *p);

/*
 * What these tokens cost on that day ("": today's prices), in thousand
 * millionths of a dollar.  Returns 1, or 0 if a price that it takes is not
 * known.
 */
int	ctx_prices_cost(const struct ctx_prices *p, const char *model,
	    const char *day, const uint64_t tokens[CTX_PRICE_N],
	    uint64_t *nano);

#endif
