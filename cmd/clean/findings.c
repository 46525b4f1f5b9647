/* SPDX-License-Identifier: MIT */
/* Faults that ctx-clean --check finds; see findings.h. */
#include "cmd/clean/findings.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
	OPT_WORD(0, "format", "NAME", out.form, cli_forms,
	    "with --check: print faults in this form (default text)",
	    .needs = "check", .excludes = "json"),
	OPT_PICK(0, "json", out.form, CLI_FORM_JSON,
	    "with --check: print each fault as a JSON object",
	    .needs = "check"),
	OPT_FLAG(0, "strict", out.strict,
	    "with --check: exit with 1 for warnings, too", .needs = "check"),
	OPT_LIST(0, "ignore", "RULE", ignore,
	    "with --check: do not report faults of this rule",
	    .needs = "check"),
	OPT_TEXT(0, "baseline", "FILE", out.base.name,
	    "report only faults that are not in FILE", .needs = "check"),
	OPT_FLAG(0, "baseline-write", out.base.write,
	    "with --baseline: put the faults that are found into FILE",
	    .needs = "baseline"),
	OPT_DO(0, "rules", NULL, print_rules,
	    "print the rules and what is known of them, and exit"),
	OPT_END
};
#undef OPT_OF

static struct cli_rule
rule_at(size_t i)
{
	const struct ctx_fault_text *t = &ctx_fault_texts[i];

	return (struct cli_rule){ t->id, t->about, t->text, t->why };
}

static void
ignore_rule(struct clean_findings *f, const char *rule)
{
	size_t i = cli_rule_number(&f->out.rules, rule);

	if (i == CTX_F_N)
		cli_usage(f->out.cli, "--ignore: no rule is called '%s'; see "
		    "--rules", rule);
	f->ignored[i] = f->off[i] = 1;
}

void
clean_findings_open(struct clean_findings *f, struct cli *c)
{
	size_t i;

	f->out.cli = c;
	f->out.rules = (struct cli_rules){ rule_at, CTX_F_N, f->off };
	f->off[CTX_F_SECRET] = !cli_given(c, "redact");
	for (i = 0; i < f->ignore.n; i++)
		ignore_rule(f, f->ignore.v[i]);
	cli_findings_open(&f->out, c);
}

void
clean_findings_done(struct clean_findings *f)
{
	cli_args_done(&f->ignore);
	cli_findings_done(&f->out);
	clean_remedy_done(&f->remedy);
}

/* Returns 1 if it was printed. */
static int
print(struct clean_findings *f, const char *name, const struct ctx_row *row)
{
	int is_bad = row->rule == ctx_fault_texts[CTX_F_NOT_JSON].id;
	const struct cli_finding what = { .file = name, .line = row->line,
	    .col = row->col, .chars = row->n[3], .warning = row->n[0] != 0,
	    .rule = cli_rule_number(&f->out.rules, row->rule),
	    .text = row->text, .textlen = row->textlen,
	    .mark = (uint16_t)row->n[2], .line_text = row->name,
	    .line_len = row->namelen, .at = (size_t)row->n[4] };

	if (f->ignored[what.rule] || !cli_findings_put(&f->out, &what))
		return 0;
	if (f->file != name)
		f->mended = f->skipped = 0;
	f->file = name;
	if (is_bad)
		f->skipped++;
	else if (row->n[1])
		f->mended++;
	return 1;
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
	if (print(f, file, &row))
		cli_raise(f->out.cli, CLI_INPUT);
}

void
clean_findings_no_message(struct clean_findings *f, const char *file,
    uint64_t records)
{
	struct ctx_row row = { .rule = ctx_fault_texts[CTX_F_NO_MESSAGE].id,
	    .line = 1, .col = 1, .n = { [3] = 1 } };
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
clean_findings_file(struct clean_findings *f, const char *file, int to_skip)
{
	cli_findings_file(&f->out, file);
	if (f->file == file && (to_skip || f->skipped == 0))
		clean_remedy_add(&f->remedy, file == cli_stdin_name ? NULL :
		    file, f->mended, f->skipped, f->out.cli);
	f->file = NULL;
}

void
clean_findings_sum(struct clean_findings *f,
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
	if (f->out.errors > 0 || (f->out.strict && f->out.warnings > 0))
		cli_raise(c, CLI_NO);
}
