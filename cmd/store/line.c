/* SPDX-License-Identifier: MIT */
/* Lines by their dialect; see line.h. */
#include "cmd/store/line.h"

#include <string.h>

#include "decide/shorten.h"
#include "job/cost.h"

int
store_line_wanted(const struct store_line *l)
{
	return l->max_chars > 0 || l->cost != NULL;
}

/*
 * Texts of users, models and tools; not the system's, nor arguments, nor what
 * is signed.
 */
static int
is_text(const struct ctx_convo *c, const struct ctx_part *p)
{
	if (p->flags & CTX_RAW)
		return 0;
	return p->kind == CTX_RESULT || p->kind == CTX_COPY ||
	    (p->kind == CTX_TEXT && (p->flags & CTX_INNER ||
	    c->msg[p->msg].role != CTX_SYSTEM));
}

static int
shorten(struct store_line *l, struct ctx_err *err)
{
	const struct ctx_shorten how = { .max = l->max_chars };
	struct ctx_str s;
	uint32_t i;
	int rc;

	ctx_patch_reset(&l->patch);
	for (i = 0; i < l->one.npart; i++) {
		s = ctx_part_text(&l->one, i);
		if (s.p == NULL || !is_text(&l->one, &l->one.part[i]))
			continue;
		ctx_buf_reset(&l->text);
		rc = ctx_shorten(&how, s, NULL, &l->text, err);
		if (rc == 1)
			rc = ctx_patch_add(&l->patch, (size_t)(s.p - l->raw),
			    s.len, l->text.data, l->text.len, err);
		if (rc == -1)
			return -1;
	}
	if (l->patch.n == 0)
		return 0;
	ctx_buf_reset(&l->out);
	if (ctx_patch_apply(&l->patch, l->raw, 0, l->len, &l->out) == -1)
		return ctx_fail_nomem(err);
	l->raw = l->out.data;
	l->len = l->out.len;
	return 0;
}

/* A conversation line carries what its messages carry together. */
static void
count(struct store_line *l)
{
	uint32_t m, nmsg = l->one.nmsg;
	uint64_t n;

	if (nmsg > 1 && l->one.rec[0].shape == CTX_REC_MESSAGE)
		nmsg = 1;	/* one object, several messages to a view */
	for (m = 0; m < nmsg; m++)
		if (ctx_cost_carried(&l->one, m, l->cost, &n))
			l->tokens = (l->tokens == -1 ? 0 : l->tokens) +
			    (int64_t)n;
}

static int
view(struct store_line *l, const char *raw, size_t len, struct ctx_err *err)
{
	struct ctx_rec *r;

	ctx_convo_reset(&l->one);
	if ((r = ctx_convo_add_rec(&l->one)) == NULL)
		return ctx_fail_nomem(err);
	r->raw = raw;
	r->len = len;
	r->root = 0;
	if (ctx_doc_scan(&l->one.doc, raw, len, err) == -1 ||
	    ctx_dialect_view(&l->one, 0, l->dialect, 0, err) == -1)
		return -1;
	l->dialect = l->one.dialect;
	return 0;
}

int
store_line_read(struct store_line *l, const char *raw, size_t len,
    struct ctx_err *err)
{
	l->raw = raw;
	l->len = len;
	l->tokens = -1;
	if (view(l, raw, len, err) == -1)
		return -1;
	if (l->cost != NULL)
		count(l);
	return l->max_chars > 0 ? shorten(l, err) : 0;
}

/* Of several messages in one object the user's own words count. */
static enum ctx_role
role_of(const struct ctx_convo *c)
{
	uint32_t m;

	for (m = 0; m < c->nmsg; m++)
		if (c->msg[m].role == CTX_USER)
			return CTX_USER;
	return c->msg[0].role;
}

int
store_line_role(struct store_line *l, struct ctx_entry *line,
    struct ctx_err *err)
{
	static const char *const name[] = { "system", "user", "assistant",
	    "tool" };
	enum ctx_role role;
	uint32_t i;

	if (view(l, line->raw, line->len, err) == -1)
		return -1;
	if (l->one.rec[0].shape != CTX_REC_MESSAGE || l->one.nmsg == 0)
		return 0;
	role = role_of(&l->one);
	strcpy(line->role, name[role]);
	line->opens_turn = role == CTX_USER &&
	    !(l->one.msg[0].flags & (CTX_SUMMARY | CTX_BOUNDARY));
	for (i = 0; i < l->one.npart; i++)
		if (l->one.part[i].kind == CTX_RESULT)
			line->opens_turn = 0;
	return 0;
}

void
store_line_done(struct store_line *l)
{
	ctx_convo_done(&l->one);
	ctx_patch_done(&l->patch);
	ctx_buf_done(&l->text);
	ctx_buf_done(&l->out);
}
