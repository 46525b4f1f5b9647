/* SPDX-License-Identifier: MIT */
/* PDF: the number of pages, from the page objects. */
#include "digest/format.h"

#include <string.h>

#include "base/pages.h"
#include "digest/inflate.h"

#define STREAM_MAX	((size_t)2 << 20)	/* of one compressed stream */
#define TOTAL_MAX	((size_t)32 << 20)	/* of all of them */

/* Count page objects in compressed streams, as far as they are read. */
static int
count_compressed(struct ctx_digest *d, const char *p, size_t len, uint64_t *n)
{
	const char *end = p + len;
	size_t left = TOTAL_MAX;

	while (left > 0 && p < end &&
	    (p = memmem(p, (size_t)(end - p), "/ObjStm", 7)) != NULL) {
		p = memmem(p, (size_t)(end - p), "stream", 6);
		if (p == NULL)
			break;
		p += 6;
		while (p < end && (*p == '\r' || *p == '\n'))
			p++;
		ctx_buf_reset(&d->scratch);
		if (ctx_inflate(&d->scratch, p, (size_t)(end - p),
		    CTX_DEFLATE_ZLIB, left < STREAM_MAX ? left :
		    STREAM_MAX) == -1)
			return -1;
		if (d->scratch.len > 0)
			*n += ctx_pages_pdf(d->scratch.data, d->scratch.len);
		/* An empty stream counts too. */
		left -= d->scratch.len + 1024 < left ? d->scratch.len + 1024 :
		    left;
	}
	return 0;
}

int
ctx_format_pdf(struct ctx_digest *d, const char *data, size_t len,
    struct ctx_err *err)
{
	uint64_t pages = ctx_pages_pdf(data, len);

	if (pages == 0 && count_compressed(d, data, len, &pages) == -1)
		return ctx_fail_nomem(err);
	if (pages > 0)
		ctx_digest_figure(d, CTX_FIG_PAGES, pages);
	ctx_digest_figure(d, CTX_FIG_SIZE, d->bytes);
	return 0;
}
