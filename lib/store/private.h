/* SPDX-License-Identifier: MIT */
/*
 * A private folder for the files of one store, which is called db.  For this
 * folder only.
 */
#ifndef CTX_STORE_PRIVATE_H
#define CTX_STORE_PRIVATE_H

#include "base/err.h"

/*
 * Make the folder, next to the file near or, if that is NULL, in $TMPDIR, else
 * /tmp.  Returns the store's name, which the caller frees, or NULL; *folder is
 * for ctx_private_remove in either case.
 */
char	*ctx_private_make(char **folder, const char *near,
	    struct ctx_err *err);

/* Copy a store's file and its log to that name. */
int	ctx_private_copy(const char *from, const char *to,
	    struct ctx_err *err);

/* Remove the folder with the store's files, and free its name or NULL. */
void	ctx_private_remove(char *folder);

#endif
