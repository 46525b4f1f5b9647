/* SPDX-License-Identifier: MIT */
/*
 * The table of file formats that are not languages, known by their first
 * bytes, by their name, or by how they look; and the reader of each, which
 * adds to a digest what it finds in the bytes.
 */
#ifndef CTX_DIGEST_FORMAT_H
#define CTX_DIGEST_FORMAT_H

#include <stddef.h>

#include "base/err.h"
#include "digest/digest.h"

/* 0, or -1 with *err: out of memory.  Wrong bytes are no error. */
typedef int ctx_format_reader(struct ctx_digest *d, const char *data,
    size_t len, struct ctx_err *err);

struct ctx_format {
	const char *type;		/* as the digest prints it */
	enum ctx_file_kind kind;
	const char *files;		/* " .ext name ", lower case */
	const char *magic;		/* its first bytes, NULL: text */
	size_t maglen, magoff;
	ctx_format_reader *read;		/* NULL: nothing to find */
};

/* By the first bytes, NULL if they are of none; name decides between zips. */
const struct ctx_format *ctx_format_by_magic(const char *name,
    const char *data, size_t len);
/* A text format, by its name. */
const struct ctx_format *ctx_format_by_name(const char *name);
/*
 * A text format or a language by how the text looks; both NULL: just text.
 * *nomem is set if that could not be told for want of memory.
 */
const struct ctx_format *ctx_format_by_look(const char *data, size_t len,
    const struct ctx_lang **lang, int *nomem);

/* The readers, one file each. */
ctx_format_reader ctx_format_csv, ctx_format_tsv;		/* csv.c */
ctx_format_reader ctx_format_json, ctx_format_jsonl;		/* json.c */
ctx_format_reader ctx_format_notebook;				/* notebook.c */
ctx_format_reader ctx_format_log, ctx_format_diff;		/* textual.c */
ctx_format_reader ctx_format_image;				/* image.c */
ctx_format_reader ctx_format_pdf;				/* pdf.c */
ctx_format_reader ctx_format_zip, ctx_format_tar,
    ctx_format_gzip;						/* archive.c */
ctx_format_reader ctx_format_xlsx;				/* xlsx.c */

/*
 * Does the text look like one?  1 or 0; the last two -1: out of memory.  For
 * ctx_format_by_look.
 */
int	ctx_format_looks_csv(const char *data, size_t len);
int	ctx_format_looks_log(const char *data, size_t len);
int	ctx_format_looks_json(const char *data, size_t len);
int	ctx_format_looks_jsonl(const char *data, size_t len);

#endif
