/* SPDX-License-Identifier: MIT */
/* Findings, and the forms that are lines of text; see cli_finding.h. */
#include "cli_finding.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/sha256.h"
#include "cli_pager.h"
#include "read/span.h"
#include "show/width.h"

const char *const cli_forms[] = { "text", "github", "gitlab", "junit",
	"sarif", NULL };

size_t
cli_rule_number(const struct cli_rules *rules, const char *id)
{
	size_t i;

	for (i = 0; i < rules->n; i++)
		if (strcmp(rules->at(i).id, id) == 0)
			break;
	return i;
}

const char *
cli_findings_path(const struct cli_findings *f, const char *file)
{
	size_t n = strlen(f->here);

	if (n > 1 && strncmp(file, f->here, n) == 0 && file[n] == '/')
		file += n + 1;
	while (file[0] == '.' && file[1] == '/' && file[2] != '\0')
		file += 2;
	return file;
}

/* Write what is in the buffer, and empty it. */
static void
flush(const struct cli_findings *f, struct ctx_buf *b)
{
	if (b->failed)
		cli_nomem(f->cli);
	if (b->len > 0)
		fwrite(b->data, 1, b->len, stdout);
	ctx_buf_reset(b);
}

/* A text or name with nothing in it that a terminal or a parser minds. */
static void
quote(const struct cli_findings *f, struct ctx_buf *to, const char *p,
    size_t len)
{
	ctx_buf_reset(to);
	if (ctx_buf_reserve(to, 4 * len + 8) == -1)
		cli_nomem(f->cli);
	to->len = strlen(ctx_err_quote(to->data, 4 * len + 8, p, len));
}

/* --- fingerprints -------------------------------------------------------- */

/*
 * The fingerprint of a finding: it is the same on another line, and differs from
 * those of others like it by their number.
 */
static void
print_of(struct cli_findings *f, const struct cli_finding *what,
    const char *file, char print[CLI_PRINT_LEN])
{
	char all[CTX_SHA256_HEX], number[24];
	struct ctx_buf *b = &f->key;
	size_t i, n = f->seen.n;

	ctx_buf_reset(b);
	ctx_buf_addf(b, "%s\t%s\t%04x\t", file, f->rules.at(what->rule).id,
	    what->mark);
	if (what->key != NULL)
		ctx_buf_add(b, what->key, what->keylen);
	else
		ctx_buf_add(b, what->text, what->textlen);
	if (b->failed || (i = ctx_strmap_add(&f->seen, b->data,
	    b->len)) == CTX_STRMAP_FULL ||
	    CTX_ROOM(f->times, i, &f->captimes) == -1)
		cli_nomem(f->cli);
	if (i == n)
		f->times[i] = 0;
	snprintf(number, sizeof(number), "\t%" PRIu64, ++f->times[i]);
	if (ctx_buf_adds(b, number) == -1)
		cli_nomem(f->cli);
	ctx_sha256_hex(b->data, b->len, all);
	memcpy(print, all, CLI_PRINT_LEN - 1);
	print[CLI_PRINT_LEN - 1] = '\0';
}

/* --- forms --------------------------------------------------------------- */

static const char *
level_of(const struct cli_finding *what)
{
	return what->warning ? "warning" : "error";
}

/* "file:line:col: " */
static void
add_place(struct ctx_buf *b, const char *file, const struct cli_finding *what)
{
	if (what->col > 0)
		ctx_buf_addf(b, "%s:%" PRIu64 ":%" PRIu64 ": ", file,
		    what->line, what->col);
	else
		ctx_buf_addf(b, "%s:%" PRIu64 ": ", file, what->line);
}

/*
 * Show the line with a caret under the place, as compilers do; of what does not fit
 * on the terminal, a part of it.
 */
static void
show_place(struct cli_findings *f, const struct cli_finding *what)
{
	size_t room = f->columns - 3, before, cut = 0, n;
	struct ctx_buf *line = &f->path, *out = &f->out;

	ctx_buf_reset(line);
	ctx_width_print(line, what->line_text, what->at);
	n = line->len;
	before = ctx_width_of(line->data, n);
	if (before > room / 2) {
		cut = ctx_width_cut(line->data, n, before - room / 2 + 1);
		before = ctx_width_of(line->data + cut, n - cut) + 1;
	}
	ctx_width_print(line, what->line_text + what->at,
	    what->line_len - what->at);
	ctx_buf_adds(out, cut > 0 ? "  \u2026" : "  ");
	if (!line->failed)
		ctx_buf_add(out, line->data + cut, ctx_width_cut(line->data +
		    cut, line->len - cut, room - (cut > 0)));
	ctx_buf_adds(out, "\n  ");
	for (; before > 0; before--)
		ctx_buf_addc(out, ' ');
	ctx_buf_adds(out, f->color ? "\033[1;32m^\033[0m\n" : "^\n");
	out->failed |= line->failed;
}

static void
as_text(struct cli_findings *f, const struct cli_finding *what)
{
	char file[512];

	add_place(&f->out, ctx_err_quote(file, sizeof(file), what->file,
	    strlen(what->file)), what);
	ctx_buf_adds(&f->out, what->warning ? "warning[" : "error[");
	ctx_buf_adds(&f->out, f->rules.at(what->rule).id);
	ctx_buf_adds(&f->out, "]: ");
	ctx_buf_add(&f->out, what->text, what->textlen);
	ctx_buf_addc(&f->out, '\n');
	if (f->columns > 0 && what->line_text != NULL)
		show_place(f, what);
}

static void
as_json(struct cli_findings *f, const struct cli_finding *what)
{
	struct ctx_buf *b = &f->out;

	quote(f, &f->path, what->file, strlen(what->file));
	ctx_buf_adds(b, "{\"file\":\"");
	ctx_str_encode(b, f->path.data, f->path.len);
	ctx_buf_addf(b, "\",\"line\":%" PRIu64 ",\"col\":%" PRIu64
	    ",\"level\":\"%s\",\"rule\":\"%s\",\"text\":\"", what->line,
	    what->col, level_of(what), f->rules.at(what->rule).id);
	ctx_str_encode(b, what->text, what->textlen);
	ctx_buf_adds(b, "\"}\n");
}

/* Escape what ends a property or a message of a workflow command. */
static void
add_github(struct ctx_buf *b, const char *p, size_t len, int property)
{
	const char *end = p + len;

	for (; p < end; p++)
		if (*p == '%' || *p == '\r' || *p == '\n' ||
		    (property && (*p == ':' || *p == ',')))
			ctx_buf_addf(b, "%%%02X", (unsigned)(unsigned char)*p);
		else
			ctx_buf_addc(b, *p);
}

/* An annotation; of standard input, which has no place in a tree, the log line. */
static void
as_github(struct cli_findings *f, const struct cli_finding *what)
{
	const char *path = cli_findings_path(f, what->file);
	struct ctx_buf *b = &f->out;
	int std = what->file == cli_stdin_name;

	ctx_buf_addf(b, "::%s ", level_of(what));
	if (!std) {
		quote(f, &f->path, path, strlen(path));
		ctx_buf_adds(b, "file=");
		add_github(b, f->path.data, f->path.len, 1);
		ctx_buf_addf(b, ",line=%" PRIu64, what->line);
		if (what->chars > 0)
			ctx_buf_addf(b, ",col=%" PRIu64, what->chars);
		ctx_buf_addc(b, ',');
	}
	ctx_buf_addf(b, "title=%s::", f->rules.at(what->rule).id);
	if (std)
		add_place(b, what->file, what);
	add_github(b, what->text, what->textlen, 0);
	ctx_buf_addc(b, '\n');
}

static void
as_gitlab(struct cli_findings *f, const struct cli_finding *what,
    const char *print)
{
	const char *path = cli_findings_path(f, what->file);
	struct ctx_buf *b = &f->out;

	ctx_buf_addf(b, "%s{\"description\":\"",
	    f->errors + f->warnings > 0 ? ",\n" : "\n");
	ctx_str_encode(b, what->text, what->textlen);
	quote(f, &f->path, path, strlen(path));
	ctx_buf_addf(b, "\",\"check_name\":\"%s\",\"fingerprint\":\"%s\","
	    "\"severity\":\"%s\",\"location\":{\"path\":\"",
	    f->rules.at(what->rule).id, print,
	    what->warning ? "minor" : "major");
	ctx_str_encode(b, f->path.data, f->path.len);
	ctx_buf_addf(b, "\",\"lines\":{\"begin\":%" PRIu64 "}}}",
	    what->line > 0 ? what->line : 1);
}

/* GitLab's report cannot say that a run failed, so that is a finding. */
static void
add_gitlab_failed(struct cli_findings *f)
{
	const char *name = f->cli->cmd->name;

	ctx_buf_addf(&f->out, "%s{\"description\":\"a file could not be read to "
	    "its end; the messages of %s say why\",\"check_name\":\"not-read\","
	    "\"fingerprint\":\"%s\",\"severity\":\"blocker\",\"location\":"
	    "{\"path\":\".\",\"lines\":{\"begin\":1}}}",
	    f->errors + f->warnings > 0 ? ",\n" : "\n", name, name);
}

/* Write the suite of a file, if one is open. */
static void
close_suite(struct cli_findings *f)
{
	if (f->file == NULL)
		return;
	if (f->suite.failed)
		cli_nomem(f->cli);
	cli_form_junit_suite(f, &f->out);
	ctx_buf_reset(&f->suite);
	f->file = NULL;
	f->tests = f->failures = 0;
}

static void
open_suite(struct cli_findings *f, const char *file)
{
	if (f->form != CLI_FORM_JUNIT || f->file == file)
		return;
	close_suite(f);
	f->file = file;
}

/* What comes before the first finding. */
static void
begin(struct cli_findings *f)
{
	if (f->begun)
		return;
	f->begun = 1;
	if (f->form == CLI_FORM_GITLAB)
		ctx_buf_addc(&f->out, '[');
	else if (f->form == CLI_FORM_JUNIT)
		ctx_buf_adds(&f->out, "<?xml version=\"1.0\" "
		    "encoding=\"UTF-8\"?>\n<testsuites>\n");
	else if (f->form == CLI_FORM_SARIF)
		cli_form_sarif_begin(f, &f->out);
}

static void
print(struct cli_findings *f, const struct cli_finding *what,
    const char *fingerprint)
{
	struct cli_finding safe = *what;

	begin(f);
	if (f->form != CLI_FORM_TEXT && f->form != CLI_FORM_JSON) {
		quote(f, &f->text, what->text, what->textlen);
		safe.text = f->text.data;
		safe.textlen = f->text.len;
	}
	switch ((enum cli_form)f->form) {
	case CLI_FORM_TEXT:
		as_text(f, what);
		break;
	case CLI_FORM_JSON:
		as_json(f, what);
		break;
	case CLI_FORM_GITHUB:
		as_github(f, &safe);
		break;
	case CLI_FORM_GITLAB:
		as_gitlab(f, &safe, fingerprint);
		break;
	case CLI_FORM_SARIF:
		cli_form_sarif(f, &safe, fingerprint, &f->out);
		break;
	case CLI_FORM_JUNIT:
		open_suite(f, what->file);
		cli_form_junit(f, &safe, fingerprint, &f->suite);
		f->tests++;
		f->failures += !what->warning || f->strict;
	}
	flush(f, &f->out);
}

/* --- all findings -------------------------------------------------------- */

void
cli_findings_open(struct cli_findings *f, struct cli *c)
{
	f->cli = c;
	if (getcwd(f->here, sizeof(f->here)) == NULL)
		f->here[0] = '\0';
	if (f->form == CLI_FORM_TEXT && isatty(STDOUT_FILENO)) {
		(void)ctx_width_locale();
		f->columns = cli_screen_columns();
		f->color = cli_screen_colored(CLI_COLOR_AUTO);
	}
	c->lifted |= f->base.write;
	if (f->base.name != NULL)
		cli_baseline_open(f);
}

int
cli_findings_marked(const struct cli_findings *f)
{
	return f->base.name != NULL || (f->form != CLI_FORM_TEXT &&
	    f->form != CLI_FORM_JSON);
}

int
cli_findings_put(struct cli_findings *f, const struct cli_finding *what)
{
	const char *path = cli_findings_path(f, what->file);
	char fingerprint[CLI_PRINT_LEN] = "";

	if (f->base.name != NULL || (cli_findings_marked(f) &&
	    f->form != CLI_FORM_GITHUB))
		print_of(f, what, path, fingerprint);
	if (f->base.name != NULL &&
	    cli_baseline_has(f, what, path, fingerprint))
		return 0;
	print(f, what, fingerprint);
	if (what->warning)
		f->warnings++;
	else
		f->errors++;
	return 1;
}

void
cli_findings_file(struct cli_findings *f, const char *file)
{
	f->files++;
	if (f->base.name != NULL)
		cli_baseline_file(&f->base, cli_findings_path(f, file));
	begin(f);
	open_suite(f, file);
}

void
cli_findings_end(struct cli_findings *f, uint64_t nfiles)
{
	int complete = f->files >= nfiles && f->cli->worst < CLI_SYSTEM;

	begin(f);
	close_suite(f);
	if (f->form == CLI_FORM_GITLAB) {
		if (!complete)
			add_gitlab_failed(f);
		ctx_buf_adds(&f->out, f->errors + f->warnings > 0 ||
		    !complete ? "\n]\n" : "]\n");
	} else if (f->form == CLI_FORM_SARIF)
		cli_form_sarif_end(complete, &f->out);
	else if (f->form == CLI_FORM_JUNIT) {
		if (!complete)
			cli_form_junit_failed(f, &f->out);
		ctx_buf_adds(&f->out, "</testsuites>\n");
	}
	flush(f, &f->out);
	if (f->base.name != NULL)
		cli_baseline_end(f, complete);
}

void
cli_findings_done(struct cli_findings *f)
{
	cli_baseline_done(&f->base);
	ctx_buf_done(&f->out);
	ctx_buf_done(&f->suite);
	ctx_buf_done(&f->path);
	ctx_buf_done(&f->text);
	ctx_buf_done(&f->key);
	ctx_strmap_done(&f->seen);
	free(f->times);
}
