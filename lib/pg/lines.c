/* SPDX-License-Identifier: MIT */
/*
 * Lines are not packed here (store/pack.h, store/bundle.h): the server
 * compresses them.
 */
#include "store/pack.h"

#include "store/bundle.h"

int
ctx_pack_packs(void)
{
	return 0;
}

int
ctx_pack_begin(struct ctx_store *st, int64_t thread, int64_t context,
    int64_t next, struct ctx_err *err)
{
	(void)st;
	(void)thread;
	(void)context;
	(void)next;
	(void)err;
	return 0;
}

int
ctx_pack_add(struct ctx_store *st, const char *line, size_t len,
    struct ctx_err *err)
{
	(void)st;
	(void)line;
	(void)len;
	(void)err;
	return 0;
}

int
ctx_pack_end(struct ctx_store *st, int alone, struct ctx_err *err)
{
	(void)st;
	(void)alone;
	(void)err;
	return 0;
}

int
ctx_pack_rows(struct ctx_store *st, int64_t thread, int64_t context,
    int64_t next, int64_t n, struct ctx_err *err)
{
	(void)st;
	(void)thread;
	(void)context;
	(void)next;
	(void)n;
	(void)err;
	return 0;
}

int
ctx_pack_thread(struct ctx_store *st, int64_t thread, struct ctx_err *err)
{
	(void)st;
	(void)thread;
	(void)err;
	return 0;
}

int
ctx_bundle_line(struct ctx_store *st, int64_t thread, int64_t context,
    int64_t seq, struct ctx_buf *out, struct ctx_err *err)
{
	(void)thread;
	(void)context;
	(void)out;
	return ctx_fail(err, CTX_ESYSTEM, "%s: damaged: message %lld has no "
	    "line", st->path, (long long)seq);
}

void
ctx_bundle_forget(struct ctx_store *st)
{
	(void)st;
}
