/* SPDX-License-Identifier: MIT */
/* What code and uploads share: files of a thread, by name. */
#ifndef CTX_CMD_STORE_FILES_H
#define CTX_CMD_STORE_FILES_H

#include "cli_list.h"
#include "cmd/store/cmd.h"
#include "store/file.h"

/*
 * The get command for a kind of file.  NAME@N is version N of a file; if there
 * is none, it is the file with exactly that name, which only older versions of
 * ctx-store accepted.
 */
int	store_file_get(struct store *s, const char *kind,
	    struct ctx_err *err);

/* How --as prints a list of files. */
enum store_list_as { STORE_AS_ROWS, STORE_AS_LIST, STORE_AS_MESSAGE };

struct store_list {
	struct store *s;
	enum cli_list of;
	enum store_list_as as;
	enum ctx_wording lang;
	struct ctx_buf text;		/* items: lines "- ..." */
};

/* The options of list, for a struct store_list. */
extern const struct cli_opt store_list_opts[];

/* Parse the command's options into place, which is l or begins with it. */
int	store_list_begin(struct store *s, struct store_list *l,
	    struct ctx_err *err);

/*
 * Pass each file of a kind, or each version of the named one, to fn, which
 * writes a row or appends an item to l->text; then print the items, if any,
 * between heading and hint.  l is freed.
 */
int	store_list_files(struct store_list *l, const char *kind,
	    ctx_file_fn *fn, void *arg, struct ctx_err *err);

/* Write a list of a thread as a message; an empty one writes nothing. */
int	store_code_message(struct store *s, struct ctx_err *err);
int	store_upload_message(struct store *s, struct ctx_err *err);

#endif
