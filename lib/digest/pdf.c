/* SPDX-License-Identifier: MIT */
/* PDF: the number of pages, as the tree of pages says. */
#include "digest/format.h"

#include <string.h>

#include "base/pages.h"
#include "digest/inflate.h"

#define STREAM_MAX	((size_t)2 << 20)	/* of one compressed stream */
#define TOTAL_MAX	((size_t)32 << 20)	/* of all of them */

/* Read the file, and its compressed streams as far as they are read. */
static int
read_pages(struct ctx_digest *d, const char *p, size_t len,
    struct ctx_pages *pages)
{
	const char *end = p + len, *from = p;
	size_t left = TOTAL_MAX;

	while (left > 0 && p < end &&
	    (p = memmem(p, (size_t)(end - p), "/ObjStm", 7)) != NULL) {
		p = memmem(p, (size_t)(end - p), "stream", 6);
		if (p == NULL)
			break;
		p += 6;
		while (p < end && (*p == '\r' || *p == '\n'))
			p++;
		ctx_pages_read(pages, from, (size_t)(p - from));
		from = p;
		ctx_buf_reset(&d->scratch);
		if (ctx_inflate(&d->scratch, p, (size_t)(end - p),
		    CTX_DEFLATE_ZLIB, left < STREAM_MAX ? left :
		    STREAM_MAX) == -1)
			return -1;
		if (d->scratch.len > 0)
			ctx_pages_read(pages, d->scratch.data, d->scratch.len);
		/* An empty stream counts too. */
		left -= d->scratch.len + 1024 < left ? d->scratch.len + 1024 :
		    left;
	}
	ctx_pages_read(pages, from, (size_t)(end - from));
	return 0;
}

int
ctx_format_pdf(struct ctx_digest *d, const char *data, size_t len,
    struct ctx_err *err)
{
	struct ctx_pages pages = { 0 };
	uint64_t n;

	if (read_pages(d, data, len, &pages) == -1)
		return ctx_fail_nomem(err);
	if ((n = ctx_pages_number(&pages)) > 0)
		ctx_digest_figure(d, CTX_FIG_PAGES, n);
	ctx_digest_figure(d, CTX_FIG_SIZE, d->bytes);
	return 0;
}
