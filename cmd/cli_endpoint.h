/* SPDX-License-Identifier: MIT */
/* The options of the commands that contact an endpoint. */
#ifndef CTX_CMD_CLI_ENDPOINT_H
#define CTX_CMD_CLI_ENDPOINT_H

#include "cli_opt.h"

/* For a struct ctx_endpoint_want. */
extern const struct cli_opt cli_endpoint_opts[];
/* For a struct ctx_http_limits. */
extern const struct cli_opt cli_limits_opts[];

#endif
