/* SPDX-License-Identifier: MIT */
/* What code and uploads have in common: files of a thread, by name. */
#ifndef CTX_CMD_STORE_FILES_H
#define CTX_CMD_STORE_FILES_H

#include "cli_list.h"
#include "cmd/store/cmd.h"
#include "store/file.h"

#define STORE_FILE_MAX	((size_t)900 << 20)

/*
 * Put p[0 .. len) into DIR/FOLDER/NAME, whole and on the disk, or not at all.
 * DIR is there; FOLDER is made, and must be no link.  *path, unless NULL, gets
 * the path, which the caller frees.
 */
struct store_file {
	const char *dir, *folder, *name;
	const char *data;
	size_t len;
	unsigned mode;			/* as for open: the umask counts */
};
int	store_file_write(const struct store_file *f, char **path,
	    struct ctx_err *err);

/*
 * Hand the newest version to write while nobody can store another one, so that
 * of several processes the last to write has it, too.  One that was removed
 * meanwhile is not written.
 */
int	store_file_newest(struct store *s, const char *kind,
	    const char *name, ctx_file_fn *write, void *arg,
	    struct ctx_err *err);

/* Remove DIR/FOLDER/NAME, if it is a file, or a link. */
int	store_file_unlink(const char *dir, const char *folder,
	    const char *name, struct ctx_err *err);

/* DIR/FOLDER/NAME, if that is a regular file; the caller frees.  NULL: no. */
char	*store_file_find(const char *dir, const char *folder,
	    const char *name);

/*
 * The command get of a kind: NAME@N is version N of a file.  If there is none,
 * it is a file of that very name, which only an older ctx-store has taken.
 */
int	store_file_get(struct store *s, const char *kind,
	    struct ctx_err *err);

/* A list of files, as --as says. */
enum store_list_as { STORE_AS_ROWS, STORE_AS_LIST, STORE_AS_MESSAGE };

struct store_list {
	struct store *s;
	enum cli_list of;
	enum store_list_as as;
	enum ctx_digest_lang lang;
	struct ctx_buf text;		/* items: lines "- ..." */
};

/* The options of list, of a struct store_list. */
extern const struct cli_opt store_list_opts[];

/* The items between heading and hint; nothing if there are none. */
int	store_list_print(struct store_list *l, struct ctx_err *err);

#endif
