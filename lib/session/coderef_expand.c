/* SPDX-License-Identifier: MIT */
/* Replace references with code; see coderef.h. */
#include "session/coderef_walk.h"

#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/strmap.h"
#include "decide/code.h"

#define REF_OPEN	"<code_ref>"
#define REF_CLOSE	"</code_ref>"

/* The file that a reference refers to. */
struct kept {
	int found;
	struct ctx_buf lang, data;
};

struct expand {
	struct ctx_coderef_walk walk;	/* first */
	struct ctx_strmap ids;		/* as they are written in references */
	struct kept *kept;		/* by index in ids */
	size_t nkept, capkept;
	struct ctx_buf block, raw;
};

static int
has_ref(const char *p, size_t len)
{
	return memmem(p, len, REF_OPEN, sizeof(REF_OPEN) - 1) != NULL;
}

static int
keep(const struct ctx_file *f, void *arg, struct ctx_err *err)
{
	struct kept *k = arg;

	k->found = 1;
	ctx_buf_adds(&k->lang, f->lang != NULL ? f->lang : "");
	ctx_buf_add(&k->data, f->data, f->len);
	return ctx_buf_str(&k->lang) == NULL ? ctx_fail_nomem(err) :
	    ctx_buf_fail(&k->data, err);
}

/* Parse ID or ID@VERSION, cutting the word.  Returns 0 if it is neither. */
static int
parse_ref(char *word, int64_t *version)
{
	char *at = strchr(word, '@');
	uint64_t n;

	*version = 0;
	if (at != NULL) {
		*at = '\0';
		if (ctx_num_parse(at + 1, &n, NULL) == -1 || n == 0 ||
		    n > INT64_MAX)
			return 0;
		*version = (int64_t)n;
	}
	return ctx_file_name_ok(word);
}

/* Look up an id that was not looked up before. */
static int
look_up(struct expand *x, struct ctx_str id, struct kept *k,
    struct ctx_err *err)
{
	const struct ctx_coderef_opts *o = &x->walk.opts;
	struct ctx_buf word = { 0 };
	struct ctx_err why = { 0 };
	struct ctx_file_key key = { .kind = "code" };
	int rc = 0;

	ctx_buf_add(&word, id.p, id.len);
	if ((key.name = ctx_buf_str(&word)) == NULL)
		return ctx_fail_nomem(err);
	if (parse_ref(word.data, &key.version))
		rc = ctx_file_get(o->st, &o->where, &key, keep, k, &why);
	ctx_buf_done(&word);
	if (rc == -1 && why.code != CTX_ENO) {
		*err = why;
		return -1;
	}
	return k->found ? 0 : ctx_coderef_walk_tell(&x->walk,
	    CTX_CODEREF_MISSING, id, err);
}

/* Returns NULL with *err clear if there is none, which has been reported. */
static const struct kept *
find(struct expand *x, struct ctx_str id, struct ctx_err *err)
{
	size_t n = ctx_strmap_add(&x->ids, id.p, id.len);

	if (n == CTX_STRMAP_FULL || (n == x->nkept &&
	    CTX_ROOM(x->kept, n, &x->capkept) == -1)) {
		ctx_fail_nomem(err);
		return NULL;
	}
	if (n == x->nkept) {
		x->kept[x->nkept++] = (struct kept){ 0 };
		if (look_up(x, id, &x->kept[n], err) == -1)
			return NULL;
	}
	return x->kept[n].found ? &x->kept[n] : NULL;
}

/*
 * The white space between the start of the line and p[i]; SIZE_MAX if there is
 * other text.
 */
static size_t
indent_of(const char *p, size_t i)
{
	size_t n = 0;

	while (n < i && (p[i - n - 1] == ' ' || p[i - n - 1] == '\t'))
		n++;
	return n == i || p[i - n - 1] == '\n' ? n : SIZE_MAX;
}

static int
ends_line(const char *p, size_t len, size_t i)
{
	while (i < len && (p[i] == ' ' || p[i] == '\t' || p[i] == '\r'))
		i++;
	return i == len || p[i] == '\n';
}

/*
 * Check the limit on a line, however many references it has and however long
 * they are.
 */
static int
count(struct expand *x, const struct ctx_buf *code, struct ctx_err *err)
{
	x->walk.count++;
	x->walk.size += code->len;
	if (ctx_buf_fail(code, err) == -1)
		return -1;
	return x->walk.size <= CTX_LINE_MAX ? 0 : ctx_fail(err, CTX_EINPUT,
	    "with its code the line would be longer than %u bytes",
	    CTX_LINE_MAX);
}

/* Replace the reference with a block on lines of its own. */
static int
put_block(struct expand *x, struct ctx_str text, const struct ctx_code_ref *r,
    const struct kept *k, struct ctx_patch *patch, struct ctx_err *err)
{
	size_t indent = indent_of(text.p, r->from);

	ctx_buf_reset(&x->block);
	if (indent == SIZE_MAX) {
		ctx_buf_addc(&x->block, '\n');
		indent = 0;
	}
	ctx_code_fence_put(&x->block, text.p + r->from - indent, indent,
	    k->lang.data, k->data.data, k->data.len);
	if (!ends_line(text.p, text.len, r->to))
		ctx_buf_addc(&x->block, '\n');
	if (count(x, &x->block, err) == -1)
		return -1;
	return ctx_patch_add(patch, r->from, r->to - r->from, x->block.data,
	    x->block.len, err);
}

/* Replace references in text from .. to. */
static int
expand_range(struct expand *x, struct ctx_str text, size_t from, size_t to,
    struct ctx_patch *patch, struct ctx_err *err)
{
	struct ctx_code_ref r;
	const struct kept *k;

	while (ctx_code_ref_next(text.p, to, &from, &r)) {
		k = find(x, (struct ctx_str){ text.p + r.id,
		    (uint32_t)r.idlen }, err);
		if (err->code != CTX_OK || (k != NULL && put_block(x, text,
		    &r, k, patch, err) == -1))
			return -1;
	}
	return 0;
}

/*
 * If the whole string is a reference, replace it with the code, as a string,
 * and return 1.  Returns 0 if it is not, or refers to nothing; or -1.
 */
static int
expand_whole(struct expand *x, const struct ctx_doc *doc, uint32_t node,
    struct ctx_err *err)
{
	struct ctx_str s = ctx_node_str(doc, node);
	const struct kept *k;

	if (s.p == NULL || !ctx_code_ref_is(s.p, s.len))
		return 0;
	s.p += sizeof(REF_OPEN) - 1;
	s.len -= sizeof(REF_OPEN REF_CLOSE) - 1;
	if ((k = find(x, s, err)) == NULL)
		return err->code == CTX_OK ? 0 : -1;
	ctx_buf_reset(&x->raw);
	ctx_str_encode(&x->raw, k->data.data, k->data.len);
	if (count(x, &x->raw, err) == -1)
		return -1;
	return ctx_coderef_walk_put(&x->walk, doc, node, ctx_str_of(&x->raw),
	    err) == -1 ? -1 : 1;
}

/* Replace references in a JSON string inside a text. */
static int
expand_string(struct expand *x, uint32_t node, struct ctx_err *err)
{
	struct ctx_str s = ctx_node_str(&x->walk.inner, node);
	struct ctx_buf text = { 0 }, raw = { 0 };
	struct ctx_patch inner = { 0 };
	int rc = 0;

	if (s.p == NULL || !has_ref(s.p, s.len))
		return 0;
	if (ctx_str_decode(&text, s.p, s.len) == -1)
		rc = ctx_fail_nomem(err);
	if (rc == 0)
		rc = expand_range(x, ctx_str_of(&text), 0, text.len, &inner,
		    err);
	if (rc == 0 && inner.n > 0) {
		rc = ctx_retext_apply(&inner, s.p, s.len, &raw, err);
		if (rc == 0)
			rc = ctx_coderef_walk_put(&x->walk, &x->walk.inner,
			    node, ctx_str_of(&raw), err);
	}
	ctx_patch_done(&inner);
	ctx_buf_done(&text);
	ctx_buf_done(&raw);
	return rc;
}

/*
 * Handle a string that is member key of an object, or an element of a list
 * (CTX_NONE).
 */
static int
one_value(struct expand *x, uint32_t key, uint32_t node, struct ctx_err *err)
{
	const struct ctx_doc *doc = &x->walk.inner;
	int rc = 0;

	if (ctx_node_type(doc, node) != '"')
		return 0;
	/* where code is expected, no fence is added */
	if (key != CTX_NONE && ctx_doc_key_is(doc, key, "code", 4))
		rc = expand_whole(x, doc, node, err);
	return rc == 0 ? expand_string(x, node, err) : rc == 1 ? 0 : -1;
}

/*
 * Handle JSON inside a text.  Returns 1 if it is an object and was handled, 0,
 * or -1.
 */
static int
expand_json(struct expand *x, const char *p, size_t len,
    struct ctx_patch *patch, struct ctx_err *err)
{
	const struct ctx_doc *doc = &x->walk.inner;
	uint32_t i, k;
	int rc;

	if ((rc = ctx_coderef_walk_object(&x->walk, p, len, patch, err)) != 1)
		return rc;
	for (i = 0; i < doc->n; i++) {
		CTX_FOR_KEYS(doc, k, i)
			if (one_value(x, k, k + 1, err) == -1)
				return -1;
		CTX_FOR_LIST(doc, k, i)
			if (one_value(x, CTX_NONE, k, err) == -1)
				return -1;
	}
	return 1;
}

/* Handle a text: what is already in fences stays, but JSON is searched. */
static int
words(const char *p, size_t len, struct ctx_patch *patch, void *arg,
    struct ctx_err *err)
{
	struct ctx_str text = { p, (uint32_t)len };
	struct expand *x = arg;
	struct ctx_code_fence f;
	size_t pos = 0, from = 0;
	int rc;

	if (!has_ref(p, len))
		return 0;
	if ((rc = expand_json(x, p, len, patch, err)) != 0)
		return rc == 1 ? 0 : -1;
	while (ctx_code_fence_next(p, len, &pos, &f)) {
		if (expand_range(x, text, from, f.from, patch, err) == -1)
			return -1;
		if (!f.open && f.indent == 0 && expand_json(x, p + f.code,
		    f.codelen, patch, err) == -1)
			return -1;
		from = pos;
	}
	return expand_range(x, text, from, len, patch, err);
}

static int
one_block(const struct ctx_doc *doc, uint32_t block, uint32_t code,
    void *arg, struct ctx_err *err)
{
	(void)block;
	return expand_whole(arg, doc, code, err) == -1 ? -1 : 0;
}

/*
 * The arguments of a call are meant for a program: a fence in one of their
 * texts, a path or a command, would change its meaning.
 */
static int
arguments(const char *p, size_t len, struct ctx_patch *patch, void *arg,
    struct ctx_err *err)
{
	struct ctx_coderef_walk *w = arg;
	int rc;

	if (!has_ref(p, len))
		return 0;
	if ((rc = ctx_coderef_walk_object(w, p, len, patch, err)) != 1)
		return rc;
	return ctx_coderef_walk_blocks(w, &w->inner, 0, w->inner.n, err);
}

static int
turn(const struct ctx_turn *t, void *job, struct ctx_err *err)
{
	return ctx_coderef_walk(job, t->convo, err) == -1 ? -1 :
	    ctx_coderef_walk_give(job, t->convo, err);
}

static void
done(struct ctx_job *j)
{
	struct expand *x = (struct expand *)j;
	size_t i;

	for (i = 0; i < x->nkept; i++) {
		ctx_buf_done(&x->kept[i].lang);
		ctx_buf_done(&x->kept[i].data);
	}
	free(x->kept);
	ctx_coderef_walk_done(&x->walk);
	ctx_strmap_done(&x->ids);
	ctx_buf_done(&x->block);
	ctx_buf_done(&x->raw);
}

struct ctx_job *
ctx_coderef_expand_new(const struct ctx_coderef_opts *opts,
    struct ctx_err *err)
{
	static const struct ctx_job_kind kind = { .turn = turn, .done = done };
	struct expand *x = calloc(1, sizeof(*x));

	if (x == NULL) {
		ctx_fail_nomem(err);
		return NULL;
	}
	ctx_job_init(&x->walk.job, &kind);
	x->walk.opts = *opts;
	x->walk.text = words;
	x->walk.arguments = arguments;
	x->walk.block = one_block;
	return &x->walk.job;
}
