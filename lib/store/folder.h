/* SPDX-License-Identifier: MIT */
/*
 * Files in a folder of a directory, DIR/FOLDER/NAME: each whole and on the disk
 * or not there.  A folder that is a link is refused: it could lead anywhere.
 */
#ifndef CTX_STORE_FOLDER_H
#define CTX_STORE_FOLDER_H

#include <stddef.h>

#include "base/err.h"

struct ctx_folder_file {
	const char *dir, *folder, *name;
	const char *data;
	size_t len;
	unsigned mode;			/* as for open: the umask counts */
};

/*
 * Put the file in place of what is there.  dir is there; folder is made.
 * *path, unless NULL, gets the path, which the caller frees.  0, or -1 with
 * *err.
 */
int	ctx_folder_write(const struct ctx_folder_file *f, char **path,
	    struct ctx_err *err);

/* Remove the file, or a link of its name.  Nothing there is fine. */
int	ctx_folder_unlink(const char *dir, const char *folder,
	    const char *name, struct ctx_err *err);

/* The path of a regular file; the caller frees.  NULL: there is none. */
char	*ctx_folder_find(const char *dir, const char *folder,
	    const char *name);

#endif
