/* SPDX-License-Identifier: MIT */
/* Documents that are zip files of XML: what their readers share. */
#ifndef CTX_DIGEST_OFFICE_H
#define CTX_DIGEST_OFFICE_H

#include "digest/digest.h"
#include "digest/tag.h"
#include "digest/zip.h"

#define CTX_OFFICE_PART	((size_t)8 << 20)	/* read of each part */

struct ctx_office {
	struct ctx_digest *d;
	struct ctx_err *err;
	struct ctx_zip zip;
	struct ctx_buf part;		/* the XML that is read */
	struct ctx_buf text;		/* of one heading, title, name */
};

/*
 * Load a part; d->partial is set if there is more.  It is empty if it is
 * missing.  Returns 0, or -1 with *err set.
 */
int	ctx_office_load(struct ctx_office *o, const char *name,
	    struct ctx_buf *part) CTX_CHECKED;

/* Add the text, which is then empty.  Returns 0, or -1 with *err set. */
int	ctx_office_add(struct ctx_office *o, enum ctx_list list) CTX_CHECKED;

/*
 * Load the relationships of a part; those of the package, if part is "".
 * Returns 0, or -1 with *err set.
 */
int	ctx_office_rels(struct ctx_office *o, const char *part,
	    struct ctx_buf *rels) CTX_CHECKED;

/*
 * Set path to the target of part's relationship whose attribute name has this
 * value, or ends in it if that begins with '/'; to nothing if there is none.
 */
void	ctx_office_target(struct ctx_buf *path, const char *part,
	    const struct ctx_buf *rels, const char *name, const char *value,
	    size_t len);

/*
 * Set path to the part to which a relationship of this type leads, such as
 * "/styles", or to the usual one.  Uses o->part.  Returns 0, or -1 with *err
 * set.
 */
int	ctx_office_related(struct ctx_office *o, const char *part,
	    const char *type, const char *usual, struct ctx_buf *path)
	    CTX_CHECKED;

/*
 * Append the text in the element that t opens, with a space for each break in
 * it.  *p, which is after t, is moved after the element.
 */
void	ctx_office_text(struct ctx_office *o, const struct ctx_tag *t,
	    const char **p, const char *end);

/*
 * The readers of Word, PowerPoint, OpenDocument and EPUB: each adds what it finds
 * in o->zip to o->d.  They return 0, or -1 with *err set.
 */
int	ctx_office_word(struct ctx_office *o) CTX_CHECKED;
int	ctx_office_slides(struct ctx_office *o) CTX_CHECKED;
int	ctx_office_odf(struct ctx_office *o) CTX_CHECKED;
int	ctx_office_epub(struct ctx_office *o) CTX_CHECKED;

#endif
