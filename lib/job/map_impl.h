/* SPDX-License-Identifier: MIT */
/* What the parts of map.c share. */
#ifndef CTX_JOB_MAP_IMPL_H
#define CTX_JOB_MAP_IMPL_H

#include "digest/outline.h"
#include "digest/refrank.h"
#include "job/map.h"

#define CTX_MAP_NONE	UINT32_MAX

/* How much of something is shown. */
enum ctx_map_show { CTX_MAP_HIDDEN, CTX_MAP_NAMED, CTX_MAP_SIGNED };

/* A definition; its number is that of refrank. */
struct ctx_map_item {
	uint64_t score;
	size_t sig;			/* offset in text; its name follows */
	uint16_t siglen, namelen;
	uint32_t file;
	uint32_t up;			/* what it is in, plus 1; or 0 */
	uint32_t words;
	uint16_t cost[CTX_MAP_SIGNED + 1];	/* tokens; 0: not counted yet */
	uint8_t show;			/* enum ctx_map_show */
	uint8_t focus;
};

struct ctx_map_file {
	size_t path, line;		/* offsets in text */
	uint32_t pathlen, dirlen;	/* dirlen without its slash */
	uint32_t linelen;		/* a file without definitions */
	uint32_t item, nitem;
	uint32_t dir;			/* index */
	uint32_t cost;			/* of its own line; 0: unknown */
	uint32_t shown, named;		/* items that are shown and named */
	uint8_t show;			/* it is listed */
	uint8_t focus;
	uint8_t aside;			/* of tests and other people's code */
	uint8_t readme;
	uint16_t weight;		/* of a file without definitions */
};

struct ctx_map_dir {
	uint32_t file, len;		/* the path of a file, up to here */
	uint32_t up;			/* index, of the root's 0 */
	uint32_t all;			/* files in and below it */
	uint32_t more;			/* files below it that are not shown */
	uint32_t cost;			/* of its line; 0: unknown */
	uint8_t listed;			/* it has a line of its own anyway */
	uint8_t shown;			/* files of it are shown */
};

struct ctx_map {
	const struct ctx_map_opts *opts;
	struct ctx_map_sums sums;
	struct ctx_buf text, code;
	struct ctx_outline outline;
	struct ctx_refrank rank;
	struct ctx_map_file *file;	/* in the order of their adding */
	size_t nfile, capfile;
	struct ctx_map_item *item;
	size_t nitem, capitem;
	struct ctx_map_dir *dir;	/* each before what is in it */
	size_t ndir, capdir;
	uint32_t *order;		/* of files: by path */
	uint32_t *bysize;		/* of directories: those with most
					   files first */
	uint8_t *focused;		/* a match for each focus */
	/* What is chosen from: items, and files without items. */
	struct ctx_map_cand {
		uint64_t score;
		uint32_t file, item;	/* item: CTX_MAP_NONE for a file */
		uint32_t place;		/* of the file by path, of equals */
	} *cand;
	size_t ncand;
	struct ctx_buf scratch;
	uint64_t used;			/* tokens of what is shown so far */
};

/* map_rank.c: score what was added, and sort the candidates. */
int	ctx_map_rank(struct ctx_map *m, struct ctx_err *err) CTX_CHECKED;

/* map_tree.c: sort the files by path, and find the directories. */
int	ctx_map_tree(struct ctx_map *m, struct ctx_err *err) CTX_CHECKED;

/* Does all that is in directory i lie in one that it has, the next? */
static inline int
ctx_map_is_passage(const struct ctx_map *m, size_t i)
{
	return i + 1 < m->ndir && m->dir[i + 1].up == i &&
	    m->dir[i + 1].all == m->dir[i].all;
}

/* map_fit.c: choose what is shown, within limit tokens as far as known. */
int	ctx_map_fit(struct ctx_map *m, uint64_t limit, struct ctx_err *err)
	    CTX_CHECKED;

/*
 * map_write.c: append what is shown, and single lines of it, for counting.
 * Each returns 0, or -1 if out of memory.
 */
int	ctx_map_write(struct ctx_map *m, struct ctx_buf *out) CTX_CHECKED;
void	ctx_map_put_dir(const struct ctx_map *m, const struct ctx_map_dir *d,
	    uint32_t more, struct ctx_buf *out);
void	ctx_map_put_file(const struct ctx_map *m, const struct ctx_map_file *f,
	    struct ctx_buf *out);
void	ctx_map_put_item(const struct ctx_map *m, const struct ctx_map_item *i,
	    struct ctx_buf *out);
void	ctx_map_put_rest(const struct ctx_map *m, const struct ctx_map_file *f,
	    uint32_t rest, struct ctx_buf *out);

static inline const char *
ctx_map_sig(const struct ctx_map *m, const struct ctx_map_item *i)
{
	return m->text.data + i->sig;
}

static inline const char *
ctx_map_name(const struct ctx_map *m, const struct ctx_map_item *i)
{
	return m->text.data + i->sig + i->siglen;
}

static inline const char *
ctx_map_path(const struct ctx_map *m, const struct ctx_map_file *f)
{
	return m->text.data + f->path;
}

#endif
