/* SPDX-License-Identifier: MIT */
/* Tokenizer, stash and report of ctx-clean; see clean-lean.h. */
#include "clean-lean.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/sha256.h"
#include "base/utf8.h"
#include "cli_files.h"

/* --- tokens -------------------------------------------------------------- */

/* ctx_count_fn: tokens of s, and the characters of its first ones. */
static int
count(void *arg, struct ctx_str s, uint64_t want, uint64_t *total,
    uint64_t *chars, struct ctx_err *err)
{
	struct clean_lean *l = arg;
	size_t i, bytes = 0, len;

	if (ctx_counter_json(&l->cost.counter, s.p, s.len, total, err) == -1)
		return -1;
	if (chars == NULL)
		return 0;
	if (want >= *total) {
		*chars = ctx_str_chars(s.p, s.len);
		return 0;
	}
	if (ctx_tok_is_estimate(l->cost.choice.tok)) {
		*chars = want * 5 / 2;
		return 0;
	}
	ctx_buf_reset(&l->buf);
	if (ctx_str_decode(&l->buf, s.p, s.len) == -1)
		return ctx_fail_nomem(err);
	l->ids.n = 0;
	if (ctx_counter_encode(&l->cost.counter, l->buf.data, l->buf.len,
	    &l->ids, err) == -1)
		return -1;
	for (i = 0; i < want && i < l->ids.n; i++) {
		ctx_tok_bytes(l->cost.choice.tok, l->ids.id[i], &len);
		bytes += len;
	}
	if (bytes > l->buf.len)
		bytes = l->buf.len;
	/* a token may end inside a character: that one is out */
	while (bytes > 0 && bytes < l->buf.len &&
	    (l->buf.data[bytes] & 0xc0) == 0x80)
		bytes--;
	*chars = ctx_utf8_count(l->buf.data, bytes);
	return 0;
}

/* --- stash ----------------------------------------------------------------- */

/*
 * Keep a text under the hash of what it spells.  Where writing that text as
 * JSON again would spell it otherwise, the spelling is kept beside it, so that
 * --restore gives the bytes that were there.
 */
static int
stash(void *arg, struct ctx_str text, char hash[65], struct ctx_err *err)
{
	struct clean_lean *l = arg;

	ctx_buf_reset(&l->buf);
	ctx_buf_reset(&l->line);
	if (ctx_str_decode(&l->buf, text.p, text.len) == -1 ||
	    ctx_str_encode(&l->line, l->buf.data, l->buf.len) == -1)
		return ctx_fail_nomem(err);
	ctx_sha256_hex(l->buf.data, l->buf.len, hash);
	if (cli_file_put(l->stash_dir, hash, "", l->buf.data, l->buf.len,
	    err) == -1)
		return -1;
	if (l->line.len == text.len &&
	    memcmp(l->line.data, text.p, text.len) == 0)
		return 0;
	return cli_file_put(l->stash_dir, hash, ".json", text.p, text.len, err);
}

static int
is_hex(const char *s)
{
	return strspn(s, "0123456789abcdef") >= 64;
}

/* Is the text in l->buf the one that was kept under that hash? */
static int
is_whole(const struct clean_lean *l, const char *hash, struct ctx_err *err)
{
	char own[CTX_SHA256_HEX];

	ctx_sha256_hex(l->buf.data != NULL ? l->buf.data : "", l->buf.len,
	    own);
	if (memcmp(own, hash, 64) == 0)
		return 1;
	return ctx_fail(err, CTX_ESYSTEM, "%.200s is damaged", l->line.data);
}

/* The text behind a marker's hash, escaped. */
static int
fetch(void *arg, const char *hash, struct ctx_buf *out, struct ctx_err *err)
{
	struct clean_lean *l = arg;
	int rc;

	if (!is_hex(hash))
		return 0;
	if (cli_file_path(&l->line, l->restore_dir, hash, ".json", err) == -1 ||
	    (rc = cli_file_get(l->line.data, out, err)) == -1)
		return -1;
	/* it is going into a line: nothing but string contents may */
	if (rc == 1) {
		ctx_buf_reset(&l->buf);
		ctx_buf_addc(&l->buf, '"');
		ctx_buf_add(&l->buf, out->data, out->len);
		ctx_buf_addc(&l->buf, '"');
		struct ctx_doc doc = { 0 };

		if (ctx_buf_fail(&l->buf, err) == -1)
			return -1;
		rc = ctx_doc_try(&doc, l->buf.data, l->buf.len);
		ctx_doc_done(&doc);
		if (rc == -1)
			return ctx_fail_nomem(err);
		if (rc != 1)
			return ctx_fail(err, CTX_ESYSTEM, "%.200s is damaged",
			    l->line.data);
		ctx_buf_reset(&l->buf);
		if (ctx_str_decode(&l->buf, out->data, out->len) == -1)
			return ctx_fail_nomem(err);
		return is_whole(l, hash, err);
	}
	if (cli_file_path(&l->line, l->restore_dir, hash, "", err) == -1)
		return -1;
	ctx_buf_reset(&l->buf);
	if ((rc = cli_file_get(l->line.data, &l->buf, err)) != 1 ||
	    (rc = is_whole(l, hash, err)) != 1)
		return rc;
	return ctx_str_encode(out, l->buf.data, l->buf.len) == -1 ?
	    ctx_fail_nomem(err) : 1;
}

/* --- report ------------------------------------------------------------------ */

static void
add_member(struct ctx_buf *b, const char *name, const char *s, size_t len,
    int escaped)
{
	ctx_buf_addf(b, ",\"%s\":\"", name);
	if (escaped)
		ctx_buf_add(b, s, len);
	else
		ctx_str_encode(b, s, len);
	ctx_buf_addc(b, '"');
}

static int
report_line(struct clean_lean *l, const struct ctx_convo *c,
    const struct ctx_change *ch, struct ctx_err *err)
{
	uint64_t before = 0, after = 0;
	struct ctx_buf *b = &l->line;

	if (ch->before.p != NULL && ctx_counter_json(&l->cost.counter,
	    ch->before.p, ch->before.len, &before, err) == -1)
		return -1;
	if (ch->after.p != NULL && ctx_counter_json(&l->cost.counter,
	    ch->after.p, ch->after.len, &after, err) == -1)
		return -1;
	ctx_buf_reset(b);
	ctx_buf_addf(b, "{\"line\":%" PRIu64, c->rec[ch->rec].line);
	add_member(b, "file", l->file, strlen(l->file), 0);
	if (ch->id.p != NULL)
		add_member(b, "id", ch->id.p, ch->id.len, 1);
	add_member(b, "rule", ch->rule, strlen(ch->rule), 0);
	ctx_buf_addf(b, ",\"bytes_before\":%u,\"bytes_after\":%u,"
	    "\"tokens_before\":%" PRIu64 ",\"tokens_after\":%" PRIu64 "}\n",
	    ch->before.len, ch->after.len, before, after);
	if (ctx_buf_fail(b, err) == -1)
		return -1;
	return ctx_out_line(l->report, b->data, b->len, NULL, err);
}

static int
changed(void *arg, const struct ctx_convo *c, const struct ctx_change *ch,
    struct ctx_err *err)
{
	return report_line(arg, c, ch, err);
}

int
clean_lean_dropped(struct clean_lean *l, const struct ctx_convo *c,
    const struct ctx_finding *f, struct ctx_err *err)
{
	struct ctx_change ch = { .rule = ctx_fault_texts[f->fault].id,
	    .rec = f->rec, .msg = f->msg };

	if (l->report == NULL || f->fault == CTX_F_SECRET || !f->fixed)
		return 0;
	if (ch.rec == CTX_NONE)
		ch.rec = c->msg[f->msg].rec;
	if (f->part != CTX_NONE) {
		ch.id = c->part[f->part].id;
		ch.before = ctx_part_text(c, f->part);
	}
	return report_line(l, c, &ch, err);
}

/* --- opening and closing ------------------------------------------------------ */

static void
open_redact(struct clean_lean *l, struct cli *c)
{
	const char *key = getenv("CTX_REDACT_KEY");
	struct ctx_err err = { 0 };

	l->redact.patterns = l->pattern;
	l->redact.npatterns = l->npattern;
	if (key != NULL) {
		l->redact.key = key;
		l->redact.keylen = strlen(key);
	}
	l->opts.redact = ctx_redact_new(&l->redact, &err);
	cli_must(c, l->opts.redact == NULL ? -1 : 0, &err);
}

void
clean_lean_open(struct clean_lean *l, struct cli *c)
{
	struct ctx_lean_opts *o = &l->opts;
	struct ctx_err err = { 0 };
	int fd;

	o->arg = l;
	o->exclude = l->exclude;
	o->nexclude = l->nexclude;
	if (l->want_redact)
		open_redact(l, c);
	if (l->stash_dir != NULL) {
		cli_file_dir(l->stash_dir, 1, c);
		o->stash = stash;
	}
	if (l->restore_dir != NULL) {
		cli_file_dir(l->restore_dir, 0, c);
		o->fetch = fetch;
	}
	if (o->result.tokens || o->message.tokens || o->when_tokens > 0 ||
	    o->down_to > 0 || l->report_name != NULL)
		cli_cost_open(&l->cost, c);
	if (l->cost.ready)
		o->count = o->result.count = o->message.count = count;
	o->result.arg = o->message.arg = l;
	if (l->report_name == NULL)
		return;
	fd = open(l->report_name, O_WRONLY | O_CREAT | O_TRUNC, 0666);
	if (fd == -1) {
		ctx_fail_errno(&err, errno, "cannot write");
		cli_report(c, l->report_name, &err);
		exit(c->worst);
	}
	ctx_out_init(&l->report_out, fd, l->report_name);
	l->report = &l->report_out;
	o->changed = changed;
}

void
clean_lean_close(struct clean_lean *l, struct cli *c)
{
	struct ctx_err err = { 0 };

	if (l->report != NULL && (ctx_out_flush(l->report, &err) == -1 ||
	    (close(l->report->fd) == -1 &&
	    ctx_fail_errno(&err, errno, "%s", l->report_name) == -1)))
		cli_report(c, NULL, &err);
	if (l->report != NULL)
		ctx_out_done(l->report);
	ctx_redact_free(l->opts.redact);
	ctx_cost_done(&l->cost);
	ctx_ids_done(&l->ids);
	ctx_buf_done(&l->buf);
	ctx_buf_done(&l->line);
	free(l->pattern);
	free(l->exclude);
}
