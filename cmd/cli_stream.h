/* SPDX-License-Identifier: MIT */
/*
 * The loop of the filters: files or standard input to a job (job/job.h), with
 * one way of naming bad lines, of writing in place, and of ending.
 */
#ifndef CTX_CMD_CLI_STREAM_H
#define CTX_CMD_CLI_STREAM_H

#include "cli_progress.h"
#include "job/run.h"
#include "write/out.h"

struct cli_stream {
	struct cli *cli;
	const char *by;			/* --by, or NULL */
	const struct ctx_dialect *dialect;	/* --dialect, or NULL */
	enum ctx_on_error on_error;
	int in_place;
	const char *suffix;		/* NULL: no backup */
	unsigned threads;

	/*
	 * What is done to the stream: the caller's.  Its bytes go to out,
	 * what is put aside to side, unless it has a sink; its rows to row.
	 * NULL: own, whose callbacks in own.turns are the command's.
	 */
	struct ctx_job *job;
	struct ctx_job own;
	struct ctx_out *side;
	int (*row)(struct cli_stream *s, const struct ctx_row *row,
	    struct ctx_err *err);
	struct ctx_run run;

	/* for the callbacks */
	const char *file;		/* as in messages: "-" is stdin */
	struct ctx_out out;
	struct cli_progress progress;
	int hold_back;			/* set it: the file stays as it is */
	/*
	 * Where SIGPIPE is ignored; unless NULL set, instead of a message,
	 * when nobody reads the output any more.
	 */
	int *no_reader;

	/*
	 * Called, unless NULL, for the first line that is not blank: 1: it
	 * has taken all of the input, 0: it has not, -1: *err.
	 */
	int (*first_line)(struct cli_stream *s, struct ctx_reader *r,
	    const struct ctx_line *line, struct ctx_err *err);
	/* called, unless NULL, before the input may have to be waited for */
	int (*before_read)(struct cli_stream *s, struct ctx_err *err);
	/* called, unless NULL, to name a line that is not JSON */
	void (*bad_line)(struct cli_stream *s, const struct ctx_err *err);
	/* the file is at its end and all turns were given */
	int (*file_end)(struct cli_stream *s, struct ctx_err *err);
	/*
	 * Called, unless NULL, when a file has failed: what waits for its end
	 * is never written, least of all with the next one.
	 */
	void (*give_up)(struct cli_stream *s);
};

/*
 * The shared options, of a struct cli_stream: what every stream takes, and the
 * same with a dialect; -i and -j apart, since not every stream is a file's, nor
 * its job one for threads.
 */
extern const struct cli_opt cli_lines_opts[], cli_stream_opts[],
	    cli_in_place_opts[], cli_jobs_opts[];

/* The job is what is done; NULL ends the process by what *err says. */
void	cli_stream_job(struct cli_stream *s, struct ctx_job *job,
	    const struct ctx_err *err, struct cli *c);

/*
 * Every operand, or standard input without one ("-" names it too).  Errors
 * are reported here; the worst exit code is left in the cli.
 */
void	cli_each_turn(struct cli_stream *s, struct cli *c);

#endif
