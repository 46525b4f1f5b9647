/* SPDX-License-Identifier: MIT */
/*
 * What is kept of texts that change, and how it is found again.
 *
 * A text is kept as it was read, after redaction, in a file that its SHA-256
 * names: HASH has what it spells, for people and tools; HASH.json has the
 * contents of the JSON string where those are spelled otherwise than this
 * program would, or a JSON value.
 *
 * A text that is written need not name that hash.  What it was is found by a
 * key: the SHA-256 of the conversation's name, the text's place, and the
 * text that was written.  All three are known to a run that reads that.  A text
 * that was altered in several runs is restored in as many steps, for each of them
 * has kept what it read, at the same place.
 */
#include "decide/lean_impl.h"

#include <stdio.h>
#include <string.h>

#include "decide/clear.h"

#define RUNS	64	/* in which a text can have been altered */

int
ctx_lean_hash(struct ctx_lean *l, struct ctx_str text,
    char hex[CTX_SHA256_HEX])
{
	ctx_buf_reset(&l->plain);
	if (ctx_str_decode(&l->plain, text.p, text.len) == -1)
		return -1;
	ctx_sha256_hex(l->plain.data != NULL ? l->plain.data : "",
	    l->plain.len, hex);
	return 0;
}

/* --- places -------------------------------------------------------------- */

/* The id of a place; as a link may be renamed, it is that which is written. */
static struct ctx_str
id_of(const struct ctx_lean_step *s, const struct ctx_lean_place *at)
{
	const struct ctx_swap *swap;

	if (at->of == CTX_NONE)
		return at->id;
	if ((swap = ctx_plan_swapped(s->plan, at->of, 1)) == NULL)
		return s->c->part[at->of].id;
	return (struct ctx_str){ s->plan->bytes.data + swap->off,
	    (uint32_t)swap->len };
}

/* Count one more text of this kind and id. */
static int
count(struct ctx_lean_step *s, struct ctx_lean_place *at, struct ctx_err *err)
{
	struct ctx_lean_seen *seen = s->seen;
	struct ctx_buf *b = &s->l->plain;
	struct ctx_str id = id_of(s, at);
	size_t n = seen->place.n, i;

	ctx_buf_reset(b);
	ctx_buf_addc(b, (char)at->kind);
	if (ctx_buf_add(b, id.p, id.len) == -1 || (i = ctx_strmap_add(
	    &seen->place, b->data, b->len)) == CTX_STRMAP_FULL ||
	    CTX_ROOM(seen->nplace, i, &seen->capplace) == -1)
		return ctx_fail_nomem(err);
	if (i == n)
		seen->nplace[i] = 0;
	at->nth = seen->nplace[i]++;
	return 0;
}

/* of is the result that part p is in, or p. */
static int
number_part(struct ctx_lean_step *s, uint32_t p, uint32_t of,
    struct ctx_err *err)
{
	const struct ctx_part *part = &s->c->part[p];
	struct ctx_lean_place *at = &s->l->place[p];

	if (part->kind == CTX_CALL && part->text != CTX_NONE)
		at->kind = CTX_PLACE_INPUT;
	else if (!ctx_lean_alterable(s, p))
		return 0;
	else if (part->kind == CTX_COPY)
		at->kind = CTX_PLACE_COPY;
	else if (part->kind == CTX_TEXT && !(part->flags & CTX_INNER))
		at->kind = CTX_PLACE_TEXT;
	else
		at->kind = CTX_PLACE_RESULT;
	at->of = part->id.p != NULL ? p : of;
	return count(s, at, err);
}

static int
number_message(struct ctx_lean_step *s, uint32_t m, struct ctx_err *err)
{
	const unsigned char *drop = s->plan->drop_part;
	uint32_t p, of = s->c->msg[m].part;

	if (s->plan->drop_msg[m])
		return 0;
	CTX_FOR_PARTS(s->c, m, p) {
		if (!(s->c->part[p].flags & CTX_INNER))
			of = p;
		if (!drop[of] && !drop[p] && number_part(s, p, of, err) == -1)
			return -1;
	}
	return 0;
}

/* A result that is made, or results that are moved with what is in them. */
static int
number_insert(struct ctx_lean_step *s, const struct ctx_insert *in,
    struct ctx_err *err)
{
	struct ctx_lean_place made = { .kind = CTX_PLACE_RESULT,
	    .of = in->part };
	uint32_t i, p, of;

	if (in->kind == CTX_NEW_RESULT)
		return count(s, &made, err);
	for (i = in->first; i < in->first + in->n; i++) {
		of = p = s->plan->moved[i];
		do {
			if ((p == of || !s->plan->drop_part[p]) &&
			    number_part(s, p, of, err) == -1)
				return -1;
		} while (++p < s->c->npart && s->c->part[p].flags & CTX_INNER);
	}
	return 0;
}

int
ctx_lean_number(struct ctx_lean_step *s, struct ctx_err *err)
{
	const struct ctx_plan *plan = s->plan;
	uint32_t i, n = plan->norder > 0 ? plan->norder : s->c->nmsg, m;
	int rc;

	if (CTX_ROOM(s->l->place, s->c->npart, &s->l->capplace) == -1)
		return ctx_fail_nomem(err);
	ctx_plan_index(s->plan);
	memset(s->l->place, 0, s->c->npart * sizeof(*s->l->place));
	for (i = 0; i < n; i++) {
		m = plan->norder > 0 ? plan->order[i] : i;
		rc = m & CTX_INSERTED ? number_insert(s,
		    &plan->insert[m & ~CTX_INSERTED], err) :
		    number_message(s, m, err);
		if (rc == -1)
			return -1;
	}
	return 0;
}

int
ctx_lean_number_copy(struct ctx_lean_step *s, struct ctx_str id,
    struct ctx_lean_place *at, struct ctx_err *err)
{
	*at = (struct ctx_lean_place){ .kind = CTX_PLACE_RECORD,
	    .of = CTX_NONE, .id = id };
	return count(s, at, err);
}

/*
 * The key of what was at a place before this text was written there.  Returns 0,
 * or -1 if out of memory.
 */
static int
make_key(struct ctx_lean_step *s, const struct ctx_lean_place *at,
    struct ctx_str written, char key[CTX_SHA256_HEX])
{
	unsigned char digest[CTX_SHA256_LEN];
	struct ctx_str id = id_of(s, at), name = s->seen->name;
	char text[CTX_SHA256_HEX], head[64];
	struct ctx_sha256 sha;

	if (ctx_lean_hash(s->l, written, text) == -1)
		return -1;
	snprintf(head, sizeof(head), "%c %u %u %u ", (int)at->kind,
	    (unsigned)at->nth, (unsigned)name.len, (unsigned)id.len);
	ctx_sha256_init(&sha);
	ctx_sha256_update(&sha, head, strlen(head));
	ctx_sha256_update(&sha, name.p, name.len);
	ctx_sha256_update(&sha, id.p, id.len);
	ctx_sha256_update(&sha, text, sizeof(text) - 1);
	ctx_sha256_final(&sha, digest);
	ctx_sha256_text(digest, key);
	return 0;
}

/* --- keeping ------------------------------------------------------------- */

/* Keep the bytes in a file HASH or HASH.json; *what then has its name. */
static int
keep_file(struct ctx_lean_step *s, struct ctx_str bytes, const char *ending,
    struct ctx_keep *what, struct ctx_err *err)
{
	char hash[CTX_SHA256_HEX];

	ctx_sha256_hex(bytes.p != NULL ? bytes.p : "", bytes.len, hash);
	*what = (struct ctx_keep){ .kind = CTX_KEEP_TEXT };
	snprintf(what->name, sizeof(what->name), "%s%s", hash, ending);
	return ctx_plan_keep(s->plan, what, bytes.p, bytes.len, err);
}

static int
keep_text(struct ctx_lean_step *s, struct ctx_str text, struct ctx_keep *what,
    struct ctx_err *err)
{
	struct ctx_buf *plain = &s->l->plain, *again = &s->l->scrub;

	ctx_buf_reset(plain);
	ctx_buf_reset(again);
	if (ctx_str_decode(plain, text.p, text.len) == -1 ||
	    ctx_str_encode(again, plain->data, plain->len) == -1)
		return ctx_fail_nomem(err);
	if (keep_file(s, ctx_str_of(plain), "", what, err) == -1)
		return -1;
	return ctx_str_same(ctx_str_of(again), text) ? 0 :
	    keep_file(s, text, ".json", what, err);
}

int
ctx_lean_keep(struct ctx_lean_step *s, const struct ctx_lean_place *at,
    struct ctx_str was, struct ctx_str written, int raw, struct ctx_err *err)
{
	struct ctx_keep file, origin = { .kind = CTX_KEEP_ORIGIN };
	struct ctx_buf *b = &s->l->plain;
	struct ctx_str id;

	if ((raw ? keep_file(s, was, ".json", &file, err) :
	    keep_text(s, was, &file, err)) == -1)
		return -1;
	if (make_key(s, at, written, origin.name) == -1)
		return ctx_fail_nomem(err);
	id = id_of(s, at);
	ctx_buf_reset(b);
	ctx_buf_adds(b, file.name);
	ctx_buf_addc(b, ' ');
	if (ctx_buf_add(b, id.p, id.len) == -1)
		return ctx_fail_nomem(err);
	return ctx_plan_keep(s->plan, &origin, b->data, b->len, err);
}

/* --- restoring ----------------------------------------------------------- */

static int
damaged(const struct ctx_lean_step *s, const char *name, struct ctx_err *err)
{
	return ctx_fail(err, CTX_ESYSTEM, "%.100s/%s is damaged", s->o->kept_in,
	    name);
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
 * Is text the contents of a JSON string, or with raw a value?  Nothing else may
 * be put into a line.  Returns -1 if out of memory.
 */
static int
is_json(struct ctx_buf *scratch, const struct ctx_buf *text, int raw)
{
	struct ctx_doc doc = { 0 };
	int rc;

	ctx_buf_reset(scratch);
	ctx_buf_adds(scratch, raw ? "" : "\"");
	ctx_buf_add(scratch, text->data, text->len);
	if (ctx_buf_adds(scratch, raw ? "" : "\"") == -1)
		return -1;
	rc = ctx_doc_try(&doc, scratch->data, scratch->len);
	ctx_doc_done(&doc);
	return rc;
}

/*
 * Put the text of a kept file into l->spare, escaped.  of_text: a HASH.json has
 * the hash of what it spells, as earlier versions wrote it.  Like ctx_kept_fn.
 */
static int
fetch(struct ctx_lean_step *s, const char *name, int of_text, int raw,
    struct ctx_err *err)
{
	struct ctx_buf *out = &s->l->spare, *plain = &s->l->plain;
	int is_plain = name[64] == '\0', rc;

	ctx_buf_reset(out);
	ctx_buf_reset(plain);
	rc = s->o->kept(s->o->kept_arg, name, is_plain ? plain : out, err);
	if (rc != 1)
		return rc;
	if (is_plain)
		rc = ctx_str_encode(out, plain->data, plain->len);
	else if ((rc = is_json(&s->l->scrub, out, raw)) == 0)
		return damaged(s, name, err);
	else if (rc == 1 && of_text)
		rc = ctx_str_decode(plain, out->data, out->len);
	if (rc == -1)
		return ctx_fail_nomem(err);
	return is_whole(is_plain || of_text ? plain : out, name) ? 1 :
	    damaged(s, name, err);
}

/* The hash in a note that names what was kept, or NULL. */
static const char *
hash_in(struct ctx_str text)
{
	struct ctx_marker_said said = { 0 };

	if (ctx_marker_at(CTX_MARKER_CLEARED_KEPT, text, 0, &said) == text.len)
		return said.word.p;
	return ctx_shorten_hash(text);
}

/* Fetch the text that a note's hash names. */
static int
fetch_named(struct ctx_lean_step *s, struct ctx_str text, struct ctx_err *err)
{
	const char *hash = text.len > 64 ? hash_in(text) : NULL;
	char name[CTX_ORIGIN_NAME];
	int rc;

	if (hash == NULL || strspn(hash, "0123456789abcdef") < 64)
		return 0;
	snprintf(name, sizeof(name), "%.64s.json", hash);
	rc = fetch(s, name, 1, 0, err);
	name[64] = '\0';
	return rc == 0 ? fetch(s, name, 0, 0, err) : rc;
}

int
ctx_lean_restore(struct ctx_lean_step *s, const struct ctx_lean_place *at,
    struct ctx_str *text, int raw, struct ctx_err *err)
{
	char key[CTX_SHA256_HEX], name[CTX_ORIGIN_NAME];
	int rc, i, found = 0;

	for (i = 0; i < RUNS; i++) {
		rc = 0;
		if (at != NULL && s->o->origin != NULL) {
			if (make_key(s, at, *text, key) == -1)
				return ctx_fail_nomem(err);
			rc = s->o->origin(s->o->kept_arg, key, name, err);
			if (rc == 1)
				rc = fetch(s, name, 0, raw, err);
		}
		/* of a text that was moved, or cut by an earlier version */
		if (rc == 0 && i == 0 && !raw)
			rc = fetch_named(s, *text, err);
		if (rc == -1)
			return -1;
		if (rc == 0)
			break;
		*text = ctx_lean_take(s, &s->l->spare);
		found = 1;
	}
	return found;
}

/* Restore the arguments of call p, of which an empty object is left. */
static int
restore_input(struct ctx_lean_step *s, uint32_t p, struct ctx_err *err)
{
	const struct ctx_part *part = &s->c->part[p];
	int raw = (part->flags & CTX_RAW) != 0, rc;
	struct ctx_str before = ctx_part_text(s->c, p), text = before;

	rc = ctx_lean_restore(s, &s->l->place[p], &text, raw, err);
	if (rc != 1)
		return rc;
	if (s->o->redact != NULL) {
		if (ctx_lean_redact(s, &text, err) == -1)
			return -1;
		ctx_buf_reset(&s->l->spare);
		if (ctx_buf_add(&s->l->spare, text.p, text.len) == -1 ||
		    (rc = is_json(&s->l->scrub, &s->l->spare, raw)) == -1)
			return ctx_fail_nomem(err);
		/* a secret that is more than a string stays away */
		if (rc == 0)
			return 0;
	}
	if (ctx_lean_tell(s, "restore", p, before, text, err) == -1)
		return -1;
	return ctx_plan_rewrite(s->plan, s->c->msg[part->msg].rec, part->text,
	    raw, text, err);
}

int
ctx_lean_restore_inputs(struct ctx_lean_step *s, struct ctx_err *err)
{
	uint32_t p;

	for (p = 0; p < s->c->npart; p++)
		if (s->l->place[p].kind == CTX_PLACE_INPUT &&
		    ctx_str_is(ctx_part_text(s->c, p), "{}") &&
		    restore_input(s, p, err) == -1)
			return -1;
	return 0;
}
