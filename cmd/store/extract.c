/* SPDX-License-Identifier: MIT */
/* ctx-store code extract: what a model wrote in its answers, kept by id. */
#include <stdlib.h>
#include <string.h>

#include "base/sha256.h"
#include "base/strmap.h"
#include "decide/code.h"
#include "cmd/store/code.h"
#include "cmd/store/texts.h"
#include "store/row.h"

/* An id of the stream. */
struct code {
	int64_t version;	/* that the stream has come to, 0: none */
	int64_t last;		/* the same, before settle_id */
	int settled;
	int unwritten;		/* as a file */
};

struct extract {
	struct store *s;
	struct cli_stream stream;
	struct store_texts texts;
	int any, replace;
	int open;			/* a transaction of the store */
	int failed;			/* what it should store is not there */
	struct store_code_place place;
	size_t *unwritten;		/* ids, until the next commit */
	size_t nunwritten, capunwritten;
	struct ctx_buf rows;		/* to be written when it is on disk */
	uint64_t count;			/* of blocks that were kept */

	struct ctx_strmap ids;
	struct code *code;		/* by number in ids */
	size_t ncode, capcode;

	/* The blocks of the conversation: found first, then replaced. */
	struct block {
		size_t id;		/* SIZE_MAX: is left */
		int64_t version;
	} *block;
	size_t nblock, capblock;
	size_t next;			/* of them, while replacing */

	struct ctx_buf id, lang, descr, take, ref;
	struct ctx_doc doc, inner;
	struct ctx_patch *patch;	/* of the text in hand, NULL: a line */
	size_t base;			/* of inner in that text */
	uint32_t rec;			/* of the line in hand */
};

static int
begin(struct extract *x, struct ctx_err *err)
{
	if (!x->open && ctx_file_begin(x->s->st, err) == -1)
		return -1;
	x->open = 1;
	return 0;
}

/* Number n in ids, as a string in x->id. */
static const char *
id_text(struct extract *x, size_t n)
{
	const char *id;
	size_t len;

	id = ctx_strmap_at(&x->ids, n, &len);
	ctx_buf_reset(&x->id);
	ctx_buf_add(&x->id, id, len);
	return ctx_buf_str(&x->id);
}

static int
write_file(const struct ctx_file *f, void *arg, struct ctx_err *err)
{
	struct extract *x = arg;

	return store_code_write(x->s, &x->place, f, NULL, err);
}

/* The newest versions of what was kept, as files. */
static int
write_files(struct extract *x, struct ctx_err *err)
{
	size_t i, n;

	for (i = 0; i < x->nunwritten; i++) {
		n = x->unwritten[i];
		x->code[n].unwritten = 0;
		if (id_text(x, n) == NULL)
			return ctx_fail_nomem(err);
		if (store_file_newest(x->s, "code", x->id.data, write_file, x,
		    err) == -1)
			return -1;
	}
	x->nunwritten = 0;
	return 0;
}

/* Note that number n is to be written. */
static int
note_file(struct extract *x, size_t n, struct ctx_err *err)
{
	size_t *more;

	if ((x->place.out == NULL && !x->place.workspace) ||
	    x->code[n].unwritten)
		return 0;
	more = ctx_grow(x->unwritten, x->nunwritten, &x->capunwritten,
	    sizeof(*more));
	if (more == NULL)
		return ctx_fail_nomem(err);
	x->unwritten = more;
	more[x->nunwritten++] = n;
	x->code[n].unwritten = 1;
	return 0;
}

/* All blocks so far are on the disk, and said to be; or, not ok, are not. */
static int
commit(struct extract *x, int ok, struct ctx_err *err)
{
	int rc = ok ? 0 : -1;

	if (x->open)
		rc = ctx_file_end(x->s->st, ok, err);
	x->open = 0;
	x->failed |= rc == -1;
	if (rc == 0)
		rc = write_files(x, err);
	if (rc == 0 && x->rows.len > 0) {
		rc = store_write(x->rows.data, x->rows.len, err);
		if (rc == 0)
			rc = store_flush(err);
	}
	ctx_buf_reset(&x->rows);
	return rc;
}

static int
before_read(struct cli_stream *stream, struct ctx_err *err)
{
	return commit(stream->own.turns.arg, 1, err);
}

static int
add_block(struct extract *x, size_t id, int64_t version, struct ctx_err *err)
{
	struct block *more = ctx_grow(x->block, x->nblock, &x->capblock,
	    sizeof(*more));

	if (more == NULL)
		return ctx_fail_nomem(err);
	x->block = more;
	more[x->nblock++] = (struct block){ id, version };
	return 0;
}

/* The state of an id, made if it is new; NULL out of memory. */
static struct code *
code_of(struct extract *x, const char *id, size_t *n)
{
	struct code *more;

	*n = ctx_strmap_add(&x->ids, id, strlen(id));
	if (*n == CTX_STRMAP_FULL)
		return NULL;
	if (*n == x->ncode) {
		more = ctx_grow(x->code, x->ncode, &x->capcode,
		    sizeof(*more));
		if (more == NULL)
			return NULL;
		x->code = more;
		x->code[x->ncode++] = (struct code){ 0, 0, 0, 0 };
	}
	return &x->code[*n];
}

/*
 * A stream may come again, with more behind it: its blocks then are the
 * versions that are there, in their order, and not new ones.
 */
static int
put(struct extract *x, const struct ctx_file *f, struct ctx_err *err)
{
	struct ctx_err why = { 0 };
	struct code *code;
	int64_t version;
	size_t n;
	int rc;

	if ((code = code_of(x, f->name, &n)) == NULL)
		return ctx_fail_nomem(err);
	rc = ctx_file_same(x->s->st, &x->s->where, f, code->version, &version,
	    &why);
	if (rc == -1 && why.code != CTX_ENO) {
		*err = why;
		return -1;
	}
	if (rc != 1 && (begin(x, err) == -1 || ctx_file_put(x->s->st,
	    &x->s->where, f, &version, err) == -1))
		return -1;
	code->version = code->last = version;
	code->settled = 0;
	x->count++;
	if (note_file(x, n, err) == -1)
		return -1;
	if (x->replace)
		return add_block(x, n, version, err);
	store_code_saved(&x->s->row, f, version);
	ctx_buf_add(&x->rows, x->s->row.data, x->s->row.len);
	return ctx_buf_fail(&x->s->row, err) == -1 ? -1 :
	    ctx_buf_fail(&x->rows, err);
}

/* The same code has the same id. */
static const char *
derive_id(struct extract *x, const struct ctx_file *f)
{
	struct ctx_sha256 sum;
	unsigned char hash[CTX_SHA256_LEN];
	char hex[CTX_SHA256_HEX];

	ctx_sha256_init(&sum);
	ctx_sha256_update(&sum, f->lang, strlen(f->lang) + 1);
	ctx_sha256_update(&sum, f->data, f->len);
	ctx_sha256_final(&sum, hash);
	ctx_buf_reset(&x->id);
	ctx_buf_addf(&x->id, "code_%.16s", ctx_sha256_text(hash, hex));
	return ctx_buf_str(&x->id);
}

/*
 * Keep a block whose id, or NULL, language and description are f's.  An id
 * that could leave a folder is refused, and the block left.
 */
static int
keep(struct extract *x, struct ctx_file *f, struct ctx_err *err)
{
	char quoted[80];

	f->kind = "code";
	if (f->data == NULL)
		f->data = "";
	f->lang = store_code_lang(x->s, f->lang);
	if (f->name == NULL && (f->name = derive_id(x, f)) == NULL)
		return ctx_fail_nomem(err);
	if (!ctx_file_name_ok(f->name)) {
		cli_error(&x->s->cli, CLI_INPUT, "%s: '%s' is no id: left",
		    x->stream.file, ctx_err_quote(quoted, sizeof(quoted),
		    f->name, strlen(f->name)));
		return x->replace ? add_block(x, SIZE_MAX, 0, err) : 0;
	}
	if (f->descr == NULL || *f->descr == '\0') {
		ctx_buf_reset(&x->descr);
		f->descr = store_code_title(f, &x->descr);
		if (ctx_buf_fail(&x->descr, err) == -1)
			return -1;
	}
	return put(x, f, err);
}

/* The reference to the block that comes next; NULL: that is left. */
static const char *
next_ref(struct extract *x)
{
	const struct block *b = &x->block[x->next++];
	const char *id;
	size_t len;

	if (b->id == SIZE_MAX)
		return NULL;
	id = ctx_strmap_at(&x->ids, b->id, &len);
	ctx_buf_reset(&x->ref);
	ctx_buf_adds(&x->ref, "<code_ref>");
	ctx_buf_add(&x->ref, id, len);
	/* the id alone means what is the newest one */
	if (b->version != x->code[b->id].last)
		ctx_buf_addf(&x->ref, "@%lld", (long long)b->version);
	ctx_buf_adds(&x->ref, "</code_ref>");
	return ctx_buf_str(&x->ref);
}

/* The text of a member, decoded; NULL: it has none. */
static const char *
member(const struct ctx_doc *doc, uint32_t node, struct ctx_buf *out)
{
	struct ctx_str s = { 0 };
	size_t i;

	if (node != CTX_NONE)
		s = ctx_node_str(doc, node);
	ctx_buf_reset(out);
	if (s.p == NULL || s.len == 0)
		return NULL;
	ctx_str_decode(out, s.p, s.len);
	/* Nothing ends at a NUL; a space is in no id either. */
	for (i = 0; i < out->len; i++)
		if (out->data[i] == '\0')
			out->data[i] = ' ';
	return ctx_buf_str(out);
}

/* An element of code_blocks. */
static int
one_block(const struct ctx_doc *doc, uint32_t block, uint32_t code,
    void *arg, struct ctx_err *err)
{
	struct ctx_str s = ctx_node_str(doc, code);
	struct extract *x = arg;
	struct ctx_file f = { 0 };
	struct ctx_buf descr = { 0 };
	const char *ref;
	int rc;

	/* It was taken out before. */
	if (ctx_code_ref_is(s.p, s.len))
		return 0;
	if (!x->texts.only_read) {
		if ((ref = next_ref(x)) == NULL)
			return ctx_buf_fail(&x->ref, err);
		if (x->patch == NULL)
			return ctx_plan_rewrite(&x->texts.plan, x->rec, code,
			    0, (struct ctx_str){ ref, (uint32_t)strlen(ref) },
			    err);
		return ctx_patch_add(x->patch, x->base + doc->node[code].off +
		    1, s.len, ref, strlen(ref), err);
	}
	ctx_buf_reset(&x->take);
	ctx_str_decode(&x->take, s.p, s.len);
	f.data = x->take.data;
	f.len = x->take.len;
	f.name = member(doc, CTX_GET(doc, block, "code_id"), &x->id);
	f.lang = member(doc, CTX_GET(doc, block, "language"), &x->lang);
	f.descr = member(doc, CTX_GET(doc, block, "description"), &descr);
	if (f.lang == NULL)
		f.lang = "python";
	rc = ctx_buf_fail(&x->take, err) == -1 ||
	    ctx_buf_fail(&x->id, err) == -1 ||
	    ctx_buf_fail(&x->lang, err) == -1 ||
	    ctx_buf_fail(&descr, err) == -1 ? -1 : keep(x, &f, err);
	ctx_buf_done(&descr);
	return rc;
}

/* A structured answer?  1: it was, and its blocks are dealt with; 0; -1. */
static int
structured(struct extract *x, const char *p, size_t len, size_t base,
    struct ctx_err *err)
{
	static const char key[] = "code_blocks";
	int rc;

	if (memmem(p, len, key, sizeof(key) - 1) == NULL)
		return 0;
	if ((rc = store_texts_object(&x->inner, p, len, err)) != 1)
		return rc;
	x->base = base;
	rc = store_texts_blocks(&x->inner, 0, x->inner.n, one_block, x, err);
	return rc == 0 ? 1 : -1;
}

/* Is the language of a fence, in x->lang, one whose code is taken? */
static int
wanted(struct extract *x, const char *text, const struct ctx_code_fence *f)
{
	ctx_buf_reset(&x->lang);
	ctx_buf_add(&x->lang, text + f->info, f->lang);
	if (ctx_buf_str(&x->lang) == NULL)
		return 0;
	if (f->lang == 0 && x->any)
		ctx_buf_adds(&x->lang, "python");
	return ctx_buf_str(&x->lang) != NULL && (x->any ||
	    ctx_file_ending(x->lang.data) != NULL);
}

static int
one_fence(struct extract *x, const char *text,
    const struct ctx_code_fence *f, struct ctx_err *err)
{
	struct ctx_buf more = { 0 };
	struct ctx_file file = { 0 };
	const char *ref;
	int rc;

	if (!x->texts.only_read) {
		if ((ref = next_ref(x)) == NULL)
			return ctx_buf_fail(&x->ref, err);
		return ctx_patch_add(x->patch, f->from, f->to - f->from, ref,
		    strlen(ref), err);
	}
	ctx_buf_reset(&x->take);
	ctx_code_fence_take(text, f, &x->take);
	/* what else its first line says is not lost */
	ctx_name_clean(&more, text + f->info + f->lang, f->infolen - f->lang,
	    STORE_DESCR_MAX);
	file.data = x->take.data;
	file.len = x->take.len;
	file.lang = x->lang.data;
	file.descr = more.len > 0 ? ctx_buf_str(&more) : NULL;
	rc = ctx_buf_fail(&x->take, err) == -1 ||
	    ctx_buf_fail(&more, err) == -1 ? -1 : keep(x, &file, err);
	ctx_buf_done(&more);
	return rc;
}

/* A text of the assistant. */
static int
answer(const char *p, size_t len, struct ctx_patch *patch, void *arg,
    struct ctx_err *err)
{
	struct extract *x = arg;
	struct ctx_code_fence f;
	size_t pos = 0;
	int rc;

	x->patch = patch;
	if ((rc = structured(x, p, len, 0, err)) != 0)
		return rc == 1 ? 0 : -1;
	while (ctx_code_fence_next(p, len, &pos, &f)) {
		if (f.open) {
			if (x->texts.only_read)
				cli_warn(&x->s->cli, "%s: a fence without "
				    "its end: left", x->stream.file);
			break;
		}
		rc = f.indent > 0 ? 0 : structured(x, p + f.code, f.codelen,
		    f.code, err);
		if (rc == 0 && wanted(x, p, &f))
			rc = one_fence(x, p, &f, err);
		if (rc == -1 || ctx_buf_fail(&x->lang, err) == -1)
			return -1;
	}
	return 0;
}

/* The arguments of a call: a structured answer may come as one. */
static int
arguments(const char *p, size_t len, struct ctx_patch *patch, void *arg,
    struct ctx_err *err)
{
	struct extract *x = arg;

	x->patch = patch;
	return structured(x, p, len, 0, err) == -1 ? -1 : 0;
}

static int
one_message(struct extract *x, const struct ctx_convo *c, uint32_t m,
    struct ctx_err *err)
{
	const struct ctx_msg *msg = &c->msg[m];
	uint32_t i;

	if (msg->role != CTX_ASSISTANT)
		return 0;
	for (i = msg->part; i < msg->part + msg->npart; i++)
		if (!(c->part[i].flags & CTX_INNER) &&
		    (c->part[i].kind == CTX_TEXT ||
		    c->part[i].kind == CTX_CALL) &&
		    store_texts_part(&x->texts, c, i,
		    c->part[i].kind == CTX_TEXT ? answer : arguments, x,
		    err) == -1)
			return -1;
	if (store_texts_repeats(c, m))
		return 0;
	x->doc = ctx_convo_doc(c, msg->rec);
	x->rec = msg->rec;
	x->patch = NULL;
	return store_texts_blocks(&x->doc, msg->node,
	    x->doc.node[msg->node].next, one_block, x, err);
}

/* What came last in the stream is the newest version. */
static int
settle_id(struct extract *x, size_t n, struct ctx_err *err)
{
	struct code *code = &x->code[n];

	if (code->settled)
		return 0;
	code->settled = 1;
	if (id_text(x, n) == NULL)
		return ctx_fail_nomem(err);
	if (begin(x, err) == -1 || note_file(x, n, err) == -1)
		return -1;
	return ctx_file_again(x->s->st, &x->s->where, "code", x->id.data,
	    &code->version, err);
}

static int
each_message(struct extract *x, const struct ctx_convo *c,
    struct ctx_err *err)
{
	uint32_t m;

	for (m = 0; m < c->nmsg; m++)
		if (one_message(x, c, m, err) == -1)
			return -1;
	return 0;
}

/* The blocks of a turn are kept, those of a whole conversation for good. */
static int
keep_turn(struct extract *x, const struct ctx_convo *c, struct ctx_err *err)
{
	size_t i;

	x->nblock = x->next = 0;
	x->texts.only_read = 1;
	if (each_message(x, c, err) == -1)
		return -1;
	for (i = 0; i < x->nblock; i++)
		if (x->block[i].id != SIZE_MAX &&
		    settle_id(x, x->block[i].id, err) == -1)
			return -1;
	return x->replace ? commit(x, 1, err) : 0;
}

static int
turn(const struct ctx_turn *t, void *arg, struct ctx_err *err)
{
	struct extract *x = arg;

	if (x->failed)
		return ctx_fail(err, CTX_ESYSTEM, "not stored");
	if (keep_turn(x, t->convo, err) == -1) {
		commit(x, 0, NULL);
		return -1;
	}
	if (!x->replace)
		return 0;
	x->texts.only_read = 0;
	if (ctx_plan_reset(&x->texts.plan, t->convo, err) == -1 ||
	    each_message(x, t->convo, err) == -1)
		return -1;
	return store_texts_turn(&x->texts, &x->stream, t->convo, err);
}

static void
extract_done(struct extract *x)
{
	store_texts_done(&x->texts);
	ctx_strmap_done(&x->ids);
	free(x->code);
	free(x->block);
	free(x->unwritten);
	ctx_buf_done(&x->id);
	ctx_buf_done(&x->lang);
	ctx_buf_done(&x->descr);
	ctx_buf_done(&x->take);
	ctx_buf_done(&x->ref);
	ctx_buf_done(&x->rows);
	ctx_doc_done(&x->inner);
}

#define OPT_OF struct extract
static const struct cli_opt extract_opts[] = {
	OPT_FLAG(0, "any", any, "fences of no known language too, as python"),
	OPT_FLAG(0, "replace", replace,
	    "write the stream, with references instead of code"),
	OPT_SUB(place, store_code_place_opts),
	OPT_SUB(stream, cli_stream_opts),
	STORE_COMMON
};

static int
extract_run(struct store *s, struct ctx_err *err)
{
	struct extract x = { .s = s };
	size_t n;
	int rc = 0;

	store_options(s, &x);
	x.stream.own.turns.turn = turn;
	x.stream.own.turns.arg = &x;
	x.stream.before_read = before_read;
	/* what is the newest is known at the end of a conversation */
	x.stream.own.turns.whole = x.replace;
	if (store_texts_stream(s, &x.stream, err) == -1)
		return -1;
	for (n = 0; n < x.ncode && rc == 0 && !x.failed; n++)
		rc = settle_id(&x, n, err);
	if (!x.failed && commit(&x, rc == 0, err) == -1)
		store_report(s, NULL, err);
	cli_figure(&s->cli, "blocks", x.count);
	extract_done(&x);
	return 0;
}

const struct store_cmd store_extract_cmds[] = {
	STORE_CMD("code extract", CREATE, extract_run, "THREAD [FILE ...]",
	    "Keep the code in the answers of a stream.", extract_opts),
	STORE_END
};
