/* SPDX-License-Identifier: MIT */
/* What the sources of picture.h share. */
#ifndef CTX_SHOW_PICTURE_IMPL_H
#define CTX_SHOW_PICTURE_IMPL_H

#include "show/html.h"
#include "show/picture.h"

#define CTX_PICTURE_WIDTH	1200

/* What tokens are for, before the tools. */
enum ctx_what { CTX_WHAT_SYSTEM, CTX_WHAT_USER, CTX_WHAT_ASSISTANT,
	CTX_WHAT_TOOL, CTX_WHAT_THINKING, CTX_WHAT_TOOLS };

/* Which messages of a conversation a cache may hold. */
struct ctx_cached {
	size_t from, to;
	uint64_t conversation;
	uint64_t tokens;	/* 0: none */
	uint64_t answer;	/* number of the one that says so; 0: marks */
};

/* A picture as it is drawn. */
struct ctx_drawing {
	const struct ctx_picture *p;
	struct ctx_cached cached;
	struct ctx_buf *out;
	int alone;
	const uint32_t *order;	/* of what there is, most tokens first, */
	size_t used;		/* and how many of these have any */
	const uint32_t *colour;	/* of each: its place among the tools */
	uint64_t total;
};

/* What it is, and whether message i is a part of it. */
struct ctx_cached ctx_cached_find(const struct ctx_picture *p);
int	ctx_cached_is(const struct ctx_picture *p, const struct ctx_cached *c,
	    size_t i);

/* Append the class of its colour. */
void	ctx_drawing_colour(const struct ctx_drawing *d, uint32_t what);
/* Its name, and that of a cell: a file, or "turn 3". */
struct ctx_str	ctx_drawing_what(const struct ctx_drawing *d, uint32_t what);
struct ctx_str	ctx_drawing_where(const struct ctx_drawing *d, size_t cell);

/* Draw; the map returns -1 with *err if memory runs out. */
void	ctx_drawing_bar(const struct ctx_drawing *d);
int	ctx_drawing_bar_height(const struct ctx_drawing *d);
/* What the lines under the bar mean, as a list. */
void	ctx_drawing_notes(const struct ctx_drawing *d);
int	ctx_drawing_map(const struct ctx_drawing *d, struct ctx_err *err)
	    CTX_CHECKED;
void	ctx_drawing_plot(const struct ctx_drawing *d);

#endif
