/* SPDX-License-Identifier: MIT */
/* Show the progress within a file; see cli_progress.h. */
#include "cli_progress.h"

#include <sys/stat.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/when.h"

void
cli_progress_begin_work(struct cli_progress *p, struct cli *c)
{
	memset(p, 0, sizeof(*p));
	p->cli = c;
	if (!c->quiet && isatty(STDERR_FILENO))
		p->began = ctx_when_now();
}

void
cli_progress_begin_files(struct cli_progress *p, struct cli *c)
{
	cli_progress_begin_work(p, c);
	if (isatty(STDOUT_FILENO))
		p->began = 0;
}

void
cli_progress_begin(struct cli_progress *p, struct cli *c, int late,
    const char *file, int fd)
{
	struct stat st;

	if (late)
		cli_progress_begin_work(p, c);
	else
		cli_progress_begin_files(p, c);
	if (p->began == 0 || fstat(fd, &st) == -1)
		return;
	/* who types needs no numbers */
	p->counts = !S_ISREG(st.st_mode) && !isatty(fd);
	if (!S_ISREG(st.st_mode) || st.st_size == 0)
		return;
	p->file = file;
	p->fd = fd;
	p->size = (uint64_t)st.st_size;
}

/* "1.2 GB" */
static const char *
amount(double bytes, char *out, size_t size)
{
	static const char *const unit[] = { "B", "kB", "MB", "GB", "TB" };
	size_t i = 0;

	for (; bytes >= 1000 && i < 4; i++)
		bytes /= 1000;
	snprintf(out, size, "%.*f %s", i > 0 && bytes < 100, bytes, unit[i]);
	return out;
}

/* Is it time to show something?  *took is how long it has run. */
static int
is_due(struct cli_progress *p, double *took)
{
	int64_t now = ctx_when_now();

	if (now - p->began < CTX_SECOND || now - p->shown < CTX_SECOND / 5)
		return 0;
	p->shown = now;
	p->cli->progress = 1;
	*took = (double)(now - p->began) / CTX_SECOND;
	return 1;
}

void
cli_progress_files(struct cli_progress *p, uint64_t files, uint64_t bytes)
{
	char all[16], rate[16];
	double took;

	if (p->began == 0 || !is_due(p, &took))
		return;
	fprintf(stderr, "\r%s: %" PRIu64 " files, %s, %s/s\033[K",
	    p->cli->cmd->name, files, amount((double)bytes, all, sizeof(all)),
	    amount((double)bytes / took, rate, sizeof(rate)));
}

void
cli_progress_work(struct cli_progress *p, uint64_t n, const char *what)
{
	char all[16], rate[16];
	double took;

	if (p->began == 0 || !is_due(p, &took))
		return;
	if (n == 0)
		fprintf(stderr, "\r%s: %.0f s\033[K", p->cli->cmd->name, took);
	else if (what != NULL)
		fprintf(stderr, "\r%s: %" PRIu64 " %s%s, %.0f s\033[K",
		    p->cli->cmd->name, n, what, CLI_S(n), took);
	else
		fprintf(stderr, "\r%s: %s, %s/s\033[K", p->cli->cmd->name,
		    amount((double)n, all, sizeof(all)),
		    amount((double)n / took, rate, sizeof(rate)));
}

void
cli_progress_wait(struct cli_progress *p, const char *whose)
{
	char name[64];
	double took;

	if (p->began != 0 && is_due(p, &took))
		fprintf(stderr, "\r%s: waiting for %s, %.0f s\033[K",
		    p->cli->cmd->name, ctx_err_quote(name, sizeof(name), whose,
		    strlen(whose)), took);
}

/* Show what was read of something whose end is not known. */
static void
show_counts(struct cli_progress *p)
{
	uint64_t bytes = p->bytes, lines = p->lines;
	char all[16], rate[16];
	double took;

	if (lines == 0 || !is_due(p, &took))
		return;
	fprintf(stderr, "\r%s: %" PRIu64 " line%s, %s, %s/s\033[K",
	    p->cli->cmd->name, lines, CLI_S(lines), amount((double)bytes, all,
	    sizeof(all)), amount((double)bytes / took, rate, sizeof(rate)));
}

void
cli_progress_step(struct cli_progress *p)
{
	char name[256], done[16], all[16], rate[16];
	double at, second, took;

	if (p->counts)
		show_counts(p);
	if (p->file == NULL || !is_due(p, &took))
		return;
	at = (double)lseek(p->fd, 0, SEEK_CUR);
	if (at <= 0 || at > (double)p->size)
		return;
	second = at / took;
	fprintf(stderr, "\r%s: %s of %s, %s/s, %.0f s left\033[K",
	    ctx_err_quote(name, sizeof(name), p->file, strlen(p->file)),
	    amount(at, done, sizeof(done)),
	    amount((double)p->size, all, sizeof(all)),
	    amount(second, rate, sizeof(rate)),
	    ((double)p->size - at) / second);
}

void
cli_progress_end(struct cli_progress *p)
{
	p->file = NULL;
	p->counts = 0;
	p->began = 0;
	if (p->cli != NULL)
		cli_clear(p->cli);
}
