/* SPDX-License-Identifier: MIT */
/*
 * The data of an image or file, wherever its dialect puts it: a data: URL in
 * some string of the part, or base64 in a string beside its media type.
 */
#ifndef CTX_VIEW_MEDIA_H
#define CTX_VIEW_MEDIA_H

#include "view/convo.h"

enum ctx_media_form {
	CTX_MEDIA_NONE,		/* no data: a link, an id */
	CTX_MEDIA_URL,		/* "data:image/png;base64,..." */
	CTX_MEDIA_SOURCE,	/* {"type":"base64","media_type","data"} */
	CTX_MEDIA_BESIDE,	/* base64 beside a media type, otherwise */
	CTX_MEDIA_LINK		/* "file://..." where a data: URL may stand */
};

struct ctx_media {
	enum ctx_media_form form;
	uint32_t node;		/* the string; of a SOURCE, the object */
	struct ctx_str type;	/* "image/png"; .p NULL: not said */
	struct ctx_str data;	/* the base64, or the URL of a LINK */
};

/* What part p (an image or file) holds; m->form says whether anything. */
void	ctx_media_find(const struct ctx_convo *c, uint32_t p,
	    struct ctx_media *m);

/*
 * Append data of that type, or a link, as JSON: in a SOURCE's object, else as a
 * string with the URL.
 */
void	ctx_media_put(struct ctx_buf *b, int source, struct ctx_str type,
	    struct ctx_str data);
void	ctx_media_put_link(struct ctx_buf *b, int source, struct ctx_str url);

/* The ending of files of a media type, "png"; NULL if it is not known. */
const char *ctx_media_ending(struct ctx_str type);

/* The type for an ending; NULL if it is not known. */
const char *ctx_media_type(const char *ending, size_t len);

#endif
