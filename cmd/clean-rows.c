/* SPDX-License-Identifier: MIT */
/* Rows of ctx-clean; see clean-rows.h. */
#include "clean-rows.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli_fare.h"
#include "cli_files.h"

/* --- findings that are not reported ------------------------------------ */

static size_t
rule_number(const char *id)
{
	size_t i;

	for (i = 0; i < CTX_F_N; i++)
		if (strcmp(ctx_fault_texts[i].id, id) == 0)
			break;
	return i;
}

void
clean_rows_ignore(struct clean_rows *r, const char *rule,
    const struct cli *c)
{
	size_t i = rule_number(rule);

	if (i == CTX_F_N)
		cli_usage(c, "--ignore: no rule is called '%s'; see --rules",
		    rule);
	r->ignored[i] = 1;
}

/* The number of a finding in r->known, where it is added if it is new. */
static size_t
number_of(struct clean_rows *r, const char *file, const char *rule,
    const char *text, size_t len)
{
	struct ctx_buf *b = &r->line;

	ctx_buf_reset(b);
	ctx_buf_addf(b, "%s\t%s\t", file, rule);
	ctx_buf_add(b, text, len);
	return ctx_buf_str(b) == NULL ? CTX_STRMAP_FULL :
	    ctx_strmap_add(&r->known, b->data, b->len);
}

/* Take one line of the baseline, a finding as --json prints it. */
static int
take_known(struct clean_rows *r, uint64_t number, struct ctx_str line,
    struct ctx_err *err)
{
	json_error_t why;
	json_t *one = json_loadb(line.p, line.len, 0, &why);
	const char *file = json_string_value(json_object_get(one, "file"));
	const char *rule = json_string_value(json_object_get(one, "rule"));
	const char *text = json_string_value(json_object_get(one, "text"));
	size_t n = r->known.n, i;

	if (file == NULL || rule == NULL || text == NULL) {
		json_decref(one);
		return ctx_fail(err, CTX_EINPUT, "%s:%" PRIu64 ": this is not "
		    "a finding that --check --json prints", r->baseline_name,
		    number);
	}
	i = number_of(r, file, rule, text, strlen(text));
	json_decref(one);
	if (i == CTX_STRMAP_FULL || CTX_ROOM(r->times, i, &r->captimes) == -1)
		return ctx_fail_nomem(err);
	if (i == n)
		r->times[i] = 0;
	r->times[i]++;
	return 0;
}

/* Read the baseline; ends the process if that fails. */
static void
read_baseline(struct clean_rows *r, struct cli *c)
{
	struct ctx_buf all = { 0 };
	struct ctx_err err = { 0 };
	uint64_t number = 0;
	size_t at, end;
	int rc = cli_file_get(r->baseline_name, &all, &err);

	if (rc == 0)
		rc = ctx_fail(&err, CTX_ESYSTEM, "%s: %s", r->baseline_name,
		    strerror(ENOENT));
	for (at = 0; rc == 1 && at < all.len; at = end + 1) {
		end = at + ctx_scan_newline(all.data + at, all.len - at);
		number++;
		if (end > at && take_known(r, number, (struct ctx_str){
		    all.data + at, (uint32_t)(end - at) }, &err) == -1)
			rc = -1;
	}
	ctx_buf_done(&all);
	if (rc == -1)
		cli_must(c, -1, &err);
	r->nbaseline = r->known.n;
}

/* --- findings ---------------------------------------------------------- */

static const char *
level_of(const struct ctx_row *row)
{
	return row->n[0] ? "warning" : "error";
}

/*
 * Print a finding as a JSON object; file is quoted, text may contain any
 * character.
 */
static void
print_json(struct cli *c, const char *file, const struct ctx_row *row)
{
	struct ctx_buf b = { 0 };

	ctx_buf_adds(&b, "{\"file\":\"");
	ctx_str_encode(&b, file, strlen(file));
	ctx_buf_addf(&b, "\",\"line\":%" PRIu64 ",\"col\":%" PRIu64
	    ",\"level\":\"%s\",\"rule\":\"%s\",\"text\":\"", row->line,
	    row->col, level_of(row), row->rule);
	ctx_str_encode(&b, row->text, row->textlen);
	ctx_buf_adds(&b, "\"}");
	if (ctx_buf_str(&b) == NULL)
		cli_error(c, CLI_SYSTEM, "out of memory");
	else
		puts(b.data);
	ctx_buf_done(&b);
}

/* Is the finding in the baseline?  Each of its entries excuses one. */
static int
is_known(struct clean_rows *r, const char *file, const struct ctx_row *row)
{
	size_t i;

	if (r->nbaseline == 0)
		return 0;
	if ((i = number_of(r, file, row->rule, row->text,
	    row->textlen)) == CTX_STRMAP_FULL)
		cli_nomem(r->stream.cli);
	return i < r->nbaseline && r->times[i] > 0 && r->times[i]-- > 0;
}

static void
print_fault(struct clean_rows *r, const struct ctx_row *row)
{
	const char *name = r->stream.file;
	char file[512];

	ctx_err_quote(file, sizeof(file), name, strlen(name));
	if (r->ignored[rule_number(row->rule)] || is_known(r, file, row))
		return;
	if (row->n[0])
		r->warnings++;
	else
		r->errors++;
	if (r->json)
		print_json(r->stream.cli, file, row);
	else
		printf("%s:%" PRIu64 ":%" PRIu64 ": %s[%s]: %.*s\n", file,
		    row->line, row->col, level_of(row), row->rule,
		    (int)row->textlen, row->text);
}

/* --check: invalid JSON is a finding like any other, and checking continues. */
static void
bad_line(struct cli_stream *s, const struct ctx_err *bad)
{
	struct clean_rows *r = (struct clean_rows *)s;
	struct ctx_row row = { .rule = ctx_fault_texts[CTX_F_NOT_JSON].id,
	    .line = bad->line, .col = bad->col, .text = bad->text,
	    .textlen = strlen(bad->text) };

	r->bad++;
	print_fault(r, &row);
	cli_raise(s->cli, CLI_INPUT);
}

/* --check: a file of which nothing can be judged is not in order. */
static void
no_message(struct cli_stream *s, const char *file, uint64_t records)
{
	struct clean_rows *r = (struct clean_rows *)s;
	struct ctx_row row = { .rule = ctx_fault_texts[CTX_F_NO_MESSAGE].id,
	    .line = 1, .col = 1 };
	char text[64];

	(void)file;
	if (r->told == s->file)
		return;
	row.textlen = (size_t)snprintf(text, sizeof(text), "no message in %"
	    PRIu64 " record%s", records, CLI_S(records));
	row.text = text;
	print_fault(r, &row);
	r->blind++;
}

/* --- the report -------------------------------------------------------- */

static int
report(struct clean_rows *r, const char *file, const struct ctx_row *row,
    struct ctx_err *err)
{
	struct cli_fare f = { .file = file, .line = row->line,
	    .fare = (enum ctx_fare)row->n[0], .why = row->rule,
	    .path = { row->name, (uint32_t)row->namelen },
	    .values = row->n[1], .bytes = row->n[2], .changed = 1,
	    .bytes_after = row->n[3], .tokens = row->n[4],
	    .tokens_after = row->n[5] };
	struct ctx_str id = { row->text, (uint32_t)row->textlen };

	if (f.fare == CTX_RENAMED)
		f.to = id;
	else
		f.id = id;
	f.changed = f.fare == CTX_REFORMED || f.fare == CTX_LEFT_OUT;
	return cli_fare_put(&r->report, &r->line, &f, err);
}

static int
put_row(struct cli_stream *s, const struct ctx_row *row, struct ctx_err *err)
{
	struct clean_rows *r = (struct clean_rows *)s;

	switch ((enum ctx_clean_row)row->what) {
	case CTX_CLEAN_FAULT:
		if (row->rule == ctx_fault_texts[CTX_F_NO_MESSAGE].id)
			r->told = s->file;
		print_fault(r, row);
		return 0;
	case CTX_CLEAN_CHANGE:
		return report(r, s->file, row, err);
	case CTX_CLEAN_KEEP:
		break;
	}
	ctx_buf_reset(&r->line);
	ctx_buf_add(&r->line, row->name, row->namelen);
	if (ctx_buf_str(&r->line) == NULL)
		return ctx_fail_nomem(err);
	return cli_file_put(row->n[0] == CTX_KEEP_IMAGE ? r->image_dir :
	    r->stash_dir, r->line.data, r->line.data + 64, row->text,
	    row->textlen, err);
}

/* --- opening and closing ----------------------------------------------- */

/* A ctx_kept_fn for the folder arg. */
static int
kept(void *arg, const char *name, struct ctx_buf *out, struct ctx_err *err)
{
	struct ctx_buf path = { 0 };
	int rc = cli_file_path(&path, arg, name, name + 64, err);

	if (rc == 0)
		rc = cli_file_get(path.data, out, err);
	ctx_buf_done(&path);
	return rc;
}

/*
 * Turn the folder into a file: URL: everything but RFC 3986's unreserved
 * characters is escaped.
 */
static void
make_url(struct clean_rows *r, struct cli *c)
{
	char *real = realpath(r->image_dir, NULL), *p;

	if (real == NULL) {
		cli_error(c, CLI_SYSTEM, "%s: %s", r->image_dir,
		    strerror(errno));
		exit(c->worst);
	}
	ctx_buf_adds(&r->url, "file://");
	for (p = real; *p != '\0'; p++)
		if (strchr("/-._~", *p) != NULL || (*p >= '0' && *p <= '9') ||
		    (*p >= 'A' && *p <= 'Z') || (*p >= 'a' && *p <= 'z'))
			ctx_buf_addc(&r->url, *p);
		else
			ctx_buf_addf(&r->url, "%%%02X",
			    (unsigned)(unsigned char)*p);
	free(real);
}

static void
open_images(struct clean_rows *r, struct ctx_images_opts *o, struct cli *c)
{
	cli_file_dir(r->image_dir, o->how == CTX_IMAGES_OUT, c);
	make_url(r, c);
	o->url = ctx_buf_str(&r->url);
	if (o->url == NULL)
		cli_nomem(c);
	o->kept = kept;
	o->kept_arg = (void *)(uintptr_t)r->image_dir;
	o->kept_in = r->image_dir;
}

void
clean_rows_rules(struct cli *c, void *place)
{
	const struct ctx_fault_text *t;
	size_t i;

	(void)place;
	for (i = 0; i < CTX_F_N; i++) {
		t = &ctx_fault_texts[i];
		printf("%s\n  text: %s\n  apis: %s\n  why:  %s\n", t->id,
		    t->text, t->apis, t->why);
	}
	exit(cli_end(c));
}

void
clean_rows_open(struct clean_rows *r, struct ctx_clean_opts *opts,
    struct cli *c)
{
	r->stream.row = put_row;
	r->check = opts->check;
	if (r->baseline_name != NULL)
		read_baseline(r, c);
	if (r->check) {
		r->stream.bad_line = bad_line;
		r->stream.no_message = no_message;
		r->stream.on_error = CTX_BAD_TELL;
	}
	if (r->stash_dir != NULL) {
		cli_file_dir(r->stash_dir, 1, c);
		opts->lean.keep = 1;
	}
	if (r->restore_dir != NULL) {
		cli_file_dir(r->restore_dir, 0, c);
		opts->lean.kept = kept;
		opts->lean.kept_arg = (void *)(uintptr_t)r->restore_dir;
		opts->lean.kept_in = r->restore_dir;
	}
	if (r->report_name != NULL) {
		cli_file_out(&r->report, r->report_name, c);
		opts->report = 1;
	}
	if (r->image_dir != NULL)
		open_images(r, &opts->images, c);
}

void
clean_rows_close(struct clean_rows *r, struct cli *c)
{
	cli_file_out_done(&r->report, c);
	ctx_buf_done(&r->url);
	ctx_buf_done(&r->line);
	ctx_strmap_done(&r->known);
	free(r->times);
}

void
clean_rows_sum(const struct clean_rows *r, const struct ctx_clean_sums *did,
    struct cli *c)
{
	FILE *out = c->verbose ? stderr : NULL;
	uint64_t n;
	int i;

	if (out != NULL)
		fprintf(out, "%s: %" PRIu64 " record%s", c->cmd->name,
		    did->records, CLI_S(did->records));
	for (i = 0; i < CTX_F_N; i++) {
		n = did->fault[i] + (i == CTX_F_NOT_JSON ? r->bad :
		    i == CTX_F_NO_MESSAGE ? r->blind : 0);
		if (n > 0 && out != NULL)
			fprintf(out, ", %" PRIu64 " %s", n,
			    ctx_fault_texts[i].id);
	}
	if (r->check && (r->errors > 0 || (r->strict && r->warnings > 0)))
		cli_raise(c, CLI_NO);
	if (out == NULL)
		return;
	if (did->rewritten > 0)
		fprintf(out, ", %" PRIu64 " text%s shortened or replaced",
		    did->rewritten, CLI_S(did->rewritten));
	fputc('\n', out);
}
