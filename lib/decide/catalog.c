/* SPDX-License-Identifier: MIT */
#include "decide/catalog.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

static uint64_t
number(const struct ctx_doc *doc, const char *key)
{
	struct ctx_str s = ctx_node_json(doc, CTX_GIVEN(doc, 0, key));
	uint64_t n = 0;
	uint32_t i;

	for (i = 0; i < s.len && i < 15 && s.p[i] >= '0' && s.p[i] <= '9'; i++)
		n = n * 10 + (uint64_t)(s.p[i] - '0');
	return n;
}

/* Decode member key of the row into a string of its own, or NULL. */
static char *
text(const struct ctx_doc *doc, const char *key, int *failed)
{
	struct ctx_buf b = { 0 };
	uint32_t v = CTX_GET(doc, 0, key);

	if (ctx_node_if(doc, v, '"') == CTX_NONE)
		return NULL;
	if (ctx_node_decode(&b, doc, v) == -1 || ctx_buf_str(&b) == NULL) {
		*failed = 1;
		ctx_buf_done(&b);
		return NULL;
	}
	return b.data;
}

static void
free_known(struct ctx_catalog_file *v)
{
	if (v == NULL)
		return;
	free(v->language);
	free(v->digest);
	free(v);
}

static struct ctx_catalog_file *
known_of(const struct ctx_doc *doc, int code)
{
	struct ctx_catalog_file *v = calloc(1, sizeof(*v));
	int failed = v == NULL;

	if (failed)
		return NULL;
	if (code)
		v->language = text(doc, "language", &failed);
	else
		v->digest = text(doc, "digest", &failed);
	v->text = code || CTX_GIVEN(doc, 0, "line_count") != CTX_NONE;
	v->lines = number(doc, "line_count");
	v->chars = number(doc, "char_count");
	v->bytes = number(doc, "size");
	if (failed) {
		free_known(v);
		return NULL;
	}
	return v;
}

/* Put version v under the string in node i.  Returns 0, or -1. */
static int
put(struct ctx_catalog *c, uint32_t i, struct ctx_catalog_file *v)
{
	struct ctx_buf id = { 0 };
	size_t k = CTX_STRMAP_FULL;

	if (ctx_node_decode(&id, &c->doc, i) == 0)
		k = ctx_strmap_add(&c->ids, id.data, id.len);
	ctx_buf_done(&id);
	if (k == CTX_STRMAP_FULL ||
	    (k == c->n && CTX_ROOM(c->first, c->n, &c->cap) == -1))
		return -1;
	if (k == c->n)
		c->first[c->n++] = NULL;
	v->next = c->first[k];
	c->first[k] = v;
	return 0;
}

int
ctx_catalog_add(struct ctx_catalog *c, const char *row, size_t len,
    struct ctx_err *err)
{
	static const char *const keys[] = { "code_id", "file_id", "path" };
	struct ctx_catalog_file *v;
	uint32_t id;
	int i, found = 0;

	if (ctx_doc_scan(&c->doc, row, len, err) == -1)
		return -1;
	for (i = 0; i < 3; i++) {
		id = ctx_node_type(&c->doc, 0) == '{' ?
		    CTX_GET(&c->doc, 0, keys[i]) : CTX_NONE;
		if (ctx_node_if(&c->doc, id, '"') == CTX_NONE ||
		    (i == 2 && !found))
			continue;
		found = 1;
		v = known_of(&c->doc, i == 0);
		if (v == NULL || put(c, id, v) == -1) {
			free_known(v);
			return ctx_fail_nomem(err);
		}
	}
	return found ? 0 : ctx_fail(err, CTX_EINPUT, "no code_id and no "
	    "file_id; expected the rows of ctx-store code list or upload list");
}

const struct ctx_catalog_file *
ctx_catalog_find(const struct ctx_catalog *c, const char *id, size_t len)
{
	size_t k = ctx_strmap_find(&c->ids, id, len);

	return k == CTX_STRMAP_FULL ? NULL : c->first[k];
}

int
ctx_catalog_same(const struct ctx_catalog_file *v, const char *p, size_t len)
{
	uint64_t cut = len > 0 && p[len - 1] != '\n', n = len;
	uint64_t want = v->bytes, lines = cut;
	size_t i;

	for (i = 0; i < len; i++)
		lines += p[i] == '\n';
	if (v->lines > 0 && lines != v->lines)
		return 0;
	if (v->chars > 0) {
		want = v->chars;
		n = ctx_utf8_count(p, len);
	}
	return want > 0 && (n == want || n + cut == want);
}

void
ctx_catalog_done(struct ctx_catalog *c)
{
	struct ctx_catalog_file *v, *next;
	size_t i;

	for (i = 0; i < c->n; i++)
		for (v = c->first[i]; v != NULL; v = next) {
			next = v->next;
			free_known(v);
		}
	free(c->first);
	ctx_strmap_done(&c->ids);
	ctx_doc_done(&c->doc);
	memset(c, 0, sizeof(*c));
}
