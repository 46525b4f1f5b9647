/* SPDX-License-Identifier: MIT */
/*
 * Files in a folder of a directory, DIR/FOLDER/NAME.  A file is either
 * complete and on disk or not there.  A folder that is a symbolic link is
 * refused: it could lead anywhere.
 */
#ifndef CTX_STORE_FOLDER_H
#define CTX_STORE_FOLDER_H

#include <stddef.h>

#include "base/err.h"

struct ctx_folder_file {
	const char *dir, *folder, *name;
	const char *data;
	size_t len;
	unsigned mode;			/* as for open, so the umask applies */
};

/*
 * Write the file, replacing an existing one.  dir must exist; folder is
 * created.  If path is not NULL, *path gets the path, which the caller frees.
 * Returns 0, or -1 with *err set.
 */
int	ctx_folder_write(const struct ctx_folder_file *f, char **path,
	    struct ctx_err *err);

/* Remove the file, or a link of that name.  A missing file is not an error. */
int	ctx_folder_unlink(const char *dir, const char *folder,
	    const char *name, struct ctx_err *err);

/* The path of a regular file, which the caller frees; NULL if there is none. */
char	*ctx_folder_find(const char *dir, const char *folder,
	    const char *name);

#endif
