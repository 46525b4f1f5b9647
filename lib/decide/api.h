/* SPDX-License-Identifier: MIT */
/*
 * What depends on the server or the model, in two tables: the rules of servers
 * that speak another maker's dialect, and what single models refuse.  Each row
 * has its source beside it, the API's page or an answer that was recorded.
 *
 * Names: ctx_api_.
 */
#ifndef CTX_DECIDE_API_H
#define CTX_DECIDE_API_H

#include "decide/plan.h"

enum ctx_charset {
	CTX_CHARS_ANY,
	CTX_CHARS_WORD,		/* letters, digits, _ and - */
	CTX_CHARS_ALNUM,	/* letters and digits */
	CTX_CHARS_DOTTED	/* letters, digits, _ - . and : */
};

struct ctx_api {
	const char *name;
	const char *dialect;	/* the one that it speaks */
	unsigned without;	/* enum ctx_rule of the dialect that it does not
				   apply */
	int needs_id;			/* a call in a list of calls has one */
	uint32_t id_min, id_max;	/* bytes of a call's id; 0: any */
	enum ctx_charset id_chars;
	uint32_t name_max;	/* bytes of a tool's name; 0: any */
	enum ctx_charset name_chars;
	int names_files;	/* data of a file has a name, and is neither
				   audio nor video */
	int fills;		/* a list of contents is not empty */
	int answers;			/* the assistant answers a result before
					   the user speaks */
	const char *images;	/* media types of images, each between two
				   spaces; NULL: any */
};

/* The server called name; NULL if it is not known. */
const struct ctx_api *ctx_api_find(const char *name);
/* The name of server i; NULL after the last. */
const char *ctx_api_name(size_t i);
/* The rules for d: those of api if it speaks d, else those of d's maker. */
const struct ctx_api *ctx_api_for(const struct ctx_api *api,
	    const struct ctx_dialect *d);

/*
 * Has the list of beginnings of names, as in struct ctx_api_row, this model?  What
 * a server or a maker puts before the name does not count.
 */
int	ctx_api_has_model(const char *list, struct ctx_str model);

/* Are s's bytes, as spelled in JSON, all of this set? */
int	ctx_api_chars(enum ctx_charset set, struct ctx_str s);

/* Does api read images of this type?  An unknown one, .p NULL, may be any. */
int	ctx_api_image(const struct ctx_api *api, struct ctx_str type);

struct ctx_api_row {
	const char *api;	/* name of the server */
	const char *models;	/* beginnings of names, separated by spaces; one
				   after ! is excepted; NULL: all */
	enum ctx_fault fault;
	const char *what;	/* of it: a role or kind of part; NULL: all */
	int named;		/* no reason to warn if the model is unknown */
	const char *detail;	/* for the finding */
};

/*
 * The row by which model refuses what; if model.p is NULL, a row by which any
 * does that is worth a warning.  NULL if there is none.
 */
const struct ctx_api_row *ctx_api_refuses(const struct ctx_api *api,
	    struct ctx_str model, enum ctx_fault fault, const char *what);

#endif
