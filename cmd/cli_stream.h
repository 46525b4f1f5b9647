/* SPDX-License-Identifier: MIT */
/*
 * The loop of the filters: it passes files or standard input to a job
 * (job/job.h) and gives all filters the same way to report bad lines, to write
 * in place and to end.
 */
#ifndef CTX_CMD_CLI_STREAM_H
#define CTX_CMD_CLI_STREAM_H

#include "cli_in_place.h"
#include "cli_progress.h"
#include "job/run.h"
#include "job/shard.h"
#include "write/out.h"

struct cli_stream {
	struct cli *cli;
	const char *by;			/* --by, or NULL */
	const struct ctx_dialect *dialect;	/* --dialect, or NULL */
	enum ctx_on_error on_error;
	struct ctx_shard shard;		/* --shard; n 0: all lines */
	struct cli_in_place place;
	unsigned threads;
	const char *dropped;		/* --dropped, or NULL */
	const char *rejected;		/* --rejected, or NULL */

	/*
	 * The caller's job.  Its output goes to out, what it puts aside goes
	 * to side, unless it has a sink, and its rows go to row.  If it is
	 * NULL, own is used, whose callbacks in own.turns are the command's.
	 */
	struct ctx_job *job;
	struct ctx_job own;
	struct ctx_out side;		/* open if dropped is set */
	struct ctx_out reject;		/* likewise for rejected; with -i, open
					   after the first line that is skipped */
	int (*row)(struct cli_stream *s, const struct ctx_row *row,
	    struct ctx_err *err);
	struct ctx_run run;

	/* For the callbacks: */
	const char *file;		/* as in messages: "-" is stdin */
	int std;			/* it is standard input */
	struct ctx_out out;
	struct cli_progress progress;
	int hold_back;			/* if set, the file is left unchanged */
	/*
	 * For commands that ignore SIGPIPE: unless NULL, it is set, and no
	 * message is printed, when nobody reads the output any more.
	 */
	int *no_reader;

	/*
	 * Unless NULL, called for the first line that is not blank, or with
	 * texts, for the first.  Returns 1 if it has read all of the input, 0 if
	 * not, or -1 with *err set.
	 */
	int texts;
	int (*first_line)(struct cli_stream *s, struct ctx_reader *r,
	    const struct ctx_line *line, struct ctx_err *err);
	/* Unless NULL, called before a read that may block. */
	int (*before_read)(struct cli_stream *s, struct ctx_err *err);
	/* Unless NULL, called for each line that is not JSON. */
	void (*bad_line)(struct cli_stream *s, const struct ctx_err *err);
	int foreign;		/* such a line told what the file is instead */
	/*
	 * What was done with records that are not messages, after "were" in a
	 * warning: "left out".  NULL: they passed through, which needs no word.
	 */
	const char *odd;
	/* What was done with messages of other branches; NULL: needs no word. */
	const char *beside;
	int all_branches;
	/* Nothing is printed before all is read. */
	int late;
	/* The command line that reads standard input, for messages; NULL: the name. */
	const char *piped;
	/* What standard input is called if a file is copied to it; or NULL. */
	const char *called;
	/* Conversations that are read as one come to the same. */
	int unmixed;
	/*
	 * Unless NULL, called instead of a warning for a file (quoted for
	 * messages) that has records but no message.
	 */
	void (*no_message)(struct cli_stream *s, const char *file,
	    uint64_t records);
	/* How many such files there were. */
	uint64_t without;
	/* Called at the end of a file, after all of its turns. */
	int (*file_end)(struct cli_stream *s, struct ctx_err *err);
	/*
	 * Unless NULL, called when a file has failed: what was to be written
	 * at its end must be discarded, so that it is not written with the
	 * next file.
	 */
	void (*give_up)(struct cli_stream *s);
};

/*
 * The shared options, for a struct cli_stream: those of every stream, and the
 * same with a dialect.  The others are separate, since not every job can use threads,
 * drops messages, or writes what it read.
 */
extern const struct cli_opt cli_lines_opts[], cli_stream_opts[],
	    cli_jobs_opts[], cli_dropped_opts[],
	    cli_rejected_opts[], cli_branch_opts[], cli_shard_opts[];

/* Set the job; if it is NULL, the process ends with the error in *err. */
void	cli_stream_job(struct cli_stream *s, struct ctx_job *job,
	    const struct ctx_err *err, struct cli *c);

/*
 * Process every operand, or standard input if there is none ("-" also means
 * standard input).  Errors are reported here; the worst exit code is left in
 * the cli.
 */
void	cli_each_turn(struct cli_stream *s, struct cli *c);

#endif
