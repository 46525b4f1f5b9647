/* SPDX-License-Identifier: MIT */
/*
 * Archives and compressed files.  zip and gzip are read here, because other
 * formats consist of them; the helper ctx-unpack reads all others.
 */
#include <stdlib.h>
#include <string.h>

#include "digest/format.h"
#include "digest/inflate.h"
#include "digest/packed.h"
#include "digest/zip.h"

#define GUNZIP_MAX	((size_t)8 << 20)	/* read of a .gz */
#define LOOK_MAX	((size_t)1024)		/* where a tar has its magic */

/* --- zip ------------------------------------------------------------------- */

/* List the directory; returns 0 if it is not all here. */
static int
list_zip(struct ctx_packed *l, const char *data, size_t len,
    struct ctx_err *err)
{
	struct ctx_zip z;
	struct ctx_zip_entry e;
	uint64_t n = 0;

	if (ctx_zip_open(&z, data, len) == -1)
		return 0;
	for (; ctx_zip_next(&z, &e); n++)
		if (e.namelen > 0 && e.name[e.namelen - 1] != '/' &&
		    ctx_packed_add(l, e.name, e.namelen, e.unpacked, err) ==
		    -1)
			return -1;
	return n == z.entries;
}

int
ctx_format_zip(struct ctx_digest *d, const char *data, size_t len,
    struct ctx_err *err)
{
	struct ctx_packed l = { 0 };
	int rc = list_zip(&l, data, len, err);

	if (rc == 1)
		rc = ctx_packed_digest(&l, d, err);
	else if (rc == 0)	/* large ones have another directory */
		rc = ctx_format_unpack(d, data, len, err);
	ctx_packed_done(&l);
	return rc;
}

/* --- what the helper opens -------------------------------------------------- */

/*
 * The name of an archive in a compressed file, by libarchive's name of the
 * archive and ours of the compression.
 */
static const char *
type_of(const char *format, const char *packing)
{
	static const struct { const char *word, *type; } formats[] = {
		{ "tar", "tar" }, { "ustar", "tar" }, { "pax", "tar" },
		{ "cpio", "cpio" }, { "7-Zip", "7z" }, { "RAR", "rar" },
		{ "ZIP", "zip" }, { "ISO9660", "ISO image" },
		{ "ar (", "ar" }, { "CAB", "cab" } };
	static const char *const tars[][2] = { { "gzip", "tar.gz" },
		{ "bzip2", "tar.bz2" }, { "xz", "tar.xz" },
		{ "zstd", "tar.zst" }, { "lzip", "tar.lz" },
		{ "lz4", "tar.lz4" }, { "compress", "tar.Z" } };
	size_t i;

	for (i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
		if (strstr(format, formats[i].word) != NULL)
			break;
	if (i == sizeof(formats) / sizeof(formats[0]))
		return packing;
	if (strcmp(formats[i].type, "tar") != 0)
		return formats[i].type;
	for (i = 0; i < sizeof(tars) / sizeof(tars[0]); i++)
		if (strcmp(packing, tars[i][0]) == 0)
			return tars[i][1];
	return "tar";
}

static int
read_list(struct ctx_digest *d, const char *p, const char *end,
    struct ctx_err *err)
{
	struct ctx_packed l = { 0 };
	const char *nul;
	char *name;
	uint64_t size;
	int rc = 0;

	for (; p < end && rc == 0; p = nul + 1) {
		if ((nul = memchr(p, '\0', (size_t)(end - p))) == NULL)
			break;
		size = strtoull(p, &name, 10);
		if (*name == ' ')
			name++;
		rc = ctx_packed_add(&l, name, (size_t)(nul - name), size,
		    err);
	}
	if (rc == 0)
		rc = ctx_packed_digest(&l, d, err);
	ctx_packed_done(&l);
	return rc;
}

int
ctx_format_unpack(struct ctx_digest *d, const char *data, size_t len,
    struct ctx_err *err)
{
	int state = ctx_aide_ask(&d->unpack, "ctx-unpack", data, len);
	const char *p = d->unpack.answer.data, *end, *nl;
	char format[64];

	if (state == -1)
		return ctx_fail_nomem(err);
	end = p + d->unpack.answer.len;
	nl = state == CTX_AIDE_NOT ? NULL : memchr(p, '\n',
	    d->unpack.answer.len);
	if (nl == NULL) {
		ctx_digest_figure(d, CTX_FIG_SIZE, d->bytes);
		return ctx_digest_name(d, CTX_UNOPENED, p,
		    d->unpack.answer.len, err);
	}
	d->partial = state == CTX_AIDE_PART;
	if (*p == 'R')
		return ctx_digest_packed(d, d->type, nl + 1, (size_t)(end -
		    nl) - 1, err);
	memcpy(format, p, sizeof(format) < (size_t)(nl - p) ?
	    sizeof(format) : (size_t)(nl - p));
	format[(size_t)(nl - p) < sizeof(format) ? (size_t)(nl - p) :
	    sizeof(format) - 1] = '\0';
	d->type = type_of(format, d->type);
	if (strncmp(format, "Adeb ", 5) == 0) {
		d->type = "Debian package";
		if (ctx_digest_name(d, CTX_TITLE, p + 5, (size_t)(nl - p) - 5,
		    err) == -1)
			return -1;
	}
	return read_list(d, nl + 1, end, err);
}

/* gzip: what is in it, as far as its first megabytes reach. */
int
ctx_format_gzip(struct ctx_digest *d, const char *data, size_t len,
    struct ctx_err *err)
{
	struct ctx_buf b = { 0 };
	int rc = ctx_inflate(&b, data, len, CTX_DEFLATE_GZIP, LOOK_MAX);

	if (rc != -1 && b.len > 262 && memcmp(b.data + 257, "ustar", 5) == 0)
		rc = ctx_format_unpack(d, data, len, err);
	else if (rc != -1) {
		ctx_buf_reset(&b);
		rc = ctx_inflate(&b, data, len, CTX_DEFLATE_GZIP, GUNZIP_MAX);
		d->partial = rc == 0;
		if (rc != -1)
			rc = ctx_digest_packed(d, "gzip", b.data, b.len, err);
	}
	if (rc == -1 && err->code == CTX_OK)
		ctx_fail_nomem(err);
	ctx_buf_done(&b);
	return rc;
}
