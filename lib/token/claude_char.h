/* SPDX-License-Identifier: MIT */
/* Characters as Claude's tokenizers have them; for claude.c. */
#ifndef CTX_TOKEN_CLAUDE_CHAR_H
#define CTX_TOKEN_CLAUDE_CHAR_H

#include <stdint.h>

/* The character that stands for cp; 0 if it is left out.  late: from 4.7 on. */
uint32_t ctx_claude_plain(uint32_t cp, int late);

int	ctx_claude_is_upper(uint32_t cp);
int	ctx_claude_is_lower(uint32_t cp);

/* The small letter of a Latin one. */
uint32_t ctx_claude_lower(uint32_t cp);

#endif
