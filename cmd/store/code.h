/* SPDX-License-Identifier: MIT */
/* What code put and code extract share. */
#ifndef CTX_CMD_STORE_CODE_H
#define CTX_CMD_STORE_CODE_H

#include "cmd/store/files.h"
#include "session/coderef.h"

/* Options for a struct ctx_coderef_place. */
extern const struct cli_opt store_code_place_opts[];

/* Warn that a language is unknown. */
void	store_code_unknown(struct store *s, const char *lang, size_t len);

#endif
