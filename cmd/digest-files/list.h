/* SPDX-License-Identifier: MIT */
/*
 * The list of code files that agents give to a model (--as list): a heading,
 * an item for each file, and how to refer to them.  The id of a file in a code
 * store is its name without the extension.
 */
#ifndef CTX_CMD_DIGEST_FILES_LIST_H
#define CTX_CMD_DIGEST_FILES_LIST_H

#include <stddef.h>

#include "base/buf.h"
#include "digest/digest_line.h"

/*
 * Append the item for the file that d digests.  Returns 0 if the file is not
 * code and has no item, or 1 if it was appended or out->failed.
 */
int	list_item(struct ctx_buf *out, const struct ctx_digest *d);

#endif
