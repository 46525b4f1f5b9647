/* SPDX-License-Identifier: MIT */
/* The job of ctx-digest-files on a stream; see digest_job.h. */
#include "job/digest_job.h"

#include <string.h>

#include "base/ending.h"
#include "base/sha256.h"
#include "decide/pair.h"
#include "job/payload.h"
#include "job/ran.h"
#include "view/branch.h"

/* Bytes of a line that a tool may say instead of a file. */
#define SHORT	200

struct digest {
	struct ctx_job job;
	struct ctx_digest_job_opts opts;
	struct ctx_digest_job_sums sums;
	/* working storage */
	struct ctx_pairer pairer;
	struct ctx_reads reads;
	struct ctx_plan plan;
	struct ctx_edit edit;
	struct ctx_digest digest;
	struct ctx_wrapped wrapped, around;
	struct ctx_listing listing;
	struct ctx_buf text, line, json;
	uint32_t head;		/* the result whose line json has, or NONE */
	struct ctx_read *judged;	/* a read of which only its lines are
					   wanted, or NULL */
};

/* --- contents ---------------------------------------------------------- */

static int
keep(struct digest *k, const char *p, size_t len, struct ctx_err *err)
{
	char hash[CTX_SHA256_HEX];
	struct ctx_row row = { .name = hash, .namelen = CTX_SHA256_HEX - 1,
	    .text = p, .textlen = len };

	if (!k->opts.keep)
		return 0;
	ctx_sha256_hex(p, len, hash);
	ctx_buf_addf(&k->line, " sha256:%s", hash);
	return ctx_job_put_row(&k->job, &row, err);
}

static uint64_t
lines_of(const char *p, size_t len)
{
	uint64_t n = len > 0 && p[len - 1] != '\n';
	const char *end = p + len;

	for (; (p = memchr(p, '\n', (size_t)(end - p))) != NULL; p++)
		n++;
	return n;
}

/*
 * Which lines of the file are these n, as the text says?  Returns 0 if that is
 * not what the text has.
 */
static int
said_lines(const struct ctx_read *r, const struct ctx_lines *said, uint64_t n,
    int blank, struct ctx_digest_opts *opts)
{
	uint64_t want = said->to - said->from + 1;

	/* the last line may be blank, without a newline */
	if (n != want && !(blank && n + 1 == want))
		return 0;
	if (said->from > 1 || said->more || said->total > said->to ||
	    (said->total == 0 && r->to != 0)) {
		opts->from = said->from;
		opts->to = said->to;
	}
	return 1;
}

/* The same for tail, whose last lines a tool may have taken away if blank. */
static int
last_lines(const struct ctx_read *r, uint64_t n, int blank,
    struct ctx_digest_opts *opts)
{
	if (n == r->last)
		opts->last = n;
	return n == r->last || (n < r->last && blank);
}

/* The same, as the call says; there may be fewer than it asked for. */
static int
asked_lines(const struct ctx_read *r, const struct ctx_lines *said, uint64_t n,
    int blank, struct ctx_digest_opts *opts)
{
	uint64_t from = r->from > 0 ? r->from : 1, want = 0;

	if (r->last > 0)
		return last_lines(r, n, blank, opts);
	if (r->to >= from)
		want = r->to - from + 1;
	if ((want > 0 && n > want) ||
	    (r->printed && r->from > 1 && want > n) ||
	    (said->total > 0 && from + n - 1 > said->total))
		return 0;
	if (r->from == 0 && !said->more && said->total < n + 1 &&
	    (want == 0 || n + (uint64_t)(blank != 0) < want))
		return 1;
	opts->from = from;
	opts->to = from + n - 1;
	return 1;
}

/*
 * The name that tells what kind of file a read is of: not an id without an
 * ending, nor an address, which may come in another form.
 */
static int
kind_name(const struct ctx_read *r, struct ctx_str path, struct ctx_buf *name,
    struct ctx_err *err)
{
	const char *ending = r->known != NULL && r->known->language != NULL ?
	    ctx_ending_of(r->known->language) : NULL;
	int tells = r->by == CTX_READ_BY_PATH || (r->by == CTX_READ_BY_ID &&
	    memchr(path.p, '.', path.len) != NULL);

	if (path.len > 0 && (tells || ending != NULL))
		ctx_buf_add(name, path.p, path.len);
	else
		ctx_buf_adds(name, "file");
	if (ending != NULL)
		ctx_buf_addf(name, ".%s", ending);
	return ctx_buf_str(name) == NULL ? ctx_fail_nomem(err) : 0;
}

/* May what was read be what its id means? */
static int
is_known(const struct ctx_read *r, const char *name, const char *p, size_t len)
{
	const struct ctx_catalog_file *v;

	/* JSON may be around it, or be about it */
	if (strcmp(name, "file") == 0 && r->by != CTX_READ_BY_PATH &&
	    (*p == '{' || *p == '['))
		return 0;
	for (v = r->known; v != NULL && r->proof; v = v->next)
		if (ctx_catalog_same(v, p, len))
			return 1;
	return !r->proof;
}

/* Which lines of the file are k->wrapped?  Returns 0 if that is not sure. */
static int
which_lines(struct digest *k, const struct ctx_read *r,
    struct ctx_digest_opts *opts)
{
	const struct ctx_wrapped *w = &k->wrapped;
	struct ctx_lines said = w->lines;
	uint64_t n = lines_of(w->p, w->len);
	int blank = w->p[w->len - 1] == '\n';

	/* all bytes of the file, if it was read from its start to its end */
	if (w->lines.base64)
		return r->from <= 1 && r->to == 0 && r->last == 0 &&
		    !r->odd && said.from <= 1 && !said.more;

	if (said.from == 0 && said.total == 0 && !said.more)
		said = r->said;
	else if (said.total == 0 && r->said.total >= said.to)
		said.total = r->said.total;
	if (said.from > 0)
		return said_lines(r, &said, n, blank, opts);
	return !r->odd && asked_lines(r, &said, n, blank, opts);
}

/*
 * Note the lines that a read has.  Returns 1, or 0 if they are not the same of
 * all its files.
 */
static int
note_lines(struct ctx_read *r, const struct ctx_digest_opts *opts)
{
	r->low = opts->last > 0 ? CTX_READ_END - opts->last + 1 :
	    opts->from > 0 ? opts->from : 1;
	r->high = opts->last == 0 && opts->from > 0 ? opts->to : CTX_READ_END;
	return r->npath <= 1 || (r->low == 1 && r->high == CTX_READ_END);
}

/*
 * Append the line for k->wrapped, the contents of a file of the kind that name
 * tells.  Returns 1, 0 if a read is judged that does not count, -1 with *err.
 */
static int
describe(struct digest *k, const struct ctx_read *r, struct ctx_str path,
    const char *name, const struct ctx_digest_opts *opts, struct ctx_err *err)
{
	const struct ctx_wrapped *w = &k->wrapped;
	struct ctx_buf shown = { 0 };
	int rc = -1;

	if (k->judged != NULL)
		return note_lines(k->judged, opts);
	ctx_buf_add(&shown, path.len > 0 ? path.p : "file",
	    path.len > 0 ? path.len : 4);
	/* of a sheet or a page, a tool returns only the text */
	if (r->known != NULL && !r->known->text && r->known->digest != NULL) {
		ctx_digest_mark(&k->line, k->opts.lang);
		ctx_name_clean(&k->line, r->known->digest,
		    strlen(r->known->digest), SIZE_MAX);
		rc = 0;
	} else if (ctx_buf_str(&shown) == NULL)
		ctx_fail_nomem(err);
	else if (ctx_digest_make(&k->digest, name, w->p, w->len, opts,
	    err) == 0) {
		k->digest.name = shown.data;
		ctx_digest_line(&k->digest, k->opts.lang, k->opts.width,
		    &k->line);
		rc = 0;
	}
	ctx_buf_done(&shown);
	return rc == -1 || keep(k, w->p, w->len, err) == -1 ? -1 : 1;
}

/* Find the contents of a file in what a tool returned, as ctx_wrapped_open. */
static int
unwrap(struct ctx_wrapped *w, const struct ctx_read *r, struct ctx_str path,
    struct ctx_str text)
{
	int rc;

	/* JSON around them said so, and is not in the text */
	if (r->said.base64)
		return ctx_wrapped_base64(w, text);
	w->plain_lines = r->printed && !r->numbered;
	rc = ctx_wrapped_open(w, path, text);
	return rc == 1 ? ctx_payload_text(w, path) : rc;
}

/*
 * Append the line for one file's contents to k->line.  Returns 1, 0 if it is
 * not sure what they are, -1 with *err.
 */
static int
one_file(struct digest *k, const struct ctx_read *r, struct ctx_str path,
    struct ctx_str text, struct ctx_err *err)
{
	struct ctx_digest_opts opts = { .wrote = r->wrote != 0 };
	struct ctx_wrapped *w = &k->wrapped;
	struct ctx_buf name = { 0 };
	int rc = kind_name(r, path, &name, err);

	if (rc == 0 && r->wrote) {
		w->p = text.p;
		w->len = text.len;
		rc = 1;
	} else if (rc == 0) {
		rc = unwrap(w, r, r->known != NULL && r->known->language !=
		    NULL ? ctx_str_of(&name) : path, text);
		if (rc == -1)
			ctx_fail_nomem(err);
	}
	if (rc == 1 && (w->len == 0 || (!r->wrote &&
	    (ctx_wrapped_remark((struct ctx_str){ w->p, (uint32_t)w->len }) ||
	    !is_known(r, name.data, w->p, w->len) ||
	    !which_lines(k, r, &opts)))))
		rc = 0;
	if (rc == 1)
		rc = describe(k, r, path, name.data, &opts, err);
	ctx_buf_done(&name);
	return rc;
}

static struct ctx_str
path_of(const struct digest *k, const struct ctx_read *r, size_t i)
{
	struct ctx_str s = { 0 };
	size_t n = 0;

	if (i < r->npath) {
		s.p = ctx_strmap_at(&k->reads.paths,
		    k->reads.path[r->first + i], &n) + r->title;
		s.len = (uint32_t)(n - r->title);
	}
	return s;
}

/* Does the text go on with the name of a file and a colon? */
static int
names_next(struct ctx_str path, const char *p, const char *end)
{
	return (size_t)(end - p) > path.len + 1 &&
	    memcmp(p, path.p, path.len) == 0 && p[path.len] == ':' &&
	    p[path.len + 1] == '\n';
}

/*
 * Digest several files in one text, as MCP's file server joins them: each after
 * its name and a colon, separated by a line "---".
 */
static int
several_files(struct digest *k, const struct ctx_read *r, struct ctx_str text,
    struct ctx_err *err)
{
	static const char border[] = "\n---\n";
	const char *p, *end, *next;
	struct ctx_str none = { 0 };
	size_t i;
	int rc;

	if ((rc = ctx_wrapped_open(&k->around, none, text)) != 1)
		return rc == -1 ? ctx_fail_nomem(err) : 0;
	p = k->around.p;
	end = p + k->around.len;
	for (i = 0; i < r->npath; i++) {
		if (!names_next(path_of(k, r, i), p, end))
			return 0;
		/* a border may be in a file, so the name must follow it */
		next = p;
		do
			next = i + 1 == r->npath ? end : memmem(next + 1,
			    (size_t)(end - next) - 1, border,
			    sizeof(border) - 1);
		while (next != NULL && next < end && !names_next(path_of(k, r,
		    i + 1), next + sizeof(border) - 1, end));
		if (next == NULL)
			return 0;
		if (i > 0)
			ctx_buf_addc(&k->line, '\n');
		rc = one_file(k, r, path_of(k, r, i), (struct ctx_str){ p,
		    (uint32_t)(next - p) }, err);
		if (rc != 1)
			return rc;
		p = next + sizeof(border) - 1;
	}
	return 1;
}

/* How the listing r is to be read.  Returns 0 if it cannot. */
static int
how_listed(const struct ctx_read *r, struct ctx_str title,
    struct ctx_listing_how *how)
{
	if (r->printed)
		return ctx_listing_command(title.p, title.len, how);
	memset(how, 0, sizeof(*how));
	how->form = r->form;
	how->what = CTX_LISTED_FILES;
	how->named = how->unnamed = how->numbered = 1;
	return 1;
}

/*
 * Append the line for a listing to k->line.  Returns 1, 0 if it is not sure
 * what it is, -1 with *err.
 */
static int
one_listing(struct digest *k, const struct ctx_read *r, struct ctx_str text,
    struct ctx_err *err)
{
	struct ctx_wrapped *w = &k->wrapped;
	struct ctx_listing_how how, tool = { .form = CTX_LISTING_TOOL };
	struct ctx_ran line = { path_of(k, r, 0), !r->printed, k->opts.lang,
	    k->opts.width };
	struct ctx_str s;
	int rc = ctx_wrapped_output(w, text);

	if (rc == 1 && (w->len == 0 || !how_listed(r, line.title, &how)))
		return 0;
	s.p = w->p;
	s.len = (uint32_t)w->len;
	/* a tool that lists paths may say how many there are */
	if (rc == 1 && !r->printed && r->form == CTX_LISTING_PATHS &&
	    ctx_str_starts(s, "Found "))
		how = tool;
	if (rc == 1)
		rc = ctx_listing_read(&k->listing, &how, s);
	if (rc == 1 && k->judged != NULL)
		return note_lines(k->judged, &(struct ctx_digest_opts){ 0 });
	if (rc == 1 && ctx_ran_line(&line, &k->listing, &k->line) == -1)
		rc = -1;
	if (rc == -1)
		return ctx_fail_nomem(err);
	return rc == 1 && keep(k, w->p, w->len, err) == -1 ? -1 : rc;
}

static int
is_line(struct ctx_str s)
{
	return ctx_digest_is_line(s.p, s.len) || ctx_ran_is_line(s.p, s.len);
}

/*
 * Put the line, or lines, for a decoded text into k->line.  Returns 1, 0 if it
 * is not sure what it is, -1 with *err.
 */
static int
line_of(struct digest *k, const struct ctx_read *r, struct ctx_str text,
    struct ctx_err *err)
{
	ctx_buf_reset(&k->line);
	/* a listing counts as it did before it was replaced */
	if (k->judged != NULL && r->form != CTX_LISTING_NONE && is_line(text))
		return note_lines(k->judged, &(struct ctx_digest_opts){ 0 });
	if (text.len == 0 || is_line(text))
		return 0;
	if (r->form != CTX_LISTING_NONE)
		return one_listing(k, r, text, err);
	if (r->npath > 1)
		return several_files(k, r, text, err);
	return one_file(k, r, path_of(k, r, 0), text, err);
}

/*
 * Put the digest of read r, with decoded text p, into k->json, spelled for
 * JSON.  Returns 1, 0 if the text stays, -1 with *err.
 */
static int
digest_text(struct digest *k, const struct ctx_read *r, struct ctx_str text,
    struct ctx_err *err)
{
	int rc;

	if (text.len < k->opts.min || (rc = line_of(k, r, text, err)) == 0)
		return 0;
	if (rc == -1)
		return -1;
	ctx_buf_reset(&k->json);
	ctx_str_encode(&k->json, k->line.data, k->line.len);
	if (ctx_buf_fail(&k->line, err) == -1 ||
	    ctx_buf_fail(&k->json, err) == -1)
		return -1;
	/* a line that is longer than the contents is no use */
	if (k->line.len >= text.len)
		return 0;
	k->sums.contents++;
	k->sums.before += text.len;
	k->sums.after += k->line.len;
	return 1;
}

/* The same for a string as spelled. */
static int
digest_str(struct digest *k, const struct ctx_read *r, struct ctx_str s,
    struct ctx_err *err)
{
	ctx_buf_reset(&k->text);
	ctx_str_decode(&k->text, s.p, s.len);
	if (ctx_buf_str(&k->text) == NULL)
		return ctx_fail_nomem(err);
	return digest_text(k, r, ctx_str_of(&k->text), err);
}

/* Is it one of several texts of a result, which may be pieces of a file? */
static int
is_piece(const struct digest *k, const struct ctx_convo *c,
    const struct ctx_read *r)
{
	const struct ctx_read *first = k->reads.read;
	const struct ctx_read *end = first + k->reads.n;

	return c->part[r->part].kind == CTX_TEXT && !r->wrote &&
	    ((r > first && r[-1].head == r->head && !r[-1].wrote &&
	    c->part[r[-1].part].kind == CTX_TEXT) ||
	    (r + 1 < end && r[1].head == r->head && !r[1].wrote &&
	    c->part[r[1].part].kind == CTX_TEXT));
}

/* Put the line for an image or a document into k->line; see line_of. */
static int
line_of_part(struct digest *k, const struct ctx_convo *c,
    const struct ctx_read *r, struct ctx_err *err)
{
	struct ctx_digest_opts opts = { 0 };
	struct ctx_str path = path_of(k, r, 0);
	struct ctx_buf name = { 0 };
	int rc = ctx_payload_part(&k->wrapped, c, r->part, path);

	if (rc == -1)
		return ctx_fail_nomem(err);
	if (rc == 0 || k->wrapped.len == 0 || !which_lines(k, r, &opts))
		return 0;
	ctx_buf_reset(&k->line);
	rc = kind_name(r, path, &name, err);
	if (rc == 0)
		rc = describe(k, r, path, name.data, &opts, err);
	ctx_buf_done(&name);
	return rc;
}

/* Digest an image or a document that is the file which a tool read. */
static int
digest_part(struct digest *k, const struct ctx_convo *c,
    const struct ctx_read *r, struct ctx_err *err)
{
	const struct ctx_part *p = &c->part[r->part];
	const struct ctx_dialect *d = ctx_msg_dialect(c, p->msg);
	int rc = d == NULL || d->text_element == NULL ? 0 :
	    line_of_part(k, c, r, err);

	if (rc != 1 || k->wrapped.len < k->opts.min)
		return rc == -1 ? -1 : 0;
	ctx_buf_reset(&k->text);
	ctx_str_encode(&k->text, k->line.data, k->line.len);
	ctx_buf_reset(&k->json);
	ctx_dialect_put_text(&k->json, d, ctx_str_of(&k->text));
	if (ctx_buf_fail(&k->line, err) == -1 ||
	    ctx_buf_fail(&k->text, err) == -1 ||
	    ctx_buf_fail(&k->json, err) == -1)
		return -1;
	if (k->line.len >= k->wrapped.len)
		return 0;
	k->sums.contents++;
	k->sums.before += k->wrapped.len;
	k->sums.after += k->line.len;
	return ctx_plan_rewrite(&k->plan, c->msg[p->msg].rec,
	    p->place[0].node, 1, ctx_str_of(&k->json), err);
}

static struct ctx_str
string_of(const struct ctx_convo *c, const struct ctx_read *r)
{
	struct ctx_doc doc = ctx_convo_doc(c, c->msg[c->part[r->part].msg].rec);

	return r->node != CTX_NONE ? ctx_node_str(&doc, r->node) :
	    ctx_part_text(c, r->part);
}

/* May the contents be what a tool says instead, such as "Permission denied"? */
static int
may_be_said(const struct ctx_read *r, const struct ctx_wrapped *w)
{
	const char *nl = memchr(w->p, '\n', w->len);

	return r->npath <= 1 && r->form == CTX_LISTING_NONE &&
	    w->len <= SHORT && w->lines.from == 0 && !w->lines.base64 &&
	    (nl == NULL || nl == w->p + w->len - 1);
}

/* Is it sure what a result has, and which lines?  See reads.h. */
static int
judge(void *arg, const struct ctx_convo *c, struct ctx_read *r)
{
	struct digest *k = arg;
	struct ctx_str s = string_of(c, r);
	struct ctx_err err = { 0 };
	int rc = 0;

	k->judged = r;
	if (r->media)
		rc = line_of_part(k, c, r, &err);
	else if (!is_piece(k, c, r)) {
		ctx_buf_reset(&k->text);
		ctx_str_decode(&k->text, s.p, s.len);
		rc = ctx_buf_str(&k->text) == NULL ? -1 :
		    line_of(k, r, ctx_str_of(&k->text), &err);
		if (rc == 1)
			rc = !may_be_said(r, &k->wrapped);
	}
	k->judged = NULL;
	return rc;
}

/*
 * Digest a result, or a string in the arguments of a tool that writes.  Copies
 * of a result, which need not be all of it, get the same line.
 */
static int
digest_one(struct digest *k, const struct ctx_convo *c,
    const struct ctx_read *r, struct ctx_err *err)
{
	const struct ctx_part *p = &c->part[r->part];
	uint32_t rec = c->msg[p->msg].rec;
	struct ctx_str s = string_of(c, r);
	int rc;

	if (r->media)
		return digest_part(k, c, r, err);
	if (is_piece(k, c, r))
		return 0;
	if (p->kind == CTX_COPY && r->part != r->head)
		rc = k->head == r->head && s.len > k->json.len;
	else {
		rc = digest_str(k, r, s, err);
		k->head = rc == 1 && !r->wrote ? r->head : CTX_NONE;
	}
	return rc != 1 ? rc : ctx_plan_rewrite(&k->plan, rec,
	    r->node != CTX_NONE ? r->node : p->text, 0,
	    ctx_str_of(&k->json), err);
}

/* Digest the writes [i .. end) in doc, the arguments of their call. */
static int
patch_writes(struct digest *k, const struct ctx_doc *doc, size_t i,
    size_t end, struct ctx_patch *patch, struct ctx_err *err)
{
	const struct ctx_read *r;
	int one;

	for (; i < end; i++) {
		r = &k->reads.read[i];
		if (!r->goes)
			continue;
		one = digest_str(k, r, ctx_node_str(doc, r->node), err);
		if (one == -1)
			return -1;
		if (one == 1 && ctx_patch_add(patch,
		    doc->node[r->node].off + 1, doc->node[r->node].len - 2,
		    k->json.data, k->json.len, err) == -1)
			return -1;
	}
	return 0;
}

/*
 * Digest all writes [i .. end) of one call whose arguments are a string of
 * JSON.  This is done in the decoded string, which is then encoded again.
 */
static int
digest_string_writes(struct digest *k, const struct ctx_convo *c, size_t i,
    size_t end, struct ctx_err *err)
{
	const struct ctx_part *p = &c->part[k->reads.read[i].part];
	struct ctx_buf args = { 0 }, out = { 0 }, json = { 0 };
	struct ctx_patch patch = { 0 };
	struct ctx_doc doc = { 0 };
	struct ctx_str s = ctx_part_text(c, k->reads.read[i].part);
	int rc = -1;

	if (ctx_str_decode(&args, s.p, s.len) == -1 ||
	    ctx_doc_scan(&doc, args.data, args.len, err) == -1) {
		ctx_fail_nomem(err);
		goto out;
	}
	rc = patch_writes(k, &doc, i, end, &patch, err);
	if (rc == -1 || patch.n == 0)
		goto out;
	ctx_patch_apply(&patch, args.data, 0, args.len, &out);
	ctx_str_encode(&json, out.data, out.len);
	if (ctx_buf_fail(&out, err) == -1 || ctx_buf_fail(&json, err) == -1)
		rc = -1;
	else
		rc = ctx_plan_rewrite(&k->plan, c->msg[p->msg].rec, p->text,
		    0, ctx_str_of(&json), err);
out:
	ctx_patch_done(&patch);
	ctx_doc_done(&doc);
	ctx_buf_done(&args);
	ctx_buf_done(&out);
	ctx_buf_done(&json);
	return rc;
}

static int
digest_all(struct digest *k, const struct ctx_convo *c, struct ctx_err *err)
{
	const struct ctx_read *r;
	size_t i, end;
	int rc = 0;

	k->head = CTX_NONE;
	for (i = 0; i < k->reads.n && rc == 0; i = end) {
		r = &k->reads.read[i];
		end = i + 1;
		if (!r->wrote || c->part[r->part].flags & CTX_RAW) {
			if (r->goes)
				rc = digest_one(k, c, r, err);
			continue;
		}
		while (end < k->reads.n && k->reads.read[end].part == r->part)
			end++;
		rc = digest_string_writes(k, c, i, end, err);
	}
	return rc;
}

/* --- the job ----------------------------------------------------------- */

/*
 * A line is seldom longer than twice its width, so a text that may stay because
 * its line would be longer has no gain.
 */
static void
size(const void *arg, struct ctx_str text, uint64_t *gain, uint64_t *left)
{
	const struct digest *k = arg;
	const struct ctx_digest_job_opts *o = &k->opts;
	uint64_t n = ctx_str_chars(text.p, text.len);
	int digested = is_line(text);

	*gain = digested || n <= 2 * o->width || text.len < o->min ? 0 :
	    n - o->width;
	*left = digested || *gain > 0 ? o->width : n;
}

static int
digest_turn(const struct ctx_turn *turn, void *job, struct ctx_err *err)
{
	struct ctx_convo *c = turn->convo;
	struct ctx_chain *chain = turn->strand != NULL &&
	    turn->strand->chain.linked ? &turn->strand->chain : NULL;
	struct digest *k = job;
	uint32_t m;

	if (chain != NULL && ctx_branch_mark(chain, c, err) == -1)
		return -1;
	k->reads.chain = chain;
	if (ctx_plan_reset(&k->plan, c, err) == -1 ||
	    ctx_pair(&k->pairer, c, err) == -1 ||
	    ctx_reads_find(&k->reads, c, &k->opts.reads, err) == -1 ||
	    ctx_reads_choose(&k->reads, c, &k->plan, &k->opts.reads,
	    err) == -1 ||
	    digest_all(k, c, err) == -1)
		return -1;
	for (m = 0; m < c->nmsg; m++)
		if (ctx_plan_order(&k->plan, m, err) == -1)
			return -1;
	ctx_plan_settle(&k->plan);
	k->job.changed |= k->plan.changed;
	if (ctx_edit_turn(&k->edit, &k->plan, c, err) == -1)
		return -1;
	return ctx_job_put_turn(&k->job, c, &k->edit, err);
}

static struct ctx_job *
digest_another(const struct ctx_job *job, struct ctx_err *err)
{
	return ctx_digest_job_new(&((const struct digest *)job)->opts, err);
}

static void
digest_done(struct ctx_job *job)
{
	struct digest *k = (struct digest *)job;

	ctx_pairer_done(&k->pairer);
	ctx_reads_done(&k->reads);
	ctx_plan_done(&k->plan);
	ctx_edit_done(&k->edit);
	ctx_digest_done(&k->digest);
	ctx_buf_done(&k->text);
	ctx_wrapped_done(&k->wrapped);
	ctx_wrapped_done(&k->around);
	ctx_listing_done(&k->listing);
	ctx_buf_done(&k->line);
	ctx_buf_done(&k->json);
}

static const struct ctx_job_kind kind = {
	.turn = digest_turn,
	.another = digest_another,
	.sums = offsetof(struct digest, sums),
	.nsums = sizeof(struct ctx_digest_job_sums) / sizeof(uint64_t),
	.done = digest_done
};

struct ctx_job *
ctx_digest_job_new(const struct ctx_digest_job_opts *opts,
    struct ctx_err *err)
{
	struct digest *k = ctx_job_new(sizeof(*k), &kind, err);

	if (k == NULL)
		return NULL;
	k->job.turns.whole = k->job.turns.chained = 1;
	k->opts = *opts;
	k->opts.reads.size = size;
	k->opts.reads.judge = judge;
	k->opts.reads.arg = k;
	return &k->job;
}

const struct ctx_digest_job_sums *
ctx_digest_job_figures(const struct ctx_job *j)
{
	return &((const struct digest *)j)->sums;
}
