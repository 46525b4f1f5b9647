/* SPDX-License-Identifier: MIT */
/*
 * Images and files as any dialect spells them: inline base64 data with a type,
 * a URL, or the id of a file at the provider (which nobody else can read).
 */
#ifndef CTX_EDIT_ATTACHMENT_H
#define CTX_EDIT_ATTACHMENT_H

#include "view/dialect.h"

struct ctx_attachment {
	struct ctx_str type;	/* "image/png", escaped; .p is NULL if
				   unknown */
	struct ctx_str data;	/* base64; if .p is NULL, url says where it
				   is */
	struct ctx_str url;
	struct ctx_str name;	/* of the file; .p may be NULL */
	struct ctx_str detail;	/* how closely to look; .p may be NULL */
	int image;
};

/* Read the part at node e.  Returns 0 if it is not understood. */
int	ctx_attachment_read(struct ctx_attachment *m, const struct ctx_doc *doc,
	    uint32_t e);

#endif
