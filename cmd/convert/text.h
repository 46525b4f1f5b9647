/* SPDX-License-Identifier: MIT */
/* ctx-convert --from text. */
#ifndef CTX_CMD_CONVERT_TEXT_H
#define CTX_CMD_CONVERT_TEXT_H

#include "cli_stream.h"

/* Whose message all of the text is; NULL: it is a transcript. */
extern const char *convert_text_role;

/* For cli_stream.first_line: takes all of the input, as text. */
int	convert_text(struct cli_stream *s, struct ctx_reader *r,
	    const struct ctx_line *first, struct ctx_err *err);

#endif
