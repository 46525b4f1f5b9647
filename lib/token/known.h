/* SPDX-License-Identifier: MIT */
/* The vocabularies that go by name. */
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
	const char *table;	/* its file, NAME.ctxv; NULL: chars */
	const char *what;
	const struct ctx_known_special *special;	/* up to a NULL text */
	/* Ids from .. to are spelled <|reserved_ID|> too. */
	uint32_t reserved_from;
	uint32_t reserved_to;	/* 0: none */
};

/* All of them, up to a NULL name. */
extern const struct ctx_known ctx_known_list[];

/* By name; NULL. */
const struct ctx_known *ctx_known_find(const char *name);

#endif
