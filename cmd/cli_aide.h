/* SPDX-License-Identifier: MIT */
/* The main of a helper that digest/aide.h asks. */
#ifndef CTX_CMD_CLI_AIDE_H
#define CTX_CMD_CLI_AIDE_H

#include "cli.h"
#include "digest/aide.h"

/*
 * Append to out what is in data[0 .. len), or why it cannot be read.  It must
 * end within seconds for any data.
 */
typedef enum ctx_aide_state cli_aide_answer(const char *data, size_t len,
    struct ctx_buf *out);

/* Answer questions until standard input ends; returns the exit code. */
int	cli_aide(const struct cli_cmd *cmd, int argc, char *argv[],
	    cli_aide_answer *answer);

#endif
