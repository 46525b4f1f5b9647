/* SPDX-License-Identifier: MIT */
/* Links between the records that are written; see relink.h. */
#include "edit/relink.h"

#include <string.h>

/* A member of the record that is linked. */
struct link {
	const struct ctx_doc *doc;
	const char *member;
	uint32_t node;		/* its value, or CTX_NONE */
	struct ctx_patch *patch;
};

static struct link
link_of(const struct ctx_doc *doc, uint32_t root, const char *member,
    struct ctx_patch *patch)
{
	return (struct link){ doc, member, ctx_chain_member(doc, root, member),
	    patch };
}

/* Make the member name record number to, or nothing. */
static int
name(struct ctx_chain *ch, const struct link *l, uint32_t to,
    struct ctx_err *err)
{
	const struct ctx_node *n = &l->doc->node[l->node];
	struct ctx_buf text = { 0 };
	const char *id;
	size_t len;
	int rc;

	ch->changed[ch->nchanged++] = (struct ctx_chain_link){ l->member, to };
	if (to == CTX_NONE)
		return ctx_patch_add(l->patch, n->off, n->len, "null", 4, err);
	id = ctx_strmap_at(&ch->ids, to, &len);
	ctx_buf_addc(&text, '"');
	ctx_buf_add(&text, id, len);
	ctx_buf_addc(&text, '"');
	rc = ctx_buf_fail(&text, err);
	if (rc == 0)
		rc = ctx_patch_add(l->patch, n->off, n->len, text.data,
		    text.len, err);
	ctx_buf_done(&text);
	return rc;
}

/* The last of the new records that follow number n. */
static uint32_t
last_new(const struct ctx_chain *ch, uint32_t n)
{
	while (n != CTX_NONE && ch->rec[n].then != CTX_NONE)
		n = ch->rec[n].then;
	return n;
}

/* The end of what is written that record n follows; shortens the way to it. */
static uint32_t
end_of(struct ctx_chain *ch, uint32_t n)
{
	uint32_t end = n, next;

	while (ch->rec[end].up != CTX_NONE)
		end = ch->rec[end].up;
	for (; n != end; n = next) {
		next = ch->rec[n].up;
		ch->rec[n].up = end;
	}
	return end;
}

/* Would record n follow from itself, if it followed to? */
static int
loops(struct ctx_chain *ch, uint32_t n, uint32_t to)
{
	return n != CTX_NONE && to != CTX_NONE && end_of(ch, to) == n;
}

/*
 * Note that record n is written, which follows to.  It is the last one then, unless
 * it is beside the branch, or what was the last one follows from it.
 */
static void
follow(struct ctx_chain *ch, uint32_t n, uint32_t to, enum ctx_relink_as as)
{
	int is_before = ch->nlast > 0 && loops(ch, n, ch->nlast - 1);

	if (ch->rec[n].up == CTX_NONE && !loops(ch, n, to))
		ch->rec[n].up = to;
	if (ch->rec[n].beside || is_before)
		return;
	ch->nlast = n + 1;
	ch->fresh = as != CTX_RELINK_OLD;
}

/*
 * What record by of the source follows that followed number was.  One that begins
 * anew follows what is new before it, unless it is a boundary or beside the
 * branch.
 */
static uint32_t
parent_of(const struct ctx_chain *ch, uint32_t by, uint32_t was, int is_alone)
{
	uint32_t n = ctx_chain_written(ch, was, by);

	if (n != CTX_NONE && (ch->rec[n].seen || ch->rec[n].kept))
		return last_new(ch, n);
	if (ch->fresh && !is_alone)
		return ch->nlast - 1;
	/*
	 * What it followed went, and what that followed never was there.  Only
	 * the first of a file goes on from another one; ctx-clean would join
	 * others to what is before them, of any branch.
	 */
	if (n != was && ch->any)
		n = CTX_NONE;
	/* what it followed went, back to the beginning */
	if (n == CTX_NONE && was != CTX_NONE && ch->nhead > 0)
		n = ch->nhead - 1;
	return last_new(ch, n);
}

/* Of what a summary does not replace: the first record that is written. */
static uint32_t
first_from(const struct ctx_chain *ch, uint32_t n)
{
	uint32_t i = n;

	while (i < ch->nrec && !ch->rec[i].kept)
		i++;
	return i < ch->nrec ? i : n;
}

/* Link a reference that is no parent. */
static int
link_ref(struct ctx_chain *ch, struct link l, int forward, struct ctx_err *err)
{
	uint32_t was, to;

	if (ctx_chain_number(ch, l.doc, l.node, &was) == -1)
		return ctx_fail_nomem(err);
	if (was == CTX_NONE || !ch->rec[was].seen || ch->rec[was].kept)
		return 0;
	to = forward ? first_from(ch, was) :
	    ctx_chain_written(ch, was, CTX_NONE);
	return to == was || to == CTX_NONE ? 0 : name(ch, &l, to, err);
}

/*
 * What a new record before record next of the branch follows: what next would.
 * If nothing of that is written, it begins the branch.
 */
static uint32_t
before(const struct ctx_chain *ch, uint32_t next)
{
	uint32_t last = ch->nlast > 0 ? ch->nlast - 1 : CTX_NONE, n;

	if (next == CTX_NONE || ch->rec[next].beside)
		return last;
	n = ctx_chain_written(ch, ch->rec[next].parent, next);
	if (n != CTX_NONE && ch->rec[n].kept)
		return last_new(ch, n);
	return ch->fresh ? last : CTX_NONE;
}

/*
 * What the new record n follows, which is made after the call was or before
 * record was.  Beside the branch, or where nothing else is written of it, an answer
 * stays with its call.
 */
static uint32_t
parent_of_new(struct ctx_chain *ch, uint32_t n, uint32_t was,
    enum ctx_relink_as as)
{
	uint32_t last = before(ch, as == CTX_RELINK_NEW ? was : CTX_NONE);

	if (as == CTX_RELINK_ANSWER && was != CTX_NONE &&
	    (ch->rec[was].beside || last == CTX_NONE)) {
		ch->rec[n].beside = ch->rec[was].beside;
		last = last_new(ch, was);
	} else if (last == CTX_NONE)
		ch->nhead = n + 1;
	if (last != CTX_NONE && last != n)
		ch->rec[last].then = n;
	return last;
}

/* What record n follows now that followed was; where none does, nothing. */
static uint32_t
parent_now(struct ctx_chain *ch, uint32_t n, uint32_t was, int is_boundary,
    enum ctx_relink_as as)
{
	uint32_t to;

	if (ctx_chain_flat(ch))
		return CTX_NONE;
	if (as != CTX_RELINK_OLD && n != CTX_NONE)
		return parent_of_new(ch, n, was, as);
	to = parent_of(ch, n, was, is_boundary || (n != CTX_NONE &&
	    ch->rec[n].beside));
	/* a loop of the source stays; what goes, or is new, makes none */
	if (to == was || !loops(ch, n, to))
		return to;
	to = ch->fresh ? ch->nlast - 1 : CTX_NONE;
	return loops(ch, n, to) ? CTX_NONE : to;
}

int
ctx_relink(struct ctx_chain *ch, const struct ctx_doc *doc, uint32_t root,
    enum ctx_relink_as as, struct ctx_patch *patch, struct ctx_err *err)
{
	const struct ctx_chain_form *form = ch->form;
	struct link logical = link_of(doc, root, form->logical, patch);
	struct link parent = link_of(doc, root, form->parent, patch);
	const int is_boundary = ctx_node_str(doc, logical.node).len > 0;
	uint32_t n, was, to;

	ch->nchanged = 0;
	/* a new record that begins a chain follows another only logically */
	if (as == CTX_RELINK_NEW && logical.node != CTX_NONE) {
		parent = logical;
		logical.node = CTX_NONE;
	}
	if (ctx_chain_number(ch, doc, ctx_chain_member(doc, root, form->id),
	    &n) == -1 || ctx_chain_number(ch, doc, parent.node, &was) == -1)
		return ctx_fail_nomem(err);
	to = parent_now(ch, n, was, is_boundary, as);
	if (parent.node != CTX_NONE && to != was &&
	    name(ch, &parent, to, err) == -1)
		return -1;
	if (n != CTX_NONE)
		ch->rec[n].kept = 1;
	/* a file's first line may have an id, but follows none */
	if (n != CTX_NONE && parent.node != CTX_NONE) {
		ch->any = 1;
		follow(ch, n, to, as);
	}
	/* a record has one of them at most */
	return link_ref(ch, logical, 0, err) == -1 || link_ref(ch, link_of(doc,
	    root, form->leaf, patch), 0, err) == -1 ? -1 : link_ref(ch,
	    link_of(doc, root, form->first, patch), 1, err);
}

/* Append a line with what it must name.  Returns 1 if it has changed, 0 or -1. */
static int
relink_line(struct ctx_chain *ch, struct ctx_str line, enum ctx_relink_as as,
    struct ctx_patch *patch, struct ctx_buf *out, struct ctx_err *err)
{
	struct ctx_doc doc = { 0 };
	int rc = ctx_doc_try(&doc, line.p, line.len);

	ctx_patch_reset(patch);
	if (rc == -1)
		ctx_fail_nomem(err);
	if (rc == 1)
		rc = ctx_relink(ch, &doc, 0, as, patch, err);
	ctx_doc_done(&doc);
	if (rc == -1)
		return -1;
	if (ctx_patch_apply(patch, line.p, 0, line.len, out) == -1)
		return ctx_fail_nomem(err);
	return patch->n > 0;
}

/* Take the first line from raw[0 .. len). */
static struct ctx_str
next_line(const char **raw, size_t *len)
{
	const char *end = memchr(*raw, '\n', *len);
	struct ctx_str line = { *raw, (uint32_t)(end != NULL ?
	    (size_t)(end + 1 - *raw) : *len) };

	*raw += line.len;
	*len -= line.len;
	return line;
}

int
ctx_relink_lines(struct ctx_chain *ch, const char *raw, size_t len,
    enum ctx_relink_as as, struct ctx_buf *out, struct ctx_err *err)
{
	struct ctx_patch patch = { 0 };
	int rc = 0, changed = 0;

	while (len > 0 && rc != -1) {
		rc = relink_line(ch, next_line(&raw, &len), as, &patch,
		    out, err);
		changed |= rc == 1;
	}
	ctx_patch_done(&patch);
	return rc == -1 ? -1 : changed;
}

int
ctx_relink_note(struct ctx_chain *ch, const char *raw, size_t len,
    struct ctx_err *err)
{
	struct ctx_doc doc = { 0 };
	struct ctx_str line;
	int rc = 0;

	while (len > 0 && rc != -1) {
		line = next_line(&raw, &len);
		if ((rc = ctx_doc_try(&doc, line.p, line.len)) == 1)
			rc = ctx_chain_keep(ch, &doc, 0);
	}
	ctx_doc_done(&doc);
	return rc == -1 ? ctx_fail_nomem(err) : 0;
}
