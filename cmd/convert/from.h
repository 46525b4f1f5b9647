/* SPDX-License-Identifier: MIT */
/* What ctx-convert reads besides histories: texts, results, and responses. */
#ifndef CTX_CMD_CONVERT_FROM_H
#define CTX_CMD_CONVERT_FROM_H

#include "cli_stream.h"
#include "edit/target.h"
#include "job/response.h"

struct convert_from {
	enum convert_input { CONVERT_HISTORY, CONVERT_TEXT, CONVERT_RESPONSE,
	    CONVERT_RESULTS } what;
	const char *role;		/* of a text; NULL: transcripts */
	const char *call, *name;	/* with the role tool: whose result it is */
	int error;
	int follow;			/* --follow-text */

	const struct ctx_target *to;
	struct ctx_buf strings;		/* of the result */
	struct ctx_said result;
	const char *began;		/* the file that has had a first line */
	struct ctx_response response;
	struct ctx_buf shown;		/* text for people */
	int in_line;			/* what was shown did not end its line */
	struct ctx_out *report;		/* NULL: none */
};

/* The options for the struct but --from. */
extern const struct cli_opt convert_from_opts[];

/* The messages that are read go on with a history that is elsewhere. */
int	convert_from_goes_on(const struct convert_from *f);

/*
 * Settle what the options mean together, when f->what is set; a contradiction ends
 * the process.
 */
void	convert_from_settle(struct convert_from *f, struct cli_stream *s,
	    struct cli *c);

/* The first line of a file, and its end: as in struct cli_stream. */
int	convert_from_first(struct convert_from *f, struct cli_stream *s,
	    struct ctx_reader *r, const struct ctx_line *line,
	    struct ctx_err *err);
int	convert_from_end(struct convert_from *f, struct cli_stream *s,
	    struct ctx_err *err);
void	convert_from_done(struct convert_from *f);

#endif
