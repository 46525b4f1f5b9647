/* SPDX-License-Identifier: MIT */
/* Documents that are zip files: the readers of the formats. */
#include "digest/format.h"

#include "digest/office.h"

static int
read_document(struct ctx_digest *d, const char *data, size_t len,
    int (*read)(struct ctx_office *o), struct ctx_err *err)
{
	struct ctx_office o = { .d = d, .err = err };
	int rc = 0;

	if (ctx_zip_open(&o.zip, data, len) == -1)
		ctx_digest_figure(d, CTX_FIG_SIZE, d->bytes);
	else
		rc = read(&o);
	ctx_buf_done(&o.part);
	ctx_buf_done(&o.text);
	return rc;
}

int
ctx_format_word(struct ctx_digest *d, const char *data, size_t len,
    struct ctx_err *err)
{
	return read_document(d, data, len, ctx_office_word, err);
}

int
ctx_format_slides(struct ctx_digest *d, const char *data, size_t len,
    struct ctx_err *err)
{
	return read_document(d, data, len, ctx_office_slides, err);
}

int
ctx_format_opendocument(struct ctx_digest *d, const char *data, size_t len,
    struct ctx_err *err)
{
	return read_document(d, data, len, ctx_office_odf, err);
}

int
ctx_format_epub(struct ctx_digest *d, const char *data, size_t len,
    struct ctx_err *err)
{
	return read_document(d, data, len, ctx_office_epub, err);
}
