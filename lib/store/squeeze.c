/* SPDX-License-Identifier: MIT */
/* Compressed contents; see squeeze.h. */
#include "store/squeeze.h"

#include <stdlib.h>
#include <zstd.h>
#include <zstd_errors.h>

struct ctx_squeeze {
	ZSTD_CCtx *in;
	ZSTD_DCtx *out;
};

/* The connection's tables, made when they are first needed. */
static struct ctx_squeeze *
tables(struct ctx_store *st)
{
	if (st->squeeze == NULL)
		st->squeeze = calloc(1, sizeof(*st->squeeze));
	return st->squeeze;
}

int
ctx_squeeze(struct ctx_store *st, const void *p, size_t n, int level,
    struct ctx_buf *out, struct ctx_err *err)
{
	struct ctx_squeeze *z = tables(st);
	size_t rc;

	ctx_buf_reset(out);
	if (z == NULL || (z->in == NULL &&
	    (z->in = ZSTD_createCCtx()) == NULL) ||
	    ctx_buf_reserve(out, ZSTD_compressBound(n)) == -1)
		return ctx_fail_nomem(err);
	/* With room for the worst case, only memory can be lacking. */
	rc = ZSTD_compressCCtx(z->in, out->data, out->cap, p, n, level);
	if (ZSTD_isError(rc))
		return ctx_fail_nomem(err);
	out->len = rc;
	return 0;
}

int
ctx_squeeze_undo(struct ctx_store *st, const void *p, size_t n, size_t size,
    struct ctx_buf *out, struct ctx_err *err)
{
	struct ctx_squeeze *z = tables(st);
	size_t rc;

	/* Before memory is asked for: a damaged size may be any number. */
	if (ZSTD_getFrameContentSize(p, n) != size)
		return 0;
	if (z == NULL || (z->out == NULL &&
	    (z->out = ZSTD_createDCtx()) == NULL) ||
	    ctx_buf_reserve(out, size) == -1)
		return ctx_fail_nomem(err);
	rc = ZSTD_decompressDCtx(z->out, out->data + out->len, size, p, n);
	if (ZSTD_isError(rc))
		return ZSTD_getErrorCode(rc) == ZSTD_error_memory_allocation ?
		    ctx_fail_nomem(err) : 0;
	if (rc != size)
		return 0;
	out->len += size;
	return 1;
}

void
ctx_squeeze_free(struct ctx_squeeze *z)
{
	if (z == NULL)
		return;
	ZSTD_freeCCtx(z->in);
	ZSTD_freeDCtx(z->out);
	free(z);
}
