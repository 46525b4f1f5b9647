/* SPDX-License-Identifier: MIT */
/*
 * Which messages of a history are shown, and where a pattern is in their texts.
 *
 * Names: ctx_select_, struct ctx_select.
 */
#ifndef CTX_SHOW_SELECT_H
#define CTX_SHOW_SELECT_H

#include "base/regex.h"
#include "base/strmap.h"
#include "show/scene.h"

/* What ctx_select_msg was asked about, to say why nothing was selected. */
struct ctx_select_seen {
	uint64_t messages, turns;	/* turns of the longest conversation */
	int several;			/* conversations */
	uint64_t in_turns, of_tools;	/* messages in the turns, of these with
					   one of the tools, */
	uint64_t selected;		/* and of these with the pattern */
	struct ctx_strmap tools;	/* what was called in the turns, if
					   tools are selected; at most
					   CTX_SELECT_TOOLS */
};
#define CTX_SELECT_TOOLS	1000
#define CTX_SELECT_NAME		256	/* longer names are not looked at */

struct ctx_select {		/* all zero selects all */
	const char *const *tool;	/* patterns of the shell for names of
					   tools; only their calls and results */
	size_t ntool;
	uint64_t first, last;		/* turns; last 0: up to the end */
	pcre2_code *pattern;		/* NULL: none */
	pcre2_match_data *match;
	int cased;			/* the pattern does not ignore case */
	struct ctx_select_seen seen;
};

/*
 * Take the turns "N", "N-M", "N-" or "-M", from 1.  Returns 0, or -1 with
 * CTX_EUSAGE.
 */
int	ctx_select_turns(struct ctx_select *s, const char *turns,
	    struct ctx_err *err) CTX_CHECKED;

/*
 * Take a Perl-compatible pattern, which ignores case if it has no upper-case
 * letter.  Returns 0, or -1 with *err.
 */
int	ctx_select_grep(struct ctx_select *s, const char *pattern,
	    struct ctx_err *err) CTX_CHECKED;

void	ctx_select_done(struct ctx_select *s);

/*
 * Is message m shown at all, by its turn, its tools and the pattern?  1 or 0, or
 * -1 with *err if the pattern takes too long or memory runs out.
 */
int	ctx_select_msg(struct ctx_select *s, const struct ctx_shown *m,
	    struct ctx_err *err) CTX_CHECKED;

/* Is part i of message m shown, if that is?  Images go with their result. */
int	ctx_select_part(const struct ctx_select *s, const struct ctx_shown *m,
	    size_t i);

/*
 * The next match in text[0 .. len) from offset at on, which is not empty; at is 0,
 * or the end of a match that was found in this text.  Returns 1 and sets *off and
 * *end; 0; or -1 with *err as above.
 */
int	ctx_select_match(struct ctx_select *s, struct ctx_str text, size_t at,
	    size_t *off, size_t *end, struct ctx_err *err) CTX_CHECKED;

#endif
