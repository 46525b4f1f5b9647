/* SPDX-License-Identifier: MIT */
/* The table of kinds, and what its readers share; see kind.h. */
#include "digest/kind.h"

#include <fnmatch.h>
#include <string.h>

#include "digest/kind_impl.h"

#define DOC_MAX		((size_t)16 << 20)	/* larger files are no kind */
#define LOOK_MAX	((size_t)64 << 10)
#define GLOBS		5
#define MARKS		3

/* How a file becomes what its reader takes. */
enum form { TEXT, JSON, TOML, YAML };

/*
 * A row applies to a file with one of these names and, if there are marks, with
 * one of them near its start: a string of JSON, a tag, or what begins a line.  A
 * name with a slash is compared with the path.
 */
struct kind {
	const char *glob[GLOBS];	/* patterns of sh */
	const char *mark[MARKS];
	const char *type;		/* as the digest prints it */
	enum ctx_file_kind kind;
	enum form form;
	ctx_kind_reader *read;
	ctx_kind_doc_reader *read_doc;
};

#define DATA(form, read)	CTX_FILE_DATA, form, NULL, read
#define LINES(read)		CTX_FILE_DATA, TEXT, read, NULL

static const struct kind kinds[] = {
	{ { "package.json" }, { NULL }, "npm package",
	    DATA(JSON, ctx_kind_npm) },
	{ { "package-lock.json", "npm-shrinkwrap.json",
	    ".package-lock.json" }, { NULL }, "npm lockfile",
	    DATA(JSON, ctx_kind_npm_lock) },
	{ { "composer.json" }, { NULL }, "Composer package",
	    DATA(JSON, ctx_kind_composer) },
	{ { "composer.lock" }, { NULL }, "Composer lockfile",
	    DATA(JSON, ctx_kind_composer_lock) },
	{ { "Pipfile.lock" }, { NULL }, "Pipenv lockfile",
	    DATA(JSON, ctx_kind_pipfile_lock) },
	{ { "yarn.lock" }, { NULL }, "Yarn lockfile", LINES(ctx_kind_yarn) },
	{ { "Gemfile.lock" }, { NULL }, "Bundler lockfile",
	    LINES(ctx_kind_gemfile) },
	{ { "go.mod" }, { NULL }, "Go module", LINES(ctx_kind_go_mod) },
	{ { "go.sum" }, { NULL }, "Go checksums", LINES(ctx_kind_go_sum) },
	{ { "Cargo.toml" }, { NULL }, "Cargo package",
	    DATA(TOML, ctx_kind_cargo) },
	{ { "Cargo.lock" }, { NULL }, "Cargo lockfile",
	    DATA(TOML, ctx_kind_cargo_lock) },
	{ { "pyproject.toml" }, { NULL }, "Python project",
	    DATA(TOML, ctx_kind_python) },
	{ { "poetry.lock" }, { NULL }, "Poetry lockfile",
	    DATA(TOML, ctx_kind_uv_lock) },
	{ { "uv.lock" }, { NULL }, "uv lockfile",
	    DATA(TOML, ctx_kind_uv_lock) },
	{ { "Dockerfile", "Dockerfile.*", "*.dockerfile", "Containerfile",
	    "*.Dockerfile" }, { NULL }, "dockerfile", CTX_FILE_CODE, TEXT,
	    ctx_kind_dockerfile, NULL },
	{ { "pom.xml", "*.pom" }, { NULL }, "Maven project",
	    LINES(ctx_kind_maven) },
	{ { "*.xml" }, { "<testsuite" }, "JUnit", CTX_FILE_LOG, TEXT,
	    ctx_kind_junit, NULL },
	{ { ".env", ".env.*", "*.env" }, { NULL }, "environment",
	    LINES(ctx_kind_env) },
	{ { "*.github/workflows/*.yml", "*.github/workflows/*.yaml" },
	    { NULL }, "GitHub workflow", DATA(YAML, ctx_kind_github) },
	{ { ".gitlab-ci.yml", "*.gitlab-ci.yml" }, { NULL }, "GitLab CI",
	    DATA(YAML, ctx_kind_gitlab) },
	{ { "docker-compose*.yml", "docker-compose*.yaml", "compose.yml",
	    "compose.yaml", "compose.*.y*ml" }, { NULL }, "Compose",
	    DATA(YAML, ctx_kind_compose) },
	{ { "pnpm-lock.yaml" }, { NULL }, "pnpm lockfile",
	    DATA(YAML, ctx_kind_pnpm_lock) },
	{ { "*.yml", "*.yaml" }, { "apiVersion:" }, "Kubernetes",
	    DATA(YAML, ctx_kind_kubernetes) },
	{ { "*.yml", "*.yaml" }, { "openapi:", "swagger:" }, "YAML",
	    DATA(YAML, ctx_kind_api) },
	{ { "*.json" }, { "\"openapi\"", "\"swagger\"", "\"$schema\"" },
	    "JSON", DATA(JSON, ctx_kind_api) },
};

#define NKINDS	(sizeof(kinds) / sizeof(kinds[0]))

/* --- what readers share -------------------------------------------------- */

int
ctx_kind_add_pair(struct ctx_digest *d, enum ctx_list list,
    const struct ctx_doc *doc, uint32_t a, uint32_t b, struct ctx_err *err)
{
	const uint32_t node[2] = { a, b };
	struct ctx_str s;
	int i;

	ctx_buf_reset(&d->scratch);
	for (i = 0; i < 2; i++) {
		if (node[i] == CTX_NONE || strchr("{[n",
		    ctx_node_type(doc, node[i])) != NULL)
			continue;
		if (d->scratch.len > 0)
			ctx_buf_addc(&d->scratch, ' ');
		s = ctx_node_json(doc, node[i]);
		if (*s.p == '"')
			ctx_node_decode(&d->scratch, doc, node[i]);
		else
			ctx_buf_add(&d->scratch, s.p, s.len);
	}
	if (ctx_buf_fail(&d->scratch, err) == -1)
		return -1;
	return ctx_digest_name(d, list, d->scratch.data, d->scratch.len, err);
}

int
ctx_kind_add(struct ctx_digest *d, enum ctx_list list,
    const struct ctx_doc *doc, uint32_t node, struct ctx_err *err)
{
	return ctx_kind_add_pair(d, list, doc, node, CTX_NONE, err);
}

int
ctx_kind_add_keys(struct ctx_digest *d, enum ctx_list list,
    const struct ctx_doc *doc, uint32_t node, struct ctx_err *err)
{
	uint32_t k;

	CTX_FOR_KEYS(doc, k, node)
		if (ctx_kind_add(d, list, doc, k, err) == -1)
			return -1;
	return 0;
}

int
ctx_kind_add_list(struct ctx_digest *d, enum ctx_list list,
    const struct ctx_doc *doc, uint32_t node, struct ctx_err *err)
{
	uint32_t e;

	CTX_FOR_LIST(doc, e, node)
		if (ctx_kind_add(d, list, doc, e, err) == -1)
			return -1;
	return 0;
}

uint64_t
ctx_kind_count_keys(const struct ctx_doc *doc, uint32_t node)
{
	uint64_t n = 0;
	uint32_t k;

	CTX_FOR_KEYS(doc, k, node)
		n++;
	return n;
}

/* --- which kind it is ---------------------------------------------------- */

/* A pattern that names its first or its last byte seldom needs more. */
static int
matches(const char *glob, const char *name, size_t len)
{
	const char last = glob[strlen(glob) - 1];

	return len > 0 && (*glob == '*' || *glob == *name) &&
	    (last == '*' || last == name[len - 1]) &&
	    fnmatch(glob, name, 0) == 0;
}

static int
is_named(const struct kind *k, const char *path, const char *base)
{
	const size_t len = strlen(base);
	int i;

	for (i = 0; i < GLOBS && k->glob[i] != NULL; i++)
		if (matches(k->glob[i], base, len) || (strchr(k->glob[i],
		    '/') != NULL && matches(k->glob[i], path, strlen(path))))
			return 1;
	return 0;
}

static int
is_marked(const struct kind *k, const char *p, size_t len)
{
	const char *end = p + (len > LOOK_MAX ? LOOK_MAX : len), *q, *mark;
	size_t n;
	int i;

	for (i = 0; i < MARKS && k->mark[i] != NULL; i++) {
		mark = k->mark[i];
		n = strlen(mark);
		for (q = p; (q = memmem(q, (size_t)(end - q), mark, n)) !=
		    NULL; q += n)
			if (*mark == '"' || *mark == '<' || q == p ||
			    q[-1] == '\n')
				return 1;
	}
	return i == 0;
}

/*
 * Turn the file into JSON, in *buf unless it is JSON.  Returns 1, 0 if it
 * cannot be read, or -1 if out of memory.
 */
static int
as_json(struct ctx_digest *d, enum form form, struct ctx_str *s,
    struct ctx_buf *buf)
{
	int rc = 1;

	if (form == TOML) {
		rc = ctx_kind_toml_json(buf, s->p, s->len);
		*s = ctx_str_of(buf);
	} else if (form == YAML) {
		rc = ctx_aide_ask(&d->yaml, "ctx-yaml", s->p, s->len);
		*s = ctx_str_of(&d->yaml.answer);
		rc = rc == -1 ? -1 : rc == CTX_AIDE_ALL;
	}
	return rc;
}

static int
read_doc(struct ctx_digest *d, const struct kind *k, const char *p,
    size_t len, struct ctx_err *err)
{
	struct ctx_buf buf = { 0 };
	struct ctx_doc doc = { 0 };
	struct ctx_str s = { p, (uint32_t)len };
	uint32_t root = k->form == YAML ? 1 : 0;
	int rc = as_json(d, k->form, &s, &buf);

	if (rc == 1)
		rc = ctx_doc_try(&doc, s.p, s.len);
	if (rc == -1)
		ctx_fail_nomem(err);
	else if (rc == 1)
		rc = root < doc.n && ctx_node_type(&doc, root) == '{' ?
		    k->read_doc(d, &doc, root, err) : 0;
	ctx_doc_done(&doc);
	ctx_buf_done(&buf);
	return rc;
}

int
ctx_kind_read(struct ctx_digest *d, const char *p, size_t len,
    struct ctx_err *err)
{
	const char *slash = strrchr(d->name, '/');
	const char *base = slash == NULL ? d->name : slash + 1;
	const struct kind *k;
	int rc;

	if (d->from > 0 || len > DOC_MAX)
		return 0;
	for (k = kinds; k < kinds + NKINDS; k++) {
		if (!is_named(k, d->name, base) || !is_marked(k, p, len))
			continue;
		d->type = k->type;
		d->kind = k->kind;
		ctx_digest_figure(d, k->kind == CTX_FILE_CODE ?
		    CTX_FIG_LINES : CTX_FIG_SIZE, k->kind == CTX_FILE_CODE ?
		    d->lines : d->bytes);
		rc = k->form == TEXT ? k->read(d, p, len, err) :
		    read_doc(d, k, p, len, err);
		if (rc != 0)
			return rc;
		ctx_names_reset(&d->names);
		d->nfigure = 0;
	}
	return 0;
}
