/* SPDX-License-Identifier: MIT */
/* What was said in the messages that go; see fold_job_impl.h. */
#include "job/fold_job_impl.h"

/* Decode s to the end of f->text, which has room. */
static const char *
decode(struct ctx_fold_convo *f, struct ctx_str s, int raw, size_t *len)
{
	size_t from = f->text.len;

	if (s.p == NULL)
		s.len = 0;
	else if (raw)
		ctx_buf_add(&f->text, s.p, s.len);
	else
		ctx_str_decode(&f->text, s.p, s.len);
	*len = f->text.len - from;
	return f->text.data + from;
}

static int
add_said(struct ctx_fold_convo *f, const struct ctx_talk *said,
    struct ctx_err *err)
{
	if (CTX_ROOM(f->said, f->nsaid, &f->capsaid) == -1)
		return ctx_fail_nomem(err);
	f->said[f->nsaid++] = *said;
	return 0;
}

/* Add one part; result is the number of the result that contains it. */
static int
say_part(struct ctx_fold_convo *f, uint32_t i, uint32_t result,
    struct ctx_err *err)
{
	const struct ctx_convo *c = f->c;
	const struct ctx_part *p = &c->part[i];
	struct ctx_str text = ctx_part_text(c, i), tool = { NULL, 0 };
	enum ctx_role role = c->msg[p->msg].role;
	struct ctx_talk said = { 0 };

	if (p->kind == CTX_CALL) {
		said.kind = CTX_TALK_CALL;
		tool = p->name;
	} else if (p->kind == CTX_RESULT || p->flags & CTX_INNER) {
		said.kind = CTX_TALK_RESULT;
		said.failed = result != CTX_NONE &&
		    c->part[result].flags & CTX_ERROR;
		if (result != CTX_NONE && c->part[result].mate != CTX_NONE)
			tool = c->part[c->part[result].mate].name;
	} else if (p->flags & CTX_COMPACTED)
		said.kind = CTX_TALK_SUMMARY;
	else
		said.kind = role == CTX_USER ? CTX_TALK_USER :
		    CTX_TALK_ASSISTANT;
	if (text.p == NULL && p->kind != CTX_CALL)
		return 0;
	said.text = decode(f, text, p->flags & CTX_RAW, &said.len);
	said.tool = decode(f, tool, 0, &said.toollen);
	return add_said(f, &said, err);
}

/* Reserve memory for everything that is decoded, so that it never moves. */
static int
reserve(struct ctx_fold_convo *f, struct ctx_err *err)
{
	const struct ctx_convo *c = f->c;
	size_t sum = 16, tool = 0;
	uint32_t i, end = f->cut < c->nmsg ? c->msg[f->cut].part : c->npart;

	for (i = 0; i < end; i++) {
		/* each inner part of a result also has the tool's name */
		if (c->part[i].kind == CTX_RESULT)
			tool = c->part[i].mate == CTX_NONE ? 0 :
			    c->part[c->part[i].mate].name.len;
		sum += ctx_part_text(c, i).len + c->part[i].name.len + tool +
		    16;
	}
	if (ctx_buf_reserve(&f->text, sum) == -1)
		return ctx_fail_nomem(err);
	return 0;
}

int
ctx_fold_job_gather(struct ctx_fold_convo *f, struct ctx_err *err)
{
	const struct ctx_convo *c = f->c;
	struct ctx_talk old = { .kind = CTX_TALK_SUMMARY,
		.text = f->old_text.data, .len = f->old_text.len };
	uint32_t m, i, result;

	if (reserve(f, err) == -1 || (f->old_text.len > 0 &&
	    add_said(f, &old, err) == -1))
		return -1;
	for (m = f->users_before < f->first ? f->users_before : f->first;
	    m < f->cut; m++) {
		if (ctx_fold_job_stays(f, m) || ctx_fold_job_is_old(f, m) ||
		    /* folded before, unless it stayed then */
		    (m < f->first && !ctx_group_begins(c, m)))
			continue;
		result = CTX_NONE;
		CTX_FOR_PARTS(c, m, i) {
			if (c->part[i].kind == CTX_RESULT)
				result = i;
			if ((c->part[i].kind == CTX_TEXT ||
			    c->part[i].kind == CTX_CALL ||
			    c->part[i].kind == CTX_RESULT ||
			    c->part[i].flags & CTX_COMPACTED) &&
			    say_part(f, i, result, err) == -1)
				return -1;
		}
	}
	return 0;
}
