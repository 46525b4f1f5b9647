/* SPDX-License-Identifier: MIT */
/*
 * What a file is and what it contains: figures and lists of names, enough for
 * a model to decide whether to read the file again.
 *
 * An all-zero struct ctx_digest is ready for use.  It is meant to be used for
 * file after file: it keeps its memory and its compiled patterns, and serves
 * one thread.  Time and memory are bounded for any input: time is linear in
 * the length, memory is a few times CTX_SYMBOLS_MAX, or a few times the length
 * of a text that is not in UTF-8 (CTX_ENCODING_MAX).
 */
#ifndef CTX_DIGEST_DIGEST_H
#define CTX_DIGEST_DIGEST_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "digest/aide.h"
#include "digest/lang.h"
#include "digest/names.h"
#include "digest/symbols.h"

/* A number with a unit; the words are in digest_line.c. */
enum ctx_figure {
	CTX_FIG_LINES, CTX_FIG_ROWS, CTX_FIG_COLUMNS, CTX_FIG_ITEMS,
	CTX_FIG_RECORDS, CTX_FIG_CELLS, CTX_FIG_SHEETS, CTX_FIG_FILES,
	CTX_FIG_PAGES, CTX_FIG_ADDED, CTX_FIG_REMOVED, CTX_FIG_ERRORS,
	CTX_FIG_WARNINGS, CTX_FIG_PACKAGES, CTX_FIG_OPERATIONS,
	CTX_FIG_INDIRECT, CTX_FIG_PASSED, CTX_FIG_FAILED, CTX_FIG_SKIPPED,
	CTX_FIG_SLIDES,
	CTX_FIG_SIZE,			/* bytes */
	CTX_FIG_UNPACKED,		/* of what is packed */
	CTX_FIG_INVALID,		/* not what its name says */
	CTX_FIGURES
};

#define CTX_DIGEST_FIGURES 8

struct ctx_digest {
	const char *name;	/* borrowed from ctx_digest_make's caller */
	enum ctx_file_kind kind;
	const char *type;	/* "python", "CSV", "PNG"; static */
	const struct ctx_lang *lang;	/* NULL if not a known language */
	const char *language;	/* of a notebook's code, else NULL; static */
	uint64_t bytes;
	uint64_t lines, chars;	/* of text, otherwise 0 */
	int text;		/* is it text? */
	const char *encoding;	/* of text, if not UTF-8; see encoding.h */
	const char *utf8;	/* the text as UTF-8 if the encoding is known:
				   the caller's data, or decoded from them;
				   NULL if no text */
	size_t utf8len;
	const char *packing;	/* its compression, or NULL; static */
	int partial;		/* only its beginning was read: all figures
				   but the size are at least so much */

	struct {
		enum ctx_figure figure;
		uint64_t n;
	} figure[CTX_DIGEST_FIGURES];
	size_t nfigure;
	uint32_t width, height;	/* of an image, in pixels; 0 if unknown */
	char since[24], until[24];	/* first and last time in a log */
	uint64_t from, to;	/* the lines that were read; 0 for all */
	uint64_t last;		/* these are the last so many; from is over 1 */
	int wrote;		/* it was written, not read */
	struct ctx_names names;

	/* Working storage. */
	struct ctx_symbols symbols;
	struct ctx_buf scratch, decoded;
	struct ctx_aide yaml, unpack;
};

struct ctx_digest_opts {
	const struct ctx_lang *lang;	/* its language; NULL to detect it */
	uint64_t from, to;		/* data is these lines of the file; 0:
					   from its start, to its end */
	uint64_t last;			/* it is so many lines at the end of
					   the file; 0: from and to say */
	int wrote;			/* it was written, not read */
};

/*
 * Digest data[0 .. len), the contents of the file called name; this replaces
 * what d held.  opts may be NULL.  Returns 0, or -1 with *err set (memory only;
 * no input is an error).
 */
int	ctx_digest_make(struct ctx_digest *d, const char *name,
	    const char *data, size_t len, const struct ctx_digest_opts *opts,
	    struct ctx_err *err) CTX_CHECKED;

void	ctx_digest_done(struct ctx_digest *d);

/*
 * For the readers of single formats: add a figure (ignored past the bound), or
 * a name (-1 with *err set if out of memory).
 */
void	ctx_digest_figure(struct ctx_digest *d, enum ctx_figure figure,
	    uint64_t n);
int	ctx_digest_name(struct ctx_digest *d, enum ctx_list list,
	    const char *p, size_t len, struct ctx_err *err) CTX_CHECKED;

/*
 * The same: digest data[0 .. len), which d's file has in this compression, in
 * place of the file.  d->partial says whether there is more.
 */
int	ctx_digest_packed(struct ctx_digest *d, const char *packing,
	    const char *data, size_t len, struct ctx_err *err) CTX_CHECKED;

#endif
