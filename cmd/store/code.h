/* SPDX-License-Identifier: MIT */
/* What code put and code extract have in common. */
#ifndef CTX_CMD_STORE_CODE_H
#define CTX_CMD_STORE_CODE_H

#include "cmd/store/files.h"
#include "session/coderef.h"

/* Of a struct ctx_coderef_place. */
extern const struct cli_opt store_code_place_opts[];

/* Say that a language is not one of the known. */
void	store_code_unknown(struct store *s, const char *lang, size_t len);

#endif
