/* SPDX-License-Identifier: MIT */
/* What pictures are made of; see picture.h. */
#include "show/picture_impl.h"

#include <inttypes.h>
#include <stdlib.h>

#include "show/args.h"

#define TOOL_MARK	"\1"	/* before the name of a tool */

/* What tokens are for, if that is no tool: the roles first. */
static const char *
fixed(uint32_t what)
{
	return what == CTX_WHAT_THINKING ? "thinking" :
	    ctx_msg_role_name((enum ctx_role)what);
}

/* The number of what part is for, or CTX_NONE if out of memory. */
static uint32_t
what_of(struct ctx_picture *p, const struct ctx_shown *m,
    const struct ctx_shown_part *part)
{
	struct ctx_str tool;
	size_t i;

	for (i = 0; p->what.n < CTX_WHAT_TOOLS; i++) {
		const char *name = fixed((uint32_t)i);

		if (ctx_strmap_add(&p->what, name, strlen(name)) ==
		    CTX_STRMAP_FULL)
			return CTX_NONE;
	}
	if (part == NULL || (part->kind != CTX_CALL &&
	    part->kind != CTX_RESULT))
		return part != NULL && part->kind == CTX_THINKING ?
		    CTX_WHAT_THINKING : (uint32_t)m->role;
	ctx_buf_reset(&p->word);
	ctx_buf_adds(&p->word, TOOL_MARK);
	tool = ctx_scene_tool(part);
	ctx_buf_add(&p->word, tool.p, tool.len);
	i = p->word.failed ? CTX_STRMAP_FULL :
	    ctx_strmap_add(&p->what, p->word.data, p->word.len);
	return i == CTX_STRMAP_FULL ? CTX_NONE : (uint32_t)i;
}

/*
 * The file that a call, or the call of a result, names: its number plus 1 in
 * *file, or 0.
 */
static int
find_file(struct ctx_picture *p, const struct ctx_shown *m,
    const struct ctx_shown_part *part, uint32_t *file, struct ctx_err *err)
{
	uint64_t *of;
	size_t n;
	int has;

	if (ctx_calls_find(&p->call, m->conversation, part->id, &of, err) == -1)
		return -1;
	*file = of != NULL ? (uint32_t)*of : 0;
	if (part->kind == CTX_RESULT)
		return 0;
	ctx_buf_reset(&p->word);
	has = ctx_args_file(&p->word, &p->args, part->text, err);
	if (has == -1)
		return -1;
	n = !has ? 0 : ctx_strmap_add(&p->file, p->word.data, p->word.len);
	if (n == CTX_STRMAP_FULL)
		return ctx_fail_nomem(err);
	*file = has ? (uint32_t)n + 1 : 0;
	if (of != NULL)
		*of = *file;
	return 0;
}

/* Count tokens for what they are for, in a file or in the message's turn. */
static int
count(struct ctx_picture *p, const struct ctx_shown *m, uint32_t what,
    uint32_t file, uint64_t tokens)
{
	struct ctx_buf *b = &p->word;
	const char *name;
	size_t len, at;

	ctx_buf_reset(b);
	ctx_buf_addf(b, "%" PRIu32 " ", what);
	if (file > 0) {
		name = ctx_strmap_at(&p->file, file - 1, &len);
		ctx_buf_add(b, name, len);
	} else {
		if (m->conversation > 1)
			ctx_buf_addf(b, "conversation %" PRIu64 ", ",
			    m->conversation);
		ctx_buf_addf(b, m->turn == 0 ? "before turn 1" : "turn %"
		    PRIu64, m->turn);
	}
	at = b->failed ? CTX_STRMAP_FULL :
	    ctx_strmap_add(&p->where, b->data, b->len);
	if (at == CTX_STRMAP_FULL || CTX_ROOM(p->cell, at, &p->capcell) == -1 ||
	    CTX_ROOM(p->sum, what, &p->capsum) == -1)
		return -1;
	while (p->ncell <= at)
		p->cell[p->ncell++] = (struct ctx_picture_cell){ what, 0 };
	while (p->nsum <= what)
		p->sum[p->nsum++] = 0;
	p->cell[at].tokens += tokens;
	p->sum[what] += tokens;
	return 0;
}

/* Count part i of m, and tokens besides; returns what it is for. */
static uint32_t
count_part(struct ctx_picture *p, const struct ctx_shown *m, size_t i,
    uint64_t besides, struct ctx_err *err)
{
	const struct ctx_shown_part *part = i < m->npart ? &m->part[i] : NULL;
	uint32_t what = what_of(p, m, part), file = 0;

	if (part != NULL && (part->kind == CTX_CALL ||
	    part->kind == CTX_RESULT) &&
	    find_file(p, m, part, &file, err) == -1)
		return CTX_NONE;
	if (what == CTX_NONE || count(p, m, what, file, besides +
	    (part != NULL ? part->tokens : 0)) == -1) {
		(void)ctx_fail_nomem(err);
		return CTX_NONE;
	}
	return what;
}

/*
 * Count the parts; what the message costs besides goes to the first.  Set *main
 * to what most of it is for: the role, or the tool of a result; an answer is the
 * assistant's, also if it is mostly calls.
 */
static int
count_parts(struct ctx_picture *p, const struct ctx_shown *m,
    uint32_t *main, struct ctx_err *err)
{
	uint64_t rest = m->tokens, n, most = 0;
	uint32_t what;
	size_t i;

	for (i = 0; i < m->npart; i++)
		rest -= m->part[i].tokens < rest ? m->part[i].tokens : rest;
	*main = (uint32_t)m->role;
	for (i = 0; i < m->npart || i == 0; i++) {
		what = count_part(p, m, i, i == 0 ? rest : 0, err);
		if (what == CTX_NONE)
			return -1;
		if (i == m->npart || m->part[i].kind != CTX_RESULT)
			continue;
		n = m->part[i].tokens + (i == 0 ? rest : 0);
		if (n >= most) {
			*main = what;
			most = n;
		}
	}
	return 0;
}

/* Is there a member of this name in it that is not null? */
static int
has_member(struct ctx_str json, const char *name)
{
	const char *p = json.p, *end = p + json.len;
	size_t len = strlen(name);

	/* a string is not followed by a colon */
	while ((p = memmem(p, (size_t)(end - p), name, len)) != NULL) {
		p += len;
		while (p < end && strchr(" \t\r\n", *p) != NULL)
			p++;
		if (p == end || *p != ':')
			continue;
		for (p++; p < end && strchr(" \t\r\n", *p) != NULL; p++)
			;
		if (p < end && *p != 'n')
			return 1;
	}
	return 0;
}

/* Has the message a mark up to which all is to be cached? */
static int
is_marked(struct ctx_str json)
{
	/* of Anthropic, Bedrock and the AI SDK */
	return has_member(json, "\"cache_control\"") ||
	    has_member(json, "\"cachePoint\"") ||
	    has_member(json, "\"cacheControl\"");
}

int
ctx_picture_add(struct ctx_picture *p, const struct ctx_shown *m, int shown,
    struct ctx_err *err)
{
	struct ctx_picture_mark *k;

	if (CTX_ROOM(p->mark, p->nmark, &p->capmark) == -1)
		return ctx_fail_nomem(err);
	k = &p->mark[p->nmark++];
	*k = (struct ctx_picture_mark){ .no = m->no, .turn = m->turn, .tokens =
	    m->tokens, .conversation = m->conversation, .shown = shown,
	    .became = m->became, .cached = m->cached,
	    .fresh = (m->flags & CTX_BOUNDARY) != 0,
	    .joined = (m->flags & CTX_JOINED) != 0 };
	if (is_marked(m->json))
		p->marked = p->nmark;
	if (m->role == CTX_ASSISTANT && !k->joined)
		p->answer = p->nmark - 1;
	return count_parts(p, m, &k->what, err);
}

void
ctx_picture_usage(struct ctx_picture *p, const struct ctx_usage *usage)
{
	p->usage = *usage;
}

void
ctx_picture_done(struct ctx_picture *p)
{
	free(p->mark);
	ctx_strmap_done(&p->what);
	free(p->sum);
	ctx_strmap_done(&p->where);
	free(p->cell);
	ctx_calls_done(&p->call);
	ctx_strmap_done(&p->file);
	ctx_buf_done(&p->word);
	ctx_doc_done(&p->args);
}
