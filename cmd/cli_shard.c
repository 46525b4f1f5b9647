/* SPDX-License-Identifier: MIT */
/* --shard: one process of several that share the same files; see job/shard.h. */
#include <string.h>

#include "cli_stream.h"

static void
take_shard(struct cli *c, void *place)
{
	const char *slash = strchr(c->arg, '/');
	struct ctx_shard *s = place;
	struct ctx_err err = { 0 };
	uint64_t i = 0, n = 0;
	char first[24];

	if (slash != NULL && (size_t)(slash - c->arg) < sizeof(first)) {
		memcpy(first, c->arg, (size_t)(slash - c->arg));
		first[slash - c->arg] = '\0';
		if (ctx_num_parse(first, &i, &err) == -1 ||
		    ctx_num_parse(slash + 1, &n, &err) == -1)
			n = 0;
	}
	if (i < 1 || i > n || n > CTX_SHARDS_MAX)
		cli_usage(c, "%s takes I/N, with I from 1 to N and N at most "
		    "%u: 1/2 and 2/2 are the halves", c->spelled,
		    CTX_SHARDS_MAX);
	s->i = (uint32_t)i;
	s->n = (uint32_t)n;
}

#define OPT_OF struct cli_stream
const struct cli_opt cli_shard_opts[] = {
	OPT_CALL(0, "shard", "I/N", shard, take_shard,
	    "read only the conversations of shard I of N",
	    .excludes = "in-place text calibrate chunk common-prefix decode "
	    "encode prepare show usage"),
	OPT_END
};
