/* SPDX-License-Identifier: MIT */
/* What became of every value: entries; see ledger.h. */
#include "edit/ledger_impl.h"

#include <stdlib.h>
#include <string.h>

void
ctx_ledger_reset(struct ctx_ledger *l)
{
	l->n = l->nrec = l->nwas = l->nplace = l->nlist = 0;
	l->last.raw = NULL;
	l->repaired = 0;
	ctx_buf_reset(&l->text);
}

void
ctx_ledger_done(struct ctx_ledger *l)
{
	free(l->entry);
	free(l->owner);
	free(l->rec);
	free(l->place);
	free(l->list);
	ctx_buf_done(&l->text);
	ctx_buf_done(&l->rest);
	memset(l, 0, sizeof(*l));
}

/* --- entries ------------------------------------------------------------ */

uint64_t
ctx_ledger_element(struct ctx_ledger *l, const struct ctx_convo *c,
    uint32_t rec, uint32_t node, uint32_t *e)
{
	struct ctx_doc doc = ctx_convo_doc(c, rec);
	const struct ctx_node *n = doc.node;
	uint32_t list = c->rec[rec].list;

	if (l->last.raw != doc.raw || l->last.e > node) {
		l->last.raw = doc.raw;
		l->last.e = list + 1;
		l->last.index = ctx_node_index(&doc, list, list + 1);
	}
	while (n[l->last.e].next <= node) {
		*e = n[l->last.e].next;
		l->last.index += ctx_node_commas(&doc, n[l->last.e].off +
		    (size_t)n[l->last.e].len, n[*e].off);
		l->last.e = *e;
	}
	*e = l->last.e;
	return l->last.index;
}

int
ctx_ledger_add_path(struct ctx_ledger *l, const struct ctx_convo *c,
    uint32_t rec, uint32_t node)
{
	const struct ctx_rec *r = &c->rec[rec];
	struct ctx_doc doc = ctx_convo_doc(c, rec);
	size_t from = l->text.len;
	uint64_t i = 0;
	uint32_t e = r->root;

	if (r->item > 0)
		ctx_buf_addf(&l->text, "/%llu",
		    (unsigned long long)r->item - 1);
	if (ctx_node_if(&doc, r->list, '[') != CTX_NONE && node > r->list &&
	    node < doc.node[r->list].next) {
		i = ctx_ledger_element(l, c, rec, node, &e);
		if (l->repaired)
			i = i < l->nwas ? l->place[i] : CTX_NONE;
		ctx_node_path(&l->text, &doc, r->root, r->list);
		ctx_buf_addf(&l->text, "/%llu", (unsigned long long)i);
	}
	ctx_node_path(&l->text, &doc, e, node);
	if (l->repaired)
		ctx_ledger_replace(l, r->line, i, from);
	return i != CTX_NONE && !(l->repaired && r->line == 0);
}

struct ctx_str
ctx_ledger_path(struct ctx_ledger *l, const struct ctx_convo *c, uint32_t rec,
    uint32_t node)
{
	struct ctx_str none = { NULL, 0 };

	ctx_buf_reset(&l->text);
	ctx_ledger_add_path(l, c, rec, node);
	return ctx_buf_str(&l->text) == NULL ? none : ctx_str_of(&l->text);
}

/* Take an entry from what is not accounted for. */
static void
account(struct ctx_ledger *l, const struct ctx_ledger_entry *e)
{
	size_t lo = 0, hi = l->nrec, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (l->rec[mid].line < e->line)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo == l->nrec || l->rec[lo].line != e->line)
		return;
	l->rec[lo].values -= e->values;
	l->rec[lo].bytes -= e->bytes;
}

/* Add an entry; node CTX_NONE: it is in no record. */
int
ctx_ledger_add(struct ctx_ledger *l, const struct ctx_convo *c, uint32_t rec,
    uint32_t node, const struct ctx_ledger_entry *what, struct ctx_str to)
{
	struct ctx_doc doc = ctx_convo_doc(c, rec);
	struct ctx_ledger_entry *e;

	if (CTX_ROOM(l->entry, l->n, &l->cap) == -1)
		return -1;
	e = &l->entry[l->n++];
	*e = *what;
	e->line = c->rec[rec].line;
	e->path = l->text.len;
	if (node != CTX_NONE) {
		if (!ctx_ledger_add_path(l, c, rec, node)) {
			l->n--;		/* it is not of the source */
			return l->text.failed ? -1 : 0;
		}
		if (what->fare != CTX_CARRIED) {
			e->bytes = doc.node[node].len;
			e->values = ctx_node_values(&doc, node);
		}
	}
	e->npath = l->text.len - e->path;
	if (what->fare == CTX_RENAMED && to.p != NULL)
		e->from = ctx_node_str(&doc, node);
	e->nfrom = e->from.len;
	ctx_buf_add(&l->text, e->from.p, e->from.len);
	e->to = l->text.len;
	if (what->fare == CTX_LEFT_OUT && ctx_node_type(&doc, node) == '{')
		to = ctx_types_name(&doc, node);
	if (to.p != NULL)
		ctx_buf_add(&l->text, to.p, to.len);
	e->nto = l->text.len - e->to;
	if (what->fare != CTX_MADE)
		account(l, e);
	return l->text.failed ? -1 : 0;
}

int
ctx_ledger_add_bare(struct ctx_ledger *l, const struct ctx_convo *c,
    uint32_t rec, uint32_t list, uint64_t index,
    const struct ctx_ledger_entry *what)
{
	struct ctx_ledger_entry *e;
	int known;

	if (CTX_ROOM(l->entry, l->n, &l->cap) == -1)
		return -1;
	e = &l->entry[l->n];
	*e = *what;
	e->line = c->rec[rec].line;
	e->path = l->text.len;
	known = ctx_ledger_add_path(l, c, rec, list);
	if (l->repaired && list == c->rec[rec].list)
		index = index < l->nwas ? l->place[index] : CTX_NONE;
	ctx_buf_addf(&l->text, "/%llu", (unsigned long long)index);
	e->npath = l->text.len - e->path;
	e->to = l->text.len;
	if (known && index != CTX_NONE) {
		account(l, e);
		l->n++;
	}
	return l->text.failed ? -1 : 0;
}

/* Of a conversation that was repaired, the rest was carried. */
int
ctx_ledger_rest(struct ctx_ledger *l)
{
	struct ctx_ledger_entry e = { .fare = CTX_CARRIED };
	size_t i;

	for (i = 0; l->repaired && i < l->nrec; i++) {
		e.line = l->rec[i].line;
		e.values = l->rec[i].values;
		e.bytes = l->rec[i].bytes;
		if (e.values == 0)
			continue;
		if (CTX_ROOM(l->entry, l->n, &l->cap) == -1)
			return -1;
		l->entry[l->n++] = e;
	}
	return 0;
}

/* The rule by which the plan dropped message m, or part of it if not NONE. */
const char *
ctx_ledger_rule(const struct ctx_plan *plan, uint32_t m, uint32_t part)
{
	const struct ctx_finding *f = plan->finding;
	const char *rule = CTX_WHY_EMPTY;
	uint32_t lo = 0, hi = plan->nfinding, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (f[mid].msg < m)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (; lo < plan->nfinding && f[lo].msg == m; lo++)
		if (f[lo].fixed) {
			rule = ctx_fault_texts[f[lo].fault].id;
			if (f[lo].part == part)
				break;
		}
	return rule;
}

/* Is the record one of a program's log, whose envelope only it reads? */
int
ctx_ledger_is_log(const struct ctx_rec *r)
{
	const struct ctx_dialect *d = r->dialect;

	return d != NULL && (d->wraps != NULL || d->rules & CTX_RULE_LOG);
}

const char *
ctx_ledger_rec_why(const struct ctx_rec *r)
{
	return ctx_ledger_is_log(r) ? CTX_WHY_METADATA : CTX_WHY_UNKNOWN;
}

int
ctx_ledger_none(struct ctx_ledger *l, const struct ctx_convo *c,
    const char *why, struct ctx_err *err)
{
	struct ctx_ledger_entry e = { .fare = CTX_LEFT_OUT, .why = why };
	struct ctx_str none = { NULL, 0 };
	const struct ctx_rec *r;
	uint32_t i;

	ctx_ledger_reset(l);
	for (i = 0; i < c->nrec; i++) {
		r = &c->rec[i];
		if (r->root == CTX_NONE)
			continue;
		if (why == NULL)
			e.why = r->nmsg > 0 ? CTX_WHY_EMPTY :
			    ctx_ledger_rec_why(r);
		if (ctx_ledger_add(l, c, i, r->root, &e, none) == -1)
			return ctx_fail_nomem(err);
	}
	return 0;
}
