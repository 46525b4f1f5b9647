/* SPDX-License-Identifier: MIT */
/* Lines of JSON as flat lists of nodes; see span.h.  The scan is in scan*. */
#include "read/span.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "read/span_scan.h"

static int
fail_at(struct ctx_err *err, size_t off, const char *text)
{
	if (err != NULL && err->code == CTX_OK)
		err->col = off + 1;
	return ctx_fail(err, CTX_EINPUT, "%s", text);
}

static int
fail_unexpected(const struct ctx_scan *s, struct ctx_err *err)
{
	const char *p = s->raw + s->bad;
	size_t step = ctx_utf8_step(p, s->len - s->bad, NULL);
	char text[64], quoted[32];

	ctx_err_quote(quoted, sizeof(quoted), p, step > 0 ? step : 1);
	snprintf(text, sizeof(text), "not JSON: unexpected '%s'", quoted);
	return fail_at(err, s->bad, text);
}

/*
 * Could p[0 .. len) be the beginning of one valid character?  Of the two
 * fillers, one fits any lead byte.
 */
static int
is_cut(const char *p, size_t len)
{
	char lo[4] = { '\x80', '\x80', '\x80', '\x80' };
	char hi[4] = { '\xbf', '\xbf', '\xbf', '\xbf' };

	if (len >= sizeof(lo))
		return 0;
	memcpy(lo, p, len);
	memcpy(hi, p, len);
	return ctx_utf8_step(lo, sizeof(lo), NULL) > len ||
	    ctx_utf8_step(hi, sizeof(hi), NULL) > len;
}

/* Report the first error in the line, whether of grammar or of UTF-8. */
static int
fail_scan(const struct ctx_scan *s, enum ctx_scan_rc rc, struct ctx_err *err)
{
	size_t off;

	if (rc == CTX_SCAN_NOMEM)
		return ctx_fail_nomem(err);
	off = ctx_scan_utf8(s->raw, s->len);
	/* a line cut off inside a character is reported as cut off */
	if (off <= s->bad && off < s->len && (rc != CTX_SCAN_END ||
	    !is_cut(s->raw + off, s->len - off)))
		return fail_at(err, off, "not UTF-8");
	switch (rc) {
	case CTX_SCAN_END:
		return fail_at(err, s->bad, "not JSON: unexpected end");
	case CTX_SCAN_CONTROL:
		return fail_at(err, s->bad,
		    "not JSON: control character in string");
	case CTX_SCAN_ESCAPE:
		return fail_at(err, s->bad, "not JSON: bad escape");
	case CTX_SCAN_DEPTH:
		return fail_at(err, s->bad,
		    "not JSON: nested deeper than 1024");
	case CTX_SCAN_AFTER:
		return fail_at(err, s->bad, "not JSON: text after the value");
	default:
		return fail_unexpected(s, err);
	}
}

int
ctx_doc_scan(struct ctx_doc *doc, const char *raw, size_t len,
    struct ctx_err *err)
{
	char pad[CTX_SCAN_BLOCK] = { 0 };
	struct ctx_scan s = { raw, len, len, doc, 0, 0 };
	enum ctx_scan_rc rc;

	doc->n = 0;
	doc->escapes = 0;
	if (len > CTX_LINE_MAX)
		return ctx_fail(err, CTX_EINPUT, "line is longer than 1 GiB");
	doc->raw = raw;
	doc->len = len;
	/* report a line that is cut off at its end, not at its newline */
	if (s.len > 0 && raw[s.len - 1] == '\n')
		s.len--;
	if (s.len > 0 && raw[s.len - 1] == '\r')
		s.len--;
	s.room = s.len;
	if (s.len < CTX_SCAN_BLOCK) {
		if (s.len > 0)
			memcpy(pad, raw, s.len);
		s.raw = pad;
		s.room = CTX_SCAN_BLOCK;
	}
	rc = ctx_scan_current()->doc(&s);
	if (rc != CTX_SCAN_OK)
		return fail_scan(&s, rc, err);
	if (s.high && !ctx_scan_current()->utf8(s.raw, s.len)) {
		doc->n = 0;
		return fail_at(err, ctx_utf8_check(s.raw, s.len), "not UTF-8");
	}
	return 0;
}

int
ctx_doc_try(struct ctx_doc *doc, const char *raw, size_t len)
{
	struct ctx_err err = { 0 };

	if (ctx_doc_scan(doc, raw, len, &err) == 0)
		return 1;
	return err.code == CTX_ENOMEM ? -1 : 0;
}

void
ctx_doc_done(struct ctx_doc *doc)
{
	free(doc->node);
	memset(doc, 0, sizeof(*doc));
}

int
ctx_doc_key_is(const struct ctx_doc *doc, uint32_t k, const char *key,
    size_t keylen)
{
	const char *s = doc->raw + doc->node[k].off + 1;
	size_t len = doc->node[k].len - 2, same;

	/* a spelling is never shorter than its text */
	if (len < keylen)
		return 0;
	same = ctx_str_agrees(s, len, key, keylen);
	return same == len ||
	    (s[same] == '\\' && ctx_str_spells(s, len, key, keylen));
}

uint32_t
ctx_doc_get(const struct ctx_doc *doc, uint32_t obj, const char *key,
    size_t keylen)
{
	const struct ctx_node *node = doc->node;
	uint32_t k, found = CTX_NONE;
	size_t len;
	const char *s;

	if (ctx_node_type(doc, obj) != '{')
		return CTX_NONE;
	for (k = obj + 1; k < node[obj].next; k = node[k + 1].next) {
		s = doc->raw + node[k].off + 1;
		len = node[k].len - 2;
		/* most keys are shorter or begin with another letter */
		if (len >= keylen && (keylen == 0 || *s == *key ||
		    *s == '\\') && ctx_doc_key_is(doc, k, key, keylen))
			found = k + 1;
	}
	return found;
}
