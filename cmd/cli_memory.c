/* SPDX-License-Identifier: MIT */
/* A limit on memory; see cli_memory.h. */
#include "cli_memory.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

/*
 * What malloc takes and threads have as stacks.  Other systems than these do
 * not count what is mapped as data, but have a limit for all that is.
 */
#if defined(__linux__) || defined(__OpenBSD__) || !defined(RLIMIT_AS)
#define LIMIT	RLIMIT_DATA
#else
#define LIMIT	RLIMIT_AS
#endif

#define LEAST	(1u << 20)

void
cli_memory_limit(struct cli *c, void *place)
{
	struct rlimit now;
	rlim_t most = (rlim_t)cli_num(c, LEAST, INT64_MAX);

	(void)place;
	/* one that the user or the system set before may be lower */
	if (getrlimit(LIMIT, &now) == -1)
		cli_usage(c, "%s: %s", c->spelled, strerror(errno));
	if (now.rlim_max != RLIM_INFINITY && now.rlim_max < most)
		most = now.rlim_max;
	/* the other one could not be raised if the option is given again */
	now.rlim_cur = most;
	if (setrlimit(LIMIT, &now) == -1)
		cli_usage(c, "%s: %s", c->spelled, strerror(errno));
	c->max_memory = c->arg;
}

const char *
cli_memory_text(const struct cli *c, const struct ctx_err *err, char *out,
    size_t size)
{
	if (err->code != CTX_ENOMEM || c->max_memory == NULL)
		return err->text;
	snprintf(out, size, "%s (--max-memory %s)", err->text, c->max_memory);
	return out;
}
