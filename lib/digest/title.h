/* SPDX-License-Identifier: MIT */
/* What a source file says of itself: the text of its first comment. */
#ifndef CTX_DIGEST_TITLE_H
#define CTX_DIGEST_TITLE_H

#include <stddef.h>

#include "digest/lang.h"

/*
 * The first words in the comment or documentation string that data[0 .. len)
 * begins with, one line of them: no copyright, no licence, no settings for an
 * editor.  Its length, 0 if there is none; *start is inside data.
 */
size_t	ctx_title(const struct ctx_lang *lang, const char *data, size_t len,
	    const char **start);

#endif
