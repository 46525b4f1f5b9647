/* SPDX-License-Identifier: MIT */
/* --set: members of a request that the user sets. */
#ifndef CTX_CMD_CLI_SET_H
#define CTX_CMD_CLI_SET_H

#include "base/set.h"
#include "cli.h"

#define CLI_SET_MAX	32

struct cli_set {
	struct ctx_set set[CLI_SET_MAX];
	size_t n;
	char *names[CLI_SET_MAX];
};

/* For OPT_CALL with a struct cli_set: take NAME=VALUE, or end the process. */
void	cli_set_take(struct cli *c, void *place);
/* Warn of members that the model refuses, by its API; they are sent. */
void	cli_set_check(const struct cli_set *s, const char *api,
	    const char *model, struct cli *c);
void	cli_set_done(struct cli_set *s);

#endif
