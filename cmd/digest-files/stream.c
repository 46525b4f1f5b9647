/* SPDX-License-Identifier: MIT */
/* Digests in a stream; see stream.h. */
#include "cmd/digest-files/stream.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sha256.h"
#include "cli_files.h"
#include "edit/edit.h"

void
digests_done(struct digests *d)
{
	cli_args_done(&d->tool);
	ctx_pairer_done(&d->pairer);
	ctx_reads_done(&d->reads);
	ctx_plan_done(&d->plan);
	ctx_edit_done(&d->edit);
	ctx_digest_done(&d->digest);
	ctx_buf_done(&d->text);
	ctx_buf_done(&d->plain);
	ctx_buf_done(&d->line);
	ctx_buf_done(&d->json);
}

static int
stash(struct digests *d, const char *p, size_t len, struct ctx_err *err)
{
	char hash[CTX_SHA256_HEX];

	if (d->stash_dir == NULL)
		return 0;
	ctx_sha256_hex(p, len, hash);
	ctx_buf_addf(&d->line, " sha256:%s", hash);
	return cli_file_put(d->stash_dir, hash, "", p, len, err);
}

/* One file's contents as a line, appended to d->line. */
static int
one_file(struct digests *d, const struct ctx_read *r, size_t path,
    const char *p, size_t len, struct ctx_err *err)
{
	struct ctx_digest_opts opts = { .from = r->from, .to = r->to,
	    .wrote = r->wrote != 0 };
	struct ctx_buf name = { 0 };
	size_t n = 0;
	uint64_t from, to;
	const char *s = "";
	int rc;

	if (path != SIZE_MAX)
		s = ctx_strmap_at(&d->reads.paths, path, &n);
	ctx_buf_add(&name, n > 0 ? s : "file", n > 0 ? n : 4);
	ctx_buf_reset(&d->plain);
	if (ctx_buf_str(&name) == NULL ||
	    (rc = ctx_reads_unnumber(p, len, &d->plain, &from, &to)) == -1) {
		rc = ctx_fail_nomem(err);
		goto out;
	}
	if (rc == 1) {
		p = d->plain.data;
		len = d->plain.len;
		if (from > 1 || r->to != 0) {
			opts.from = from;
			opts.to = to;
		}
	} else if (opts.to != 0 && opts.from == 0)
		opts.from = 1;
	if ((rc = ctx_digest_make(&d->digest, name.data, p, len, &opts,
	    err)) == -1)
		goto out;
	ctx_digest_line(&d->digest, d->lang, d->width, &d->line);
	rc = stash(d, p, len, err);
out:
	ctx_buf_done(&name);
	return rc;
}

/*
 * Several files in one text, as MCP's server of files joins them: each behind
 * its name and a colon, with a line "---" between.
 */
static int
several_files(struct digests *d, const struct ctx_read *r, const char *p,
    size_t len, struct ctx_err *err)
{
	static const char border[] = "\n---\n";
	const char *end = p + len, *next, *name;
	size_t i, n;

	for (i = 0; i < r->npath; i++) {
		next = i + 1 < r->npath ? memmem(p, (size_t)(end - p), border,
		    sizeof(border) - 1) : end;
		if (next == NULL)
			next = end;
		name = ctx_strmap_at(&d->reads.paths,
		    d->reads.path[r->first + i], &n);
		if ((size_t)(next - p) > n + 2 && memcmp(p, name, n) == 0 &&
		    p[n] == ':' && p[n + 1] == '\n')
			p += n + 2;
		if (i > 0)
			ctx_buf_addc(&d->line, '\n');
		if (one_file(d, r, d->reads.path[r->first + i], p,
		    (size_t)(next - p), err) == -1)
			return -1;
		if (next == end)
			break;
		p = next + sizeof(border) - 1;
	}
	return 0;
}

/*
 * What read r of decoded text p becomes, spelled for JSON in d->json.
 * 1; 0: it stays; -1 with *err.
 */
static int
digest_text(struct digests *d, const struct ctx_read *r, const char *p,
    size_t len, struct ctx_err *err)
{
	int rc;

	if (len < d->min || len == 0 || ctx_digest_is_line(p, len))
		return 0;
	ctx_buf_reset(&d->line);
	if (r->npath > 1)
		rc = several_files(d, r, p, len, err);
	else
		rc = one_file(d, r, r->npath == 1 ?
		    d->reads.path[r->first] : SIZE_MAX, p, len, err);
	if (rc == -1)
		return -1;
	ctx_buf_reset(&d->json);
	ctx_str_encode(&d->json, d->line.data, d->line.len);
	if (ctx_buf_fail(&d->line, err) == -1 ||
	    ctx_buf_fail(&d->json, err) == -1)
		return -1;
	/* a line that is longer than what it stands for helps nobody */
	if (d->line.len >= len)
		return 0;
	d->count++;
	d->before += len;
	d->after += d->line.len;
	return 1;
}

static int
decode(struct digests *d, struct ctx_str s, struct ctx_err *err)
{
	ctx_buf_reset(&d->text);
	ctx_str_decode(&d->text, s.p, s.len);
	return ctx_buf_str(&d->text) == NULL ? ctx_fail_nomem(err) : 0;
}

static int
digest_read(struct digests *d, const struct ctx_convo *c,
    const struct ctx_read *r, struct ctx_err *err)
{
	const struct ctx_part *p = &c->part[r->part];
	int rc;

	if (decode(d, ctx_part_text(c, r->part), err) == -1)
		return -1;
	rc = digest_text(d, r, d->text.data, d->text.len, err);
	if (rc != 1)
		return rc;
	return ctx_plan_rewrite(&d->plan, c->msg[p->msg].rec, p->text, 0,
	    ctx_str_of(&d->json), err);
}

/* Arguments that are an object: the string in them. */
static int
digest_raw_write(struct digests *d, const struct ctx_convo *c,
    const struct ctx_read *r, struct ctx_err *err)
{
	uint32_t rec = c->msg[c->part[r->part].msg].rec;
	struct ctx_doc doc = ctx_convo_doc(c, rec);
	int rc;

	if (decode(d, ctx_node_str(&doc, r->node), err) == -1)
		return -1;
	rc = digest_text(d, r, d->text.data, d->text.len, err);
	if (rc != 1)
		return rc;
	return ctx_plan_rewrite(&d->plan, rec, r->node, 0,
	    ctx_str_of(&d->json), err);
}

/* The writes [i .. end), in doc that the arguments of their call are. */
static int
patch_writes(struct digests *d, const struct ctx_doc *doc, size_t i,
    size_t end, struct ctx_patch *patch, struct ctx_err *err)
{
	const struct ctx_read *r;
	int one;

	for (; i < end; i++) {
		r = &d->reads.read[i];
		if (!r->goes)
			continue;
		if (decode(d, ctx_node_str(doc, r->node), err) == -1 ||
		    (one = digest_text(d, r, d->text.data, d->text.len,
		    err)) == -1)
			return -1;
		if (one == 1 && ctx_patch_add(patch,
		    doc->node[r->node].off + 1, doc->node[r->node].len - 2,
		    d->json.data, d->json.len, err) == -1)
			return -1;
	}
	return 0;
}

/*
 * Arguments that are a string of JSON: all writes [i .. end) of one call, in
 * the decoded string, which is then spelled again.
 */
static int
digest_string_writes(struct digests *d, const struct ctx_convo *c, size_t i,
    size_t end, struct ctx_err *err)
{
	const struct ctx_part *p = &c->part[d->reads.read[i].part];
	struct ctx_buf args = { 0 }, out = { 0 }, json = { 0 };
	struct ctx_patch patch = { 0 };
	struct ctx_doc doc = { 0 };
	struct ctx_str s = ctx_part_text(c, d->reads.read[i].part);
	int rc = -1;

	if (ctx_str_decode(&args, s.p, s.len) == -1 ||
	    ctx_doc_scan(&doc, args.data, args.len, err) == -1) {
		ctx_fail_nomem(err);
		goto out;
	}
	rc = patch_writes(d, &doc, i, end, &patch, err);
	if (rc == -1 || patch.n == 0)
		goto out;
	ctx_patch_apply(&patch, args.data, 0, args.len, &out);
	ctx_str_encode(&json, out.data, out.len);
	if (ctx_buf_fail(&out, err) == -1 || ctx_buf_fail(&json, err) == -1)
		rc = -1;
	else
		rc = ctx_plan_rewrite(&d->plan, c->msg[p->msg].rec, p->text,
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
digest_all(struct digests *d, const struct ctx_convo *c, struct ctx_err *err)
{
	const struct ctx_read *r;
	size_t i, end;
	int rc = 0;

	for (i = 0; i < d->reads.n && rc == 0; i = end) {
		r = &d->reads.read[i];
		for (end = i + 1; end < d->reads.n && r->wrote &&
		    d->reads.read[end].part == r->part; end++)
			;
		if (r->wrote && !(c->part[r->part].flags & CTX_RAW)) {
			rc = digest_string_writes(d, c, i, end, err);
			continue;
		}
		for (; i < end && rc == 0; i++)
			if (d->reads.read[i].goes)
				rc = r->wrote ? digest_raw_write(d, c,
				    &d->reads.read[i], err) :
				    digest_read(d, c, &d->reads.read[i], err);
	}
	return rc;
}

static int
turn(const struct ctx_turn *t, void *arg, struct ctx_err *err)
{
	struct ctx_convo *c = t->convo;
	struct digests *d = arg;
	uint32_t m;

	if (ctx_plan_reset(&d->plan, c, err) == -1 ||
	    ctx_pair(&d->pairer, c, err) == -1 ||
	    ctx_reads_find(&d->reads, c, &d->opts, err) == -1 ||
	    digest_all(d, c, err) == -1)
		return -1;
	for (m = 0; m < c->nmsg; m++)
		if (ctx_plan_order(&d->plan, m, err) == -1)
			return -1;
	ctx_plan_settle(&d->plan);
	d->stream.own.changed |= d->plan.changed;
	if (ctx_edit_turn(&d->edit, &d->plan, c, err) == -1)
		return -1;
	return ctx_queue_turn(&d->stream.own.queue, c, &d->edit, err);
}

void
digests_run(struct digests *d, struct cli *c)
{
	d->opts.tool = d->tool.v;
	d->opts.ntool = d->tool.n;
	if (d->stash_dir != NULL)
		cli_file_dir(d->stash_dir, 1, c);
	d->stream.own.turns.turn = turn;
	d->stream.own.turns.arg = d;
	d->stream.own.turns.whole = 1;
	cli_each_turn(&d->stream, c);
	if (c->verbose)
		fprintf(stderr, "%s: %" PRIu64 " contents digested, %" PRIu64
		    " bytes to %" PRIu64 "\n", c->cmd->name, d->count,
		    d->before, d->after);
}
