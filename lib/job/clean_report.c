/* SPDX-License-Identifier: MIT */
/* What the job of ctx-clean reports: faults, changes and files to keep. */
#include "job/clean_impl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sha256.h"
#include "base/utf8.h"

/* 16 bits of the digest of the message, or of the node. */
static uint64_t
mark_of(struct ctx_clean *k, const struct ctx_convo *c,
    const struct ctx_finding *f, uint32_t node)
{
	const struct ctx_node *n = &c->doc.node[f->msg != CTX_NONE ?
	    c->msg[f->msg].node : node];
	unsigned char digest[CTX_SHA256_LEN];
	const char *from = c->rec[f->msg != CTX_NONE ? c->msg[f->msg].rec :
	    f->rec].raw + n->off;
	struct ctx_sha256 sha;

	if (k->marked.from != from || k->marked.len != n->len) {
		ctx_sha256_init(&sha);
		ctx_sha256_update(&sha, from, n->len);
		ctx_sha256_final(&sha, digest);
		k->marked.from = from;
		k->marked.len = n->len;
		k->marked.n = (uint64_t)digest[0] << 8 | digest[1];
	}
	return k->marked.n;
}

/* The number of the character at p, of a line that begins at from. */
static uint64_t
chars_of(struct ctx_clean *k, const char *from, size_t len)
{
	if (k->counted.from != from || k->counted.len > len) {
		k->counted.from = from;
		k->counted.len = 0;
		k->counted.n = 1;
	}
	k->counted.n += ctx_utf8_count(from + k->counted.len,
	    len - k->counted.len);
	k->counted.len = len;
	return k->counted.n;
}

#define BEFORE	400	/* bytes of an excerpt before the place, */
#define AFTER	600	/* and from it on */

/* Does a character begin at p? */
static int
begins(const char *p)
{
	return ((unsigned char)*p & 0xc0) != 0x80;
}

/* Put the line around the place at offset off of a record into the row. */
static void
excerpt(const struct ctx_rec *rec, size_t off, struct ctx_row *row)
{
	size_t from = off + 1 - row->col, end;
	const char *nl = memchr(rec->raw + off, '\n', rec->len - off);

	end = nl != NULL ? (size_t)(nl - rec->raw) : rec->len;
	if (off - from > BEFORE)
		for (from = off - BEFORE; !begins(rec->raw + from); from++)
			;
	if (end - off > AFTER)
		for (end = off + AFTER; !begins(rec->raw + end); end--)
			;
	row->name = rec->raw + from;
	row->namelen = end - from;
	row->n[4] = off - from;
}

static int
put_fault(struct ctx_clean *k, const struct ctx_convo *c,
    const struct ctx_finding *f, struct ctx_err *err)
{
	uint32_t rec = f->rec != CTX_NONE ? f->rec : c->msg[f->msg].rec;
	struct ctx_row row = { .what = CTX_CLEAN_FAULT };
	uint32_t node = f->node;
	char text[256];

	if (node == CTX_NONE)
		node = c->msg[f->msg].node;
	if (f->part != CTX_NONE &&
	    c->part[f->part].place[0].node != CTX_NONE)
		node = c->part[f->part].place[0].node;
	snprintf(text, sizeof(text), "%s%s%s",
	    ctx_fault_texts[f->fault].about, f->detail != NULL ? ": " : "",
	    f->detail != NULL ? f->detail : "");
	row.rule = ctx_fault_texts[f->fault].id;
	row.line = c->rec[rec].line;
	row.col = (uint64_t)c->doc.node[node].off + 1;
	if (c->rec[rec].tall)
		ctx_line_place(c->rec[rec].raw, c->doc.node[node].off,
		    &row.line, &row.col);
	row.text = text;
	row.textlen = strlen(text);
	row.n[0] = (uint64_t)f->warning;
	row.n[1] = (uint64_t)f->fixed;
	if (k->opts.marks) {
		row.n[2] = mark_of(k, c, f, node);
		row.n[3] = chars_of(k, c->rec[rec].raw +
		    c->doc.node[node].off + 1 - row.col, row.col - 1);
	}
	if (k->opts.excerpt)
		excerpt(&c->rec[rec], c->doc.node[node].off, &row);
	return ctx_job_put_row(&k->job, &row, err);
}

int
ctx_clean_put_odd(struct ctx_clean *k, const struct ctx_convo *c, struct ctx_err *err)
{
	struct ctx_finding f = { .fault = CTX_F_UNKNOWN, .msg = CTX_NONE,
	    .part = CTX_NONE };
	uint32_t i;

	k->marked.from = k->counted.from = NULL;
	for (i = 0; i < c->nodd && k->opts.check; i++) {
		f.rec = c->odd[i].rec;
		f.node = c->odd[i].node;
		k->figures.fault[CTX_F_UNKNOWN]++;
		if (put_fault(k, c, &f, err) == -1)
			return -1;
	}
	return 0;
}

static int
count_text(struct ctx_clean *k, struct ctx_str json, uint64_t *n,
    struct ctx_err *err)
{
	return json.p == NULL ? 0 : ctx_cost_json(k->opts.cost,
	    json.p, json.len, n, err);
}

/* What becomes of a node. */
struct fare {
	uint32_t rec, node;
	uint64_t told;			/* values in it that other rows name */
	struct ctx_str before, after;	/* its text; .p may be NULL */
};

/* Redact keys in a path, the contents of a JSON string, as the output has them. */
static int
redact_path(struct ctx_clean *k, struct ctx_str *path, struct ctx_err *err)
{
	struct ctx_redact *redact = k->opts.lean.redact;
	struct ctx_buf *plain = &k->plain;

	if (redact == NULL || !ctx_redact_suspect(redact, path->p, path->len))
		return 0;
	ctx_buf_reset(plain);
	if (ctx_str_decode(plain, path->p, path->len) == -1)
		return ctx_fail_nomem(err);
	ctx_buf_reset(&k->safe);
	if (ctx_redact_text(redact, plain->data, plain->len, &k->safe, NULL,
	    err) == -1)
		return -1;
	ctx_buf_reset(plain);
	ctx_str_encode(plain, k->safe.data, k->safe.len);
	*path = ctx_str_of(plain);
	return ctx_buf_fail(plain, err);
}

/* Report that; row has the fare itself, the rule, and the text. */
static int
put_fare(struct ctx_clean *k, const struct ctx_convo *c, struct ctx_row *row,
    const struct fare *f, struct ctx_err *err)
{
	struct ctx_doc doc = ctx_convo_doc(c, f->rec);
	struct ctx_str path;

	row->what = CTX_CLEAN_CHANGE;
	row->line = c->rec[f->rec].line;
	row->n[1] = ctx_node_values(&doc, f->node) - f->told;
	row->n[2] = f->before.p != NULL ? f->before.len :
	    doc.node[f->node].len;
	row->n[3] = f->after.len;
	if (count_text(k, f->before, &row->n[4], err) == -1 ||
	    count_text(k, f->after, &row->n[5], err) == -1)
		return -1;
	path = ctx_ledger_path(&k->ledger, c, f->rec, f->node);
	if (path.p == NULL)
		return ctx_fail_nomem(err);
	if (redact_path(k, &path, err) == -1)
		return -1;
	row->name = path.p;
	row->namelen = path.len;
	if (row->n[0] == CTX_LEFT_OUT || row->n[0] == CTX_MOVED) {
		if (CTX_ROOM(k->named, k->nnamed, &k->capnamed) == -1)
			return ctx_fail_nomem(err);
		k->named[k->nnamed++] = (struct ctx_clean_named){ f->rec,
		    f->node };
	}
	return ctx_job_put_row(&k->job, row, err);
}

/* The values of what went from inside of part i before it did. */
static uint64_t
told_inside(const struct ctx_clean *k, const struct ctx_convo *c, uint32_t i)
{
	const struct ctx_msg *m = &c->msg[c->part[i].msg];
	const struct ctx_doc doc = ctx_convo_doc(c, m->rec);
	uint64_t sum = 0;
	uint32_t node;

	/* those after a part that is inside of another are beside it */
	if (c->part[i].flags & CTX_INNER)
		return 0;
	while (++i < m->part + m->npart && c->part[i].flags & CTX_INNER) {
		node = c->part[i].place[0].node;
		if (k->plan.drop_part[i] && node != CTX_NONE)
			sum += ctx_node_values(&doc, node);
	}
	return sum;
}

static int
put_change(struct ctx_clean *k, const struct ctx_convo *c,
    const struct ctx_change *ch, struct ctx_err *err)
{
	struct ctx_doc doc = ctx_convo_doc(c, ch->rec);
	struct ctx_row row = { .rule = ch->rule, .text = ch->id.p,
	    .textlen = ch->id.len, .n = { ch->linked ? CTX_RENAMED :
	    ch->moved ? CTX_MOVED : ch->gone ? CTX_LEFT_OUT : CTX_REFORMED } };
	struct fare f = { .rec = ch->rec, .before = ch->before };

	f.node = ch->node != 0 ? ch->node : ch->before.p != NULL ? ctx_node_at(&doc,
	    c->rec[ch->rec].root, ch->before.p) : ch->msg != CTX_NONE ?
	    c->msg[ch->msg].node : c->rec[ch->rec].root;
	if (!ch->gone && !ch->moved && !ch->linked) {
		f.after.p = k->plan.bytes.data + ch->off;
		f.after.len = (uint32_t)ch->len;
	}
	if (ch->part > 0)
		f.told = told_inside(k, c, ch->part - 1);
	return put_fare(k, c, &row, &f, err);
}

int
ctx_clean_put_links(struct ctx_clean *k, const struct ctx_convo *c,
    struct ctx_err *err)
{
	const struct ctx_chain *ch = k->edit.chain;
	struct ctx_row row = { .rule = "link", .n = { CTX_RENAMED } };
	const struct ctx_edit_link *l;
	struct fare f;
	size_t i;

	if (ch == NULL || !k->opts.report)
		return 0;
	for (i = 0; i < k->edit.nlink; i++) {
		l = &k->edit.link[i];
		f = (struct fare){ .rec = l->rec, .node = l->node };
		row.text = l->to == CTX_NONE ? NULL : ctx_strmap_at(&ch->ids,
		    l->to, &row.textlen);
		if (put_fare(k, c, &row, &f, err) == -1)
			return -1;
	}
	return 0;
}

static int
put_keep(struct ctx_clean *k, const struct ctx_keep *keep, struct ctx_err *err)
{
	struct ctx_row row = { .what = CTX_CLEAN_KEEP, .n = { keep->kind },
	    .name = keep->name, .namelen = strlen(keep->name),
	    .text = k->plan.bytes.data + keep->off, .textlen = keep->len };

	return ctx_job_put_row(&k->job, &row, err);
}

/* What the plan does about a fault. */
static enum ctx_fare
fare_of(const struct ctx_plan *p, const struct ctx_finding *f)
{
	if (f->fault == CTX_F_REUSED_ID)
		return CTX_RENAMED;
	if (f->part != CTX_NONE ? p->drop_part[f->part] ||
	    p->drop_msg[f->msg] : f->msg != CTX_NONE && p->drop_msg[f->msg])
		return f->fault == CTX_F_MISPLACED ||
		    f->fault == CTX_F_NOT_FIRST ? CTX_MOVED : CTX_LEFT_OUT;
	/* a call that stays gets a result */
	return f->fault == CTX_F_UNANSWERED ? CTX_MADE : CTX_MOVED;
}

/* Set what is known of the part of a fault. */
static void
fare_of_part(struct ctx_clean *k, const struct ctx_convo *c, uint32_t i,
    struct ctx_row *row, struct fare *f)
{
	const struct ctx_part *p = &c->part[i];
	const struct ctx_swap *swap = ctx_plan_swapped(&k->plan, i, 1);

	if (p->place[0].node != CTX_NONE)
		f->node = p->place[0].node;
	row->text = p->id.p;
	row->textlen = p->id.len;
	if (row->n[0] == CTX_LEFT_OUT) {
		f->before = ctx_part_text(c, i);
		f->told = told_inside(k, c, i);
	}
	if (row->n[0] != CTX_RENAMED || swap == NULL)
		return;
	row->text = k->plan.bytes.data + swap->off;
	row->textlen = swap->len;
	if (p->idnode != CTX_NONE)
		f->node = p->idnode;
}

/* Report what was done about a fault. */
static int
put_fixed(struct ctx_clean *k, const struct ctx_convo *c,
    const struct ctx_finding *found, struct ctx_err *err)
{
	struct ctx_row row = { .rule = ctx_fault_texts[found->fault].id };
	struct fare f = { .rec = found->rec, .node = found->node };
	uint32_t mate;

	/* these are told as changes */
	if (found->fault == CTX_F_SECRET || found->fault == CTX_F_SURROGATE ||
	    found->fault == CTX_F_LOST_PARENT ||
	    found->fault == CTX_F_CHAIN_LOOP || !found->fixed)
		return 0;
	row.n[0] = fare_of(&k->plan, found);
	if (f.rec == CTX_NONE)
		f.rec = c->msg[found->msg].rec;
	if (f.node == CTX_NONE)
		f.node = found->msg != CTX_NONE ? c->msg[found->msg].node :
		    c->rec[f.rec].root;
	if (found->part != CTX_NONE)
		fare_of_part(k, c, found->part, &row, &f);
	if (put_fare(k, c, &row, &f, err) == -1)
		return -1;
	if (found->part == CTX_NONE)
		return 0;
	/* a call may be written twice */
	if (row.n[0] == CTX_LEFT_OUT &&
	    c->part[found->part].place[1].node != CTX_NONE) {
		f.node = c->part[found->part].place[1].node;
		return put_fare(k, c, &row, &f, err);
	}
	/* the result of a call that gets another id gets it, too */
	mate = c->part[found->part].mate;
	if (row.n[0] != CTX_RENAMED || mate == CTX_NONE)
		return 0;
	f = (struct fare){ .rec = c->msg[c->part[mate].msg].rec,
	    .node = c->msg[c->part[mate].msg].node };
	fare_of_part(k, c, mate, &row, &f);
	return put_fare(k, c, &row, &f, err);
}

/* --- what goes with the last of its parts ------------------------------ */

static int
by_node(const void *a, const void *b)
{
	const struct ctx_clean_named *x = a, *y = b;

	if (x->rec != y->rec)
		return x->rec < y->rec ? -1 : 1;
	return x->node < y->node ? -1 : x->node > y->node;
}

/*
 * Sum the values of what was named in an element, from entry *i of k->named on;
 * *i becomes the first one after it.
 */
static uint64_t
values_named(const struct ctx_clean *k, const struct ctx_convo *c,
    struct ctx_clean_named in, size_t *i)
{
	struct ctx_doc doc = ctx_convo_doc(c, in.rec);
	uint32_t end = doc.node[in.node].next, at = in.node;
	uint64_t sum = 0;

	while (*i < k->nnamed && by_node(&k->named[*i], &in) < 0)
		++*i;
	for (; *i < k->nnamed && k->named[*i].rec == in.rec &&
	    k->named[*i].node < end; ++*i) {
		if (k->named[*i].node < at)
			continue;	/* in one that was counted */
		sum += ctx_node_values(&doc, k->named[*i].node);
		at = doc.node[k->named[*i].node].next;
	}
	return sum;
}

/* Report the rest of the element at node, with which messages m and others go. */
static int
put_rest(struct ctx_clean *k, const struct ctx_convo *c, uint32_t m,
    uint32_t node, size_t *i, struct ctx_err *err)
{
	struct ctx_row row = { .rule =
	    ctx_fault_texts[CTX_F_EMPTY_MESSAGE].id, .n = { CTX_LEFT_OUT } };
	const struct ctx_clean_named in = { c->msg[m].rec, node };
	struct ctx_doc doc = ctx_convo_doc(c, in.rec);
	struct fare f = { .rec = in.rec, .node = node };

	f.told = values_named(k, c, in, i);
	return f.told < ctx_node_values(&doc, node) ?
	    put_fare(k, c, &row, &f, err) : 0;
}

/* The first message from m on, before end, that is in another element. */
static uint32_t
elem_end(const struct ctx_convo *c, uint32_t m, uint32_t end)
{
	const uint32_t elem = c->msg[m].elem;

	while (++m < end && c->msg[m].elem == elem)
		;
	return m;
}

/* Report what is left of messages whose parts have all gone, and goes too. */
static int
put_rests(struct ctx_clean *k, const struct ctx_convo *c, struct ctx_err *err)
{
	uint32_t m, end, unit;
	size_t i = 0;
	int rc = 0;

	if (k->nnamed == 0)
		return 0;
	qsort(k->named, k->nnamed, sizeof(*k->named), by_node);
	for (unit = 0; unit < c->nmsg && rc == 0; unit = end) {
		end = ctx_convo_unit_end(c, unit);
		if (c->msg[unit].flags & CTX_FIXED)
			continue;
		if (ctx_plan_drops(&k->plan, unit, end)) {
			rc = put_rest(k, c, unit, ctx_convo_unit(c, unit), &i,
			    err);
			continue;
		}
		/* some of several in an element, without the others */
		for (m = unit; m < end && c->msg[m].host != CTX_NONE &&
		    rc == 0; m = elem_end(c, m, end))
			if (ctx_plan_drops(&k->plan, m, elem_end(c, m, end)))
				rc = put_rest(k, c, m, c->msg[m].elem, &i, err);
	}
	return rc;
}

/* Count a finding, and report it and what was done about it. */
static int
put_finding(struct ctx_clean *k, const struct ctx_convo *c,
    const struct ctx_finding *f, struct ctx_err *err)
{
	k->figures.fault[f->fault]++;
	if (k->opts.check && put_fault(k, c, f, err) == -1)
		return -1;
	return k->opts.report ? put_fixed(k, c, f, err) : 0;
}

/* The same for all, in the order of their records; see ctx_plan_settle(). */
static int
put_findings(struct ctx_clean *k, const struct ctx_convo *c,
    struct ctx_err *err)
{
	const struct ctx_finding *f = k->plan.finding, *of_rec = f, *end;

	if (k->plan.nfinding == 0)
		return 0;
	end = f + k->plan.nfinding;
	while (of_rec < end && of_rec->msg != CTX_NONE)
		of_rec++;
	for (; f < end && f->msg != CTX_NONE; f++) {
		for (; of_rec < end && of_rec->rec < c->msg[f->msg].rec;
		    of_rec++)
			if (put_finding(k, c, of_rec, err) == -1)
				return -1;
		if (put_finding(k, c, f, err) == -1)
			return -1;
	}
	for (; of_rec < end; of_rec++)
		if (put_finding(k, c, of_rec, err) == -1)
			return -1;
	return 0;
}

int
ctx_clean_put_rows(struct ctx_clean *k, const struct ctx_convo *c, struct ctx_err *err)
{
	const struct ctx_plan *p = &k->plan;
	uint32_t i;

	ctx_ledger_reset(&k->ledger);
	k->nnamed = 0;
	k->marked.from = k->counted.from = NULL;
	for (i = 0; i < p->nkeep; i++)
		if (put_keep(k, &p->keep[i], err) == -1)
			return -1;
	for (i = 0; i < p->nchange; i++)
		if (put_change(k, c, &p->change[i], err) == -1)
			return -1;
	if (put_findings(k, c, err) == -1)
		return -1;
	return k->opts.report ? put_rests(k, c, err) : 0;
}

