/* SPDX-License-Identifier: MIT */
/* ctx-count --chunk: divide plain texts; see count.h. */
#include "cmd/count/count.h"

#include <inttypes.h>
#include <string.h>

#include "cli_files.h"
#include "cli_text.h"
#include "job/slice.h"

struct chunks {
	struct ctx_cost *cost;
	struct ctx_slice_opts opts;
};

static int
put(const char *name, uint64_t no, const char *text,
    const struct ctx_slice *s, struct ctx_err *err)
{
	struct ctx_buf b = { 0 };
	int rc;

	ctx_buf_adds(&b, "{\"file\":\"");
	cli_file_encode(&b, name, strlen(name));
	ctx_buf_addf(&b, "\",\"chunk\":%" PRIu64 ",\"from\":%zu,\"to\":%zu,"
	    "\"tokens\":%" PRIu64 ",\"text\":\"", no, s->from, s->to,
	    s->tokens);
	ctx_str_encode(&b, text + s->from, s->to - s->from);
	ctx_buf_adds(&b, "\"}\n");
	rc = ctx_buf_fail(&b, err);
	if (rc == 0)
		fwrite(b.data, 1, b.len, stdout);
	ctx_buf_done(&b);
	return rc;
}

static int
divide(void *arg, const char *name, struct ctx_buf *text, struct ctx_err *err)
{
	struct chunks *k = arg;
	struct ctx_slice part = { 0 };
	uint64_t no = 0;
	int rc;

	if (cli_text_check(text, err) == -1)
		return -1;
	while ((rc = ctx_slice_next(k->cost, &k->opts, text->data, text->len,
	    &part, err)) == 1)
		if (put(name, ++no, text->data, &part, err) == -1)
			return -1;
	return rc;
}

void
count_chunks(struct ctx_cost *cost, uint64_t max, uint64_t overlap,
    struct cli *c)
{
	struct chunks k = { cost, { max, overlap } };

	if (overlap >= max)
		cli_usage(c, "--overlap %" PRIu64 " must be less than --chunk "
		    "%" PRIu64, overlap, max);
	cli_text_each(c, divide, &k);
}
