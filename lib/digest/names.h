/* SPDX-License-Identifier: MIT */
/*
 * Lists of names found in a file: functions, columns, keys, headings.  Bounded:
 * what is past the bounds is counted and not kept.  All zero is empty.
 */
#ifndef CTX_DIGEST_NAMES_H
#define CTX_DIGEST_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "digest/lang.h"

#define CTX_NAMES_MAX	20000	/* names kept of one file */
#define CTX_NAME_LEN	200	/* bytes kept of one name */

struct ctx_name {
	uint32_t off, len;	/* in names->text: valid UTF-8, no control
				   characters, single spaces */
	uint32_t line;		/* where it stands, from 1; 0: nowhere */
	uint8_t list;		/* enum ctx_list */
	uint8_t inner;		/* not at the margin of its line */
	uint8_t again;		/* its list has this name already */
};

struct ctx_names {
	struct ctx_buf text;
	struct ctx_name *v;
	size_t n, cap;
	/* Different names; past the bound, those that are not among the kept */
	uint64_t distinct[CTX_LISTS];
	uint32_t *seen;			/* hash table: index into v, plus 1 */
	size_t nseen;
};

/*
 * Append p[0 .. len) as text that can stand in a line: at most max bytes of it
 * and then an ellipsis; runs of white space and control characters are one
 * space, what is not UTF-8 is U+FFFD.  0, or -1 out of memory.
 */
int	ctx_name_clean(struct ctx_buf *out, const char *p, size_t len,
	    size_t max);

/*
 * Add p[0 .. len) to a list: cleaned as above, cut with an ellipsis when it is
 * long; nothing happens if nothing is left of it.  0, or -1 out of memory.
 */
int	ctx_names_add(struct ctx_names *names, enum ctx_list list,
	    const char *p, size_t len, uint32_t line, int inner);

/* By list, then line, then as they were added. */
void	ctx_names_sort(struct ctx_names *names);

static inline const char *
ctx_name_text(const struct ctx_names *names, const struct ctx_name *name)
{
	return names->text.data + name->off;
}

/* Empty, memory kept. */
void	ctx_names_reset(struct ctx_names *names);
void	ctx_names_done(struct ctx_names *names);

#endif
