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

int
ctx_lean_find_files(struct ctx_lean_step *s, struct ctx_err *err)
{
	const struct ctx_convo *c = s->c;
	const struct ctx_part *part;
	struct ctx_seen_id *id;
	uint32_t p;
	int of = 0;

	if (CTX_ROOM(s->l->of_file, c->npart, &s->l->capof_file) == -1)
		return ctx_fail_nomem(err);
	ctx_idset_reset(&s->l->file_ids);
	memset(s->l->of_file, 0, c->npart);
	for (p = 0; p < c->npart && spares(s->o); p++) {
		part = &c->part[p];
		if (!(part->flags & CTX_INNER))
			of = part->kind == CTX_RESULT &&
			    (ctx_reads_tool(part->name) ||
			    (part->mate != CTX_NONE &&
			    ctx_reads_tool(c->part[part->mate].name)));
		s->l->of_file[p] = (unsigned char)of;
		if (!of || part->kind != CTX_RESULT)
			continue;
		if (see(s, part->id, &id, err) == -1)
			return -1;
		if (id != NULL)
			id->uses = 1;
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
	if (part != NULL && s->l->of_file[p])
		*kind = CTX_LEAN_FILE;
	if (part != NULL && part->kind != CTX_COPY)
		return 0;
	if (see(s, id, &seen, err) == -1)
		return -1;
	if (seen != NULL && seen->uses > 0)
		*kind = CTX_LEAN_FILE;
	return 0;
}
