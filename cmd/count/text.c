/* SPDX-License-Identifier: MIT */
/* Plain text; see text.h. */
#include "cmd/count/text.h"

#include <errno.h>
#include <unistd.h>

/* Newlines in p[0 .. n), in steps that compilers make vectors of. */
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

int
count_text_fd(struct ctx_crew *crew, int fd, struct ctx_tally_sum *sum,
    struct ctx_err *err)
{
	static char block[128 * 1024];
	struct ctx_err ignored = { 0 };
	ssize_t n;

	for (;;) {
		if ((n = read(fd, block, sizeof(block))) == -1) {
			if (errno == EINTR)
				continue;
			ctx_fail_errno(err, errno, "cannot read");
			/* What was read of it is not the next text's. */
			ctx_crew_end(crew, &sum->tokens, &ignored);
			return -1;
		}
		if (n == 0)
			break;
		sum->bytes += (uint64_t)n;
		sum->messages += count_lines(block, (size_t)n);
		if (ctx_crew_feed(crew, block, (size_t)n, err) == -1)
			return -1;
	}
	return ctx_crew_end(crew, &sum->tokens, err);
}
