/* SPDX-License-Identifier: MIT */
/* The policies on one text, in their order; see lean.h. */
#include "decide/lean_impl.h"

#include <stdlib.h>
#include <string.h>

#include "decide/clear.h"
#include "text/alike.h"
#include "text/minify.h"
#include "text/scrub.h"

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
	struct ctx_lean_hits h = { .v = *text, .plain = &l->plain };

	if (!ctx_redact_suspect(s->o->redact, text->p, text->len))
		return 0;
	ctx_buf_reset(&l->plain);
	if (ctx_str_decode(&l->plain, text->p, text->len) == -1)
		return ctx_fail_nomem(err);
	if (ctx_redact_find(s->o->redact, l->plain.data, l->plain.len, &h.hit,
	    &h.n, err) == -1)
		return -1;
	if (h.n == 0)
		return 0;
	ctx_buf_reset(&l->scrub);
	if (ctx_lean_put_hits(s, &h, &l->scrub, err) == -1)
		return -1;
	*text = ctx_lean_take(s, &l->scrub);
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
 * Was the text cut without its hash?  Then what is left may be that of another
 * one, too, which differs in what was cut.
 */
static int
is_cut(struct ctx_str text)
{
	return ctx_shorten_marked(text) && ctx_shorten_hash(text) == NULL;
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
	    NULL, *text) || is_cut(*text))
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

int
ctx_lean_text(struct ctx_lean_step *s, struct ctx_lean_sort is,
    struct ctx_str *text, const char **rule, struct ctx_err *err)
{
	const struct ctx_lean_opts *o = s->o;
	int result = is.kind != CTX_LEAN_SAID;
	const struct ctx_shorten *how = result ? &o->result : &o->message;
	size_t mine = CTX_STRMAP_FULL;
	int shortens = how->max > 0 && !(result && (is.fate & LEAN_SPARED ||
	    ctx_lean_shortens_old(o)));
	int file = is.kind == CTX_LEAN_FILE && ctx_lean_picks(o);
	int stays = file && !o->thin_files, picks, rc;

	if (ctx_lean_tidy(s, is.at, is.kind, text, rule, err) == -1)
		return -1;
	if (is.fate & LEAN_OLD && age(s, text, rule, err) == -1)
		return -1;
	/* who reads a file again wants what is not there */
	if (file && o->thin_files && !is.copy &&
	    ctx_lean_reads_again(s, is.part, &stays, err) == -1)
		return -1;
	picks = ctx_lean_picks(o) && result && !is.copy && !stays;
	STEP(o->dedupe > 0 && text->len >= o->dedupe && result && !is.copy &&
	    !(file && o->thin_files), "dedupe", dedupe(s, text, &mine, err));
	STEP(picks, o->thin != CTX_THIN_OFF ? "thin" : "choose",
	    pick(s, is.part, shortens && o->choose, text, err));
	STEP(shortens && !(o->choose && stays) && !is_kept_note(*text),
	    result ? "max-result" : "max-message",
	    shorten(s, how, text, err));
	if (!is.copy && ctx_lean_say(s, is.part, *text, err) == -1)
		return -1;
	return mine != CTX_STRMAP_FULL ? sent(s, mine, *text, err) : 0;
}
#undef STEP
