/* SPDX-License-Identifier: MIT */
/* Faults that ctx-clean --check finds; see findings.h. */
#include "cmd/clean/findings.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli_files.h"

/* --rules: print the table of rules, and end the process. */
static void
print_rules(struct cli *c, void *place)
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

#define OPT_OF struct clean_findings
const struct cli_opt clean_findings_opts[] = {
	OPT_FLAG(0, "json", json,
	    "with --check: print each fault as a JSON object",
	    .needs = "check"),
	OPT_FLAG(0, "strict", strict,
	    "with --check: exit with 1 for warnings, too", .needs = "check"),
	OPT_LIST(0, "ignore", "RULE", ignore,
	    "with --check: do not report faults of this rule",
	    .needs = "check"),
	OPT_TEXT(0, "baseline", "FILE", baseline_name,
	    "report only faults that --json did not write to FILE",
	    .needs = "check"),
	OPT_DO(0, "rules", NULL, print_rules,
	    "print the rules and what is known of them, and exit"),
	OPT_END
};
#undef OPT_OF

/* --- what is not reported ---------------------------------------------- */

static size_t
rule_number(const char *id)
{
	size_t i;

	for (i = 0; i < CTX_F_N; i++)
		if (strcmp(ctx_fault_texts[i].id, id) == 0)
			break;
	return i;
}

static void
ignore_rule(struct clean_findings *f, const char *rule)
{
	size_t i = rule_number(rule);

	if (i == CTX_F_N)
		cli_usage(f->cli, "--ignore: no rule is called '%s'; see "
		    "--rules", rule);
	f->ignored[i] = 1;
}

/* The number of a finding in f->known, where it is added if it is new. */
static size_t
number_of(struct clean_findings *f, const char *file, const char *rule,
    const char *text, size_t len)
{
	struct ctx_buf *b = &f->line;

	ctx_buf_reset(b);
	ctx_buf_addf(b, "%s\t%s\t", file, rule);
	ctx_buf_add(b, text, len);
	return ctx_buf_str(b) == NULL ? CTX_STRMAP_FULL :
	    ctx_strmap_add(&f->known, b->data, b->len);
}

/* Take one line of the baseline, a finding as --json prints it. */
static int
take_known(struct clean_findings *f, uint64_t number, struct ctx_str line,
    struct ctx_err *err)
{
	json_error_t why;
	json_t *one = json_loadb(line.p, line.len, 0, &why);
	const char *file = json_string_value(json_object_get(one, "file"));
	const char *rule = json_string_value(json_object_get(one, "rule"));
	const char *text = json_string_value(json_object_get(one, "text"));
	size_t n = f->known.n, i;

	if (file == NULL || rule == NULL || text == NULL) {
		json_decref(one);
		return ctx_fail(err, CTX_EINPUT, "%s:%" PRIu64 ": this is not "
		    "a finding that --check --json prints", f->baseline_name,
		    number);
	}
	i = number_of(f, file, rule, text, strlen(text));
	json_decref(one);
	if (i == CTX_STRMAP_FULL || CTX_ROOM(f->times, i, &f->captimes) == -1)
		return ctx_fail_nomem(err);
	if (i == n)
		f->times[i] = 0;
	f->times[i]++;
	return 0;
}

/* Read the baseline; ends the process if that fails. */
static void
read_baseline(struct clean_findings *f)
{
	struct ctx_buf all = { 0 };
	struct ctx_err err = { 0 };
	uint64_t number = 0;
	size_t at, end;
	int rc = cli_file_get(f->baseline_name, &all, &err);

	if (rc == 0)
		rc = ctx_fail(&err, CTX_ESYSTEM, "%s: %s", f->baseline_name,
		    strerror(ENOENT));
	for (at = 0; rc == 1 && at < all.len; at = end + 1) {
		end = at + ctx_scan_newline(all.data + at, all.len - at);
		number++;
		if (end > at && take_known(f, number, (struct ctx_str){
		    all.data + at, (uint32_t)(end - at) }, &err) == -1)
			rc = -1;
	}
	ctx_buf_done(&all);
	if (rc == -1)
		cli_must(f->cli, -1, &err);
	f->nbaseline = f->known.n;
}

void
clean_findings_open(struct clean_findings *f, struct cli *c)
{
	size_t i;

	f->cli = c;
	for (i = 0; i < f->ignore.n; i++)
		ignore_rule(f, f->ignore.v[i]);
	if (f->baseline_name != NULL)
		read_baseline(f);
}

void
clean_findings_done(struct clean_findings *f)
{
	cli_args_done(&f->ignore);
	ctx_strmap_done(&f->known);
	free(f->times);
	clean_remedy_done(&f->remedy);
	ctx_buf_done(&f->line);
}

/* --- printing ---------------------------------------------------------- */

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
is_known(struct clean_findings *f, const char *file, const struct ctx_row *row)
{
	size_t i;

	if (f->nbaseline == 0)
		return 0;
	if ((i = number_of(f, file, row->rule, row->text,
	    row->textlen)) == CTX_STRMAP_FULL)
		cli_nomem(f->cli);
	return i < f->nbaseline && f->times[i] > 0 && f->times[i]-- > 0;
}

static void
print(struct clean_findings *f, const char *name, const struct ctx_row *row)
{
	int is_bad = row->rule == ctx_fault_texts[CTX_F_NOT_JSON].id;
	char file[512];

	ctx_err_quote(file, sizeof(file), name, strlen(name));
	if (f->ignored[rule_number(row->rule)] || is_known(f, file, row))
		return;
	if (row->n[0])
		f->warnings++;
	else
		f->errors++;
	if (row->n[1] || is_bad)
		clean_remedy_add(&f->remedy, name[0] == '(' ? NULL : name,
		    is_bad, f->cli);
	if (f->json)
		print_json(f->cli, file, row);
	else
		printf("%s:%" PRIu64 ":%" PRIu64 ": %s[%s]: %.*s\n", file,
		    row->line, row->col, level_of(row), row->rule,
		    (int)row->textlen, row->text);
}

void
clean_findings_put(struct clean_findings *f, const char *file,
    const struct ctx_row *row)
{
	if (row->rule == ctx_fault_texts[CTX_F_NO_MESSAGE].id)
		f->told = file;
	print(f, file, row);
}

void
clean_findings_bad_line(struct clean_findings *f, const char *file,
    const struct ctx_err *bad)
{
	struct ctx_row row = { .rule = ctx_fault_texts[CTX_F_NOT_JSON].id,
	    .line = bad->line, .col = bad->col, .text = bad->text,
	    .textlen = strlen(bad->text) };

	f->bad++;
	print(f, file, &row);
	cli_raise(f->cli, CLI_INPUT);
}

void
clean_findings_no_message(struct clean_findings *f, const char *file,
    uint64_t records)
{
	struct ctx_row row = { .rule = ctx_fault_texts[CTX_F_NO_MESSAGE].id,
	    .line = 1, .col = 1 };
	char text[64];

	if (f->told == file)
		return;
	row.textlen = (size_t)snprintf(text, sizeof(text), "no message in %"
	    PRIu64 " record%s", records, CLI_S(records));
	row.text = text;
	print(f, file, &row);
	f->blind++;
}

void
clean_findings_sum(const struct clean_findings *f,
    const struct ctx_clean_sums *did, struct cli *c)
{
	uint64_t n;
	int i;

	for (i = 0; i < CTX_F_N && c->verbose; i++) {
		n = did->fault[i] + (i == CTX_F_NOT_JSON ? f->bad :
		    i == CTX_F_NO_MESSAGE ? f->blind : 0);
		if (n > 0)
			fprintf(stderr, ", %" PRIu64 " %s", n,
			    ctx_fault_texts[i].id);
	}
	if (f->errors > 0 || (f->strict && f->warnings > 0))
		cli_raise(c, CLI_NO);
}
