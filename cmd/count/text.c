/* SPDX-License-Identifier: MIT */
/* Count plain text; see count.h. */
#include "cmd/count/count.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "cli_inputs.h"
#include "token/crew.h"

/* Count newlines in p[0 .. n), in steps that compilers can vectorize. */
static uint64_t
count_lines(const char *p, size_t n)
{
	uint64_t lines = 0;
	uint8_t step;
	size_t i, k;

	for (i = 0; i + 192 <= n; i += 192) {
		for (step = 0, k = 0; k < 192; k++)
			step += p[i + k] == '\n';
		lines += step;
	}
	for (; i < n; i++)
		lines += p[i] == '\n';
	return lines;
}

/*
 * What counts: threads, or the estimate of a model, which one thread makes.
 * One of them is NULL.
 */
struct reader {
	struct ctx_crew *crew;
	struct ctx_claude *claude;
	int fd;
	atomic_uint_fast64_t bytes, lines;
};

static ssize_t
read_some(void *arg, char *to, size_t size, struct ctx_err *err)
{
	const struct reader *r = arg;
	ssize_t n;

	while ((n = read(r->fd, to, size)) == -1 && errno == EINTR)
		;
	return n == -1 ? ctx_fail_errno(err, errno, "cannot read") : n;
}

static void
seen(void *arg, const char *p, size_t len)
{
	struct reader *r = arg;

	r->bytes += len;
	r->lines += count_lines(p, len);
}

static int
estimate(struct reader *r, uint64_t *n, struct ctx_err *err)
{
	static char block[128 * 1024];
	struct ctx_err ignored = { 0 };
	ssize_t len;

	while ((len = read_some(r, block, sizeof(block), err)) > 0) {
		seen(r, block, (size_t)len);
		if (ctx_claude_feed(r->claude, block, (size_t)len, err) == -1)
			return -1;
	}
	/* What was read of it must not count for the next text. */
	return ctx_claude_end(r->claude, n, len == -1 ? &ignored : err) == -1 ||
	    len == -1 ? -1 : 0;
}

/*
 * Count all of fd into *sum, with lines as messages.  Returns -1 with *err
 * set.
 */
static int
count_fd(struct reader *r, int fd, struct ctx_tally_sum *sum,
    struct ctx_err *err)
{
	const struct ctx_crew_text text = { read_some, seen, r };
	int rc;

	r->fd = fd;
	r->bytes = r->lines = 0;
	rc = r->crew != NULL ? ctx_crew_count(r->crew, &text, &sum->tokens,
	    err) : estimate(r, &sum->tokens, err);
	sum->bytes = r->bytes;
	sum->messages = r->lines;
	return rc;
}

static void
count_file(struct count_rows *r, struct reader *reader, struct cli_inputs *in,
    int i)
{
	const char *name = cli_inputs_name(in, i);
	int fd, std = strcmp(name, "-") == 0, rc;
	struct ctx_tally_sum sum = { 0 };
	struct ctx_err err = { 0 };

	r->stream.file = std ? cli_stdin_name : name;
	fd = cli_inputs_fd(in, i, &err);
	rc = fd == -1 ? -1 : count_fd(reader, fd, &sum, &err);
	sum.tokens = ctx_cost_scaled(&r->cost, sum.tokens);
	if (rc == -1)
		cli_report(r->stream.cli, r->stream.file, &err);
	else
		count_rows_text(r, &sum);
	if (!std && fd != -1)
		close(fd);
}

void
count_text(struct count_rows *r, struct cli *c)
{
	unsigned threads = r->stream.threads;
	struct cli_inputs in = { 0 };
	struct ctx_err err = { 0 };
	struct reader reader = { 0 };
	int i;

	cli_inputs_open(&in, c);
	/* estimating is faster than handing the text to threads */
	if (threads == 0 || ctx_tok_is_estimate(r->cost.choice.tok))
		threads = 1;
	if (r->cost.claude.state != NULL)
		reader.claude = &r->cost.claude;
	else if ((reader.crew = ctx_crew_new(&r->cost.counter, threads,
	    &err)) == NULL)
		cli_must(c, -1, &err);
	r->stream.cli = c;
	for (i = 0; i < in.n; i++)
		count_file(r, &reader, &in, i);
	cli_inputs_done(&in);
	ctx_crew_free(reader.crew);
}
