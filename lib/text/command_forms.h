/* SPDX-License-Identifier: MIT */
/*
 * The lines of known commands: what a line looks like, and which rule fits it.
 *
 * Names: ctx_command_, CTX_THEN_.
 */
#ifndef CTX_TEXT_COMMAND_FORMS_H
#define CTX_TEXT_COMMAND_FORMS_H

#include <string.h>

#include "text/command_impl.h"

struct ctx_command_line {
	const char *p;		/* without its end */
	size_t len;
	size_t indent;
	size_t colon;		/* where the first ": " is, or len */
};

/* Which lines explain the one before them. */
enum ctx_command_then {
	CTX_THEN_STOP,		/* none */
	CTX_THEN_KEEP,		/* as before */
	CTX_THEN_DEEPER,	/* with a deeper indentation */
	CTX_THEN_INSIDE,	/* the same, and blank ones among them */
	CTX_THEN_BLANK,		/* up to a blank one */
	CTX_THEN_SECTION,	/* up to one that a rule ends it with */
	CTX_THEN_NEXT,		/* the next, whatever it is */
	CTX_THEN_LATER,		/* the next without a rule */
	CTX_THEN_TRACE		/* with an indentation; the one after them is
				   the signal */
};

struct ctx_command_rule {
	int how;		/* its text is looked for */
	const char *text;
	enum ctx_line_rank rank;
	enum ctx_command_then then;
};

/* Which rules of a list may fit a line, a bit each. */
struct ctx_command_may {
	uint64_t bol[128];	/* by its first byte */
	uint64_t at[128];	/* by the first after its indentation */
	uint64_t any;
};

/* The rules of a kind of command, and how they are found. */
struct ctx_command_rules {
	const struct ctx_command_rule *list[2];	/* or NULL */
	struct ctx_command_may may[2];
	int words;		/* do words tell signals? */
};

void	ctx_command_rules_init(struct ctx_command_rules *r,
	    enum ctx_command kind);

/* The first rule that fits a line, which is not empty; NULL if none does. */
const struct ctx_command_rule *ctx_command_rule_of(
	    const struct ctx_command_rules *r,
	    const struct ctx_command_line *l);

/* Is it that of the letters for tests, and has one of them failed? */
int	ctx_command_rule_failed(const struct ctx_command_rule *r,
	    const struct ctx_command_line *l);

/* Is it that of a finding, whose file is named above it? */
int	ctx_command_rule_found(const struct ctx_command_rule *r);

/* Of the marks around a conflict, '<' or '>'; else 0. */
char	ctx_command_rule_conflict(const struct ctx_command_rule *r);

/* "= NAME" after at least two more of its first character. */
int	ctx_command_is_head(const struct ctx_command_line *l, const char *s);

/* Where the first ": " is; the length of the line if it has none. */
size_t	ctx_command_colon(const struct ctx_command_line *l);

/* Is s in the line?  It should begin with a character that is rare. */
int	ctx_command_within(const struct ctx_command_line *l, const char *s);

int	ctx_command_ends(const struct ctx_command_line *l, const char *s);

/* The end of the digits at i. */
static inline size_t
ctx_command_digits(const struct ctx_command_line *l, size_t i)
{
	while (i < l->len && l->p[i] >= '0' && l->p[i] <= '9')
		i++;
	return i;
}

/* Is s at byte i of the line? */
static inline int
ctx_command_at(const struct ctx_command_line *l, size_t i, const char *s)
{
	size_t n = strlen(s);

	return i <= l->len && l->len - i >= n && memcmp(l->p + i, s, n) == 0;
}

#endif
