/* SPDX-License-Identifier: MIT */
/* Logs whose records name the record that they follow; see envelope.h. */
#include "view/envelope.h"

#include <stdlib.h>
#include <string.h>

#include "base/fnv.h"
#include "base/strmap.h"
#include "read/spell.h"

/* --- branches --------------------------------------------------------- */

/* The string that record r has as member key; .len is 0 if it has none. */
static struct ctx_str
string(const struct ctx_convo *c, uint32_t r, const char *key)
{
	struct ctx_doc doc = ctx_convo_doc(c, r);

	return ctx_node_str(&doc, CTX_GET(&doc, c->rec[r].root, key));
}

/*
 * Find the record that record r follows.  Returns 1 with *n set to its number
 * in ids, 0 if there is none, -1 if out of memory.
 */
static int
parent_of(const struct ctx_convo *c, uint32_t r, const char *key,
    struct ctx_strmap *ids, size_t *n)
{
	struct ctx_str id = string(c, r, key);

	if (id.len == 0)
		return 0;
	*n = ctx_spell_number(ids, id);
	return *n == CTX_STRMAP_FULL ? -1 : 1;
}

/* Does m have only results?  Each follows the record of its call. */
static int
only_results(const struct ctx_convo *c, uint32_t m)
{
	uint32_t i;

	CTX_FOR_PARTS(c, m, i)
		if (c->part[i].kind != CTX_RESULT &&
		    !(c->part[i].flags & CTX_INNER))
			return 0;
	return c->msg[m].npart > 0;
}

/* Mark in on[] the records from message tip's up to the root. */
static int
climb(const struct ctx_convo *c, uint32_t tip,
    const struct ctx_chain_form *how, struct ctx_strmap *ids, uint32_t *rec_of,
    unsigned char *on)
{
	struct ctx_str id;
	size_t n;
	uint32_t r, steps;
	int rc;

	for (r = 0; r < c->nrec; r++) {
		id = string(c, r, how->id);
		if (id.p == NULL)
			continue;
		n = ctx_spell_number(ids, id);
		if (n == CTX_STRMAP_FULL)
			return -1;
		if (n < c->nrec)
			rec_of[n] = r;
	}
	r = c->msg[tip].rec;
	for (steps = 0; steps < c->nrec && !on[r]; steps++) {
		on[r] = 1;
		if ((rc = parent_of(c, r, how->parent, ids, &n)) == -1)
			return -1;
		if (rc == 0 || n >= c->nrec || rec_of[n] == CTX_NONE)
			break;
		r = rec_of[n];
	}
	return 0;
}

int
ctx_envelope_beside(const struct ctx_convo *c, const struct ctx_dialect *of,
    const unsigned char *on, unsigned char *gone)
{
	struct ctx_strmap ids = { 0 };
	unsigned char *kept = calloc(c->nmsg + (size_t)1, 1);
	const struct ctx_msg *m;
	size_t n;
	uint32_t i;
	int pass, rc = kept == NULL ? -1 : 0;

	for (pass = 0; pass < 2 && rc == 0; pass++)
		for (i = 0; i < c->nmsg && rc == 0; i++) {
			m = &c->msg[i];
			/* 0: it is not part of a message */
			n = 0;
			if (m->join.p != NULL && (n = 1 + ctx_strmap_add(&ids,
			    m->join.p, m->join.len)) == 0)
				rc = -1;
			else if (pass == 0)
				kept[n] |= on[m->rec];
			else if (!on[m->rec] && (n == 0 || !kept[n]) &&
			    c->rec[m->rec].dialect == of)
				gone[i] = only_results(c, i) ?
				    CTX_BESIDE_RESULT : 1;
		}
	ctx_strmap_done(&ids);
	free(kept);
	return rc;
}

/*
 * Is message tip the last one of a branch?  A file in which no record follows
 * another has only one branch; in others one that follows none begins its own.
 */
static int
is_linked(const struct ctx_convo *c, uint32_t tip, const struct ctx_dialect *d)
{
	uint32_t r = c->msg[tip].rec;

	if (string(c, r, d->chain->parent).len > 0)
		return 1;
	if (c->rec[r].dialect != d)
		return 0;
	for (r = c->nrec; r-- > 0;)
		if ((c->rec[r].nmsg == 0 || c->rec[r].dialect == d) &&
		    string(c, r, d->chain->parent).len > 0)
			return 1;
	return 0;
}

int
ctx_envelope_branches(const struct ctx_convo *c, uint32_t tip,
    const struct ctx_dialect *d, unsigned char *gone)
{
	struct ctx_strmap ids = { 0 };
	unsigned char *on;
	uint32_t *rec_of;
	int rc = -1;

	if (!is_linked(c, tip, d))
		return 0;
	on = calloc(c->nrec, 1);
	rec_of = malloc(c->nrec * sizeof(*rec_of));
	if (on != NULL && rec_of != NULL) {
		memset(rec_of, 0xff, c->nrec * sizeof(*rec_of));
		rc = climb(c, tip, d->chain, &ids, rec_of, on);
		if (rc == 0)
			rc = ctx_envelope_beside(c, d, on, gone);
	}
	ctx_strmap_done(&ids);
	free(on);
	free(rec_of);
	return rc;
}

/* --- new records ------------------------------------------------------ */

static uint64_t
hash(uint64_t h, const char *p, size_t len)
{
	h = ctx_fnv(h, p, len);
	return h ^ h >> 29;
}

uint64_t
ctx_envelope_hash(struct ctx_str parent, const struct ctx_new *what)
{
	uint64_t h = hash(CTX_FNV_BEGIN, parent.p, parent.len);

	h = hash(h, what->id.p, what->id.len);
	if (what->kind == CTX_NEW_BOUNDARY)
		h = hash(h, "boundary", 8);
	return hash(h, what->text, what->textlen);
}

/*
 * Make a UUID from what is unique about the record, without randomness or a
 * clock, so that the same input gives the same output.
 */
static void
emit_uuid(struct ctx_buf *out, struct ctx_str parent,
    const struct ctx_new *what)
{
	uint64_t a = ctx_envelope_hash(parent, what), b;

	b = hash(a ^ 0x9e3779b97f4a7c15u, parent.p, parent.len);
	ctx_buf_addf(out, "%08x-%04x-8%03x-%04x-%012llx",
	    (unsigned)(a >> 32), (unsigned)(a >> 16 & 0xffff),
	    (unsigned)(a & 0xfff), (unsigned)(b >> 48 & 0x3fff) | 0x8000,
	    (unsigned long long)(b & 0xffffffffffffu));
}

void
ctx_envelope_emit(struct ctx_buf *out, const struct ctx_new *what)
{
	static const char *const shared[] = { "isSidechain", "agentId",
	    "userType", "cwd", "sessionId", "version", "gitBranch",
	    "timestamp" };
	struct ctx_str parent = { NULL, 0 };
	uint32_t v;
	size_t i;

	if (what->doc != NULL)
		parent = ctx_node_str(what->doc, CTX_GET(what->doc,
		    what->like, "uuid"));
	ctx_buf_adds(out, what->kind == CTX_NEW_BOUNDARY ?
	    "{\"parentUuid\":null,\"logicalParentUuid\":" :
	    "{\"parentUuid\":");
	if (parent.p == NULL)
		ctx_buf_adds(out, "null");
	else {
		ctx_buf_addc(out, '"');
		ctx_buf_add(out, parent.p, parent.len);
		ctx_buf_addc(out, '"');
	}
	ctx_buf_adds(out, ",\"uuid\":\"");
	emit_uuid(out, parent, what);
	ctx_buf_addc(out, '"');
	for (i = 0; what->doc != NULL &&
	    i < sizeof(shared) / sizeof(shared[0]); i++) {
		v = CTX_GET(what->doc, what->like, shared[i]);
		if (v == CTX_NONE)
			continue;
		ctx_buf_addf(out, ",\"%s\":", shared[i]);
		ctx_node_put(out, what->doc, v);
	}
}
