/* SPDX-License-Identifier: MIT */
/* The lines of --report; see cli_fare.h. */
#include "cli_fare.h"

#include <inttypes.h>
#include <string.h>

#include "cli_files.h"

static const char *const words[CTX_FARE_N] = {
	[CTX_CARRIED] = "carried",
	[CTX_REFORMED] = "reformed",
	[CTX_RENAMED] = "renamed",
	[CTX_LEFT_OUT] = "left_out",
	[CTX_MOVED] = "moved",
	[CTX_MADE] = "made"
};

/* Append ,"key":"value" unless there is no value. */
static void
add_word(struct ctx_buf *b, const char *key, struct ctx_str value)
{
	if (value.p == NULL)
		return;
	ctx_buf_addf(b, ",\"%s\":\"", key);
	ctx_buf_add(b, value.p, value.len);
	ctx_buf_addc(b, '"');
}

int
cli_fare_put(struct ctx_out *out, struct ctx_buf *b, const struct cli_fare *f,
    struct ctx_err *err)
{
	ctx_buf_reset(b);
	ctx_buf_adds(b, "{\"file\":\"");
	cli_file_encode(b, f->file, strlen(f->file));
	ctx_buf_addf(b, "\",\"line\":%" PRIu64, f->line);
	add_word(b, "path", f->path);
	ctx_buf_addf(b, ",\"what\":\"%s\"", words[f->fare]);
	if (f->why != NULL)
		ctx_buf_addf(b, ",\"reason\":\"%s\"", f->why);
	add_word(b, "from", f->from);
	add_word(b, f->fare == CTX_LEFT_OUT ? "type" : "to", f->to);
	add_word(b, "id", f->id);
	if (f->fare != CTX_MADE)
		ctx_buf_addf(b, ",\"values\":%" PRIu64 ",\"bytes\":%" PRIu64,
		    f->values, f->bytes);
	if (f->changed)
		ctx_buf_addf(b, ",\"bytes_after\":%" PRIu64 ",\"tokens\":%"
		    PRIu64 ",\"tokens_after\":%" PRIu64, f->bytes_after,
		    f->tokens, f->tokens_after);
	ctx_buf_adds(b, "}\n");
	if (ctx_buf_fail(b, err) == -1)
		return -1;
	return ctx_out_line(out, b->data, b->len, NULL, err);
}
