/* SPDX-License-Identifier: MIT */
/* Archives: the number of files and their names. */
#include <string.h>

#include "digest/format.h"
#include "digest/inflate.h"
#include "digest/zip.h"

#define BLOCK		512			/* of a tar file */
#define GUNZIP_MAX	((size_t)4 << 20)	/* read of a .tar.gz */

int
ctx_format_zip(struct ctx_digest *d, const char *data, size_t len,
    struct ctx_err *err)
{
	struct ctx_zip z;
	struct ctx_zip_entry e;
	uint64_t files = 0;

	if (ctx_zip_open(&z, data, len) == 0) {
		while (ctx_zip_next(&z, &e)) {
			if (e.namelen == 0 || e.name[e.namelen - 1] == '/')
				continue;
			files++;
			if (d->kind == CTX_FILE_ARCHIVE && ctx_digest_name(d,
			    CTX_FILES, e.name, e.namelen, err) == -1)
				return -1;
		}
	}
	if (d->kind == CTX_FILE_ARCHIVE)
		ctx_digest_figure(d, CTX_FIG_FILES, files);
	ctx_digest_figure(d, CTX_FIG_SIZE, d->bytes);
	return 0;
}

static uint64_t
octal(const char *p, size_t len)
{
	uint64_t v = 0;

	for (; len > 0 && *p == ' '; len--)
		p++;
	for (; len > 0 && *p >= '0' && *p <= '7'; len--)
		v = v << 3 | (uint64_t)(*p++ - '0');
	return v;
}

/* List the files of the tar at p[0 .. len), which may be truncated. */
static int
list_tar(struct ctx_digest *d, const char *p, size_t len, struct ctx_err *err)
{
	char path[257];
	uint64_t size, files = 0;
	size_t prefix, n;

	while (len >= BLOCK && *p != '\0') {
		size = octal(p + 124, 12);
		if (p[156] == '0' || p[156] == '\0') {
			prefix = memcmp(p + 257, "ustar", 5) == 0 ?
			    strnlen(p + 345, 155) : 0;
			memcpy(path, p + 345, prefix);
			if (prefix > 0)
				path[prefix++] = '/';
			n = strnlen(p, 100);
			memcpy(path + prefix, p, n);
			files++;
			if (ctx_digest_name(d, CTX_FILES, path, prefix + n,
			    err) == -1)
				return -1;
		}
		p += BLOCK;
		len -= BLOCK;
		size = (size + BLOCK - 1) / BLOCK * BLOCK;
		if (size > len)
			break;
		p += size;
		len -= (size_t)size;
	}
	ctx_digest_figure(d, CTX_FIG_FILES, files);
	return 0;
}

int
ctx_format_tar(struct ctx_digest *d, const char *data, size_t len,
    struct ctx_err *err)
{
	if (list_tar(d, data, len, err) == -1)
		return -1;
	ctx_digest_figure(d, CTX_FIG_SIZE, d->bytes);
	return 0;
}

/* gzip: a tar in it is listed as far as its first megabytes reach. */
int
ctx_format_gzip(struct ctx_digest *d, const char *data, size_t len,
    struct ctx_err *err)
{
	struct ctx_buf *b = &d->scratch;

	if (ctx_inflate(b, data, len, CTX_DEFLATE_GZIP, GUNZIP_MAX) == -1)
		return ctx_fail_nomem(err);
	if (b->len >= BLOCK && memcmp(b->data + 257, "ustar", 5) == 0) {
		d->type = "tar.gz";
		if (b->len < GUNZIP_MAX) {
			if (list_tar(d, b->data, b->len, err) == -1)
				return -1;
		}
	}
	ctx_digest_figure(d, CTX_FIG_SIZE, d->bytes);
	return 0;
}
