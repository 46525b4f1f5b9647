/* SPDX-License-Identifier: MIT */
/* A member of a request that a user sets. */
#ifndef CTX_BASE_SET_H
#define CTX_BASE_SET_H

struct ctx_set {
	const char *name;	/* "a.b" is the member b of the member a */
	const char *value;	/* JSON, or else a string; "null" removes it */
};

#endif
