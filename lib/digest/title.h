/* SPDX-License-Identifier: MIT */
/* What a source file says about itself: the text of its first comment. */
#ifndef CTX_DIGEST_TITLE_H
#define CTX_DIGEST_TITLE_H

#include <stddef.h>

#include "digest/lang.h"

/*
 * Find the first words, within one line, of the comment or documentation
 * string that data[0 .. len) begins with, skipping copyright notices, licences
 * and editor settings.  Returns their length, 0 if there are none; *start
 * points into data.
 */
size_t	ctx_title(const struct ctx_lang *lang, const char *data, size_t len,
	    const char **start);

#endif
