/* SPDX-License-Identifier: MIT */
/*
 * Findings as JUnit's XML, as Jenkins and GitLab read it: a suite for each file,
 * and in it a test case for each finding, or one that passes.  A finding that
 * does not make the command fail passes, too.  See cli_finding.h.
 */
#include <inttypes.h>
#include <string.h>

#include "base/utf8.h"
#include "cli_finding.h"

/* Append a text as XML 1.0 has it, also in an attribute. */
static void
add_xml(struct ctx_buf *out, const char *p, size_t len)
{
	size_t i, step;
	uint32_t cp;

	for (i = 0; i < len; i += step) {
		step = ctx_utf8_step(p + i, len - i, &cp);
		if (step == 0) {
			step = 1;
			cp = 0;
		}
		if (cp == '&')
			ctx_buf_adds(out, "&amp;");
		else if (cp == '<')
			ctx_buf_adds(out, "&lt;");
		else if (cp == '>')
			ctx_buf_adds(out, "&gt;");
		else if (cp == '"')
			ctx_buf_adds(out, "&quot;");
		else if (cp < 0x20 || cp == 0xfffe || cp == 0xffff)
			ctx_buf_adds(out, "\xef\xbf\xbd");
		else
			ctx_buf_add(out, p + i, step);
	}
}

static void
add_file(const struct cli_findings *f, const char *file, struct ctx_buf *out)
{
	const char *path = cli_findings_path(f, file);

	add_xml(out, path, strlen(path));
}

/* "file:line: level[rule]: text" */
static void
add_told(const struct cli_findings *f, const struct cli_finding *what,
    struct ctx_buf *out)
{
	add_file(f, what->file, out);
	ctx_buf_addf(out, ":%" PRIu64, what->line);
	if (what->col > 0)
		ctx_buf_addf(out, ":%" PRIu64, what->col);
	ctx_buf_addf(out, ": %s[%s]: ", what->warning ? "warning" : "error",
	    f->rules.at(what->rule).id);
	add_xml(out, what->text, what->textlen);
}

void
cli_form_junit(const struct cli_findings *f, const struct cli_finding *what,
    const char *print, struct ctx_buf *out)
{
	const char *id = f->rules.at(what->rule).id;

	/* the name is the same on another line, so that tests can be compared */
	ctx_buf_adds(out, "<testcase classname=\"");
	add_file(f, what->file, out);
	ctx_buf_addf(out, "\" name=\"%s %.8s\" file=\"", id, print);
	add_file(f, what->file, out);
	ctx_buf_addf(out, "\" line=\"%" PRIu64 "\">\n", what->line);
	if (what->warning && !f->strict) {
		ctx_buf_adds(out, "<system-out>");
		add_told(f, what, out);
		ctx_buf_adds(out, "</system-out>\n");
	} else {
		ctx_buf_addf(out, "<failure type=\"%s\" message=\"", id);
		add_xml(out, what->text, what->textlen);
		ctx_buf_adds(out, "\">");
		add_told(f, what, out);
		ctx_buf_adds(out, "</failure>\n");
	}
	ctx_buf_adds(out, "</testcase>\n");
}

void
cli_form_junit_suite(const struct cli_findings *f, struct ctx_buf *out)
{
	ctx_buf_adds(out, "<testsuite name=\"");
	add_file(f, f->file, out);
	ctx_buf_addf(out, "\" tests=\"%" PRIu64 "\" failures=\"%" PRIu64
	    "\" errors=\"0\" skipped=\"0\">\n", f->tests > 0 ? f->tests : 1,
	    f->failures);
	if (f->tests == 0) {
		ctx_buf_adds(out, "<testcase classname=\"");
		add_file(f, f->file, out);
		ctx_buf_addf(out, "\" name=\"%s\"/>\n", f->cli->cmd->name);
	} else
		ctx_buf_add(out, f->suite.data, f->suite.len);
	ctx_buf_adds(out, "</testsuite>\n");
}

void
cli_form_junit_failed(const struct cli_findings *f, struct ctx_buf *out)
{
	const char *name = f->cli->cmd->name;

	ctx_buf_addf(out, "<testsuite name=\"%s\" tests=\"1\" failures=\"0\" "
	    "errors=\"1\" skipped=\"0\">\n<testcase classname=\"%s\" "
	    "name=\"all files are read\">\n<error message=\"a file could not "
	    "be read to its end; the messages of %s say why\"/>\n"
	    "</testcase>\n</testsuite>\n", name, name, name);
}
