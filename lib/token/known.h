/* SPDX-License-Identifier: MIT */
/* The vocabularies that are known by name. */
#ifndef CTX_TOKEN_KNOWN_H
#define CTX_TOKEN_KNOWN_H

#include <stddef.h>
#include <stdint.h>

struct ctx_known_special {
	const char *text;
	uint32_t id;
};

struct ctx_known {
	const char *name;
	const char *table;	/* its file, NAME.ctxv; NULL for chars */
	const char *what;
	const struct ctx_known_special *special;	/* up to a NULL text */
	/* Ids in from .. to are also spelled <|reserved_ID|>. */
	uint32_t reserved_from;
	uint32_t reserved_to;	/* 0: none */
};

/* All of them; a NULL name ends the list. */
extern const struct ctx_known ctx_known_list[];

/* The vocabulary called name, or NULL. */
const struct ctx_known *ctx_known_find(const char *name);

#endif
