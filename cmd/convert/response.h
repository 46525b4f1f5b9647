/* SPDX-License-Identifier: MIT */
/* ctx-convert --from response. */
#ifndef CTX_CMD_CONVERT_RESPONSE_H
#define CTX_CMD_CONVERT_RESPONSE_H

#include "cli_stream.h"

/* For cli_stream.first_line: takes all of the input, as one document. */
int	convert_response(struct cli_stream *s, struct ctx_reader *r,
	    const struct ctx_line *first, struct ctx_err *err);

#endif
