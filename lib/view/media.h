/* SPDX-License-Identifier: MIT */
/*
 * The data of an image or file, wherever its dialect puts it: a data: URL in
 * some string of the part, or base64 in a string next to its media type.
 */
#ifndef CTX_VIEW_MEDIA_H
#define CTX_VIEW_MEDIA_H

#include "read/respelled.h"
#include "view/convo.h"

enum ctx_media_form {
	CTX_MEDIA_NONE,		/* no data, only a link or an id */
	CTX_MEDIA_URL,		/* "data:image/png;base64,..." */
	CTX_MEDIA_SOURCE,	/* {"type":"base64","media_type","data"} */
	CTX_MEDIA_BESIDE,	/* base64 next to a media type, in another
				   form */
	CTX_MEDIA_LINK		/* "file://..." where a data: URL may be */
};

struct ctx_media {
	enum ctx_media_form form;
	uint32_t node;		/* the string; of a SOURCE, the object */
	struct ctx_str type;	/* "image/png"; .p is NULL if unknown */
	struct ctx_str data;	/* the base64, or the URL of a LINK */
};

/*
 * Find the data of part p, an image or file.  m->form says if there is any.  Its
 * strings are in their shortest spelling, and valid until plain changes.  Returns
 * 0, or -1 if out of memory.
 */
int	ctx_media_find(const struct ctx_convo *c, uint32_t p,
	    struct ctx_media *m, struct ctx_respelled *plain) CTX_CHECKED;

/* If s is a data: URL with base64, set m but its node, and return 1. */
int	ctx_media_url(struct ctx_str s, struct ctx_media *m);

/* The type of image that base64 data is, by its first bytes; .p may be NULL. */
struct ctx_str ctx_media_sniff(struct ctx_str data);

/*
 * Append data of the given type, or a link, as JSON: as a SOURCE's object if
 * source is set, else as a string with the URL.
 */
void	ctx_media_put(struct ctx_buf *b, int source, struct ctx_str type,
	    struct ctx_str data);
void	ctx_media_put_link(struct ctx_buf *b, int source, struct ctx_str url);

/* The file extension for a media type, "png"; NULL if unknown. */
const char *ctx_media_ending(struct ctx_str type);

/* The media type for an extension; NULL if unknown. */
const char *ctx_media_type(const char *ending, size_t len);

#endif
