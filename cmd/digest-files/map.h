/* SPDX-License-Identifier: MIT */
/* --map: the files that the operands name as a map within a budget. */
#ifndef CTX_CMD_DIGEST_FILES_MAP_H
#define CTX_CMD_DIGEST_FILES_MAP_H

#include "cmd/digest-files/files.h"

/* Check the options of --map, and begin it. */
void	map_begin(struct files *f);

/* The map of what was added, unless *err is set.  0, or -1 with *err set. */
int	map_end(struct files *f, struct ctx_buf *out, struct ctx_err *err);

#endif
