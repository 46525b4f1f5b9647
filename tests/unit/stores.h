/* SPDX-License-Identifier: MIT */
/* Stores without contents, in a folder that is removed with them. */
#ifndef CTX_TESTS_STORES_H
#define CTX_TESTS_STORES_H

#include <stdio.h>
#include <stdlib.h>

#include "check.h"
#include "store/store.h"

static char folder[] = "/tmp/ctx-unit-XXXXXX";

/* Its number is its name. */
static struct ctx_store *
new_store(void)
{
	struct ctx_err err = { 0 };
	struct ctx_store *st = NULL;
	static int n;
	char path[64];

	snprintf(path, sizeof(path), "%s/%d", folder, n++);
	if (!CHECK(ctx_store_open(&st, path, CTX_STORE_CREATE, &err) == 0))
		exit(1);
	return st;
}

static void
remove_folder(void)
{
	char command[80];

	snprintf(command, sizeof(command), "rm -rf %s", folder);
	if (system(command) != 0)
		fprintf(stderr, "%s is still there\n", folder);
}

#endif
