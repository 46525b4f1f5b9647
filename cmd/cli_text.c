/* SPDX-License-Identifier: MIT */
/* Plain texts as operands; see cli_text.h. */
#include "cli_text.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/utf8.h"
#include "cli_inputs.h"

static int
read_all(struct cli_inputs *in, int i, struct ctx_buf *b, struct ctx_err *err)
{
	int fd = cli_inputs_fd(in, i, err);

	if (fd == -1)
		return -1;
	if (ctx_fd_read(fd, SIZE_MAX, b) == -1)
		ctx_fail_errno(err, errno, "cannot read");
	if (fd != STDIN_FILENO)
		close(fd);
	if (err->code == CTX_OK && ctx_buf_str(b) == NULL)
		ctx_fail_nomem(err);
	return err->code == CTX_OK ? 0 : -1;
}

void
cli_text_each(struct cli *c, int (*one)(void *arg, const char *name,
    struct ctx_buf *text, struct ctx_err *err), void *arg)
{
	struct cli_inputs in = { 0 };
	struct ctx_buf text = { 0 };
	struct ctx_err err = { 0 };
	const char *name;
	int i;

	cli_inputs_open(&in, c);
	for (i = 0; i < in.n; i++) {
		name = cli_inputs_name(&in, i);
		if (strcmp(name, "-") == 0)
			name = cli_stdin_name;
		ctx_buf_reset(&text);
		ctx_err_clear(&err);
		if (read_all(&in, i, &text, &err) == -1 ||
		    one(arg, name, &text, &err) == -1)
			cli_report(c, name, &err);
	}
	cli_inputs_done(&in);
	ctx_buf_done(&text);
}

int
cli_text_check(const struct ctx_buf *text, struct ctx_err *err)
{
	size_t n = ctx_utf8_check(text->data, text->len);

	return n == text->len ? 0 : ctx_fail(err, CTX_EINPUT, "byte %zu is "
	    "not UTF-8; iconv converts other encodings", n + 1);
}
