/* SPDX-License-Identifier: MIT */
/* Lean histories; see lean.h. */
#include "decide/lean_impl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sha256.h"
#include "decide/clear.h"
#include "decide/group.h"
#include "decide/scrub.h"

#define COPY	"[same text as sent before: sha256:"

void
ctx_lean_seen_done(struct ctx_lean_seen *s)
{
	ctx_strmap_done(&s->hash);
	free(s->sent);
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
	free(l->redacted);
	free(l->is_key);
	free(l->cleared);
	free(l->owner);
	memset(l, 0, sizeof(*l));
}

int
ctx_lean_needs_all(const struct ctx_lean_opts *o)
{
	return o->clear || o->thinking == CTX_THINKING_LAST;
}

static int
starts_with(struct ctx_str s, const char *text)
{
	size_t n = strlen(text);

	return s.len >= n && memcmp(s.p, text, n) == 0;
}

int
ctx_lean_tell(const struct ctx_lean_step *s, const char *rule, uint32_t part,
    struct ctx_str before, struct ctx_str after, struct ctx_err *err)
{
	const struct ctx_part *p = &s->c->part[part];
	struct ctx_change change = { .rule = rule, .rec = s->c->msg[p->msg].rec,
	    .msg = p->msg, .id = p->id, .before = before };

	return s->o->tell ? ctx_plan_tell(s->plan, &change, after, err) : 0;
}

/* --- texts --------------------------------------------------------------- */

/* Make the contents of buffer b the current text. */
static struct ctx_str
take(struct ctx_lean_step *s, struct ctx_buf *b)
{
	struct ctx_buf tmp = s->l->text;
	struct ctx_str str;

	s->l->text = *b;
	*b = tmp;
	str.p = s->l->text.data != NULL ? s->l->text.data : "";
	str.len = (uint32_t)s->l->text.len;
	return str;
}

typedef int scrub_fn(const char *text, size_t len, struct ctx_buf *out);

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
	    &l->scrub)) == -1)
		return ctx_fail_nomem(err);
	if (rc == 0)
		return 0;
	ctx_buf_reset(&l->spare);
	if (ctx_str_encode(&l->spare, l->scrub.data, l->scrub.len) == -1)
		return ctx_fail_nomem(err);
	*text = take(s, &l->spare);
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

/* The SHA-256 of what s spells. */
static int
hash_text(struct ctx_lean *l, struct ctx_str s, char hex[CTX_SHA256_HEX])
{
	ctx_buf_reset(&l->plain);
	if (ctx_str_decode(&l->plain, s.p, s.len) == -1)
		return -1;
	ctx_sha256_hex(l->plain.data != NULL ? l->plain.data : "",
	    l->plain.len, hex);
	return 0;
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
	char hash[CTX_SHA256_HEX];

	*mine = CTX_STRMAP_FULL;
	if (chars < s->o->dedupe || starts_with(*text, COPY))
		return 0;
	if (hash_text(s->l, *text, hash) == -1 || (i = ctx_strmap_add(
	    &seen->hash, hash, sizeof(hash) - 1)) == CTX_STRMAP_FULL)
		return ctx_fail_nomem(err);
	if (i == before) {
		*mine = i;
		return 0;
	}
	if (seen->sent[i][0] == '\0')
		return 0;
	ctx_buf_reset(&s->l->spare);
	if (ctx_buf_addf(&s->l->spare, COPY "%s, %llu chars]", seen->sent[i],
	    (unsigned long long)chars) == -1)
		return ctx_fail_nomem(err);
	*text = take(s, &s->l->spare);
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
	    hash_text(s->l, text, hash) == -1)
		return ctx_fail_nomem(err);
	memcpy(seen->sent[i], hash, 16);
	seen->sent[i][16] = '\0';
	return 0;
}

/* Read the file with that hash and ending into out, like ctx_kept_fn. */
static int
kept(const struct ctx_lean_step *s, const char *hash, const char *ending,
    struct ctx_buf *out, struct ctx_err *err)
{
	char name[80];

	ctx_buf_reset(out);
	snprintf(name, sizeof(name), "%.64s%s", hash, ending);
	return s->o->kept(s->o->kept_arg, name, out, err);
}

static int
damaged(const struct ctx_lean_step *s, const char *hash, const char *ending,
    struct ctx_err *err)
{
	return ctx_fail(err, CTX_ESYSTEM, "%.100s/%.64s%s is damaged",
	    s->o->kept_in, hash, ending);
}

/* Is text the one that was kept under that hash? */
static int
is_whole(const struct ctx_buf *text, const char *hash)
{
	char own[CTX_SHA256_HEX];

	ctx_sha256_hex(text->data != NULL ? text->data : "", text->len, own);
	return memcmp(own, hash, 64) == 0;
}

/*
 * Is text the contents of a JSON string?  Nothing else may be put into a line.
 * Returns -1 if out of memory.
 */
static int
is_string(struct ctx_buf *scratch, const struct ctx_buf *text)
{
	struct ctx_doc doc = { 0 };
	int rc;

	ctx_buf_reset(scratch);
	ctx_buf_addc(scratch, '"');
	ctx_buf_add(scratch, text->data, text->len);
	if (ctx_buf_addc(scratch, '"') == -1)
		return -1;
	rc = ctx_doc_try(&doc, scratch->data, scratch->len);
	ctx_doc_done(&doc);
	return rc;
}

/* Put the text that a marker's hash names into l->spare, escaped. */
static int
fetch(struct ctx_lean_step *s, const char *hash, struct ctx_err *err)
{
	struct ctx_buf *out = &s->l->spare, *plain = &s->l->plain;
	const char *ending = ".json";
	int rc;

	if (strspn(hash, "0123456789abcdef") < 64)
		return 0;
	if ((rc = kept(s, hash, ending, out, err)) == -1)
		return -1;
	if (rc == 1) {
		if ((rc = is_string(&s->l->scrub, out)) != -1)
			ctx_buf_reset(plain);
		if (rc == 1)
			rc = ctx_str_decode(plain, out->data, out->len) == -1 ?
			    -1 : is_whole(plain, hash);
	} else {
		ending = "";
		if ((rc = kept(s, hash, ending, plain, err)) != 1)
			return rc;
		rc = is_whole(plain, hash);
		ctx_buf_reset(out);
		if (rc == 1 && ctx_str_encode(out, plain->data,
		    plain->len) == -1)
			rc = -1;
	}
	if (rc == -1)
		return ctx_fail_nomem(err);
	return rc == 1 ? 1 : damaged(s, hash, ending, err);
}

static int
restore(struct ctx_lean_step *s, struct ctx_str *text, struct ctx_err *err)
{
	const char *hash = ctx_shorten_hash(*text);
	int rc;

	if (hash == NULL)
		return 0;
	rc = fetch(s, hash, err);
	if (rc == 1)
		*text = take(s, &s->l->spare);
	return rc;
}

/*
 * Keep a text under the hash of its decoded form.  If encoding that form as
 * JSON would give a different spelling, keep the spelling too, so that
 * --restore gives back the original bytes.
 */
static int
keep(struct ctx_lean_step *s, struct ctx_str text, char hash[CTX_SHA256_HEX],
    struct ctx_err *err)
{
	struct ctx_buf *plain = &s->l->plain, *again = &s->l->scrub;
	struct ctx_keep what = { .kind = CTX_KEEP_TEXT };

	ctx_buf_reset(again);
	if (hash_text(s->l, text, hash) == -1 ||
	    ctx_str_encode(again, plain->data, plain->len) == -1)
		return ctx_fail_nomem(err);
	snprintf(what.name, sizeof(what.name), "%s", hash);
	if (ctx_plan_keep(s->plan, &what, plain->data, plain->len, err) == -1)
		return -1;
	if (again->len == text.len &&
	    memcmp(again->data, text.p, text.len) == 0)
		return 0;
	snprintf(what.name, sizeof(what.name), "%s.json", hash);
	return ctx_plan_keep(s->plan, &what, text.p, text.len, err);
}

static int
shorten(struct ctx_lean_step *s, const struct ctx_shorten *how,
    struct ctx_str *text, struct ctx_err *err)
{
	char hash[CTX_SHA256_HEX];
	int rc;

	ctx_buf_reset(&s->l->spare);
	rc = ctx_shorten(how, *text, NULL, &s->l->spare, err);
	if (rc != 1)
		return rc;
	if (s->o->keep && ctx_shorten_hash(*text) == NULL) {
		if (keep(s, *text, hash, err) == -1)
			return -1;
		ctx_buf_reset(&s->l->spare);
		if (ctx_shorten(how, *text, hash, &s->l->spare, err) == -1)
			return -1;
	}
	*text = take(s, &s->l->spare);
	return 1;
}

static int
clear_text(struct ctx_lean_step *s, struct ctx_str *text, struct ctx_err *err)
{
	int rc;

	ctx_buf_reset(&s->l->spare);
	rc = ctx_clear_note(&s->l->spare, *text);
	if (rc == -1)
		return ctx_fail_nomem(err);
	if (rc == 1)
		*text = take(s, &s->l->spare);
	return rc;
}

/* Apply all policies to one text.  The last one that changed it is the rule. */
static int
lean_text(struct ctx_lean_step *s, uint32_t part, struct ctx_str *text,
    const char **rule, struct ctx_err *err)
{
	const struct ctx_part *p = &s->c->part[part];
	const struct ctx_lean_opts *o = s->o;
	int result = p->kind != CTX_TEXT || p->flags & CTX_INNER, rc;
	const struct ctx_shorten *how = result ? &o->result : &o->message;
	size_t mine = CTX_STRMAP_FULL;

#define STEP(wanted, name, call) do { \
	if (wanted) { \
		if ((rc = (call)) == -1) \
			return -1; \
		if (rc == 1) \
			*rule = (name); \
	} \
} while (0)
	STEP(o->kept != NULL, "restore", restore(s, text, err));
	STEP(o->ansi && may_have_escapes(*text), "ansi",
	    scrub(s, ctx_scrub_ansi, text, err));
	STEP(o->squeeze && result, "squeeze",
	    scrub(s, ctx_scrub_squeeze, text, err));
	STEP(o->blobs && text->len >= 200, "base64",
	    scrub(s, ctx_scrub_blobs, text, err));
	STEP(o->clear && s->l->cleared[part], "clear-results",
	    clear_text(s, text, err));
	STEP(o->dedupe > 0 && text->len >= o->dedupe &&
	    p->kind != CTX_COPY, "dedupe",
	    dedupe(s, text, &mine, err));
	STEP(how->max > 0, result ? "max-result" : "max-message",
	    shorten(s, how, text, err));
#undef STEP
	return mine != CTX_STRMAP_FULL ? sent(s, mine, *text, err) : 0;
}

/* May the text of part p be altered? */
static int
alterable(const struct ctx_lean_step *s, uint32_t p)
{
	const struct ctx_part *part = &s->c->part[p];

	return (part->kind == CTX_TEXT || part->kind == CTX_RESULT ||
	    part->kind == CTX_COPY) &&
	    part->text != CTX_NONE && !(part->flags & CTX_RAW) &&
	    (part->kind != CTX_TEXT || part->flags & CTX_INNER ||
	    s->c->msg[part->msg].role != CTX_SYSTEM) &&
	    !s->plan->drop_part[p] && !s->plan->drop_msg[part->msg];
}

static int
lean_part(struct ctx_lean_step *s, uint32_t r, uint32_t p, struct ctx_err *err)
{
	struct ctx_str before = ctx_part_text(s->c, p), text = before;
	const char *rule = NULL;

	if (before.p == NULL || !alterable(s, p))
		return 0;
	if (ctx_lean_redacted(s, s->c->part[p].text, &text))
		rule = "redact";
	if (lean_text(s, p, &text, &rule, err) == -1)
		return -1;
	if (rule == NULL || (text.len == before.len &&
	    memcmp(text.p, before.p, text.len) == 0))
		return 0;
	if (ctx_lean_tell(s, rule, p, before, text, err) == -1)
		return -1;
	return ctx_plan_rewrite(s->plan, r, s->c->part[p].text, 0, text, err);
}

/* --- old results and thinking -------------------------------------------- */

static int
excluded(const struct ctx_lean_step *s, struct ctx_str name)
{
	size_t i;

	for (i = 0; i < s->o->nexclude; i++)
		if (name.p != NULL && ctx_str_equal(name.p, name.len,
		    s->o->exclude[i], strlen(s->o->exclude[i])))
			return 1;
	return 0;
}

static int
count_text(const struct ctx_lean_step *s, uint32_t p, uint64_t *n,
    struct ctx_err *err)
{
	struct ctx_str text = ctx_part_text(s->c, p);

	*n = 0;
	if (text.p == NULL || s->c->part[p].kind == CTX_COPY)
		return 0;
	return s->o->count(s->o->arg, text, 0, n, NULL, err);
}

/* Count the tokens of everything that is kept. */
static int
count_all(const struct ctx_lean_step *s, uint64_t *total, struct ctx_err *err)
{
	uint64_t n;
	uint32_t p;

	*total = 0;
	for (p = 0; p < s->c->npart; p++) {
		if (s->plan->drop_part[p] ||
		    s->plan->drop_msg[s->c->part[p].msg])
			continue;
		if (count_text(s, p, &n, err) == -1)
			return -1;
		*total += n;
	}
	return 0;
}

/* Clear result p and its inner texts, and add their tokens to *gain. */
static int
clear_result(struct ctx_lean_step *s, uint32_t p, uint64_t *gain,
    struct ctx_err *err)
{
	const struct ctx_part *part = &s->c->part[p];
	uint32_t i = p, mate = part->mate;
	uint64_t n;

	do {
		if (s->o->count != NULL) {
			if (count_text(s, i, &n, err) == -1)
				return -1;
			*gain += n;
		}
		s->l->cleared[i] = 1;
		i++;
	} while (i < s->c->npart && (s->c->part[i].flags & CTX_INNER ||
	    s->c->part[i].kind == CTX_COPY));
	if (s->o->clear_inputs && mate != CTX_NONE)
		s->l->cleared[mate] = 1;
	return 0;
}

/*
 * Choose the results to clear: all except the newest.  With watermarks, clear
 * only if the conversation is above the upper one, and then only until it is at
 * the lower one, so that the beginning is seldom rewritten.
 */
static int
choose_cleared(struct ctx_lean_step *s, struct ctx_err *err)
{
	uint64_t total = 0, gain = 0, results = 0, seen = 0;
	unsigned char *cl;
	uint32_t p;

	if (CTX_ROOM(s->l->cleared, s->c->npart, &s->l->capcleared) == -1)
		return ctx_fail_nomem(err);
	cl = s->l->cleared;
	memset(cl, 0, s->c->npart);
	if (s->o->when_tokens > 0) {
		if (count_all(s, &total, err) == -1)
			return -1;
		if (total <= s->o->when_tokens)
			return 0;
	}
	for (p = 0; p < s->c->npart; p++)
		results += s->c->part[p].kind == CTX_RESULT &&
		    !excluded(s, s->c->part[p].name);
	for (p = 0; p < s->c->npart; p++) {
		if (s->c->part[p].kind != CTX_RESULT ||
		    excluded(s, s->c->part[p].name))
			continue;
		if (++seen + s->o->clear_keep > results)
			break;
		if (s->o->down_to > 0 && total - gain <= s->o->down_to)
			break;
		if (clear_result(s, p, &gain, err) == -1)
			return -1;
	}
	return 0;
}

/* Replace the arguments of cleared results' calls with an empty object. */
static int
clear_inputs(struct ctx_lean_step *s, struct ctx_err *err)
{
	const struct ctx_part *part;
	struct ctx_str before, after = { "{}", 2 };
	uint32_t p, r;

	for (p = 0; p < s->c->npart; p++) {
		part = &s->c->part[p];
		if (part->kind != CTX_CALL || !s->l->cleared[p] ||
		    part->text == CTX_NONE)
			continue;
		before = ctx_part_text(s->c, p);
		if (before.len <= 2)
			continue;
		r = s->c->msg[part->msg].rec;
		if (ctx_lean_tell(s, "clear-inputs", p, before, after,
		    err) == -1 || ctx_plan_rewrite(s->plan, r, part->text,
		    (part->flags & CTX_RAW) != 0, after, err) == -1)
			return -1;
	}
	return 0;
}

/* The first message of the user's last turn. */
static uint32_t
last_request(const struct ctx_convo *c)
{
	uint32_t m = c->nmsg;

	while (m > 0)
		if (ctx_group_begins(c, --m))
			return m;
	return 0;
}

int
ctx_lean_drop(struct ctx_plan *plan, const struct ctx_convo *c,
    const struct ctx_lean_opts *opts, struct ctx_err *err)
{
	struct ctx_lean_step step = { .plan = plan, .c = c, .o = opts };
	struct ctx_lean_step *s = &step;
	uint32_t p, from = CTX_NONE;
	struct ctx_str gone = { NULL, 0 };

	if (opts->thinking == CTX_THINKING_KEEP)
		return 0;
	if (s->o->thinking == CTX_THINKING_LAST)
		from = last_request(s->c);
	for (p = 0; p < s->c->npart; p++) {
		if (s->c->part[p].kind != CTX_THINKING ||
		    s->c->part[p].place[0].node == CTX_NONE ||
		    s->plan->drop_part[p] || s->c->part[p].msg >= from)
			continue;
		if (ctx_lean_tell(s, "thinking", p, ctx_part_text(s->c, p),
		    gone, err) == -1)
			return -1;
		ctx_plan_drop_part(s->plan, p);
	}
	return 0;
}

int
ctx_lean_plan(struct ctx_lean *l, struct ctx_plan *plan,
    const struct ctx_convo *c, struct ctx_lean_seen *seen,
    const struct ctx_lean_opts *opts, struct ctx_err *err)
{
	struct ctx_lean_step s = { l, plan, c, seen, opts };
	uint32_t r, m, p;

	if (!opts->only_find && opts->clear && choose_cleared(&s, err) == -1)
		return -1;
	for (r = 0; r < c->nrec; r++) {
		l->nredacted = 0;
		ctx_buf_reset(&l->secrets);
		if (opts->redact != NULL && ctx_lean_secrets(&s, r, err) == -1)
			return -1;
		if (opts->only_find)
			continue;
		for (m = c->rec[r].msg; m < c->rec[r].msg + c->rec[r].nmsg;
		    m++)
			for (p = c->msg[m].part; p < c->msg[m].part +
			    c->msg[m].npart; p++)
				if (lean_part(&s, r, p, err) == -1)
					return -1;
		if (ctx_lean_write_redacted(&s, r, err) == -1)
			return -1;
	}
	if (!opts->only_find && opts->clear && opts->clear_inputs)
		return clear_inputs(&s, err);
	return 0;
}
