/* SPDX-License-Identifier: MIT */
/* Whom to ask: the options of the commands that speak to an endpoint. */
#ifndef CTX_CMD_CLI_ENDPOINT_H
#define CTX_CMD_CLI_ENDPOINT_H

#include "cli_opt.h"

/* Of a struct ctx_endpoint_want. */
extern const struct cli_opt cli_endpoint_opts[];
/* Of a struct ctx_http_limits. */
extern const struct cli_opt cli_limits_opts[];

#endif
