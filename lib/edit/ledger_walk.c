/* SPDX-License-Identifier: MIT */
/* Goes through a source whose result is written; see ledger.h. */
#include "edit/ledger_impl.h"
#include "edit/said.h"
#include "view/branch.h"

static const char form[] = "form";
static const char member[] = "member";
static const char copy[] = "copy";
static const char replaced[] = "replaced";

/* Words that say of what form a message or part is. */
static const struct ctx_ledger_words form_words = {{
	[4] = "from" "kind" "role" "type",
	[6] = "object",
	[7] = "thought",
	[9] = "part_kind",
	[11] = "source_type"
}};

/* Members that name or date a message, or say what it cost. */
const struct ctx_ledger_words ctx_ledger_metadata = {{
	[2] = "id" "lc",
	[4] = "uuid",
	[5] = "index" "model" "state" "usage",
	[6] = "object" "run_id" "status",
	[7] = "created" "example" "modelId",
	[8] = "ctx_kept",
	[9] = "timestamp" "vendor_id",
	[10] = "created_at" "model_name",
	[11] = "stop_reason",
	[12] = "stop_details",
	[13] = "finish_reason" "provider_name" "stop_sequence",
	[14] = "usage_metadata" "vendor_details",
	[16] = "provider_details",
	[17] = "response_metadata",
	[20] = "provider_response_id"
}};

/* Members whose loss is counted as something else. */
static const struct {
	const char *key;
	enum ctx_kind kind;	/* of its part; CTX_COPY: in no part */
	const char *why;
} counted[] = {
	{ "is_error", CTX_RESULT, "error" },
	{ "name", CTX_COPY, "name" },
	{ "thoughtSignature", CTX_CALL, "signature" },
	{ "thought_signature", CTX_CALL, "signature" }
};

/* What begins at a node: a message, or a part, with its index. */
#define PART	0x80000000u
#define NOBODY	UINT32_MAX

struct walk {
	struct ctx_ledger *l;
	const struct ctx_writer *w;
	const struct ctx_script *s;
	const struct ctx_convo *c;
	const struct ctx_plan *plan;
	struct ctx_doc doc;
	struct ctx_trace *trace;
	uint32_t rec;
	uint64_t values, bytes;	/* carried so far in this record */
};

/* Where in a record the walk is. */
struct at {
	uint32_t key;		/* node of the nearest key, or CTX_NONE */
	uint32_t msg, part;	/* CTX_NONE: in none */
	int gone;		/* nothing of the part was written */
	int aside;		/* in a member of metadata */
	int beside;		/* in an element of another branch */
};

static int
tell(struct walk *k, uint32_t node, enum ctx_fare fare, const char *why,
    struct ctx_str to)
{
	struct ctx_ledger_entry e = { .fare = fare, .why = why };

	if (!k->l->rows)
		return 0;
	return ctx_ledger_add(k->l, k->c, k->rec, node, &e, to);
}

/* --- what is lost, and why ------------------------------------------------ */

/* Why was nothing of this part written? */
static const char *
part_why(const struct walk *k, uint32_t i, uint32_t node)
{
	static const char *const why[] = {
		[CTX_TEXT] = CTX_WHY_EMPTY, [CTX_THINKING] = "thinking",
		[CTX_CALL] = "call", [CTX_RESULT] = "result",
		[CTX_IMAGE] = "media", [CTX_FILE] = "media",
		[CTX_OTHER] = "part", [CTX_HOLLOW] = CTX_WHY_EMPTY,
		[CTX_COPY] = copy
	};
	uint32_t m = k->c->part[i].msg;

	if (k->s->fate[m] == CTX_GONE)
		return replaced;
	if (k->plan->drop_msg[m] || k->plan->drop_part[i])
		return ctx_ledger_rule(k->plan, m, i);
	if (k->c->part[i].place[1].node == node)
		return copy;
	return why[ctx_said_kind(k->c, i)];
}

static int
is_empty(const struct walk *k, uint32_t node)
{
	return !ctx_shape_filled(&k->doc, node);
}

/* Why is a member not written whose loss is counted elsewhere?  Or NULL. */
static const char *
counted_why(const struct walk *k, const struct at *at)
{
	enum ctx_kind kind = at->part == CTX_NONE ? CTX_COPY :
	    k->c->part[at->part].kind;
	size_t i;

	for (i = 0; i < sizeof(counted) / sizeof(counted[0]); i++)
		if (counted[i].kind == kind && at->msg != CTX_NONE &&
		    at->key != CTX_NONE && ctx_doc_key_is(&k->doc, at->key,
		    counted[i].key, strlen(counted[i].key)))
			return counted[i].why;
	return NULL;
}

static const char *
why_of(const struct walk *k, uint32_t node, const struct at *at)
{
	const struct ctx_rec *r = &k->c->rec[k->rec];
	const char *why;

	if (is_empty(k, node))
		return CTX_WHY_EMPTY;
	if (at->part != CTX_NONE && at->gone)
		return part_why(k, at->part, node);
	if (at->msg != CTX_NONE && k->s->fate[at->msg] == CTX_GONE)
		return replaced;
	if (at->msg != CTX_NONE && k->plan->drop_msg[at->msg])
		return ctx_ledger_rule(k->plan, at->msg, CTX_NONE);
	if (at->msg != CTX_NONE && k->c->msg[at->msg].node == node)
		return CTX_WHY_EMPTY;		/* a message without parts */
	if (at->beside)
		return "branch";
	if (at->aside || (at->msg == CTX_NONE && ctx_ledger_is_log(r)) ||
	    (r->dialect != NULL && r->dialect->is_export))
		return CTX_WHY_METADATA;
	if (at->msg == CTX_NONE && (r->shape == CTX_REC_CONVERSATION ?
	    node >= r->list && node < k->doc.node[r->list].next :
	    r->nmsg == 0))
		return CTX_WHY_UNKNOWN;		/* an element or line that is none */
	why = counted_why(k, at);
	return why != NULL ? why : member;
}

/* Count a member that was left out, by its name. */
static void
count_member(struct walk *k, const struct at *at)
{
	struct ctx_str name = { "other", 5 };

	if (at->key != CTX_NONE)
		name = ctx_node_str(&k->doc, at->key);
	k->w->s->loss[CTX_L_MEMBER]++;
	ctx_types_add_name(&k->w->s->left.members, name);
}

/* Nothing of node was written. */
static int
lose(struct walk *k, uint32_t node, const struct at *at)
{
	const char *why = why_of(k, node, at);

	if (why == member && strchr("\"t", ctx_node_type(&k->doc, node)) !=
	    NULL && at->key != CTX_NONE &&
	    ctx_ledger_is_word(&k->doc, at->key, &form_words))
		return tell(k, node, CTX_RENAMED, form, (struct ctx_str){
		    NULL, 0 });
	/* a response has members that are none of its message's */
	if (why == member && (!k->s->plain || at->part != CTX_NONE))
		count_member(k, at);
	return tell(k, node, CTX_LEFT_OUT, why, (struct ctx_str){ NULL, 0 });
}

/* --- the walk ----------------------------------------------------------- */

static void
carry(struct walk *k, uint32_t node)
{
	if (k->l->rows) {
		k->values += ctx_node_values(&k->doc, node);
		k->bytes += k->doc.node[node].len;
	}
}

/* The contents of a node: a string's without its quotes. */
static struct ctx_str
contents(const struct walk *k, uint32_t node)
{
	struct ctx_str s = ctx_node_json(&k->doc, node);

	if (s.p[0] == '"') {
		s.p++;
		s.len -= 2;
	}
	return s;
}

/* Were halves of surrogate pairs in it replaced? */
static int
is_mended(const struct walk *k, struct ctx_str json)
{
	return k->w->mended > 0 && ctx_str_half(json.p, json.len) < json.len;
}

static int
scalar(struct walk *k, uint32_t node, const struct at *at)
{
	struct ctx_str s = contents(k, node), none = { NULL, 0 };
	const struct ctx_mark *m = ctx_trace_marked(k->trace, s.p);
	int copied = ctx_trace_copied(k->trace, s.p, s.len);

	/* a string that is written with its quotes, in a string */
	if (m == NULL && copied == 0)
		m = ctx_trace_marked(k->trace,
		    ctx_node_json(&k->doc, node).p);

	/* an id may belong to a call that is written without one */
	if (m != NULL && m->to.p != NULL && copied != 2 &&
	    ctx_trace_copied(k->trace, m->to.p, m->to.len) != 2)
		return tell(k, node, CTX_LEFT_OUT, m->why, none);
	if (m != NULL && m->fare != CTX_CARRIED && m->fare != CTX_MADE)
		return tell(k, node, m->fare, m->why, m->to);
	if (copied == 2 && is_mended(k, s))
		return tell(k, node, CTX_REFORMED, "surrogate", none);
	if (copied == 2 || (m != NULL && m->fare == CTX_CARRIED)) {
		carry(k, node);
		return 0;
	}
	if (copied == 1)
		return tell(k, node, CTX_REFORMED, form, none);
	if (at->part != CTX_NONE && k->c->part[at->part].idnode == node)
		return tell(k, node, CTX_LEFT_OUT, "id", none);
	return lose(k, node, at);
}

/* Does a message or part begin inside node? */
static int
has_owners(const struct walk *k, uint32_t node)
{
	uint32_t i, root = k->c->rec[k->rec].root;

	for (i = node + 1; i < k->doc.node[node].next; i++)
		if (k->l->owner[i - root] != NOBODY)
			return 1;
	return 0;
}

/* Of node nothing was written: is there one reason for all of it? */
static int
is_one_loss(const struct walk *k, uint32_t node, uint32_t owner,
    const struct at *at)
{
	const struct ctx_rec *r = &k->c->rec[k->rec];

	if (owner != NOBODY && (owner & PART || k->plan->drop_msg[at->msg] ||
	    k->s->fate[at->msg] == CTX_GONE))
		return 1;
	/* the members of a conversation are told one by one */
	return !has_owners(k, node) && !(node == r->root &&
	    r->shape == CTX_REC_CONVERSATION);
}

static int walk(struct walk *k, uint32_t node, struct at at);

/*
 * Numbers, true, false and null have no nodes in a list, because no message
 * consists of them: tell those in raw[from .. to) that were not written.  *index is of
 * the first.
 */
static int
lose_bare(struct walk *k, uint32_t list, size_t from, size_t to,
    uint64_t *index)
{
	struct ctx_ledger_entry e = { .values = 1 };
	const char *raw = k->doc.raw;
	const struct ctx_mark *m;
	size_t end;

	for (; from < to && k->l->rows; from = end) {
		end = from + 1;
		*index += raw[from] == ',';
		if (strchr(", \t\r\n", raw[from]) != NULL)
			continue;
		end = from + strcspn(raw + from, ", \t\r\n]");
		e.bytes = end - from;
		if (ctx_trace_copied(k->trace, raw + from, e.bytes) == 2) {
			k->values++;
			k->bytes += e.bytes;
			continue;
		}
		m = ctx_trace_marked(k->trace, raw + from);
		e.fare = m != NULL ? m->fare : CTX_LEFT_OUT;
		e.why = m != NULL ? m->why : raw[from] == 'n' ? CTX_WHY_EMPTY :
		    CTX_WHY_UNKNOWN;
		if (ctx_ledger_add_bare(k->l, k->c, k->rec, list, *index,
		    &e) == -1)
			return -1;
	}
	return 0;
}

static int
walk_list(struct walk *k, uint32_t list, const struct at *at)
{
	const struct ctx_node *n = k->doc.node;
	size_t from = n[list].off + (size_t)1;
	uint64_t index = 0;
	uint32_t e;

	for (e = list + 1; e < n[list].next; e = n[e].next) {
		if (lose_bare(k, list, from, n[e].off, &index) == -1 ||
		    walk(k, e, *at) == -1)
			return -1;
		from = n[e].off + (size_t)n[e].len;
	}
	return lose_bare(k, list, from, n[list].off + (size_t)n[list].len - 1,
	    &index);
}

static int
walk_inside(struct walk *k, uint32_t node, const struct at *at)
{
	struct at in = *at;
	uint32_t e;

	if (ctx_node_type(&k->doc, node) == '[')
		return walk_list(k, node, at);
	CTX_FOR_KEYS(&k->doc, e, node) {
		in = *at;
		in.key = e;
		in.aside |= ctx_ledger_is_word(&k->doc, e,
		    &ctx_ledger_metadata);
		if (walk(k, e + 1, in) == -1)
			return -1;
	}
	return 0;
}

/* Say what was carried of a message since these counts. */
static int
tell_carried(struct walk *k, uint32_t node, uint64_t values, uint64_t bytes)
{
	struct ctx_ledger_entry e = { .fare = CTX_CARRIED,
	    .values = k->values - values, .bytes = k->bytes - bytes };

	if (!k->l->rows || e.values == 0 || k->l->repaired)
		return 0;
	return ctx_ledger_add(k->l, k->c, k->rec, node, &e,
	    (struct ctx_str){ NULL, 0 });
}

static int
walk(struct walk *k, uint32_t node, struct at at)
{
	struct ctx_str json = ctx_node_json(&k->doc, node);
	uint32_t owner = k->l->owner[node - k->c->rec[k->rec].root];
	uint64_t values = k->values, bytes = k->bytes;
	const struct ctx_mark *mark;
	int copied = ctx_trace_copied(k->trace, json.p, json.len);
	int touched = copied > 0 || ctx_trace_marks(k->trace, json.p,
	    json.len), rc;

	if (owner != NOBODY) {
		at.part = owner & PART ? owner & ~PART : CTX_NONE;
		at.msg = owner & PART ? k->c->part[at.part].msg : owner;
		at.aside = 0;
		at.gone = owner & PART && !touched;
	}
	at.beside |= ctx_branch_is_beside(k->c, k->rec, node);
	if (copied == 2 && is_mended(k, json))
		copied = 1;
	mark = json.p[0] == '"' ? NULL : ctx_trace_marked(k->trace, json.p);
	if (mark != NULL && mark->fare == CTX_REFORMED)
		rc = tell(k, node, CTX_REFORMED, mark->why, mark->to);
	else if (copied == 2) {
		carry(k, node);
		rc = 0;
	} else if (json.p[0] != '{' && json.p[0] != '[')
		rc = scalar(k, node, &at);
	else if (!touched && is_one_loss(k, node, owner, &at))
		rc = lose(k, node, &at);
	else
		rc = walk_inside(k, node, &at);
	if (rc == 0 && owner != NOBODY && !(owner & PART &&
	    k->c->msg[at.msg].node != node)) {
		rc = tell_carried(k, node, values, bytes);
		k->values = values;
		k->bytes = bytes;
	}
	return rc;
}

/* Note where the messages and parts of the record begin. */
static int
paint(struct walk *k)
{
	const struct ctx_rec *r = &k->c->rec[k->rec];
	uint32_t nodes = k->doc.node[r->root].next - r->root, m, i, node;
	const struct ctx_part *p;

	if (CTX_ROOM(k->l->owner, nodes, &k->l->capowner) == -1)
		return -1;
	memset(k->l->owner, 0xff, nodes * sizeof(*k->l->owner));
	for (m = r->msg; m < r->msg + r->nmsg; m++) {
		/* an element may hold a message beside members of its own */
		node = ctx_convo_unit(k->c, m);
		if (r->shape == CTX_REC_CONVERSATION && node != CTX_NONE &&
		    k->l->owner[node - r->root] == NOBODY)
			k->l->owner[node - r->root] = m;
		if (k->c->msg[m].node != CTX_NONE)
			k->l->owner[k->c->msg[m].node - r->root] = m;
		CTX_FOR_PARTS(k->c, m, i) {
			p = &k->c->part[i];
			node = p->place[0].node;
			if (node == CTX_NONE)
				node = ctx_said_node(k->c, i);
			if (node == CTX_NONE)
				node = p->text;
			if (p->place[1].node != CTX_NONE)
				k->l->owner[p->place[1].node - r->root] =
				    PART | i;
			/* what is in a result belongs to it */
			if (node != CTX_NONE && !(p->flags & CTX_INNER &&
			    p->kind == CTX_COPY))
				k->l->owner[node - r->root] = PART | i;
		}
	}
	return 0;
}

/* The value of the member that tells conversations apart, or CTX_NONE. */
static uint32_t
by_of(const struct walk *k, uint32_t root)
{
	return k->w->by == NULL || k->w->by_len == 0 ? CTX_NONE :
	    CTX_GET(&k->doc, root, k->w->by);
}

/* It is written with each message, so it counts for the first of a step. */
static void
mark_by(struct walk *k, const struct ctx_rec *r)
{
	uint32_t node = by_of(k, r->root), step;

	if (node == CTX_NONE)
		return;
	step = r->nmsg > 0 ? k->s->step_of[r->msg] : CTX_NONE;
	ctx_trace_mark(k->trace, step != CTX_NONE &&
	    k->s->step[step].msg == r->msg ? CTX_CARRIED : CTX_REFORMED,
	    contents(k, node).p, (struct ctx_str){ NULL, 0 }, "by");
}

static int
walk_rec(struct walk *k)
{
	const struct ctx_rec *r = &k->c->rec[k->rec];
	struct at at = { CTX_NONE, CTX_NONE, CTX_NONE, 0, 0, 0 };

	k->values = k->bytes = 0;
	if (paint(k) == -1 || walk(k, r->root, at) == -1)
		return -1;
	return tell_carried(k, r->root, 0, 0);
}

/* What the result has that the source had not. */
static int
tell_made(struct walk *k)
{
	const struct ctx_mark *m = k->trace->mark;
	struct ctx_ledger_entry e = { .fare = CTX_MADE };
	size_t i;

	for (i = 0; i < k->trace->nmark; i++) {
		if (m[i].fare != CTX_MADE)
			continue;
		e.why = m[i].why;
		e.from.p = m[i].p;
		e.from.len = m[i].len;
		if (ctx_ledger_add(k->l, k->c, 0, CTX_NONE, &e, m[i].to) == -1)
			return -1;
	}
	return 0;
}

/* Count what is left out of a record, with no entries. */
static int
count_rec(struct walk *k)
{
	const struct ctx_rec *r = &k->c->rec[k->rec];
	struct at at = { CTX_NONE, CTX_NONE, CTX_NONE, 0, 0, 0 };
	uint32_t m, e, painted = 0;

	if (ctx_ledger_open_around(k->w, k->c))
		return walk_rec(k);
	for (m = r->msg; m < r->msg + r->nmsg; m++) {
		if (!ctx_ledger_open(k->w, k->plan, k->c, m))
			continue;
		if (painted++ == 0 && paint(k) == -1)
			return -1;
		e = r->shape == CTX_REC_CONVERSATION ? ctx_convo_unit(k->c, m) :
		    r->root;
		at.key = CTX_NONE;
		if (e == CTX_NONE) {	/* a system prompt: a member */
			e = k->c->msg[m].node;
			at.key = e - 1;
		}
		if (walk(k, e, at) == -1)
			return -1;
		m = ctx_convo_unit_end(k->c, m) - 1;
	}
	return 0;
}

int
ctx_ledger_close(struct ctx_ledger *l, const struct ctx_writer *w,
    const struct ctx_plan *plan, struct ctx_err *err)
{
	struct walk k = { .l = l, .w = w, .s = w->s, .c = w->s->c,
	    .plan = plan, .trace = &w->s->trace };

	if (!w->s->trace.on)
		return 0;
	for (k.rec = 0; k.rec < k.c->nrec; k.rec++) {
		k.doc = ctx_convo_doc(k.c, k.rec);
		mark_by(&k, &k.c->rec[k.rec]);
	}
	if (ctx_trace_settle(k.trace, k.c) == -1)
		return ctx_fail_nomem(err);
	for (k.rec = 0; k.rec < k.c->nrec; k.rec++) {
		k.doc = ctx_convo_doc(k.c, k.rec);
		if (k.c->rec[k.rec].root != CTX_NONE &&
		    (l->rows ? walk_rec(&k) : count_rec(&k)) == -1)
			return ctx_fail_nomem(err);
	}
	if (l->rows && (ctx_ledger_rest(l) == -1 || tell_made(&k) == -1))
		return ctx_fail_nomem(err);
	return 0;
}
