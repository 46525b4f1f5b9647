/* SPDX-License-Identifier: MIT */
/* Findings as SARIF 2.1.0 (OASIS); see cli_finding.h. */
#include <inttypes.h>
#include <string.h>

#include "base/url.h"
#include "cli_finding.h"
#include "read/span.h"

#define SCHEMA	"https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/" \
		"schemas/sarif-schema-2.1.0.json"

/* "name":{"text":"..."} */
static void
add_message(struct ctx_buf *out, const char *name, const char *p, size_t len)
{
	ctx_buf_addf(out, ",\"%s\":{\"text\":\"", name);
	ctx_str_encode(out, p, len);
	ctx_buf_adds(out, "\"}");
}

void
cli_form_sarif_begin(const struct cli_findings *f, struct ctx_buf *out)
{
	struct cli_rule rule;
	size_t i;

	ctx_buf_addf(out, "{\"$schema\":\"%s\",\"version\":\"2.1.0\",\"runs\":"
	    "[{\"tool\":{\"driver\":{\"name\":\"%s\",\"version\":\"%s\","
	    "\"rules\":[", SCHEMA, f->cli->cmd->name, cli_version());
	for (i = 0; i < f->rules.n; i++) {
		rule = f->rules.at(i);
		ctx_buf_addf(out, "%s\n{\"id\":\"%s\"", i > 0 ? "," : "",
		    rule.id);
		add_message(out, "shortDescription", rule.about,
		    strlen(rule.about));
		add_message(out, "fullDescription", rule.text,
		    strlen(rule.text));
		add_message(out, "help", rule.help, strlen(rule.help));
		ctx_buf_addc(out, '}');
	}
	ctx_buf_adds(out, "\n]}},\"columnKind\":\"unicodeCodePoints\","
	    "\"results\":[");
}

/* Where it is, unless that is standard input. */
static void
add_location(const struct cli_findings *f, const struct cli_finding *what,
    struct ctx_buf *out)
{
	const char *path = cli_findings_path(f, what->file);

	if (what->file == cli_stdin_name)
		return;
	ctx_buf_addf(out, ",\"locations\":[{\"physicalLocation\":{"
	    "\"artifactLocation\":{\"uri\":\"%s", path[0] == '/' ?
	    "file://" : "");
	ctx_url_path(out, path);
	ctx_buf_adds(out, path[0] == '/' ? "\"}" :
	    "\",\"uriBaseId\":\"%SRCROOT%\"}");
	if (what->line > 0) {
		ctx_buf_addf(out, ",\"region\":{\"startLine\":%" PRIu64,
		    what->line);
		if (what->chars > 0)
			ctx_buf_addf(out, ",\"startColumn\":%" PRIu64,
			    what->chars);
		ctx_buf_addc(out, '}');
	}
	ctx_buf_adds(out, "}}]");
}

void
cli_form_sarif(const struct cli_findings *f, const struct cli_finding *what,
    const char *print, struct ctx_buf *out)
{
	ctx_buf_addf(out, "%s\n{\"ruleId\":\"%s\",\"ruleIndex\":%zu,"
	    "\"level\":\"%s\"", f->errors + f->warnings > 0 ? "," : "",
	    f->rules.at(what->rule).id, what->rule,
	    what->warning ? "warning" : "error");
	add_message(out, "message", what->text, what->textlen);
	add_location(f, what, out);
	ctx_buf_addf(out, ",\"partialFingerprints\":{\"ctxFinding/v1\":"
	    "\"%s\"}}", print);
}

void
cli_form_sarif_end(int complete, struct ctx_buf *out)
{
	ctx_buf_addf(out, "\n],\"invocations\":[{\"executionSuccessful\":%s}]"
	    "}]}\n", complete ? "true" : "false");
}
