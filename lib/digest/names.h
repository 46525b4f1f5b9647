/* SPDX-License-Identifier: MIT */
/*
 * Lists of names found in a file: functions, columns, keys, headings.  They
 * are bounded: names past the bounds are counted but not kept.  All zero is
 * empty.
 */
#ifndef CTX_DIGEST_NAMES_H
#define CTX_DIGEST_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "digest/lang.h"

#define CTX_NAMES_MAX	20000	/* names kept per file */
#define CTX_NAME_LEN	200	/* bytes kept per name */

struct ctx_name {
	uint32_t off, len;	/* in names->text: valid UTF-8, no control
				   characters, single spaces */
	uint32_t line;		/* its line, from 1; 0 if unknown */
	uint8_t list;		/* enum ctx_list */
	uint8_t inner;		/* its line is indented */
	uint8_t again;		/* the list already has this name */
};

struct ctx_names {
	struct ctx_buf text;
	struct ctx_name *v;
	size_t n, cap;
	/*
	 * Number of distinct names; past the bound, of names that were not
	 * kept
	 */
	uint64_t distinct[CTX_LISTS];
	uint32_t *seen;			/* hash table: index into v, plus 1 */
	size_t nseen;
};

/*
 * Append at most max bytes of p[0 .. len) as text that fits in a line,
 * followed by an ellipsis if it was cut.  A run of white space and control
 * characters becomes one space; what is not UTF-8 becomes U+FFFD.  Returns 0,
 * or -1 if out of memory.
 */
int	ctx_name_clean(struct ctx_buf *out, const char *p, size_t len,
	    size_t max);

/*
 * Add p[0 .. len) to a list, cleaned as above and cut with an ellipsis if it
 * is long.  A name that is empty after that is ignored.  Returns 0, or -1 if
 * out of memory.
 */
int	ctx_names_add(struct ctx_names *names, enum ctx_list list,
	    const char *p, size_t len, uint32_t line, int inner);

/* Does a list have the name, spelled like this? */
int	ctx_names_has(const struct ctx_names *names, enum ctx_list list,
	    const char *p, size_t len);

/* Leave out all names of a list, none of which is counted then. */
void	ctx_names_drop(struct ctx_names *names, enum ctx_list list);

/* Sort by list, then by line, then in the order in which they were added. */
void	ctx_names_sort(struct ctx_names *names);

static inline const char *
ctx_name_text(const struct ctx_names *names, const struct ctx_name *name)
{
	return names->text.data + name->off;
}

/* Is the name at p, in the text, in a line that is indented? */
int	ctx_name_indented(const char *text, const char *p);

/* Empty the lists; the memory is kept. */
void	ctx_names_reset(struct ctx_names *names);
void	ctx_names_done(struct ctx_names *names);

#endif
