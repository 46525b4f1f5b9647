/* SPDX-License-Identifier: MIT */
/* What tokens cost, for the commands that say so. */
#ifndef CTX_CMD_CLI_PRICES_H
#define CTX_CMD_CLI_PRICES_H

#include "cli.h"
#include "token/price.h"

/*
 * Read the table at path, if that is NULL the one that CTX_PRICES names, if it
 * names one, and then the one that is built in.  Ends the process on an error.
 */
void	cli_prices_open(struct ctx_prices *p, const char *path,
	    struct cli *c);

#define CLI_DOLLARS 40

/* Thousand millionths of a dollar as dollars, rounded up to a millionth. */
char	*cli_dollars(uint64_t nano, char out[CLI_DOLLARS]);

#endif
