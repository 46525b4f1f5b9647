/* SPDX-License-Identifier: MIT */
/* Secrets in all strings of a record; see lean.h. */
#include "decide/lean_impl.h"

#include <stdio.h>
#include <string.h>

#include "base/base64.h"
#include "redact/encoded.h"
#include "view/media.h"

#define DATA_URL	"base64,"	/* before its data */
#define HEAD_BASE64	"W1JFREFDVEVE"	/* what CTX_REDACT_HEAD begins with */
#define NOT_TEXT	(CTX_NONE - 1)	/* marks a string that must not be
					   redacted */

static int
mark_keys(struct ctx_lean *l, const struct ctx_doc *doc, uint32_t root)
{
	uint32_t end = doc->node[root].next, i, k;

	if (CTX_ROOM(l->is_key, end - root, &l->capkey) == -1)
		return -1;
	memset(l->is_key, 0, end - root);
	for (i = root; i < end; i++)
		CTX_FOR_KEYS(doc, k, i)
			l->is_key[k - root] = 1;
	return 0;
}

/* Is part p, or CTX_NONE, an image or a file? */
static int
is_media(const struct ctx_convo *c, uint32_t p)
{
	return p < c->npart && (c->part[p].kind == CTX_IMAGE ||
	    c->part[p].kind == CTX_FILE);
}

/*
 * Set, for each node from root on, the part whose text it is, or the image or
 * file that it is in, or CTX_NONE.
 */
static int
mark_owners(const struct ctx_lean_step *s, uint32_t r)
{
	const struct ctx_rec *rec = &s->c->rec[r];
	struct ctx_doc doc = ctx_convo_doc(s->c, r);
	uint32_t n = doc.node[rec->root].next - rec->root, m, i, node, end;
	uint32_t *o;

	if (CTX_ROOM(s->l->owner, n, &s->l->capowner) == -1)
		return -1;
	o = s->l->owner;
	memset(o, 0xff, n * sizeof(*o));
	for (m = rec->msg; m < rec->msg + rec->nmsg; m++)
		CTX_FOR_PARTS(s->c, m, i) {
			node = s->c->part[i].place[0].node;
			end = is_media(s->c, i) && node != CTX_NONE ?
			    doc.node[node].next : 0;
			for (; node < end; node++)
				o[node - rec->root] = i;
			/* an id is a link, not text, whatever it looks like */
			if ((node = s->c->part[i].idnode) != CTX_NONE)
				o[node - rec->root] = NOT_TEXT;
			if ((node = s->c->part[i].text) != CTX_NONE &&
			    !(s->c->part[i].flags & CTX_RAW))
				o[node - rec->root] = i;
		}
	return 0;
}

static int
find_secret(const struct ctx_lean_step *s, uint32_t r, uint32_t part,
    uint32_t node, const struct ctx_redact_hit *hit, struct ctx_err *err)
{
	uint32_t m = s->c->rec[r].msg;

	if (part != CTX_NONE)
		m = s->c->part[part].msg;
	else if (s->c->rec[r].nmsg == 0)
		m = CTX_NONE;
	if (ctx_plan_find(s->plan, CTX_F_SECRET, m, CTX_NONE, 1, err) == -1)
		return -1;
	s->plan->finding[s->plan->nfinding - 1].rec = r;
	s->plan->finding[s->plan->nfinding - 1].node = node;
	s->plan->finding[s->plan->nfinding - 1].detail =
	    ctx_redact_id(s->o->redact, hit->rule);
	return 0;
}

/* Remember what node was changed to, for the policies that follow. */
static int
keep_redacted(const struct ctx_lean_step *s, uint32_t r, uint32_t node,
    const struct ctx_buf *json, struct ctx_err *err)
{
	struct ctx_lean *l = s->l;
	size_t off = l->secrets.len;

	if (CTX_ROOM(l->redacted, l->nredacted, &l->capredacted) == -1 ||
	    ctx_buf_add(&l->secrets, json->data, json->len) == -1)
		return ctx_fail_nomem(err);
	l->redacted[l->nredacted++] = (struct ctx_rewrite){ r, node, 0, off,
	    l->secrets.len - off, CTX_NONE };
	return 0;
}

/*
 * Mark word, unless raw is how a string with that text is usually spelled.  A
 * number is another spelling: its quotes will go.
 */
static int
mark_spelling(const struct ctx_lean_step *s, struct ctx_str raw,
    struct ctx_str text, int number, char word[CTX_REDACT_PLACEHOLDER])
{
	struct ctx_buf *b = &s->l->spelled;

	ctx_buf_reset(b);
	if (ctx_str_encode(b, text.p, text.len) == -1)
		return -1;
	if (!number && ctx_str_same(ctx_str_of(b), raw))
		return 0;
	ctx_buf_reset(b);
	ctx_buf_adds(b, number ? "number " : "");
	if (ctx_buf_add(b, raw.p, raw.len) == -1)
		return -1;
	ctx_redact_spelled(s->o->redact, b->data, b->len, word);
	return 0;
}

static int
is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* The length of what begins with a bracket, up to the one that closes it. */
static size_t
bracket_len(const char *text, size_t len)
{
	size_t depth = 0, i;
	int quoted = 0;

	for (i = 0; i < len; i++)
		if (text[i] == '"')
			quoted = !quoted;
		else if (quoted)
			i += text[i] == '\\';
		else if (text[i] == '{' || text[i] == '[')
			depth++;
		else if ((text[i] == '}' || text[i] == ']') && --depth == 0)
			return i + 1;
	return len;
}

/*
 * Is it an object or a list in JSON, with nothing but others behind it in the
 * line?  Returns 1 with s->l->doc and the length of the first in *len, 0, or -1
 * if out of memory.
 */
static int
scan_json(const struct ctx_lean_step *s, const char *text, size_t *len)
{
	size_t i = 0, n;
	int rc;

	while (i < *len && is_space(text[i]))
		i++;
	if (i == *len || (text[i] != '{' && text[i] != '['))
		return 0;
	n = i + bracket_len(text + i, *len - i);
	for (i = n; i < *len && is_space(text[i]) && text[i] != '\n'; i++)
		;
	if (i < *len && text[i] != '\n' && text[i] != '{' && text[i] != '[')
		return 0;
	if ((rc = ctx_doc_try(&s->l->doc, text, n)) == 1)
		*len = n;
	return rc;
}

/*
 * Is the text at byte at in JSON, which begins the text, or a line?  Each part is
 * scanned once, as hits come in order.  Returns like scan_json.
 */
static int
is_in_json(const struct ctx_lean_step *s, struct ctx_lean_hits *h, size_t at)
{
	const char *text = h->plain->data, *p;
	size_t len = h->plain->len, n;

	while (at >= h->end && !h->lines) {
		n = len - h->end;
		h->json = scan_json(s, text + h->end, &n);
		h->lines = h->json != 1;
		if (h->json == -1)
			return -1;
		if (h->json == 1) {
			h->from = h->end;
			h->end += n;
		}
	}
	while (at >= h->end) {
		h->from = h->end;
		if (at >= h->stop) {	/* another line */
			for (h->from = at; h->from > h->end &&
			    text[h->from - 1] != '\n';)
				h->from--;
			p = memchr(text + at, '\n', len - at);
			h->stop = p != NULL ? (size_t)(p - text) : len;
		}
		n = h->stop - h->from;
		h->json = scan_json(s, text + h->from, &n);
		h->end = h->from + n;
	}
	return h->json;
}

/* Is the byte at in a string of doc? */
static int
is_in_string(const struct ctx_doc *doc, size_t at)
{
	uint32_t lo = 0, hi = doc->n, mid;

	/* the last node that begins before it; strings have no others in them */
	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (doc->node[mid].off < at)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo > 0 && ctx_node_type(doc, lo - 1) == '"' &&
	    at < (size_t)doc->node[lo - 1].off + doc->node[lo - 1].len;
}

/*
 * Is the hit a number in JSON, which would be none any longer if a placeholder
 * without quotes were in its place?  -1 if out of memory.
 */
static int
is_number(const struct ctx_lean_step *s, struct ctx_lean_hits *h,
    const struct ctx_redact_hit *hit)
{
	const char *text = h->plain->data;
	size_t len = h->plain->len, at = hit->off;
	int rc;

	/* whatever else is outside of strings is no secret */
	if (strchr("-0123456789", text[at]) == NULL ||
	    (at + hit->len < len && strchr(",]} \t\r\n", text[at +
	    hit->len]) == NULL))
		return 0;
	if ((rc = is_in_json(s, h, at)) != 1)
		return rc;
	return !is_in_string(&s->l->doc, at - h->from) &&
	    strchr(":[, \t\r\n", text[at - 1]) != NULL;
}

/* A ctx_encoded_fn: is the run all of the text? */
static int
is_whole(void *text, size_t off, size_t end)
{
	return off == 0 && end == ((const struct ctx_str *)text)->len;
}

/* Is the hit all of the data of an image or a file, and base64? */
static int
is_data(const struct ctx_lean_hits *h, const struct ctx_redact_hit *hit)
{
	struct ctx_str s = { h->plain->data + hit->off, (uint32_t)hit->len };

	return h->data.p != NULL && ctx_str_same(h->data, s) &&
	    ctx_encoded_find(s.p, s.len, is_whole, &s) == 1;
}

/* Append the placeholder of a hit, whose spelling is raw. */
static int
put_hit(const struct ctx_lean_step *s, struct ctx_lean_hits *h,
    const struct ctx_redact_hit *hit, struct ctx_str raw, struct ctx_buf *out,
    struct ctx_err *err)
{
	struct ctx_keep keep = { .kind = CTX_KEEP_SECRET };
	char word[CTX_REDACT_PLACEHOLDER];
	struct ctx_str text = { h->plain->data + hit->off,
		(uint32_t)hit->len };
	int number = is_number(s, h, hit);

	if (number == -1)
		return ctx_fail_nomem(err);
	ctx_redact_placeholder(s->o->redact, h->plain->data, hit, word);
	if (s->o->keep_secrets) {
		if (mark_spelling(s, raw, text, number, word) == -1)
			return ctx_fail_nomem(err);
		snprintf(keep.name, sizeof(keep.name), number ? CTX_LEAN_QUOTE
		    "%s" CTX_LEAN_QUOTE : "%s", word);
		if (ctx_plan_keep(s->plan, &keep, raw.p, raw.len, err) == -1)
			return -1;
	}
	ctx_buf_adds(out, number ? CTX_LEAN_QUOTE : "");
	if (!is_data(h, hit))
		ctx_buf_adds(out, word);
	else if (ctx_base64_encode(out, word, strlen(word)) == -1)
		return ctx_fail_nomem(err);
	ctx_buf_adds(out, number ? CTX_LEAN_QUOTE : "");
	return ctx_buf_fail(out, err);
}

int
ctx_lean_put_hits(const struct ctx_lean_step *s, struct ctx_lean_hits *h,
    struct ctx_buf *out, struct ctx_err *err)
{
	const char *p = h->v.p, *end = h->v.p + h->v.len;
	const struct ctx_redact_hit *hit;
	size_t at = 0, i, n;

	for (i = 0; i < h->n; i++) {
		hit = &h->hit[i];
		n = ctx_str_spelling(p, (size_t)(end - p), hit->off - at);
		ctx_buf_add(out, p, n);
		p += n;
		n = ctx_str_spelling(p, (size_t)(end - p), hit->len);
		if (put_hit(s, h, hit, (struct ctx_str){ p, (uint32_t)n },
		    out, err) == -1)
			return -1;
		p += n;
		at = hit->off + hit->len;
	}
	ctx_buf_add(out, p, (size_t)(end - p));
	return ctx_buf_fail(out, err);
}

/*
 * Find the secrets of a string, whose text goes to h->plain; key may be
 * CTX_NONE.
 */
static int
find_hits(const struct ctx_lean_step *s, struct ctx_lean_hits *h,
    const struct ctx_doc *doc, uint32_t key, struct ctx_err *err)
{
	struct ctx_buf *text = &s->l->plain, *name = &s->l->scrub;
	struct ctx_redact_value v = { 0 };
	struct ctx_str k;

	ctx_buf_reset(text);
	ctx_buf_reset(name);
	ctx_str_decode(text, h->v.p, h->v.len);
	if (key != CTX_NONE) {
		k = ctx_node_str(doc, key);
		ctx_str_decode(name, k.p, k.len);
		v.name = name->len > 0 ? name->data : "";
		v.namelen = name->len;
	}
	if (ctx_buf_fail(text, err) == -1 || ctx_buf_fail(name, err) == -1)
		return -1;
	h->plain = text;
	v.text = text->len > 0 ? text->data : "";
	v.len = text->len;
	if (ctx_redact_find_value(s->o->redact, &v, &h->hit, &h->n, err) == -1)
		return -1;
	return ctx_redact_follow(s->o->redact, &v, &s->l->block, &h->hit,
	    &h->n) == -1 ? ctx_fail_nomem(err) : 0;
}

/* Plan that node, which is text of part or of none, becomes what is in json. */
static int
plan_string(const struct ctx_lean_step *s, uint32_t r, uint32_t node,
    uint32_t part, const struct ctx_buf *json, struct ctx_err *err)
{
	struct ctx_doc doc = ctx_convo_doc(s->c, r);

	if (part == CTX_NONE || !(s->c->part[part].flags & CTX_SIGNED))
		return keep_redacted(s, r, node, json, err);
	/* signed thinking cannot be altered: it is dropped, or stays */
	if (s->o->secret != NULL)
		return 0;
	ctx_plan_drop_part(s->plan, part);
	return ctx_lean_tell(s, "redact", part, ctx_node_str(&doc, node),
	    (struct ctx_str){ NULL, 0 }, err);
}

/*
 * Redact one string.  A value is searched together with its key, since a
 * password is recognized by its name; only matches in the value count.
 */
static int
redact_string(const struct ctx_lean_step *s, uint32_t r, uint32_t node,
    uint32_t key, uint32_t part, struct ctx_err *err)
{
	struct ctx_doc doc = ctx_convo_doc(s->c, r);
	struct ctx_buf *out = &s->l->scrub;
	struct ctx_lean_hits h = { .v = ctx_node_str(&doc, node) };
	struct ctx_respelled spelled = { 0 };
	struct ctx_media m = { 0 };
	size_t i;
	int rc;

	if (find_hits(s, &h, &doc, key, err) == -1) {
		err->line = s->c->rec[r].line;
		return -1;
	}
	for (i = 0; i < h.n; i++)
		if (find_secret(s, r, part, node, &h.hit[i], err) == -1)
			return -1;
	if (h.n == 0 || s->o->only_find)
		return 0;
	ctx_buf_reset(out);
	if (is_media(s->c, part) && ctx_media_find(s->c, part, &m, &spelled) ==
	    -1)
		rc = ctx_fail_nomem(err);
	else {
		h.data = m.data;
		rc = ctx_lean_put_hits(s, &h, out, err);
	}
	ctx_respelled_done(&spelled);
	return rc == -1 ? -1 : plan_string(s, r, node, part, out, err);
}

/* May the string at node, with its key unless CTX_NONE, have a secret? */
static int
is_suspect(const struct ctx_lean_step *s, const struct ctx_doc *doc,
    uint32_t node, uint32_t key)
{
	/* it is the raw pair with its quotes that looks suspicious */
	return s->l->block.left > 0 || ctx_redact_suspect_in(s->o->redact, doc->raw,
	    doc->node[key != CTX_NONE ? key : node].off,
	    (size_t)doc->node[node].off + doc->node[node].len);
}

/* Redact all strings of a record, whether or not they belong to a message. */
static int
redact_record(const struct ctx_lean_step *s, uint32_t r, struct ctx_err *err)
{
	const struct ctx_rec *rec = &s->c->rec[r];
	struct ctx_doc doc = ctx_convo_doc(s->c, r);
	uint32_t m = rec->msg, i, end, key, part;
	int rc;

	if (rec->root == CTX_NONE)
		return 0;
	rc = ctx_redact_scan(s->o->redact, rec->raw, rec->len);
	if (rc == 0 && s->l->block.left == 0)
		return 0;
	if (rc == -1 || mark_keys(s->l, &doc, rec->root) == -1 ||
	    mark_owners(s, r) == -1)
		return ctx_fail_nomem(err);
	end = doc.node[rec->root].next;
	for (i = rec->root; i < end; i++) {
		part = s->l->owner[i - rec->root];
		if (ctx_node_type(&doc, i) != '"' || part == NOT_TEXT)
			continue;
		if (part != CTX_NONE && s->c->part[part].msg != m) {
			m = s->c->part[part].msg;
			ctx_pem_message(&s->l->block);
		}
		key = i > rec->root && s->l->is_key[i - 1 - rec->root] ?
		    i - 1 : CTX_NONE;
		if (is_suspect(s, &doc, i, key) && redact_string(s, r, i,
		    key, part, err) == -1)
			return -1;
	}
	ctx_pem_message(&s->l->block);
	return 0;
}

/*
 * Find the value of the placeholder word in from .. end, which becomes larger
 * by its quotes if they are there instead of a number.
 */
static int
find_value(const struct ctx_lean_step *s, const char *from, const char *end,
    struct ctx_str *word, struct ctx_str *value)
{
	const size_t n = sizeof(CTX_LEAN_QUOTE) - 1;
	struct ctx_str quoted = { word->p - n, word->len + 2 * (uint32_t)n };

	if ((size_t)(word->p - from) >= n &&
	    (size_t)(end - word->p) >= word->len + n &&
	    memcmp(quoted.p, CTX_LEAN_QUOTE, n) == 0 &&
	    memcmp(word->p + word->len, CTX_LEAN_QUOTE, n) == 0 &&
	    s->o->secret(s->o->secret_arg, quoted, value)) {
		*word = quoted;
		return 1;
	}
	return s->o->secret(s->o->secret_arg, *word, value);
}

/*
 * Append v to out with values for the placeholders in it that are known.
 * Returns their number.
 */
static size_t
put_values(const struct ctx_lean_step *s, struct ctx_str v, struct ctx_buf *out)
{
	const char *p = v.p, *end = v.p + v.len, *from = p;
	struct ctx_str word, value;
	size_t n = 0;

	while ((p = memchr(p, CTX_REDACT_HEAD[0], (size_t)(end - p))) != NULL) {
		word.p = p++;
		word.len = (uint32_t)ctx_redact_at(word.p,
		    (size_t)(end - word.p));
		if (word.len == 0 || !find_value(s, from, end, &word, &value))
			continue;
		ctx_buf_add(out, from, (size_t)(word.p - from));
		ctx_buf_add(out, value.p, value.len);
		from = p = word.p + word.len;
		n++;
	}
	ctx_buf_add(out, from, (size_t)(end - from));
	return n;
}

/* The same for the data of an image or a file, which is a placeholder's. */
static size_t
put_data(const struct ctx_lean_step *s, struct ctx_str v, struct ctx_buf *out)
{
	const size_t n = sizeof(DATA_URL) - 1;
	const char *p = memmem(v.p, v.len, DATA_URL, n);
	size_t from = p != NULL ? (size_t)(p - v.p) + n : 0;
	struct ctx_buf *word = &s->l->plain;
	struct ctx_str value;

	ctx_buf_reset(word);
	if (ctx_base64_decode(word, v.p + from, v.len - from) == -1) {
		out->failed |= word->failed;
		return 0;
	}
	if (word->len == 0 || ctx_redact_at(word->data, word->len) !=
	    word->len || !s->o->secret(s->o->secret_arg, ctx_str_of(word),
	    &value))
		return 0;
	ctx_buf_add(out, v.p, from);
	ctx_buf_add(out, value.p, value.len);
	return 1;
}

/* Put the secrets of a record back. */
static int
restore_record(const struct ctx_lean_step *s, uint32_t r, struct ctx_err *err)
{
	const struct ctx_rec *rec = &s->c->rec[r];
	struct ctx_doc doc = ctx_convo_doc(s->c, r);
	struct ctx_buf *out = &s->l->scrub;
	uint32_t i, owner;
	size_t n;

	if (rec->root == CTX_NONE || (memmem(rec->raw, rec->len,
	    CTX_REDACT_HEAD, strlen(CTX_REDACT_HEAD)) == NULL &&
	    memmem(rec->raw, rec->len, HEAD_BASE64, strlen(HEAD_BASE64)) ==
	    NULL))
		return 0;
	if (mark_owners(s, r) == -1)
		return ctx_fail_nomem(err);
	for (i = rec->root; i < doc.node[rec->root].next; i++) {
		owner = s->l->owner[i - rec->root];
		if (ctx_node_type(&doc, i) != '"' || owner == NOT_TEXT)
			continue;
		ctx_buf_reset(out);
		n = is_media(s->c, owner) ? put_data(s, ctx_node_str(&doc, i),
		    out) : 0;
		if (n == 0)
			n = put_values(s, ctx_node_str(&doc, i), out);
		if (ctx_buf_fail(out, err) == -1 || (n > 0 &&
		    plan_string(s, r, i, owner, out, err) == -1))
			return -1;
	}
	return 0;
}

int
ctx_lean_secrets(const struct ctx_lean_step *s, struct ctx_err *err)
{
	uint32_t r;
	int rc = 0;

	s->l->nredacted = s->l->nwritten = 0;
	s->l->block = (struct ctx_pem_block){ .left = s->seen->block };
	ctx_buf_reset(&s->l->secrets);
	for (r = 0; rc == 0 && r < s->c->nrec; r++)
		if (s->o->redact != NULL)
			rc = redact_record(s, r, err);
		else if (s->o->secret != NULL && !s->o->only_find)
			rc = restore_record(s, r, err);
	return rc;
}

/* The number of the first redacted string at or after node. */
static size_t
redacted_from(const struct ctx_lean_step *s, uint32_t node)
{
	const struct ctx_rewrite *w = s->l->redacted;
	size_t lo = 0, hi = s->l->nredacted, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (w[mid].node < node)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static struct ctx_str
redacted_text(const struct ctx_lean_step *s, size_t i)
{
	const struct ctx_rewrite *w = &s->l->redacted[i];

	return (struct ctx_str){ s->l->secrets.data + w->off,
	    (uint32_t)w->len };
}

int
ctx_lean_redacted(const struct ctx_lean_step *s, uint32_t node,
    struct ctx_str *text)
{
	size_t i = redacted_from(s, node);

	if (i == s->l->nredacted || s->l->redacted[i].node != node)
		return 0;
	*text = redacted_text(s, i);
	return 1;
}

void
ctx_lean_redacted_done(const struct ctx_lean_step *s, uint32_t node)
{
	s->l->redacted[redacted_from(s, node)].whole = 1;
}

uint64_t
ctx_lean_redacted_chars(const struct ctx_lean_step *s, uint32_t r,
    uint32_t node, uint64_t chars)
{
	struct ctx_doc doc = ctx_convo_doc(s->c, r);
	size_t i = redacted_from(s, node);
	struct ctx_str is, was;

	for (; i < s->l->nredacted &&
	    s->l->redacted[i].node < doc.node[node].next; i++) {
		is = redacted_text(s, i);
		was = ctx_node_str(&doc, s->l->redacted[i].node);
		chars += ctx_str_chars(is.p, is.len);
		chars -= ctx_str_chars(was.p, was.len);
	}
	return chars;
}

int
ctx_lean_redacted_value(const struct ctx_lean_step *s, uint32_t p,
    struct ctx_buf *out)
{
	const struct ctx_part *part = &s->c->part[p];
	struct ctx_doc doc = ctx_convo_doc(s->c, s->c->msg[part->msg].rec);
	const struct ctx_rewrite *w = s->l->redacted;
	size_t i = redacted_from(s, part->text);
	struct ctx_str value = ctx_part_text(s->c, p), is, was;
	const char *at = value.p;

	for (; i < s->l->nredacted && w[i].node < doc.node[part->text].next;
	    i++) {
		is = redacted_text(s, i);
		was = ctx_node_str(&doc, w[i].node);
		ctx_buf_add(out, at, (size_t)(was.p - at));
		ctx_buf_add(out, is.p, is.len);
		at = was.p + was.len;
	}
	return ctx_buf_add(out, at, (size_t)(value.p + value.len - at));
}

int
ctx_lean_write_redacted(struct ctx_lean_step *s, uint32_t r,
    struct ctx_err *err)
{
	struct ctx_doc doc = ctx_convo_doc(s->c, r);
	struct ctx_change change = { .rule = ctx_lean_secret_rule(s->o),
	    .rec = r, .msg = CTX_NONE };
	const struct ctx_rewrite *w;
	struct ctx_str after;
	size_t *i = &s->l->nwritten;

	for (; *i < s->l->nredacted && s->l->redacted[*i].rec == r; ++*i) {
		w = &s->l->redacted[*i];
		if (w->whole)
			continue;
		after = redacted_text(s, *i);
		change.before = ctx_node_str(&doc, w->node);
		if ((s->o->tell && ctx_plan_tell(s->plan, &change, after,
		    err) == -1) || ctx_plan_rewrite(s->plan, r, w->node, 0,
		    after, err) == -1)
			return -1;
	}
	return 0;
}
