/* SPDX-License-Identifier: MIT */
/*
 * The table of file formats other than languages, recognized by their first
 * bytes, their name or their look, and the reader of each, which adds what it
 * finds in the bytes to a digest.
 */
#ifndef CTX_DIGEST_FORMAT_H
#define CTX_DIGEST_FORMAT_H

#include <stddef.h>

#include "base/err.h"
#include "digest/digest.h"

/*
 * Returns 0, or -1 with *err set if out of memory.  Malformed input is not an
 * error.
 */
typedef int ctx_format_reader(struct ctx_digest *d, const char *data,
    size_t len, struct ctx_err *err);

struct ctx_format {
	const char *type;		/* as the digest prints it */
	enum ctx_file_kind kind;
	const char *files;		/* " .ext name ", lower case */
	const char *magic;		/* its first bytes, NULL for text */
	size_t maglen, magoff;
	ctx_format_reader *read;		/* NULL: nothing to find */
};

/*
 * The format with these first bytes, or NULL; name distinguishes between zip
 * files.
 */
const struct ctx_format *ctx_format_by_magic(const char *name,
    const char *data, size_t len);
/* The text format with this name, or NULL. */
const struct ctx_format *ctx_format_by_name(const char *name);
/*
 * A text format or a language, by the look of the text; both NULL for plain
 * text.  *nomem is set if memory was too short to tell.
 */
const struct ctx_format *ctx_format_by_look(const char *data, size_t len,
    const struct ctx_lang **lang, int *nomem);

/* The readers, each in its own file. */
ctx_format_reader ctx_format_csv, ctx_format_tsv;		/* csv.c */
ctx_format_reader ctx_format_json, ctx_format_jsonl;		/* json.c */
ctx_format_reader ctx_format_notebook;				/* notebook.c */
ctx_format_reader ctx_format_log, ctx_format_diff;		/* textual.c */
ctx_format_reader ctx_format_image;				/* image.c */
ctx_format_reader ctx_format_pdf;				/* pdf.c */
ctx_format_reader ctx_format_zip, ctx_format_gzip,
    ctx_format_unpack;						/* archive.c */
ctx_format_reader ctx_format_xlsx;				/* xlsx.c */
ctx_format_reader ctx_format_word, ctx_format_slides,
    ctx_format_opendocument, ctx_format_epub;			/* office.c */

/*
 * Does the text look like this format?  Returns 1 or 0; the last two return -1
 * if out of memory.  For ctx_format_by_look.
 */
int	ctx_format_looks_csv(const char *data, size_t len);
int	ctx_format_looks_log(const char *data, size_t len);
int	ctx_format_looks_json(const char *data, size_t len);
int	ctx_format_looks_jsonl(const char *data, size_t len);

#endif
