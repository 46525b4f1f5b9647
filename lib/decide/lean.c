/* SPDX-License-Identifier: MIT */
/* Lean histories; see lean.h. */
#include "decide/lean_impl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decide/clear.h"
#include "decide/group.h"
#include "text/alike.h"
#include "text/minify.h"
#include "text/scrub.h"

void
ctx_lean_seen_done(struct ctx_lean_seen *s)
{
	ctx_strmap_done(&s->hash);
	ctx_strmap_done(&s->place);
	free(s->sent);
	ctx_heard_done(&s->said);
	ctx_heard_done(&s->lines);
	free(s->nplace);
	memset(s, 0, sizeof(*s));
}

void
ctx_lean_done(struct ctx_lean *l)
{
	ctx_buf_done(&l->plain);
	ctx_buf_done(&l->scrub);
	ctx_buf_done(&l->text);
	ctx_buf_done(&l->spare);
	ctx_buf_done(&l->secrets);
	ctx_doc_done(&l->doc);
	free(l->redacted);
	free(l->is_key);
	free(l->fate);
	ctx_pick_done(&l->pick);
	ctx_heard_done(&l->asked);
	free(l->place);
	ctx_pace_done(&l->pace);
	ctx_idset_done(&l->fates);
	free(l->pruned);
	free(l->of_file);
	ctx_idset_done(&l->file_ids);
	free(l->owner);
	memset(l, 0, sizeof(*l));
}

int
ctx_lean_needs_all(const struct ctx_lean_opts *o)
{
	return o->clear || o->prune || ctx_lean_shortens_old(o) ||
	    o->thinking == CTX_THINKING_LAST;
}

int
ctx_lean_tell(const struct ctx_lean_step *s, const char *rule, uint32_t part,
    struct ctx_str before, struct ctx_str after, struct ctx_err *err)
{
	const struct ctx_part *p = &s->c->part[part];
	struct ctx_change change = { .rule = rule, .rec = s->c->msg[p->msg].rec,
	    .msg = p->msg, .id = p->id, .before = before };

	if (after.p == NULL && p->place[0].node != CTX_NONE)
		change.node = p->place[0].node;
	return s->o->tell ? ctx_plan_tell(s->plan, &change, after, err) : 0;
}

/* --- texts --------------------------------------------------------------- */

struct ctx_str
ctx_lean_take(struct ctx_lean_step *s, struct ctx_buf *b)
{
	struct ctx_buf tmp = s->l->text;
	struct ctx_str str;

	s->l->text = *b;
	*b = tmp;
	str.p = s->l->text.data != NULL ? s->l->text.data : "";
	str.len = (uint32_t)s->l->text.len;
	return str;
}

typedef int scrub_fn(const char *text, size_t len,
	    const struct ctx_markers *notes, struct ctx_buf *out);

/* Decode, scrub, and encode again if that changed anything. */
static int
scrub(struct ctx_lean_step *s, scrub_fn *fn, struct ctx_str *text,
    struct ctx_err *err)
{
	struct ctx_lean *l = s->l;
	int rc;

	ctx_buf_reset(&l->plain);
	ctx_buf_reset(&l->scrub);
	if (ctx_str_decode(&l->plain, text->p, text->len) == -1 ||
	    (rc = fn(l->plain.data != NULL ? l->plain.data : "", l->plain.len,
	    s->o->notes, &l->scrub)) == -1)
		return ctx_fail_nomem(err);
	if (rc == 0)
		return 0;
	ctx_buf_reset(&l->spare);
	if (ctx_str_encode(&l->spare, l->scrub.data, l->scrub.len) == -1)
		return ctx_fail_nomem(err);
	*text = ctx_lean_take(s, &l->spare);
	return 1;
}

typedef int json_fn(struct ctx_doc *doc, struct ctx_str text,
	    struct ctx_buf *plain, struct ctx_buf *out);

/* Apply a function of minify.h. */
static int
minify(struct ctx_lean_step *s, json_fn *fn, struct ctx_str *text,
    struct ctx_err *err)
{
	struct ctx_lean *l = s->l;
	int rc;

	ctx_buf_reset(&l->spare);
	rc = fn(&l->doc, *text, &l->plain, &l->spare);
	if (rc == -1)
		return ctx_fail_nomem(err);
	if (rc == 1)
		*text = ctx_lean_take(s, &l->spare);
	return rc;
}

int
ctx_lean_redact(struct ctx_lean_step *s, struct ctx_str *text,
    struct ctx_err *err)
{
	struct ctx_lean *l = s->l;
	size_t n;

	if (!ctx_redact_suspect(s->o->redact, text->p, text->len))
		return 0;
	ctx_buf_reset(&l->plain);
	ctx_buf_reset(&l->scrub);
	if (ctx_str_decode(&l->plain, text->p, text->len) == -1)
		return ctx_fail_nomem(err);
	if (ctx_redact_text(s->o->redact, l->plain.data, l->plain.len,
	    &l->scrub, &n, err) == -1)
		return -1;
	if (n == 0)
		return 0;
	ctx_buf_reset(&l->spare);
	if (ctx_str_encode(&l->spare, l->scrub.data, l->scrub.len) == -1)
		return ctx_fail_nomem(err);
	*text = ctx_lean_take(s, &l->spare);
	return 1;
}

/* C0 control characters are always escaped in JSON; C1 ones often are not. */
static int
may_have_escapes(struct ctx_str t)
{
	const char *p = t.p, *end = t.p + t.len;

	while ((p = memchr(p, '\\', (size_t)(end - p))) != NULL) {
		if (p[1] == 'u' && p[2] == '0' && p[3] == '0')
			return 1;
		if (p[1] == 'b' || p[1] == 'f')
			return 1;
		p += 2;
	}
	return memchr(t.p, 0xc2, t.len) != NULL ||
	    memchr(t.p, 0x7f, t.len) != NULL;
}

/*
 * Replace a body that was sent before by a reference.  Copies are recognized by
 * the body as it is here; *mine is set if it is new.
 */
static int
dedupe(struct ctx_lean_step *s, struct ctx_str *text, size_t *mine,
    struct ctx_err *err)
{
	struct ctx_lean_seen *seen = s->seen;
	uint64_t chars = ctx_str_chars(text->p, text->len);
	size_t before = seen->hash.n, i;
	struct ctx_marker_said said;
	char hash[CTX_SHA256_HEX];

	*mine = CTX_STRMAP_FULL;
	if (chars < s->o->dedupe || ctx_marker_begins(CTX_MARKER_COPY,
	    NULL, *text))
		return 0;
	if (ctx_lean_hash(s->l, *text, hash) == -1 || (i = ctx_strmap_add(
	    &seen->hash, hash, sizeof(hash) - 1)) == CTX_STRMAP_FULL)
		return ctx_fail_nomem(err);
	if (i == before) {
		*mine = i;
		return 0;
	}
	if (seen->sent[i][0] == '\0')
		return 0;
	ctx_buf_reset(&s->l->spare);
	said = (struct ctx_marker_said){ .n = chars,
	    .word = { seen->sent[i], 16 } };
	if (ctx_marker_put(&s->l->spare, s->o->notes, CTX_MARKER_COPY,
	    &said) == -1)
		return ctx_fail_nomem(err);
	*text = ctx_lean_take(s, &s->l->spare);
	return 1;
}

/*
 * Remember the first copy of a body as it is written, for that is what
 * references name.
 */
static int
sent(struct ctx_lean_step *s, size_t i, struct ctx_str text,
    struct ctx_err *err)
{
	struct ctx_lean_seen *seen = s->seen;
	char hash[CTX_SHA256_HEX] = "";

	if (CTX_ROOM(seen->sent, i, &seen->capsent) == -1)
		return ctx_fail_nomem(err);
	if (ctx_str_chars(text.p, text.len) >= CTX_DEDUPE_LEAST &&
	    ctx_lean_hash(s->l, text, hash) == -1)
		return ctx_fail_nomem(err);
	memcpy(seen->sent[i], hash, 16);
	seen->sent[i][16] = '\0';
	return 0;
}

static int
shorten(struct ctx_lean_step *s, const struct ctx_shorten *how,
    struct ctx_str *text, struct ctx_err *err)
{
	char hash[CTX_SHA256_HEX];
	int rc, kept;

	for (kept = 0; kept <= s->o->keep; kept++) {
		if (kept && ctx_lean_hash(s->l, s->origin, hash) == -1)
			return ctx_fail_nomem(err);
		ctx_buf_reset(&s->l->spare);
		rc = ctx_shorten(how, *text, kept ? hash : NULL, &s->l->spare,
		    err);
		if (rc != 1)
			return rc;
	}
	*text = ctx_lean_take(s, &s->l->spare);
	return 1;
}

static int
pick(struct ctx_lean_step *s, uint32_t p, int choose, struct ctx_str *text,
    struct ctx_err *err)
{
	int rc = ctx_lean_pick(s, p, choose, *text, err);

	if (rc == 1)
		*text = ctx_lean_take(s, &s->l->spare);
	return rc;
}

static int
clear_text(struct ctx_lean_step *s, struct ctx_str *text, struct ctx_err *err)
{
	char hash[CTX_SHA256_HEX];
	int rc;

	if (s->o->keep && ctx_lean_hash(s->l, s->origin, hash) == -1)
		return ctx_fail_nomem(err);
	ctx_buf_reset(&s->l->spare);
	rc = ctx_clear_note(&s->l->spare, s->o->notes, *text,
	    s->o->keep ? hash : NULL);
	if (rc == -1)
		return ctx_fail_nomem(err);
	if (rc == 1)
		*text = ctx_lean_take(s, &s->l->spare);
	return rc;
}

/* What becomes of a result that is old. */
static int
age(struct ctx_lean_step *s, struct ctx_str *text, const char **rule,
    struct ctx_err *err)
{
	int rc;

	if (s->o->clear) {
		rc = clear_text(s, text, err);
	} else {
		rc = ctx_lean_shortens(s, *text, err);
		if (rc == 1)
			rc = shorten(s, &s->o->result, text, err);
	}
	if (rc == 1)
		*rule = s->o->clear ? "clear-results" : "max-result";
	return rc;
}

/* Which policies apply to a text. */
struct sort {
	uint32_t part;		/* CTX_NONE if it is in none */
	enum ctx_lean_kind kind;
	int copy;		/* not sent: neither a reference nor referred to */
	int fate;		/* LEAN_* */
	const struct ctx_lean_place *at;	/* if it is kept or restored */
};

#define STEP(wanted, name, call) do { \
	if (wanted) { \
		if ((rc = (call)) == -1) \
			return -1; \
		if (rc == 1) \
			*rule = (name); \
	} \
} while (0)

/*
 * What applies to results alone.  JSON comes first, for a list may have equal
 * lines; but without what the others remove a text may be JSON, or lines may be
 * equal.
 */
static int
tidy_result(struct ctx_lean_step *s, enum ctx_lean_kind kind,
    struct ctx_str *text, const char **rule, struct ctx_err *err)
{
	const struct ctx_lean_opts *o = s->o;
	int all = kind != CTX_LEAN_FILE, rc, again;
	/* a text of which lines are gone has other neighbours than before */
	int whole = all && (o->squeeze || o->fold) && !ctx_pick_marked(*text);

	STEP(o->ansi && may_have_escapes(*text), "ansi",
	    scrub(s, ctx_scrub_ansi, text, err));
	do {
		STEP(all && o->minify, "minify",
		    minify(s, ctx_minify, text, err));
		STEP(all && o->tables, "tables",
		    minify(s, ctx_minify_tables, text, err));
		rc = 0;
		STEP(whole && o->squeeze, "squeeze",
		    scrub(s, ctx_scrub_squeeze, text, err));
		again = rc && (o->minify || o->tables);
		STEP(whole && o->fold && !ctx_shorten_marked(*text), "fold",
		    scrub(s, ctx_alike_fold, text, err));
		rc = 0;
		STEP(o->blobs && text->len >= 200, "base64",
		    scrub(s, ctx_scrub_blobs, text, err));
		again |= rc;
	} while (again);
	return 0;
}

int
ctx_lean_tidy(struct ctx_lean_step *s, const struct ctx_lean_place *at,
    enum ctx_lean_kind kind, struct ctx_str *text, const char **rule,
    struct ctx_err *err)
{
	const struct ctx_lean_opts *o = s->o;
	const char *was = text->p;
	int rc;

	STEP(o->kept != NULL, "restore",
	    ctx_lean_restore(s, at, text, 0, err));
	if (kind != CTX_LEAN_SAID &&
	    tidy_result(s, kind, text, rule, err) == -1)
		return -1;
	STEP(o->redact != NULL && text->p != was, "redact",
	    ctx_lean_redact(s, text, err));
	return 0;
}

/* Is it a note that names a file?  It is long, but without its end useless. */
static int
is_kept_note(struct ctx_str text)
{
	struct ctx_marker_said said;

	return text.len > 0 && ctx_marker_at(CTX_MARKER_CLEARED_KEPT, text, 0,
	    &said) == text.len;
}

/* Apply all policies to one text.  The last one that changed it is the rule. */
static int
lean_text(struct ctx_lean_step *s, struct sort is, struct ctx_str *text,
    const char **rule, struct ctx_err *err)
{
	const struct ctx_lean_opts *o = s->o;
	int result = is.kind != CTX_LEAN_SAID;
	const struct ctx_shorten *how = result ? &o->result : &o->message;
	size_t mine = CTX_STRMAP_FULL;
	int shortens = how->max > 0 && !(result && (is.fate & LEAN_SPARED ||
	    ctx_lean_shortens_old(o)));
	int stays = is.kind == CTX_LEAN_FILE && !o->thin_files;
	int picks = ctx_lean_picks(o) && result && !is.copy && !stays;
	int rc;

	if (ctx_lean_tidy(s, is.at, is.kind, text, rule, err) == -1)
		return -1;
	if (is.fate & LEAN_OLD && age(s, text, rule, err) == -1)
		return -1;
	STEP(o->dedupe > 0 && text->len >= o->dedupe && result && !is.copy,
	    "dedupe", dedupe(s, text, &mine, err));
	STEP(picks, o->thin != CTX_THIN_OFF ? "thin" : "choose",
	    pick(s, is.part, shortens && o->choose, text, err));
	STEP(shortens && !(o->choose && stays) && !is_kept_note(*text),
	    result ? "max-result" : "max-message",
	    shorten(s, how, text, err));
	if (!is.copy && ctx_lean_say(s, *text, 0, err) == -1)
		return -1;
	return mine != CTX_STRMAP_FULL ? sent(s, mine, *text, err) : 0;
}
#undef STEP

int
ctx_lean_alterable(const struct ctx_lean_step *s, uint32_t p)
{
	const struct ctx_part *part = &s->c->part[p];

	return (part->kind == CTX_TEXT || part->kind == CTX_RESULT ||
	    part->kind == CTX_COPY) &&
	    part->text != CTX_NONE && !(part->flags & CTX_RAW) &&
	    (part->kind != CTX_TEXT || part->flags & CTX_INNER ||
	    s->c->msg[part->msg].role != CTX_SYSTEM);
}

/* Apply the policies to a string of record c->rec; c->before is its text. */
static int
lean_string(struct ctx_lean_step *s, struct sort is, uint32_t node,
    struct ctx_change *c, struct ctx_err *err)
{
	struct ctx_str text = c->before;
	const char *first;

	if (ctx_lean_redacted(s, node, &text)) {
		ctx_lean_redacted_done(s, node);
		c->rule = "redact";
	}
	s->origin = text;
	first = c->rule;
	if (lean_text(s, is, &text, &c->rule, err) == -1)
		return -1;
	/* an API may refuse a blank text, and the next run would remove it */
	if (ctx_str_blank(text) && !ctx_str_blank(s->origin)) {
		text = s->origin;
		c->rule = first;
	}
	if (c->rule == NULL || ctx_str_same(text, c->before))
		return 0;
	if (s->o->keep && !ctx_str_same(text, s->origin) &&
	    ctx_lean_keep(s, is.at, s->origin, text, 0, err) == -1)
		return -1;
	if (s->o->tell && ctx_plan_tell(s->plan, c, text, err) == -1)
		return -1;
	return ctx_plan_rewrite(s->plan, c->rec, node, 0, text, err);
}

/* Are texts kept or restored? */
static int
has_places(const struct ctx_lean_opts *o)
{
	return o->keep || o->kept != NULL;
}

static int
lean_part(struct ctx_lean_step *s, uint32_t r, uint32_t p, struct ctx_err *err)
{
	const struct ctx_part *part = &s->c->part[p];
	struct ctx_change change = { .rec = r, .msg = part->msg,
	    .id = part->id, .before = ctx_part_text(s->c, p) };
	struct sort is = { .part = p, .copy = part->kind == CTX_COPY,
	    .fate = s->has_fates ? s->l->fate[p] : 0,
	    .at = has_places(s->o) ? &s->l->place[p] : NULL };

	if (change.before.p == NULL || !ctx_lean_alterable(s, p))
		return ctx_lean_say(s, change.before, part->kind == CTX_CALL,
		    err);
	if (ctx_lean_kind(s, p, part->id, &is.kind, err) == -1)
		return -1;
	return lean_string(s, is, part->text, &change, err);
}

/* Apply the policies to what stays of a message, and to what is moved. */
static int
lean_message(struct ctx_lean_step *s, uint32_t m, struct ctx_err *err)
{
	const struct ctx_msg *msg = &s->c->msg[m];
	uint32_t p, of = msg->part;

	CTX_FOR_PARTS(s->c, m, p) {
		if (!(s->c->part[p].flags & CTX_INNER))
			of = p;
		if (!ctx_lean_is_gone(s, p, of) &&
		    lean_part(s, msg->rec, p, err) == -1)
			return -1;
	}
	return 0;
}

/* --- copies in records that are not messages ---------------------------- */

struct copy {
	struct ctx_lean_step *s;
	uint32_t rec;
	struct ctx_err *err;
};

/* A ctx_copy_fn: what is done to a result is done to its copies. */
static int
lean_copy(void *arg, struct ctx_str id, uint32_t node)
{
	struct copy *a = arg;
	struct ctx_doc doc = ctx_convo_doc(a->s->c, a->rec);
	struct ctx_change change = { .rec = a->rec, .msg = CTX_NONE, .id = id,
	    .before = ctx_node_str(&doc, node) };
	struct sort is = { .part = CTX_NONE, .copy = 1 };
	const struct ctx_seen_id *seen;
	struct ctx_lean_place at;

	if (ctx_lean_kind(a->s, CTX_NONE, id, &is.kind, a->err) == -1)
		return -1;
	if (has_places(a->s->o)) {
		if (ctx_lean_number_copy(a->s, id, &at, a->err) == -1)
			return -1;
		is.at = &at;
	}
	if (a->s->has_fates && id.p != NULL) {
		seen = ctx_idset_see(&a->s->l->fates, id.p, id.len);
		if (seen == NULL)
			return ctx_fail_nomem(a->err);
		is.fate = (int)seen->uses;
	}
	return lean_string(a->s, is, node, &change, a->err);
}

static int
lean_copies(struct ctx_lean_step *s, uint32_t r, struct ctx_err *err)
{
	struct ctx_doc doc = ctx_convo_doc(s->c, r);
	struct copy a = { s, r, err };

	return s->c->rec[r].nmsg == 0 && s->c->rec[r].root != CTX_NONE &&
	    s->c->dialect != NULL && s->c->dialect->copies != NULL ?
	    s->c->dialect->copies(&doc, s->c->rec[r].root, lean_copy, &a) : 0;
}

/* Is anything to be done to texts? */
static int
has_policy(const struct ctx_lean_opts *o)
{
	return o->kept != NULL || o->redact != NULL || o->ansi || o->minify ||
	    o->tables || o->squeeze || o->fold || o->blobs || o->clear ||
	    o->dedupe > 0 || o->result.max > 0 || o->message.max > 0 ||
	    o->thin != CTX_THIN_OFF;
}

int
ctx_lean_plan(struct ctx_lean *l, struct ctx_plan *plan,
    const struct ctx_convo *c, struct ctx_lean_seen *seen,
    const struct ctx_lean_opts *opts, struct ctx_err *err)
{
	struct ctx_lean_step s = { .l = l, .plan = plan, .c = c,
	    .seen = seen, .o = opts };
	uint32_t r, m;

	if (!has_policy(opts))
		return 0;
	if (opts->only_find)
		return ctx_lean_secrets(&s, err);
	if (ctx_lean_find_files(&s, err) == -1 ||
	    (has_places(opts) && ctx_lean_number(&s, err) == -1))
		return -1;
	s.has_fates = opts->clear || (opts->result.max > 0 &&
	    (ctx_lean_shortens_old(opts) || opts->ntool + opts->nexclude > 0));
	if (s.has_fates && ctx_lean_choose_old(&s, err) == -1)
		return -1;
	for (r = 0; r < c->nrec; r++) {
		for (m = c->rec[r].msg; m < c->rec[r].msg + c->rec[r].nmsg;
		    m++)
			if (lean_message(&s, m, err) == -1)
				return -1;
		if (lean_copies(&s, r, err) == -1 ||
		    ctx_lean_write_redacted(&s, r, err) == -1)
			return -1;
	}
	if (opts->kept != NULL && ctx_lean_restore_inputs(&s, err) == -1)
		return -1;
	return opts->clear && opts->clear_inputs ?
	    ctx_lean_clear_inputs(&s, err) : 0;
}
