/* SPDX-License-Identifier: MIT */
/* Which results are contents of files, where no line may change. */
#include "decide/lean_impl.h"

#include <string.h>

#include "decide/reads.h"

/* Does an option spare files? */
static int
spares(const struct ctx_lean_opts *o)
{
	return o->minify || o->tables || o->squeeze || o->fold ||
	    ctx_lean_picks(o);
}

/* The entry of an id in l->file_ids; *id is NULL if there is no id. */
static int
see(struct ctx_lean_step *s, struct ctx_str name, struct ctx_seen_id **id,
    struct ctx_err *err)
{
	*id = NULL;
	if (name.p == NULL)
		return 0;
	*id = ctx_idset_see(&s->l->file_ids, name.p, name.len);
	return *id != NULL ? 0 : ctx_fail_nomem(err);
}

static int
is_file_tool(const struct ctx_convo *c, uint32_t p)
{
	const struct ctx_part *part = &c->part[p];

	return ctx_reads_tool(part->name) || (part->mate != CTX_NONE &&
	    ctx_reads_tool(c->part[part->mate].name));
}

/* What printed result p, which may be a file. */
static int
find_result(struct ctx_lean_step *s, uint32_t p, enum ctx_command *kind,
    struct ctx_err *err)
{
	struct ctx_seen_id *id;

	*kind = CTX_COMMAND_FILE;
	if (!is_file_tool(s->c, p) && ctx_lean_command(s, p, kind, err) == -1)
		return -1;
	if (*kind != CTX_COMMAND_FILE)
		return 0;
	if (see(s, s->c->part[p].id, &id, err) == -1)
		return -1;
	if (id != NULL)
		id->uses = 1;
	return 0;
}

int
ctx_lean_find_files(struct ctx_lean_step *s, struct ctx_err *err)
{
	const struct ctx_convo *c = s->c;
	enum ctx_command kind = CTX_COMMAND_UNKNOWN;
	uint32_t p;

	if (CTX_ROOM(s->l->printed, c->npart, &s->l->capprinted) == -1)
		return ctx_fail_nomem(err);
	ctx_idset_reset(&s->l->file_ids);
	memset(s->l->printed, CTX_COMMAND_UNKNOWN, c->npart);
	for (p = 0; p < c->npart && spares(s->o); p++) {
		if (!(c->part[p].flags & CTX_INNER))
			kind = CTX_COMMAND_UNKNOWN;
		if (c->part[p].kind == CTX_RESULT &&
		    find_result(s, p, &kind, err) == -1)
			return -1;
		s->l->printed[p] = (unsigned char)kind;
	}
	return 0;
}

int
ctx_lean_kind(struct ctx_lean_step *s, uint32_t p, struct ctx_str id,
    enum ctx_lean_kind *kind, struct ctx_err *err)
{
	const struct ctx_part *part = p != CTX_NONE ? &s->c->part[p] : NULL;
	struct ctx_seen_id *seen;

	*kind = part != NULL && part->kind == CTX_TEXT &&
	    !(part->flags & CTX_INNER) ? CTX_LEAN_SAID : CTX_LEAN_RESULT;
	if (!spares(s->o) || *kind == CTX_LEAN_SAID)
		return 0;
	if (part != NULL && s->l->printed[p] == CTX_COMMAND_FILE)
		*kind = CTX_LEAN_FILE;
	if (part != NULL && part->kind != CTX_COPY)
		return 0;
	if (see(s, id, &seen, err) == -1)
		return -1;
	if (seen != NULL && seen->uses > 0)
		*kind = CTX_LEAN_FILE;
	return 0;
}
