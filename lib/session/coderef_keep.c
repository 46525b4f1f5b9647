/* SPDX-License-Identifier: MIT */
/* Store the code in a stream's answers by id; see coderef.h. */
#include "session/coderef_walk.h"

#include <stdlib.h>
#include <string.h>

#include "base/ending.h"
#include "base/sha256.h"
#include "base/strmap.h"
#include "decide/code.h"
#include "digest/names.h"

#define DESCR_MAX	200	/* bytes of text from a fence's line */

/* An id in the stream. */
struct code {
	int64_t version;	/* that the stream has reached, or 0 */
	int64_t last;		/* its value before settle_id */
	int settled;
	int unwritten;		/* not yet written as a file */
	size_t next;		/* 1 + the next one not written, or 0 */
};

struct keep {
	struct ctx_coderef_walk walk;	/* first */
	int open;			/* a transaction is open */
	int failed;			/* a block could not be stored */
	struct ctx_buf rows, row;	/* reported once on disk */

	struct ctx_strmap ids;
	struct code *code;		/* by index in ids */
	size_t ncode, capcode;
	size_t unwritten;		/* 1 + the first of them, or 0 */

	/* The blocks of the conversation are first found, then replaced. */
	struct block {
		size_t id;		/* SIZE_MAX: left as it is */
		int64_t version;
	} *block;
	size_t nblock, capblock;
	size_t next;			/* the next block to replace */

	struct ctx_buf id, lang, descr, take, ref;
};

static int
begin(struct keep *k, struct ctx_err *err)
{
	if (!k->open && ctx_file_begin(k->walk.opts.st, err) == -1)
		return -1;
	k->open = 1;
	return 0;
}

/* Entry n of ids as a string in k->id; NULL if out of memory. */
static const char *
id_text(struct keep *k, size_t n, struct ctx_err *err)
{
	const char *id;
	size_t len;

	id = ctx_strmap_at(&k->ids, n, &len);
	ctx_buf_reset(&k->id);
	ctx_buf_add(&k->id, id, len);
	if ((id = ctx_buf_str(&k->id)) == NULL)
		ctx_fail_nomem(err);
	return id;
}

/* Write the newest versions of what was stored as files. */
static int
write_files(struct keep *k, struct ctx_err *err)
{
	struct code *code;
	const char *id;
	size_t n;

	while ((n = k->unwritten) > 0) {
		code = &k->code[n - 1];
		if ((id = id_text(k, n - 1, err)) == NULL ||
		    ctx_coderef_write(&k->walk.opts, id, NULL, err) == -1)
			return -1;
		k->unwritten = code->next;
		code->unwritten = 0;
	}
	return 0;
}

/* Note that id n must be written. */
static void
note_file(struct keep *k, size_t n)
{
	struct code *code = &k->code[n];

	if (code->unwritten)
		return;
	code->unwritten = 1;
	code->next = k->unwritten;
	k->unwritten = n + 1;
}

/*
 * End the transaction: if ok is set, all blocks so far are on disk and are
 * reported; otherwise they are not stored.
 */
static int
commit(struct keep *k, int ok, struct ctx_err *err)
{
	int rc = ok ? 0 : -1;

	if (k->open)
		rc = ctx_file_end(k->walk.opts.st, ok, err);
	k->open = 0;
	k->failed |= rc == -1;
	if (rc == 0)
		rc = write_files(k, err);
	if (rc == 0 && k->rows.len > 0)
		rc = ctx_job_put_row(&k->walk.job, &(struct ctx_row){
		    .what = CTX_CODEREF_SAVED, .text = k->rows.data,
		    .textlen = k->rows.len }, err);
	ctx_buf_reset(&k->rows);
	return rc;
}

int
ctx_coderef_commit(struct ctx_job *j, struct ctx_err *err)
{
	return commit((struct keep *)j, 1, err);
}

static int
add_block(struct keep *k, size_t id, int64_t version, struct ctx_err *err)
{
	if (CTX_ROOM(k->block, k->nblock, &k->capblock) == -1)
		return ctx_fail_nomem(err);
	k->block[k->nblock++] = (struct block){ id, version };
	return 0;
}

/*
 * Find the number of an id, with a new state if the id is new.  Returns 0 or
 * -1.
 */
static int
number(struct keep *k, const char *id, size_t *n, struct ctx_err *err)
{
	*n = ctx_strmap_add(&k->ids, id, strlen(id));
	if (*n == CTX_STRMAP_FULL || (*n == k->ncode &&
	    CTX_ROOM(k->code, k->ncode, &k->capcode) == -1))
		return ctx_fail_nomem(err);
	if (*n == k->ncode)
		k->code[k->ncode++] = (struct code){ 0 };
	return 0;
}

/*
 * The same stream may be read again, with more at its end: its blocks are then
 * the existing versions, in order, rather than new ones.
 */
static int
put(struct keep *k, const struct ctx_file *f, struct ctx_err *err)
{
	const struct ctx_coderef_opts *o = &k->walk.opts;
	struct ctx_err why = { 0 };
	struct code *code;
	int64_t version;
	size_t n;
	int rc;

	if (number(k, f->name, &n, err) == -1)
		return -1;
	code = &k->code[n];
	rc = ctx_file_same(o->st, &o->where, f, code->version, &version,
	    &why);
	if (rc == -1 && why.code != CTX_ENO) {
		*err = why;
		return -1;
	}
	if (rc != 1 && (begin(k, err) == -1 || ctx_file_put(o->st, &o->where,
	    f, &version, err) == -1))
		return -1;
	code->version = code->last = version;
	code->settled = 0;
	k->walk.count++;
	note_file(k, n);
	if (o->replace)
		return add_block(k, n, version, err);
	ctx_coderef_saved(&k->row, f, version, NULL);
	ctx_buf_add(&k->rows, k->row.data, k->row.len);
	return ctx_buf_fail(&k->row, err) == -1 ? -1 :
	    ctx_buf_fail(&k->rows, err);
}

/*
 * Derive an id from the code, so that equal code has the same id; NULL if out
 * of memory.
 */
static const char *
derive_id(struct keep *k, const struct ctx_file *f)
{
	struct ctx_sha256 sum;
	unsigned char hash[CTX_SHA256_LEN];
	char hex[CTX_SHA256_HEX];

	ctx_sha256_init(&sum);
	ctx_sha256_update(&sum, f->lang, strlen(f->lang) + 1);
	ctx_sha256_update(&sum, f->data, f->len);
	ctx_sha256_final(&sum, hash);
	ctx_buf_reset(&k->id);
	ctx_buf_addf(&k->id, "code_%.16s", ctx_sha256_text(hash, hex));
	return ctx_buf_str(&k->id);
}

static int
tell(struct keep *k, enum ctx_coderef_row what, const char *name,
    struct ctx_err *err)
{
	return ctx_coderef_walk_tell(&k->walk, what, (struct ctx_str){ name,
	    (uint32_t)strlen(name) }, err);
}

/*
 * Store a block with f's id (or NULL), language and description.  An id that
 * could leave a folder is refused, and the block is left as it is.
 */
static int
keep(struct keep *k, struct ctx_file *f, struct ctx_err *err)
{
	f->kind = "code";
	if (f->data == NULL)
		f->data = "";
	if (ctx_ending_of(f->lang) == NULL) {
		if (tell(k, CTX_CODEREF_LANGUAGE, f->lang, err) == -1)
			return -1;
		f->lang = "python";
	}
	if (f->name == NULL && (f->name = derive_id(k, f)) == NULL)
		return ctx_fail_nomem(err);
	if (!ctx_file_name_ok(f->name)) {
		if (tell(k, CTX_CODEREF_NO_ID, f->name, err) == -1)
			return -1;
		return k->walk.opts.replace ? add_block(k, SIZE_MAX, 0, err) :
		    0;
	}
	if (f->descr == NULL || *f->descr == '\0') {
		ctx_buf_reset(&k->descr);
		f->descr = NULL;
		ctx_coderef_describe(f, &k->descr);
		if (ctx_buf_fail(&k->descr, err) == -1)
			return -1;
	}
	return put(k, f, err);
}

/* The reference to the next block; len is 0 if the block is left as it is. */
static int
next_ref(struct keep *k, struct ctx_str *ref, struct ctx_err *err)
{
	const struct block *b = &k->block[k->next++];
	const char *id;
	size_t len;

	ctx_buf_reset(&k->ref);
	if (b->id != SIZE_MAX) {
		id = ctx_strmap_at(&k->ids, b->id, &len);
		ctx_buf_adds(&k->ref, "<code_ref>");
		ctx_buf_add(&k->ref, id, len);
		/* an id without a version means the newest one */
		if (b->version != k->code[b->id].last)
			ctx_buf_addf(&k->ref, "@%lld", (long long)b->version);
		ctx_buf_adds(&k->ref, "</code_ref>");
	}
	*ref = ctx_str_of(&k->ref);
	return ctx_buf_fail(&k->ref, err);
}

/* Decode the text of a member into out; NULL if it has none. */
static const char *
member(const struct ctx_doc *doc, uint32_t block, const char *key,
    struct ctx_buf *out)
{
	struct ctx_str s = ctx_node_str(doc, CTX_GET(doc, block, key));
	size_t i;

	ctx_buf_reset(out);
	if (s.p == NULL || s.len == 0)
		return NULL;
	ctx_str_decode(out, s.p, s.len);
	/*
	 * A NUL must not end the text; ids contain no spaces, so one replaces
	 * it.
	 */
	for (i = 0; i < out->len; i++)
		if (out->data[i] == '\0')
			out->data[i] = ' ';
	return ctx_buf_str(out);
}

/* Handle an element of code_blocks. */
static int
one_block(const struct ctx_doc *doc, uint32_t block, uint32_t code,
    void *arg, struct ctx_err *err)
{
	struct ctx_str s = ctx_node_str(doc, code), ref;
	struct ctx_buf descr = { 0 };
	struct ctx_file f = { 0 };
	struct keep *k = arg;
	int rc;

	/* The code was already replaced. */
	if (ctx_code_ref_is(s.p, s.len))
		return 0;
	if (!k->walk.texts.only_read) {
		if (next_ref(k, &ref, err) == -1)
			return -1;
		return ref.len == 0 ? 0 : ctx_coderef_walk_put(&k->walk, doc,
		    code, ref, err);
	}
	ctx_buf_reset(&k->take);
	ctx_str_decode(&k->take, s.p, s.len);
	f.data = k->take.data;
	f.len = k->take.len;
	f.name = member(doc, block, "code_id", &k->id);
	f.lang = member(doc, block, "language", &k->lang);
	f.descr = member(doc, block, "description", &descr);
	if (f.lang == NULL)
		f.lang = "python";
	rc = ctx_buf_fail(&k->take, err) == -1 ||
	    ctx_buf_fail(&k->id, err) == -1 ||
	    ctx_buf_fail(&k->lang, err) == -1 ||
	    ctx_buf_fail(&descr, err) == -1 ? -1 : keep(k, &f, err);
	ctx_buf_done(&descr);
	return rc;
}

/*
 * Is it a structured answer?  Returns 1 if it was and its blocks were handled,
 * 0, or -1.
 */
static int
structured(struct keep *k, const char *p, size_t len, struct ctx_patch *patch,
    struct ctx_err *err)
{
	static const char key[] = "code_blocks";
	struct ctx_coderef_walk *w = &k->walk;
	int rc;

	if (memmem(p, len, key, sizeof(key) - 1) == NULL)
		return 0;
	if ((rc = ctx_coderef_walk_object(w, p, len, patch, err)) != 1)
		return rc;
	rc = ctx_coderef_walk_blocks(w, &w->inner, 0, w->inner.n, err);
	return rc == 0 ? 1 : -1;
}

/* Is the language of a fence, in k->lang, one whose code is stored? */
static int
wanted(struct keep *k, const char *text, const struct ctx_code_fence *f)
{
	ctx_buf_reset(&k->lang);
	ctx_buf_add(&k->lang, text + f->info, f->lang);
	if (f->lang == 0 && k->walk.opts.any)
		ctx_buf_adds(&k->lang, "python");
	return ctx_buf_str(&k->lang) != NULL && (k->walk.opts.any ||
	    ctx_ending_of(k->lang.data) != NULL);
}

static int
one_fence(struct keep *k, const char *text, const struct ctx_code_fence *f,
    struct ctx_patch *patch, struct ctx_err *err)
{
	struct ctx_buf more = { 0 };
	struct ctx_file file = { 0 };
	struct ctx_str ref;
	int rc;

	if (!k->walk.texts.only_read) {
		if (next_ref(k, &ref, err) == -1)
			return -1;
		return ref.len == 0 ? 0 : ctx_patch_add(patch, f->from,
		    f->to - f->from, ref.p, ref.len, err);
	}
	ctx_buf_reset(&k->take);
	ctx_code_fence_take(text, f, &k->take);
	/* keep the rest of its first line */
	ctx_name_clean(&more, text + f->info + f->lang, f->infolen - f->lang,
	    DESCR_MAX);
	file.data = k->take.data;
	file.len = k->take.len;
	file.lang = k->lang.data;
	file.descr = more.len > 0 ? ctx_buf_str(&more) : NULL;
	rc = ctx_buf_fail(&k->take, err) == -1 ||
	    ctx_buf_fail(&more, err) == -1 ? -1 : keep(k, &file, err);
	ctx_buf_done(&more);
	return rc;
}

/* Handle a text of the assistant. */
static int
answer(const char *p, size_t len, struct ctx_patch *patch, void *arg,
    struct ctx_err *err)
{
	struct keep *k = arg;
	struct ctx_code_fence f;
	size_t pos = 0;
	int rc;

	if ((rc = structured(k, p, len, patch, err)) != 0)
		return rc == 1 ? 0 : -1;
	while (ctx_code_fence_next(p, len, &pos, &f)) {
		if (f.open)
			return !k->walk.texts.only_read ? 0 : tell(k,
			    CTX_CODEREF_OPEN, "", err);
		rc = f.indent > 0 ? 0 : structured(k, p + f.code, f.codelen,
		    patch, err);
		if (rc == 0 && wanted(k, p, &f))
			rc = one_fence(k, p, &f, patch, err);
		if (rc == -1 || ctx_buf_fail(&k->lang, err) == -1)
			return -1;
	}
	return 0;
}

/* Handle the arguments of a call: a structured answer may be in them. */
static int
arguments(const char *p, size_t len, struct ctx_patch *patch, void *arg,
    struct ctx_err *err)
{
	return structured(arg, p, len, patch, err) == -1 ? -1 : 0;
}

/* Make what came last in the stream the newest version. */
static int
settle_id(struct keep *k, size_t n, struct ctx_err *err)
{
	struct code *code = &k->code[n];
	const char *id;

	if (code->settled)
		return 0;
	code->settled = 1;
	if ((id = id_text(k, n, err)) == NULL || begin(k, err) == -1)
		return -1;
	note_file(k, n);
	return ctx_file_again(k->walk.opts.st, &k->walk.opts.where, "code", id,
	    &code->version, err);
}

int
ctx_coderef_end(struct ctx_job *j, struct ctx_err *err)
{
	struct keep *k = (struct keep *)j;
	int rc = 0;
	size_t n;

	if (k->failed)
		return 0;	/* already reported */
	for (n = 0; n < k->ncode && rc == 0; n++)
		rc = settle_id(k, n, err);
	return commit(k, rc == 0, err);
}

/* Store the blocks of a turn; those of a complete conversation are final. */
static int
keep_turn(struct keep *k, const struct ctx_convo *c, struct ctx_err *err)
{
	size_t i;

	k->nblock = k->next = 0;
	k->walk.texts.only_read = 1;
	if (ctx_coderef_walk(&k->walk, c, err) == -1)
		return -1;
	for (i = 0; i < k->nblock; i++)
		if (k->block[i].id != SIZE_MAX &&
		    settle_id(k, k->block[i].id, err) == -1)
			return -1;
	return k->walk.opts.replace ? commit(k, 1, err) : 0;
}

static int
turn(const struct ctx_turn *t, void *job, struct ctx_err *err)
{
	struct keep *k = job;

	if (k->failed)
		return ctx_fail(err, CTX_ESYSTEM, "not stored");
	if (keep_turn(k, t->convo, err) == -1) {
		commit(k, 0, NULL);
		return -1;
	}
	if (!k->walk.opts.replace)
		return 0;
	k->walk.texts.only_read = 0;
	return ctx_coderef_walk(&k->walk, t->convo, err) == -1 ? -1 :
	    ctx_coderef_walk_give(&k->walk, t->convo, err);
}

static void
done(struct ctx_job *j)
{
	struct keep *k = (struct keep *)j;

	ctx_coderef_walk_done(&k->walk);
	ctx_strmap_done(&k->ids);
	free(k->code);
	free(k->block);
	ctx_buf_done(&k->id);
	ctx_buf_done(&k->lang);
	ctx_buf_done(&k->descr);
	ctx_buf_done(&k->take);
	ctx_buf_done(&k->ref);
	ctx_buf_done(&k->rows);
	ctx_buf_done(&k->row);
}

struct ctx_job *
ctx_coderef_keep_new(const struct ctx_coderef_opts *opts, struct ctx_err *err)
{
	static const struct ctx_job_kind kind = { .turn = turn, .done = done };
	struct keep *k = calloc(1, sizeof(*k));

	if (k == NULL) {
		ctx_fail_nomem(err);
		return NULL;
	}
	ctx_job_init(&k->walk.job, &kind);
	/* only at the end of a conversation is the newest version known */
	k->walk.job.turns.whole = opts->replace;
	k->walk.opts = *opts;
	k->walk.answers = 1;
	k->walk.text = answer;
	k->walk.arguments = arguments;
	k->walk.block = one_block;
	return &k->walk.job;
}
