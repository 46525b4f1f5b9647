/* SPDX-License-Identifier: MIT */
/*
 * The index of a folder of kept texts: for each text that was altered, a line
 *
 *	KEY NAME ID
 *
 * with the key that is made from what was written (decide/lean_keep.c), the name
 * of the file with the text as it was read, and the id of its call, if it has
 * one.  Lines are only added, and only after the file exists.
 *
 * Names: clean_stash_.
 */
#ifndef CTX_CMD_CLEAN_STASH_H
#define CTX_CMD_CLEAN_STASH_H

#include "base/strmap.h"
#include "cli.h"
#include "decide/lean.h"

struct clean_stash {
	const char *dir;
	struct ctx_buf path;		/* of the index */
	int fd;				/* valid if path is not empty; -1: there
					   is no index */
	int sync;			/* what is added must be on disk at once */
	uint64_t taken;			/* bytes that were read */
	struct ctx_buf rest;		/* of an unfinished line after them */
	struct ctx_strmap keys;
	char (*name)[CTX_ORIGIN_NAME];	/* by number; "": several */
	size_t capname;
};

/* Open and read the index of dir, to add to it if write is set.  Ends the process
   if that fails. */
void	clean_stash_open(struct clean_stash *s, const char *dir, int write,
	    struct cli *c);
void	clean_stash_done(struct clean_stash *s);

/* A ctx_origin_fn. */
int	clean_stash_find(struct clean_stash *s, const char *key,
	    char name[CTX_ORIGIN_NAME], struct ctx_err *err);
/*
 * Add a line, unless it is there.  Returns 0, or -1 with *err, also if the key is
 * there with another name.
 */
int	clean_stash_add(struct clean_stash *s, struct ctx_str key,
	    struct ctx_str rest, struct ctx_err *err);

#endif
