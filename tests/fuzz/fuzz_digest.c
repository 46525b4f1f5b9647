/* SPDX-License-Identifier: MIT */
/*
 * Treat any bytes as a file whose name the first byte selects; after 255, it is
 * the first line.  The digest must be one line of UTF-8, and the reduced text
 * must not be longer than its source.
 */
#include "fuzz.h"

#include <stdio.h>

#include "base/utf8.h"
#include "digest/digest_line.h"
#include "digest/reduce.h"
#include "digest/title.h"

static const char *const names[] = { "x", "x.csv", "x.tsv", "x.json",
    "x.jsonl", "x.ipynb", "x.log", "x.diff", "x.xlsx", "x.h", "x.m", "x.yaml",
    "x.toml", "x.xml", "package.json", "package-lock.json", "composer.json",
    "composer.lock", "Pipfile.lock", "yarn.lock", "Gemfile.lock", "go.mod",
    "Cargo.toml", "Cargo.lock", "pyproject.toml", "poetry.lock", "pom.xml",
    "compose.yaml", ".github/workflows/a.yml", ".env", "Dockerfile",
    "openapi.json", "openapi.yaml", "x.schema.json", "x.sarif", "x.srt" };

#define NAME	60	/* with its NUL */
#define NNAMES	(sizeof(names) / sizeof(names[0]))

/* Take the first line as the name. */
static void
take_name(char name[NAME], const char **p, size_t *len)
{
	const char *nl = *len > 0 ? memchr(*p, '\n', *len) : NULL;
	size_t n = nl != NULL ? (size_t)(nl - *p) : 0;

	if (n == 0 || n >= NAME)
		return;
	snprintf(name, NAME, "%.*s", (int)n, *p);
	*p += n + 1;
	*len -= n + 1;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	static struct ctx_digest d;
	struct ctx_digest_opts o = { 0 };
	struct ctx_buf out = { 0 };
	const char *p = (const char *)data + 1, *start;
	char name[NAME] = "x";
	size_t which;

	if (len-- == 0)
		return 0;
	which = data[0] % (NNAMES + ctx_langs_n);
	if (data[0] == 255)
		take_name(name, &p, &len);
	else if (which >= NNAMES)
		o.lang = &ctx_langs[which - NNAMES];
	else
		snprintf(name, sizeof(name), "%s", names[which]);
	MUST(ctx_digest_make(&d, name, p, len, &o, NULL) == 0);
	MUST(ctx_digest_line(&d, CTX_ZH, data[0], &out) == 0);
	MUST(ctx_utf8_check(out.data, out.len) == out.len);
	MUST(memchr(out.data, '\n', out.len) == NULL);
	ctx_buf_reset(&out);
	MUST(ctx_digest_json(&d, &out) == 0);
	MUST(ctx_utf8_check(out.data, out.len) == out.len);
	if (o.lang != NULL) {
		ctx_buf_reset(&out);
		MUST(ctx_reduce(&out, o.lang, p, len) == 0);
		MUST(out.len <= len);
		MUST(ctx_title(o.lang, p, len, &start) <= len);
	}
	ctx_buf_done(&out);
	return 0;
}
