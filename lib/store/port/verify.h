/* SPDX-License-Identifier: MIT */
/*
 * Imports that are proven before they count: everything is stored in one
 * transaction, which is committed only if the store gives back the bytes that
 * it was given.
 */
#ifndef CTX_STORE_PORT_VERIFY_H
#define CTX_STORE_PORT_VERIFY_H

#include "store/store.h"

struct ctx_verified {
	int64_t threads, messages;
	int sum;	/* the last line has a sum of all lines, which fits */
};

/*
 * Import fd, which must be a file, from where it is on; export from the
 * transaction what it holds, and compare.  Returns 0, or -1 with nothing
 * stored: CTX_EINPUT with err->line set if the file is no complete export, or
 * if the store would give back other bytes, because it has more than these.
 */
int	ctx_verify_import(struct ctx_store *st, int fd,
	    struct ctx_verified *sum, struct ctx_err *err);

#endif
