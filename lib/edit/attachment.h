/* SPDX-License-Identifier: MIT */
/*
 * Images and files, in whatever dialect a part spells them: inline data in
 * base64 with its type, or a URL, or the id of a file at the provider's (which
 * nobody else can read).
 */
#ifndef CTX_EDIT_ATTACHMENT_H
#define CTX_EDIT_ATTACHMENT_H

#include "view/dialect.h"

struct ctx_attachment {
	struct ctx_str type;	/* "image/png", escaped; .p NULL: unknown */
	struct ctx_str data;	/* base64; .p NULL: url says where it is */
	struct ctx_str url;
	struct ctx_str name;	/* of the file; .p NULL */
	struct ctx_str detail;	/* how closely to look; .p NULL */
	int image;
};

/* Reads the part at node e; 0 if it is not understood. */
int	ctx_attachment_read(struct ctx_attachment *m, const struct ctx_doc *doc,
	    uint32_t e);

#endif
