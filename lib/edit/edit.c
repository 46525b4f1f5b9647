/* SPDX-License-Identifier: MIT */
/* A plan becomes bytes; see edit.h. */
#include "edit/edit_impl.h"

#include <stdlib.h>
#include <string.h>

#include "edit/member.h"

void
ctx_edit_done(struct ctx_edit *e)
{
	free(e->piece);
	free(e->link);
	free(e->item);
	ctx_buf_done(&e->text);
	ctx_buf_done(&e->scratch);
	ctx_buf_done(&e->list);
	ctx_patch_done(&e->patch);
	ctx_patch_done(&e->like.patch);
	ctx_buf_done(&e->like.text);
	ctx_doc_done(&e->like.doc);
	memset(e, 0, sizeof(*e));
}

static int
add_piece(struct ctx_edit *e, struct ctx_piece piece, struct ctx_err *err)
{
	if (CTX_ROOM(e->piece, e->npiece, &e->cappiece) == -1)
		return ctx_fail_nomem(err);
	e->piece[e->npiece++] = piece;
	return 0;
}

int
ctx_edit_add_item(struct ctx_edit *e, uint32_t list, uint32_t node,
    enum ctx_item_fate fate, struct ctx_err *err)
{
	if (CTX_ROOM(e->item, e->nitem, &e->capitem) == -1)
		return ctx_fail_nomem(err);
	e->item[e->nitem++] = (struct ctx_item){ list, node, fate };
	return 0;
}

/* The nodes of inner lists come after those of the outer lists. */
static int
compare_items(const void *a, const void *b)
{
	const struct ctx_item *x = a, *y = b;

	if (x->list != y->list)
		return x->list > y->list ? -1 : 1;
	return x->node < y->node ? -1 : x->node > y->node;
}

void
ctx_edit_sort_items(struct ctx_edit *e)
{
	size_t i = 1;

	/* most often they are in order, as they were added */
	while (i < e->nitem && compare_items(&e->item[i - 1], &e->item[i]) < 0)
		i++;
	if (i < e->nitem)
		qsort(e->item, e->nitem, sizeof(*e->item), compare_items);
}

/* List the parts of message m that are dropped or moved. */
static int
items_of(struct ctx_edit *e, const struct ctx_plan *plan,
    const struct ctx_convo *c, uint32_t m, struct ctx_err *err)
{
	const struct ctx_part *p;
	enum ctx_item_fate fate;
	int outer_gone = 0, k;
	uint32_t i;

	CTX_FOR_PARTS(c, m, i) {
		p = &c->part[i];
		if (!(p->flags & CTX_INNER))
			outer_gone = plan->drop_part[i];
		else if (outer_gone)
			continue;
		fate = plan->drop_part[i] ? CTX_ITEM_GOES :
		    plan->front_part[i] ? CTX_ITEM_FRONT : CTX_ITEM_STAYS;
		for (k = 0; fate != CTX_ITEM_STAYS && k < 2; k++)
			if (p->place[k].node != CTX_NONE &&
			    ctx_edit_add_item(e, p->place[k].list,
			    p->place[k].node, fate, err) == -1)
				return -1;
	}
	return 0;
}

/*
 * If all elements of a list that must not be empty are dropped, drop the member
 * itself from the message.
 */
static int
empty_lists(struct ctx_edit *e, const struct ctx_convo *c,
    const struct ctx_doc *doc, uint32_t m, struct ctx_err *err)
{
	const struct ctx_msg *msg = &c->msg[m];
	uint32_t i, list;
	size_t k, n;

	CTX_FOR_PARTS(c, m, i) {
		if (!(c->part[i].flags & CTX_LIST_GOES))
			continue;
		list = c->part[i].place[0].list;
		for (n = k = 0; k < e->nitem; k++)
			n += e->item[k].list == list &&
			    e->item[k].fate == CTX_ITEM_GOES;
		if (n == 0 || n != ctx_list_count(doc, list))
			return 0;
		for (n = k = 0; k < e->nitem; k++)
			if (e->item[k].list != list)
				e->item[n++] = e->item[k];
		e->nitem = n;
		return ctx_edit_add_item(e, msg->node, list, CTX_ITEM_GOES,
		    err);
	}
	return 0;
}

int
ctx_edit_items(struct ctx_edit *e, const struct ctx_plan *plan,
    const struct ctx_convo *c, uint32_t m, struct ctx_err *err)
{
	struct ctx_doc doc = ctx_convo_doc(c, c->msg[m].rec);

	e->nitem = 0;
	if (items_of(e, plan, c, m, err) == -1)
		return -1;
	return empty_lists(e, c, &doc, m, err);
}

int
ctx_edit_patch_lists(struct ctx_edit *e, struct ctx_patch *patch,
    const struct ctx_doc *doc, struct ctx_buf *scratch, struct ctx_err *err)
{
	const struct ctx_node *node;
	size_t i, k;

	ctx_edit_sort_items(e);
	for (i = 0; i < e->nitem; i = k) {
		for (k = i + 1; k < e->nitem &&
		    e->item[k].list == e->item[i].list; k++)
			;
		node = &doc->node[e->item[i].list];
		if (!ctx_patch_covers(patch, node->off, node->len) &&
		    ctx_list_edit(patch, doc, e->item + i, k - i, scratch,
		    err) == -1)
			return -1;
	}
	return 0;
}

int
ctx_edit_patch_rewrites(struct ctx_patch *patch, const struct ctx_plan *plan,
    const struct ctx_convo *c, uint32_t r, uint32_t in, struct ctx_err *err)
{
	uint32_t from = in == CTX_NONE ? 0 : in;
	uint32_t to = in == CTX_NONE ? UINT32_MAX : c->doc.node[in].next;
	const struct ctx_rewrite *w = plan->rewrite;
	const struct ctx_doc doc = ctx_convo_doc(c, r);
	const struct ctx_node *node;
	size_t lo = 0, hi = plan->nrewrite, mid, at, end;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (w[mid].rec < r || (w[mid].rec == r && w[mid].node < from))
			lo = mid + 1;
		else
			hi = mid;
	}
	for (; lo < plan->nrewrite && w[lo].rec == r && w[lo].node < to;
	    lo++) {
		if (w[lo].node < from)
			continue;
		node = &c->doc.node[w[lo].node];
		if (w[lo].whole)
			from = node->next;
		at = node->off + (size_t)!w[lo].whole;
		end = node->off + (size_t)node->len - (size_t)!w[lo].whole;
		if (w[lo].object != CTX_NONE)
			ctx_member_range(&doc, w[lo].object, w[lo].node, &at,
			    &end);
		if (ctx_patch_add(patch, at, end - at,
		    plan->bytes.data + w[lo].off, w[lo].len, err) == -1)
			return -1;
	}
	return 0;
}

int
ctx_edit_patch_swap(struct ctx_patch *patch, const struct ctx_plan *plan,
    const struct ctx_convo *c, const struct ctx_doc *doc,
    const struct ctx_swap *s, struct ctx_err *err)
{
	const struct ctx_part *p = &c->part[s->part];
	uint32_t node = s->of_id ? p->idnode : p->text;

	if (node == CTX_NONE || ctx_node_type(doc, node) != '"')
		return 0;
	return ctx_patch_add(patch, doc->node[node].off + 1,
	    doc->node[node].len - 2, plan->bytes.data + s->off, s->len, err);
}

int
ctx_edit_patch_message(struct ctx_edit *e, const struct ctx_plan *plan,
    const struct ctx_convo *c, uint32_t m, struct ctx_err *err)
{
	struct ctx_doc doc;
	const struct ctx_swap *swap;
	uint32_t i;
	int of_id;

	if (plan->nswap == 0 && !plan->parts)
		return 0;
	doc = ctx_convo_doc(c, c->msg[m].rec);
	CTX_FOR_PARTS(c, m, i)
		for (of_id = 0; of_id <= 1; of_id++)
			if (!plan->drop_part[i] && (swap = ctx_plan_swapped(
			    plan, i, of_id)) != NULL &&
			    ctx_edit_patch_swap(&e->patch, plan, c, &doc, swap,
			    err) == -1)
				return -1;
	if (ctx_edit_items(e, plan, c, m, err) == -1)
		return -1;
	return ctx_edit_patch_lists(e, &e->patch, &doc, &e->scratch, err);
}

int
ctx_edit_content(struct ctx_edit *e, const struct ctx_plan *plan,
    const struct ctx_convo *c, uint32_t m, struct ctx_buf *out,
    struct ctx_err *err)
{
	struct ctx_doc doc = ctx_convo_doc(c, c->msg[m].rec);
	uint32_t node = c->msg[m].content;
	size_t off = doc.node[node].off;

	ctx_patch_reset(&e->patch);
	if (ctx_edit_patch_rewrites(&e->patch, plan, c, c->msg[m].rec, node,
	    err) == -1 || ctx_edit_patch_message(e, plan, c, m, err) == -1)
		return -1;
	ctx_patch_apply(&e->patch, doc.raw, off, off + doc.node[node].len, out);
	return ctx_buf_fail(out, err);
}

/* --- message lines ---------------------------------------------------- */

int
ctx_edit_items_that_go(struct ctx_edit *e, const struct ctx_plan *plan,
    const struct ctx_convo *c, uint32_t m, uint32_t end, struct ctx_err *err)
{
	e->nitem = 0;
	for (; m < end; m++)
		if (plan->drop_msg[m] && c->msg[m].elem != CTX_NONE &&
		    ctx_edit_add_item(e, c->msg[m].list, c->msg[m].elem,
		    CTX_ITEM_GOES, err) == -1)
			return -1;
	return 0;
}

void
ctx_edit_begin(struct ctx_edit *e)
{
	e->npiece = 0;
	ctx_buf_reset(&e->text);
}

int
ctx_edit_rec(struct ctx_edit *e, const struct ctx_convo *c, uint32_t rec,
    struct ctx_err *err)
{
	struct ctx_piece piece = { .rec = rec };
	const struct ctx_rec *r = &c->rec[rec];

	if (e->patch.n > 0) {
		piece.is_text = 1;
		piece.off = e->text.len;
		if (ctx_patch_apply(&e->patch, r->raw, 0, r->len,
		    &e->text) == -1)
			return ctx_fail_nomem(err);
		piece.len = e->text.len - piece.off;
	}
	return add_piece(e, piece, err);
}

int
ctx_edit_line(struct ctx_edit *e, const struct ctx_plan *plan,
    const struct ctx_convo *c, uint32_t rec, struct ctx_err *err)
{
	const struct ctx_rec *r = &c->rec[rec];
	struct ctx_doc doc = ctx_convo_doc(c, rec);
	uint32_t k, end = r->msg + r->nmsg;

	if (plan->drop_rec[rec] || (r->nmsg > 0 &&
	    ctx_plan_drops(plan, r->msg, end) &&
	    !ctx_convo_replaces(c, r->msg)))
		return 0;
	ctx_patch_reset(&e->patch);
	if (ctx_edit_patch_rewrites(&e->patch, plan, c, rec, CTX_NONE,
	    err) == -1)
		return -1;
	for (k = r->msg; k < end; k++)
		if (!plan->drop_msg[k] &&
		    ctx_edit_patch_message(e, plan, c, k, err) == -1)
			return -1;
	if (ctx_edit_items_that_go(e, plan, c, r->msg, end, err) == -1 ||
	    ctx_edit_patch_lists(e, &e->patch, &doc, &e->scratch, err) == -1)
		return -1;
	return ctx_edit_rec(e, c, rec, err);
}

int
ctx_edit_add_by(struct ctx_buf *b, const char *by, const char *value,
    size_t len)
{
	struct ctx_buf out = { 0 };

	if (b->failed)
		return -1;
	if (by == NULL || len == 0)
		return 0;
	ctx_buf_adds(&out, "{\"");
	ctx_str_encode(&out, by, strlen(by));
	ctx_buf_adds(&out, "\":");
	ctx_buf_add(&out, value, len);
	ctx_buf_addc(&out, ',');
	ctx_buf_add(&out, b->data + 1, b->len - 1);
	ctx_buf_done(b);
	*b = out;
	return b->failed ? -1 : 0;
}

/* Add a new message as a line, with the stream's line end and --by member. */
static int
line_insert(struct ctx_edit *e, const struct ctx_plan *plan,
    const struct ctx_convo *c, const struct ctx_insert *in,
    struct ctx_err *err)
{
	struct ctx_piece piece = { .is_text = 1, .rec = CTX_NONE,
	    .off = e->text.len };
	const struct ctx_rec *r = &c->rec[0];
	int crlf = r->len >= 2 && r->raw[r->len - 2] == '\r';

	ctx_buf_reset(&e->scratch);
	if (ctx_edit_emit_insert(e, plan, c, in, &e->scratch, err) == -1)
		return -1;
	ctx_edit_add_by(&e->scratch, e->by, e->by_value, e->by_len);
	ctx_buf_adds(&e->scratch, crlf ? "\r\n" : "\n");
	ctx_buf_add(&e->text, e->scratch.data, e->scratch.len);
	if (ctx_buf_fail(&e->scratch, err) == -1 ||
	    ctx_buf_fail(&e->text, err) == -1)
		return -1;
	piece.len = e->text.len - piece.off;
	return add_piece(e, piece, err);
}

/* Records that are not messages follow the message before them. */
static int
riders(struct ctx_edit *e, const struct ctx_plan *plan,
    const struct ctx_convo *c, uint32_t r, struct ctx_err *err)
{
	for (; r < c->nrec && c->rec[r].nmsg == 0; r++)
		if (ctx_edit_line(e, plan, c, r, err) == -1)
			return -1;
	return 0;
}

static int
edit_lines(struct ctx_edit *e, const struct ctx_plan *plan,
    const struct ctx_convo *c, struct ctx_err *err)
{
	uint32_t i, entry;

	if (riders(e, plan, c, 0, err) == -1)
		return -1;
	for (i = 0; i < plan->norder; i++) {
		entry = plan->order[i];
		if (entry & CTX_INSERTED) {
			if (line_insert(e, plan, c,
			    &plan->insert[entry & ~CTX_INSERTED], err) == -1)
				return -1;
			continue;
		}
		/* a record with several messages is never split */
		if (entry != c->rec[c->msg[entry].rec].msg)
			continue;
		if (ctx_edit_line(e, plan, c, c->msg[entry].rec, err) == -1)
			return -1;
		if (riders(e, plan, c, c->msg[entry].rec + 1, err) == -1)
			return -1;
	}
	return 0;
}

static int
edit_turn(struct ctx_edit *e, const struct ctx_plan *plan,
    const struct ctx_convo *c, struct ctx_err *err)
{
	uint32_t i;

	ctx_edit_begin(e);
	if (!plan->changed && plan->riders != CTX_RIDERS_ASIDE) {
		for (i = 0; i < c->nrec; i++)
			if (add_piece(e, (struct ctx_piece){ .rec = i },
			    err) == -1)
				return -1;
		return 0;
	}
	if (c->rec[0].shape == CTX_REC_CONVERSATION)
		return ctx_edit_conversation(e, plan, c, err);
	return edit_lines(e, plan, c, err);
}

/* Link a piece that is text.  It is written anew if that changes it. */
static int
relink_text(struct ctx_edit *e, struct ctx_piece *piece, struct ctx_err *err)
{
	int rc;

	ctx_buf_reset(&e->scratch);
	rc = ctx_relink_lines(e->chain, e->text.data + piece->off,
	    piece->len, piece->rec == CTX_NONE ? CTX_RELINK_ANSWER :
	    CTX_RELINK_OLD, &e->scratch, err);
	if (rc != 1)
		return rc;
	piece->off = e->text.len;
	piece->len = e->scratch.len;
	ctx_buf_add(&e->text, e->scratch.data, e->scratch.len);
	return ctx_buf_fail(&e->text, err);
}

/* Note what is written of a session. */
static int
note_kept(struct ctx_edit *e, const struct ctx_convo *c, struct ctx_err *err)
{
	const struct ctx_piece *piece;
	struct ctx_doc doc;
	size_t i;

	for (i = 0; i < e->npiece; i++) {
		piece = &e->piece[i];
		if (piece->rec == CTX_NONE ||
		    c->rec[piece->rec].root == CTX_NONE)
			continue;
		doc = ctx_convo_doc(c, piece->rec);
		if (ctx_chain_keep(e->chain, &doc,
		    c->rec[piece->rec].root) == -1)
			return ctx_fail_nomem(err);
	}
	return 0;
}

/* Note what record rec of the source names now. */
static int
note_links(struct ctx_edit *e, const struct ctx_convo *c, uint32_t rec)
{
	struct ctx_doc doc = ctx_convo_doc(c, rec);
	int i;

	for (i = 0; i < e->chain->nchanged; i++) {
		if (CTX_ROOM(e->link, e->nlink, &e->caplink) == -1)
			return -1;
		e->link[e->nlink++] = (struct ctx_edit_link){ rec,
		    ctx_chain_member(&doc, c->rec[rec].root,
		    e->chain->changed[i].member), e->chain->changed[i].to };
	}
	return 0;
}

/* Link a piece that is a record of the source. */
static int
relink_rec(struct ctx_edit *e, struct ctx_piece *piece,
    const struct ctx_convo *c, struct ctx_err *err)
{
	const struct ctx_rec *r = &c->rec[piece->rec];
	struct ctx_doc doc = ctx_convo_doc(c, piece->rec);

	ctx_patch_reset(&e->patch);
	if (ctx_relink(e->chain, &doc, r->root, CTX_RELINK_OLD, &e->patch,
	    err) == -1)
		return -1;
	if (e->patch.n == 0)
		return 0;
	piece->is_text = 1;
	piece->off = e->text.len;
	if (ctx_patch_apply(&e->patch, r->raw, 0, r->len, &e->text) == -1)
		return ctx_fail_nomem(err);
	piece->len = e->text.len - piece->off;
	return 0;
}

/* Link what is written of a session. */
static int
relink(struct ctx_edit *e, const struct ctx_convo *c, struct ctx_err *err)
{
	struct ctx_piece *piece;
	size_t i;

	e->nlink = 0;
	if (note_kept(e, c, err) == -1)
		return -1;
	for (i = 0; i < e->npiece; i++) {
		piece = &e->piece[i];
		e->chain->nchanged = 0;
		if (piece->is_text ? relink_text(e, piece, err) == -1 :
		    c->rec[piece->rec].root != CTX_NONE &&
		    relink_rec(e, piece, c, err) == -1)
			return -1;
		if (piece->rec != CTX_NONE && note_links(e, c, piece->rec) == -1)
			return ctx_fail_nomem(err);
	}
	return 0;
}

int
ctx_edit_turn(struct ctx_edit *e, const struct ctx_plan *plan,
    const struct ctx_convo *c, struct ctx_err *err)
{
	int rc = edit_turn(e, plan, c, err);

	return rc == 0 && e->chain != NULL ? relink(e, c, err) : rc;
}
