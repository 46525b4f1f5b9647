/* SPDX-License-Identifier: MIT */
/* ctx-clean --text: plain text, treated as the result of a tool. */
#ifndef CTX_CMD_CLEAN_TEXT_H
#define CTX_CMD_CLEAN_TEXT_H

#include "cli_stream.h"

/* The largest text that is held, in bytes. */
#define CLEAN_TEXT_MAX	((size_t)64 << 20)

struct clean_text {
	int on;				/* --text */
	const char *command;		/* --command, or NULL */
	int secret;			/* set by the caller: a text that is
					   too large must not be written */
	struct cli_stream *stream;
	const char *end;		/* the text's last line end */
};

extern const struct cli_opt clean_text_opts[];

/* Make the job of the stream write texts; t must outlive it. */
void	clean_text_open(struct clean_text *t, struct cli_stream *s);
/* The stream's first_line: it takes all of the input. */
int	clean_text_first(struct clean_text *t, struct ctx_reader *r,
	    const struct ctx_line *line, struct ctx_err *err);

#endif
