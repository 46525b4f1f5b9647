/* SPDX-License-Identifier: MIT */
/*
 * A file that a tool returned as its bytes: in base64, as a data URL or as an
 * image or a document of the result.
 */
#ifndef CTX_JOB_PAYLOAD_H
#define CTX_JOB_PAYLOAD_H

#include "text/wrapped.h"
#include "view/convo.h"

/*
 * Decode the text in w, the contents of the file path, if that is what they are
 * by the file's name.  Returns 1, 0 if it is not sure, -1 if out of memory.
 */
int	ctx_payload_text(struct ctx_wrapped *w, struct ctx_str path)
	    CTX_CHECKED;

/*
 * Set w to the data of part p, an image or a document, if its type is that of
 * the file path.  Returns the same.
 */
int	ctx_payload_part(struct ctx_wrapped *w, const struct ctx_convo *c,
	    uint32_t p, struct ctx_str path) CTX_CHECKED;

#endif
