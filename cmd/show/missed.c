/* SPDX-License-Identifier: MIT */
/* Nothing was selected; see missed.h. */
#include "cmd/show/missed.h"

#include <inttypes.h>
#include <string.h>

#define NAMES	12	/* tools that are listed */

static void
add_quoted(struct ctx_buf *out, const char *p, size_t len)
{
	char text[512];

	ctx_buf_adds(out, ctx_err_quote(text, sizeof(text), p, len));
}

/* Append "turn 3" or "turns 3-5". */
static void
add_turns(struct ctx_buf *out, const char *turns)
{
	ctx_buf_addf(out, "turn%s ", strchr(turns, '-') != NULL ? "s" : "");
	add_quoted(out, turns, strlen(turns));
}

/* Append "'a' or 'b'". */
static void
add_wanted(struct ctx_buf *out, const struct ctx_select *s)
{
	size_t i;

	for (i = 0; i < s->ntool; i++) {
		ctx_buf_adds(out, i > 0 ? " or '" : "'");
		add_quoted(out, s->tool[i], strlen(s->tool[i]));
		ctx_buf_addc(out, '\'');
	}
}

static void
say_turns(struct ctx_buf *out, const struct ctx_select_seen *seen,
    const char *turns)
{
	ctx_buf_adds(out, "no ");
	add_turns(out, turns);
	if (seen->turns == 0)
		ctx_buf_adds(out, ": no message was typed by a user");
	else
		ctx_buf_addf(out, ": %s %" PRIu64 " turn%s", seen->several ?
		    "no conversation has more than" : "the history has",
		    seen->turns, CLI_S(seen->turns));
}

/* Append the tools that there are, after the one that may have been meant. */
static void
add_tools(struct ctx_buf *out, const struct ctx_select *s)
{
	const struct ctx_strmap *tools = &s->seen.tools;
	char name[CTX_SELECT_NAME], best[CTX_SELECT_NAME] = "", ask[300];
	struct cli_like like = { NULL, 0 };
	const char *p;
	size_t i, k, len;

	for (i = 0; i < tools->n; i++) {
		p = ctx_strmap_at(tools, i, &len);
		memcpy(name, p, len);
		name[len] = '\0';
		for (k = 0; k < s->ntool; k++)
			cli_like(&like, s->tool[k], strlen(s->tool[k]), name);
		/* name is used again */
		if (like.word == name)
			like.word = strcpy(best, name);
	}
	ctx_buf_adds(out, cli_like_ask(&like, ask, sizeof(ask)));
	ctx_buf_adds(out, like.word != NULL ? " the tools are: " :
	    "; the tools are: ");
	for (i = 0; i < tools->n && i < NAMES; i++) {
		ctx_buf_adds(out, i > 0 ? ", " : "");
		p = ctx_strmap_at(tools, i, &len);
		add_quoted(out, p, len);
	}
	if (tools->n > NAMES)
		ctx_buf_addf(out, " and %zu more", tools->n - NAMES);
}

static void
say_tools(struct ctx_buf *out, const struct ctx_select *s, const char *turns)
{
	ctx_buf_adds(out, "no call of ");
	add_wanted(out, s);
	if (turns != NULL) {
		ctx_buf_adds(out, " in ");
		add_turns(out, turns);
	}
	if (s->seen.tools.n == 0)
		ctx_buf_adds(out, ": no tool is called");
	else
		add_tools(out, s);
}

static void
say_pattern(struct ctx_buf *out, const struct ctx_select *s,
    const char *turns, const char *pattern)
{
	if (s->ntool > 0) {
		ctx_buf_adds(out, "no call or result of ");
		add_wanted(out, s);
	} else
		ctx_buf_adds(out, "no message");
	if (turns != NULL) {
		ctx_buf_adds(out, " in ");
		add_turns(out, turns);
	}
	ctx_buf_adds(out, " matches '");
	add_quoted(out, pattern, strlen(pattern));
	ctx_buf_adds(out, s->cased ? "'; case counts, as it has an "
	    "upper-case letter" : "'");
}

void
show_missed(const struct ctx_select *s, const char *turns,
    const char *pattern, struct cli *c)
{
	struct ctx_buf out = { 0 };

	if (s->seen.in_turns == 0)
		say_turns(&out, &s->seen, turns);
	else if (s->seen.of_tools == 0)
		say_tools(&out, s, turns);
	else
		say_pattern(&out, s, turns, pattern);
	if (ctx_buf_str(&out) == NULL)
		cli_nomem(c);
	cli_warn(c, "%s", out.data);
	cli_raise(c, CLI_NO);
	ctx_buf_done(&out);
}
