/* SPDX-License-Identifier: MIT */
/*
 * Input that is no stream of lines: JSON documents over several lines, as
 * pretty-printers write them, and lists of conversations.
 */
#ifndef CTX_CMD_CLI_DOCUMENT_H
#define CTX_CMD_CLI_DOCUMENT_H

#include "cli_stream.h"

/*
 * For cli_stream.first_line.  If the first line is not one whole value, or is
 * a list, take all the rest of the input with it, as documents: each value is
 * a line, and each element of a list of conversations is one.
 * Returns 1: taken; 0: it is a stream of lines; -1 with *err.
 */
int	cli_documents(struct cli_stream *s, struct ctx_reader *r,
	    const struct ctx_line *first, struct ctx_err *err);

/* All of the input behind the first line, into out.  0 or -1. */
int	cli_read_rest(struct ctx_reader *r, struct ctx_buf *out,
	    struct ctx_err *err);

#endif
