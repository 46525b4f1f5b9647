/* SPDX-License-Identifier: MIT */
/* What code and uploads have in common: files of a thread, by name. */
#ifndef CTX_CMD_STORE_FILES_H
#define CTX_CMD_STORE_FILES_H

#include "cli_list.h"
#include "cmd/store/cmd.h"
#include "store/file.h"

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

/* The command's options are read into place, which is or begins with l. */
int	store_list_begin(struct store *s, struct store_list *l,
	    struct ctx_err *err);

/*
 * Each file of a kind, or each version of the one that is named, to fn, which
 * writes a row or an item of l->text; then the items, if there are any, between
 * heading and hint.  l is done.
 */
int	store_list_files(struct store_list *l, const char *kind,
	    ctx_file_fn *fn, void *arg, struct ctx_err *err);

#endif
