/* SPDX-License-Identifier: MIT */
/*
 * Show how far a command has come in a file, in many, or in what else it does: on
 * standard error, if that is a terminal, once the command has run for a second.
 * Results must not come between: they go elsewhere, or there are none before the
 * end (`late`), or cli_progress_end was called.
 */
#ifndef CTX_CMD_CLI_PROGRESS_H
#define CTX_CMD_CLI_PROGRESS_H

#include "cli.h"

struct cli_progress {
	struct cli *cli;
	const char *file;	/* NULL if nothing is shown */
	int fd;
	int64_t began, shown;	/* microseconds; shown 0 for not yet */
	uint64_t size;		/* of the file */
	/* of what is no file, such as a pipe: what was read so far */
	int counts;
	_Atomic uint64_t lines, bytes;
};

/*
 * fd is the file, at its beginning.  Of a regular file it is shown how much of it
 * was read; of another one, if counts is then set, how many lines, for each of
 * which cli_progress_line is called.
 */
void	cli_progress_begin(struct cli_progress *p, struct cli *c, int late,
	    const char *file, int fd);
/* The same for work whose end is not known before. */
void	cli_progress_begin_work(struct cli_progress *p, struct cli *c);
/* So many of what ("message") are done, or bytes if that is NULL; 0: not known. */
void	cli_progress_work(struct cli_progress *p, uint64_t n, const char *what);
/* Count a line. */
static inline void
cli_progress_line(struct cli_progress *p, size_t len)
{
	p->lines++;
	p->bytes += len;
}
/* The answer of someone is awaited. */
void	cli_progress_wait(struct cli_progress *p, const char *whose);
/* The same for files whose number and sizes are not known before. */
void	cli_progress_begin_files(struct cli_progress *p, struct cli *c);
void	cli_progress_files(struct cli_progress *p, uint64_t files,
	    uint64_t bytes);
/* Call this regularly; it writes at most five times a second. */
void	cli_progress_step(struct cli_progress *p);
void	cli_progress_end(struct cli_progress *p);

#endif
