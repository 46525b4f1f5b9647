/* SPDX-License-Identifier: MIT */
/*
 * The map of a redaction: a file that only its owner can read, with a JSON line
 *
 *	{"placeholder":"[REDACTED:email:0123456789ab]","value":"a@b.org"}
 *
 * for each value that was replaced.  value is spelled as it was in the history.
 * Lines are only added, and only while one process has the lock.
 *
 * Names: clean_map_.
 */
#ifndef CTX_CMD_CLEAN_MAP_H
#define CTX_CMD_CLEAN_MAP_H

#include "base/strmap.h"
#include "cli.h"
#include "read/span.h"

#define CLEAN_MAP_MAX	(256u << 20)	/* bytes of the file */

struct clean_map {
	const char *path;		/* NULL: there is none */
	int fd;
	int sync;			/* what is added must be on disk at once */
	struct ctx_strmap placeholders;
	struct clean_map_value {
		size_t off, len;	/* in bytes */
	} *value;			/* by number */
	size_t capvalue;
	struct ctx_buf bytes, line;
};

/*
 * Open and read the map at path, to add to it if write is set; it is created if
 * it does not exist.  Ends the process if that fails.
 */
void	clean_map_open(struct clean_map *m, const char *path, int write,
	    struct cli *c);
/* Close it; what was added is on disk then, or that is reported. */
void	clean_map_done(struct clean_map *m, struct cli *c);

/* A ctx_secret_fn. */
int	clean_map_find(void *map, struct ctx_str placeholder,
	    struct ctx_str *value);
/*
 * Add a value, unless it is there.  Returns 0, or -1 with *err, also if the
 * placeholder is that of another value.
 */
int	clean_map_add(struct clean_map *m, struct ctx_str placeholder,
	    struct ctx_str value, struct ctx_err *err);

#endif
