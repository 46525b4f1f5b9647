/* SPDX-License-Identifier: MIT */
#include "cli_aide.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/sanitized.h"

#define MEMORY_MAX	((rlim_t)1 << 30)

/* Read exactly n bytes.  Returns 1, 0 if there are fewer, -1 if out of memory. */
static int
take(struct ctx_buf *in, size_t n)
{
	ssize_t got;

	ctx_buf_reset(in);
	if (ctx_buf_reserve(in, n + 1) == -1)
		return -1;
	for (; in->len < n; in->len += (size_t)got)
		while ((got = read(STDIN_FILENO, in->data + in->len,
		    n - in->len)) <= 0)
			if (got == 0 || errno != EINTR)
				return 0;
	in->data[n] = '\0';
	return 1;
}

/* Read a question into in.  Returns 1, 0 at the end, -1 if out of memory. */
static int
question(struct ctx_buf *in)
{
	int rc = take(in, CTX_AIDE_HEAD);
	size_t n;

	if (rc != 1)
		return rc;
	n = strtoul(in->data + 1, NULL, 10);
	return n <= CTX_AIDE_ASK_MAX ? take(in, n) : 0;
}

static int
reply(enum ctx_aide_state state, struct ctx_buf *out)
{
	char head[CTX_AIDE_HEAD + 1];

	if (out->failed) {
		ctx_buf_reset(out);
		state = CTX_AIDE_NOMEM;
	} else if (out->len > CTX_AIDE_ANSWER_MAX) {
		ctx_buf_reset(out);
		ctx_buf_adds(out, "it has too much in it");
		state = CTX_AIDE_NOT;
	}
	snprintf(head, sizeof(head), CTX_AIDE_FORM, (int)state, out->len);
	return ctx_fd_write(STDOUT_FILENO, head, CTX_AIDE_HEAD) == -1 ? -1 :
	    ctx_fd_write(STDOUT_FILENO, out->data, out->len);
}

int
cli_aide(const struct cli_cmd *cmd, int argc, char *argv[],
    cli_aide_answer *answer)
{
	const struct rlimit most = { MEMORY_MAX, MEMORY_MAX };
	struct ctx_buf in = { 0 }, out = { 0 };
	enum ctx_aide_state state;
	struct ctx_err err = { 0 };
	struct cli cli;
	int rc;

	cli_init(&cli, cmd, argc, argv);
	cli.page = "ctx-digest-files";
	cli_options(&cli, NULL);
	if (!CTX_SANITIZED)
		setrlimit(RLIMIT_AS, &most);
	while ((rc = question(&in)) == 1) {
		ctx_buf_reset(&out);
		state = answer(in.data, in.len, &out);
		if (reply(state, &out) == -1)
			break;
	}
	if (rc == -1) {
		ctx_fail_nomem(&err);
		cli_report(&cli, NULL, &err);
	}
	ctx_buf_done(&in);
	ctx_buf_done(&out);
	return cli_end(&cli);
}
