/* SPDX-License-Identifier: MIT */
/* ctx-store code expand: the code instead of references to it. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/strmap.h"
#include "decide/code.h"
#include "cmd/store/code.h"
#include "cmd/store/texts.h"

/* What a reference refers to. */
struct kept {
	int found;
	struct ctx_buf lang, data;
};

struct expand {
	struct store *s;
	struct cli_stream stream;
	struct store_texts texts;
	struct ctx_strmap ids;		/* as they stand in references */
	struct kept *kept;		/* by number in ids */
	size_t nkept, capkept;
	struct ctx_buf block, raw;
	struct ctx_doc doc, inner;
	struct ctx_patch *patch;	/* of the arguments in hand; NULL: a
					   message's own blocks */
	uint32_t rec;			/* of the line in hand */
	size_t size;			/* bytes of code in it */
	uint64_t count;
};

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

/* ID or ID@VERSION: cuts the word.  0: it is neither. */
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

/* Look up what was not asked for before. */
static int
look_up(struct expand *x, const char *id, size_t len, struct kept *k,
    struct ctx_err *err)
{
	struct ctx_buf word = { 0 };
	struct ctx_err why = { 0 };
	struct ctx_file_key key = { .kind = "code" };
	int rc = 0;

	ctx_buf_add(&word, id, len);
	if ((key.name = ctx_buf_str(&word)) == NULL)
		return ctx_fail_nomem(err);
	if (parse_ref(word.data, &key.version))
		rc = ctx_file_get(x->s->st, &x->s->where, &key, keep, k,
		    &why);
	if (rc == -1 && why.code != CTX_ENO)
		*err = why;
	else
		rc = 0;
	if (!k->found && rc == 0)
		cli_error(&x->s->cli, CLI_NO, "%s: no such code '%.*s': left",
		    x->stream.file, (int)len, id);
	ctx_buf_done(&word);
	return rc;
}

/* NULL with *err clear: there is none, which has been said. */
static const struct kept *
find(struct expand *x, const char *id, size_t len, struct ctx_err *err)
{
	struct kept *more;
	size_t n = ctx_strmap_add(&x->ids, id, len);

	if (n == x->nkept) {
		more = ctx_grow(x->kept, n, &x->capkept, sizeof(*more));
		if (more != NULL) {
			x->kept = more;
			memset(&more[n], 0, sizeof(*more));
			x->nkept++;
			if (look_up(x, id, len, &more[n], err) == -1)
				return NULL;
		}
	}
	if (n >= x->nkept) {
		ctx_fail_nomem(err);
		return NULL;
	}
	return x->kept[n].found ? &x->kept[n] : NULL;
}

/* White space between the beginning of the line and p[i]; SIZE_MAX: more. */
static size_t
indent_of(const char *p, size_t from, size_t i)
{
	size_t n = 0;

	while (i - n > from && (p[i - n - 1] == ' ' || p[i - n - 1] == '\t'))
		n++;
	return i - n == from || p[i - n - 1] == '\n' ? n : SIZE_MAX;
}

static int
ends_line(const char *p, size_t len, size_t i)
{
	while (i < len && (p[i] == ' ' || p[i] == '\t' || p[i] == '\r'))
		i++;
	return i == len || p[i] == '\n';
}

/* A line has a limit, however many references to however much it has. */
static int
count(struct expand *x, size_t len, struct ctx_err *err)
{
	x->count++;
	x->size += len;
	return x->size <= CTX_LINE_MAX ? 0 : ctx_fail(err, CTX_EINPUT,
	    "code makes a line of more than %u bytes", CTX_LINE_MAX);
}

/* The reference becomes a block on lines of its own. */
static int
put_block(struct expand *x, struct ctx_str text, const struct ctx_code_ref *r,
    const struct kept *k, struct ctx_patch *patch, struct ctx_err *err)
{
	size_t indent = indent_of(text.p, 0, r->from);

	ctx_buf_reset(&x->block);
	if (indent == SIZE_MAX)
		ctx_buf_addc(&x->block, '\n');
	ctx_code_fence_put(&x->block, indent == SIZE_MAX ? "" :
	    text.p + r->from - indent, indent == SIZE_MAX ? 0 : indent,
	    k->lang.data, k->data.data, k->data.len);
	if (!ends_line(text.p, text.len, r->to))
		ctx_buf_addc(&x->block, '\n');
	if (ctx_buf_fail(&x->block, err) == -1 ||
	    count(x, x->block.len, err) == -1)
		return -1;
	return ctx_patch_add(patch, r->from, r->to - r->from, x->block.data,
	    x->block.len, err);
}

/* References in text from .. to. */
static int
expand_range(struct expand *x, struct ctx_str text, size_t from, size_t to,
    struct ctx_patch *patch, struct ctx_err *err)
{
	struct ctx_code_ref r;
	const struct kept *k;

	while (ctx_code_ref_next(text.p, to, &from, &r)) {
		k = find(x, text.p + r.id, r.idlen, err);
		if (err->code != CTX_OK || (k != NULL && put_block(x, text,
		    &r, k, patch, err) == -1))
			return -1;
	}
	return 0;
}

/* Is the whole string a reference?  NULL: no, or to nothing. */
static const struct kept *
whole_ref(struct expand *x, struct ctx_str s, struct ctx_err *err)
{
	static const size_t open = sizeof("<code_ref>") - 1;
	static const size_t both = sizeof("<code_ref></code_ref>") - 1;

	if (s.p == NULL || !ctx_code_ref_is(s.p, s.len))
		return NULL;
	return find(x, s.p + open, s.len - both, err);
}

/* JSON that stands at base of what patch changes; NULL: the plan does. */
struct json {
	const struct ctx_doc *doc;
	size_t base;
	struct ctx_patch *patch;
};

/* A string of JSON in a text: references in it. */
static int
expand_string(struct expand *x, const struct json *in, uint32_t node,
    struct ctx_err *err)
{
	struct ctx_str s = ctx_node_str(in->doc, node);
	struct ctx_patch inner = { 0 };
	struct ctx_buf text = { 0 }, raw = { 0 };
	int rc = 0;

	if (s.p == NULL || memmem(s.p, s.len, "<code_ref>", 10) == NULL)
		return 0;
	if (ctx_str_decode(&text, s.p, s.len) == -1)
		rc = ctx_fail_nomem(err);
	if (rc == 0)
		rc = expand_range(x, ctx_str_of(&text), 0, text.len, &inner,
		    err);
	if (rc == 0 && inner.n > 0) {
		rc = store_texts_apply(&inner, s.p, s.len, &raw, err);
		if (rc == 0)
			rc = ctx_patch_add(in->patch, in->base +
			    in->doc->node[node].off + 1, s.len, raw.data,
			    raw.len, err);
	}
	ctx_patch_done(&inner);
	ctx_buf_done(&text);
	ctx_buf_done(&raw);
	return rc;
}

/* A text "code" of code_blocks: the code itself, as a string. */
static int
expand_code(struct expand *x, const struct kept *k, const struct json *in,
    uint32_t node, struct ctx_err *err)
{
	const struct ctx_node *n = &in->doc->node[node];

	ctx_buf_reset(&x->raw);
	ctx_str_encode(&x->raw, k->data.data, k->data.len);
	if (ctx_buf_fail(&x->raw, err) == -1 ||
	    count(x, x->raw.len, err) == -1)
		return -1;
	if (in->patch == NULL)
		return ctx_plan_rewrite(&x->texts.plan, x->rec, node, 0,
		    ctx_str_of(&x->raw), err);
	return ctx_patch_add(in->patch, in->base + n->off + 1, n->len - 2,
	    x->raw.data, x->raw.len, err);
}

/* A string that is member key of an object, or in a list (CTX_NONE). */
static int
one_value(struct expand *x, const struct json *in, uint32_t key, uint32_t node,
    struct ctx_err *err)
{
	const struct kept *k = NULL;

	if (ctx_node_type(in->doc, node) != '"')
		return 0;
	/* where code is expected, it is not put in a fence */
	if (key != CTX_NONE && ctx_doc_key_is(in->doc, key, "code", 4))
		k = whole_ref(x, ctx_node_str(in->doc, node), err);
	if (err->code != CTX_OK)
		return -1;
	if (k != NULL)
		return expand_code(x, k, in, node, err);
	return expand_string(x, in, node, err);
}

/* JSON in a text, at base.  1: it is an object, and dealt with; 0; -1. */
static int
expand_json(struct expand *x, const char *p, size_t len, size_t base,
    struct ctx_patch *patch, struct ctx_err *err)
{
	const struct json in = { &x->inner, base, patch };
	const struct ctx_doc *doc = &x->inner;
	uint32_t i, k;
	int rc;

	if ((rc = store_texts_object(&x->inner, p, len, err)) != 1)
		return rc;
	for (i = 0; i < doc->n; i++) {
		if (ctx_node_type(doc, i) == '{')
			for (k = i + 1; k < doc->node[i].next;
			    k = doc->node[k + 1].next)
				if (one_value(x, &in, k, k + 1, err) == -1)
					return -1;
		if (ctx_node_type(doc, i) == '[')
			for (k = i + 1; k < doc->node[i].next;
			    k = doc->node[k].next)
				if (one_value(x, &in, CTX_NONE, k, err) == -1)
					return -1;
	}
	return 1;
}

/* A text: what is in fences already stays, but JSON is looked into. */
static int
words(const char *p, size_t len, struct ctx_patch *patch, void *arg,
    struct ctx_err *err)
{
	struct ctx_str text = { p, (uint32_t)len };
	struct expand *x = arg;
	struct ctx_code_fence f;
	size_t pos = 0, from = 0;
	int rc;

	if (memmem(p, len, "<code_ref>", 10) == NULL)
		return 0;
	if ((rc = expand_json(x, p, len, 0, patch, err)) != 0)
		return rc == 1 ? 0 : -1;
	while (ctx_code_fence_next(p, len, &pos, &f)) {
		if (expand_range(x, text, from, f.from, patch, err) == -1)
			return -1;
		if (!f.open && f.indent == 0 && expand_json(x, p + f.code,
		    f.codelen, f.code, patch, err) == -1)
			return -1;
		from = pos;
	}
	return expand_range(x, text, from, len, patch, err);
}

/*
 * The code of a block: of arguments, a string of JSON in a string that a patch
 * changes, or of the message itself.
 */
static int
one_block(const struct ctx_doc *doc, uint32_t block, uint32_t code,
    void *arg, struct ctx_err *err)
{
	struct expand *x = arg;
	const struct kept *k = whole_ref(x, ctx_node_str(doc, code), err);

	(void)block;
	if (k == NULL)
		return err->code == CTX_OK ? 0 : -1;
	return expand_code(x, k, &(struct json){ doc, 0, x->patch }, code, err);
}

/*
 * The arguments of a call are for a program: a fence in one of their texts, a
 * path, a command, would make it another one.
 */
static int
arguments(const char *p, size_t len, struct ctx_patch *patch, void *arg,
    struct ctx_err *err)
{
	struct expand *x = arg;
	int rc;

	if (memmem(p, len, "<code_ref>", 10) == NULL)
		return 0;
	if ((rc = store_texts_object(&x->inner, p, len, err)) != 1)
		return rc;
	x->patch = patch;
	return store_texts_blocks(&x->inner, 0, x->inner.n, one_block, x, err);
}

static int
one_message(struct expand *x, const struct ctx_convo *c, uint32_t m,
    struct ctx_err *err)
{
	const struct ctx_msg *msg = &c->msg[m];
	uint32_t i;

	if (msg->role == CTX_TOOL)
		return 0;
	if (m == 0 || x->rec != msg->rec)
		x->size = 0;
	x->rec = msg->rec;
	for (i = msg->part; i < msg->part + msg->npart; i++)
		if (!(c->part[i].flags & CTX_INNER) &&
		    (c->part[i].kind == CTX_TEXT ||
		    c->part[i].kind == CTX_CALL) &&
		    store_texts_part(&x->texts, c, i,
		    c->part[i].kind == CTX_TEXT ? words : arguments, x,
		    err) == -1)
			return -1;
	if (msg->role != CTX_ASSISTANT || store_texts_repeats(c, m))
		return 0;
	x->doc = ctx_convo_doc(c, msg->rec);
	x->patch = NULL;
	return store_texts_blocks(&x->doc, msg->node,
	    x->doc.node[msg->node].next, one_block, x, err);
}

static int
turn(const struct ctx_turn *t, void *arg, struct ctx_err *err)
{
	struct expand *x = arg;
	uint32_t m;

	if (ctx_plan_reset(&x->texts.plan, t->convo, err) == -1)
		return -1;
	for (m = 0; m < t->convo->nmsg; m++)
		if (one_message(x, t->convo, m, err) == -1)
			return -1;
	return store_texts_turn(&x->texts, &x->stream, t->convo, err);
}

static void
expand_done(struct expand *x)
{
	size_t i;

	for (i = 0; i < x->nkept; i++) {
		ctx_buf_done(&x->kept[i].lang);
		ctx_buf_done(&x->kept[i].data);
	}
	free(x->kept);
	store_texts_done(&x->texts);
	ctx_strmap_done(&x->ids);
	ctx_buf_done(&x->block);
	ctx_buf_done(&x->raw);
	ctx_doc_done(&x->inner);
}

#define OPT_OF struct expand
static const struct cli_opt expand_opts[] = {
	OPT_SUB(stream, cli_stream_opts),
	STORE_COMMON
};

static int
expand_run(struct store *s, struct ctx_err *err)
{
	struct expand x = { .s = s };

	store_options(s, &x);
	x.stream.own.turns.turn = turn;
	x.stream.own.turns.arg = &x;
	if (store_texts_stream(s, &x.stream, err) == -1)
		return -1;
	cli_figure(&s->cli, "references", x.count);
	expand_done(&x);
	return 0;
}

const struct store_cmd store_expand_cmds[] = {
	STORE_CMD("code expand", READ, expand_run, "THREAD [FILE ...]",
	    "Write a stream with the code instead of references to it.",
	    expand_opts),
	STORE_END
};
