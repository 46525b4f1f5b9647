/* SPDX-License-Identifier: MIT */
/*
 * Manifests and lockfiles in TOML: Cargo's (doc.rust-lang.org/cargo),
 * pyproject.toml (packaging.python.org; Poetry's and uv's tables), and the
 * lockfiles of Poetry and uv.
 */
#include <string.h>

#include "digest/kind_impl.h"

/* for (table t called name in root): tables may occur several times */
#define FOR_TABLES(doc, t, root, name) \
	CTX_FOR_KEYS(doc, t, root) \
		if (ctx_node_is(doc, t, name))

/* Is the table in t called name, or target.X.name, for some machines only? */
static int
is_table(const struct ctx_doc *doc, uint32_t t, const char *name)
{
	struct ctx_str s = ctx_node_str(doc, t);
	size_t n = strlen(name);

	return ctx_str_is(s, name) || (ctx_str_starts(s, "target.") &&
	    s.len > n + 8 && s.p[s.len - n - 1] == '.' &&
	    memcmp(s.p + s.len - n, name, n) == 0);
}

/* Add the keys of a table, each up to a dot: a.version = "1" is of a. */
static int
add_table(struct ctx_digest *d, enum ctx_list list, const struct ctx_doc *doc,
    uint32_t root, const char *name, struct ctx_err *err)
{
	struct ctx_str s;
	uint32_t t, k;
	const char *dot;

	CTX_FOR_KEYS(doc, t, root) {
		if (!is_table(doc, t, name))
			continue;
		CTX_FOR_KEYS(doc, k, t + 1) {
			s = ctx_node_str(doc, k);
			dot = memchr(s.p, '.', s.len);
			if (ctx_digest_name(d, list, s.p, dot != NULL ?
			    (size_t)(dot - s.p) : s.len, err) == -1)
				return -1;
		}
	}
	return 0;
}

/* Add NAME of each table [prefix.NAME]. */
static int
add_subtables(struct ctx_digest *d, enum ctx_list list,
    const struct ctx_doc *doc, uint32_t root, const char *prefix,
    struct ctx_err *err)
{
	size_t n = strlen(prefix);
	struct ctx_str s;
	uint32_t t;

	CTX_FOR_KEYS(doc, t, root) {
		s = ctx_node_str(doc, t);
		if (ctx_str_starts(s, prefix) && s.len > n && s.p[n] == '.' &&
		    memchr(s.p + n + 1, '.', s.len - n - 1) == NULL &&
		    ctx_digest_name(d, list, s.p + n + 1, s.len - n - 1,
		    err) == -1)
			return -1;
	}
	return 0;
}

static int
add_title(struct ctx_digest *d, const struct ctx_doc *doc, uint32_t root,
    const char *table, struct ctx_err *err)
{
	uint32_t t = CTX_GET(doc, root, table);

	return ctx_kind_add_pair(d, CTX_TITLE, doc, CTX_GET(doc, t, "name"),
	    CTX_GET(doc, t, "version"), err);
}

/* Add "python >=3.9". */
static int
add_requires(struct ctx_digest *d, const char *what,
    const struct ctx_doc *doc, uint32_t node, struct ctx_err *err)
{
	struct ctx_str s = ctx_node_str(doc, node);
	struct ctx_buf b = { 0 };
	int rc = 0;

	if (s.p != NULL) {
		ctx_buf_addf(&b, "%s %.*s", what, CTX_STR_ARGS(s));
		rc = ctx_buf_fail(&b, err);
		if (rc == 0)
			rc = ctx_digest_name(d, CTX_REQUIRES, b.data, b.len,
			    err);
	}
	ctx_buf_done(&b);
	return rc;
}

int
ctx_kind_cargo(struct ctx_digest *d, const struct ctx_doc *doc, uint32_t root,
    struct ctx_err *err)
{
	static const struct { const char *table; enum ctx_list list; } deps[] = {
		{ "dependencies", CTX_DEPENDENCIES },
		{ "workspace.dependencies", CTX_DEPENDENCIES },
		{ "build-dependencies", CTX_DEV },
		{ "dev-dependencies", CTX_DEV } };
	uint32_t package = CTX_GET(doc, root, "package");
	uint32_t space = CTX_GET(doc, root, "workspace");
	size_t i;

	if (package == CTX_NONE && space == CTX_NONE)
		return 0;
	if (package == CTX_NONE)
		d->type = "Cargo workspace";
	if (add_title(d, doc, root, "package", err) == -1 ||
	    add_requires(d, "rust", doc, CTX_GET(doc, package,
	    "rust-version"), err) == -1)
		return -1;
	for (i = 0; i < sizeof(deps) / sizeof(deps[0]); i++)
		if (add_table(d, deps[i].list, doc, root, deps[i].table,
		    err) == -1 || add_subtables(d, deps[i].list, doc, root,
		    deps[i].table, err) == -1)
			return -1;
	if (ctx_kind_add_list(d, CTX_MEMBERS, doc, CTX_GET(doc, space,
	    "members"), err) == -1 ||
	    add_table(d, CTX_FEATURES, doc, root, "features", err) == -1)
		return -1;
	return 1;
}

/* Add the dependencies of a locked package: "name", "name version". */
static int
add_direct(struct ctx_digest *d, const struct ctx_doc *doc, uint32_t list,
    struct ctx_err *err)
{
	struct ctx_str s;
	uint32_t e;
	const char *space;

	CTX_FOR_LIST(doc, e, list) {
		s = ctx_node_str(doc, ctx_node_type(doc, e) == '{' ?
		    CTX_GET(doc, e, "name") : e);
		if (s.p == NULL)
			continue;
		space = memchr(s.p, ' ', s.len);
		if (ctx_digest_name(d, CTX_DEPENDENCIES, s.p, space != NULL ?
		    (size_t)(space - s.p) : s.len, err) == -1)
			return -1;
	}
	return 0;
}

/*
 * [[package]] of a lockfile.  Those without a source are the project itself, and
 * what they depend on is direct.
 */
int
ctx_kind_cargo_lock(struct ctx_digest *d, const struct ctx_doc *doc,
    uint32_t root, struct ctx_err *err)
{
	uint64_t n = 0;
	uint32_t t;

	FOR_TABLES(doc, t, root, "package") {
		n++;
		if (CTX_GET(doc, t + 1, "source") == CTX_NONE &&
		    (ctx_kind_add(d, CTX_TITLE, doc, CTX_GET(doc, t + 1,
		    "name"), err) == -1 || add_direct(d, doc, CTX_GET(doc,
		    t + 1, "dependencies"), err) == -1))
			return -1;
	}
	ctx_digest_figure(d, CTX_FIG_PACKAGES, n);
	return n > 0;
}

/* Is a locked package the project itself, or a member of its workspace? */
static int
is_own(const struct ctx_doc *doc, uint32_t package)
{
	uint32_t source = CTX_GET(doc, package, "source");

	return CTX_GET(doc, source, "editable") != CTX_NONE ||
	    CTX_GET(doc, source, "virtual") != CTX_NONE;
}

/* uv.lock; poetry.lock, which has no package for the project, as well. */
int
ctx_kind_uv_lock(struct ctx_digest *d, const struct ctx_doc *doc,
    uint32_t root, struct ctx_err *err)
{
	uint64_t n = 0;
	uint32_t t;

	FOR_TABLES(doc, t, root, "package") {
		n++;
		if (is_own(doc, t + 1) && (ctx_kind_add_pair(d, CTX_TITLE,
		    doc, CTX_GET(doc, t + 1, "name"), CTX_GET(doc, t + 1,
		    "version"), err) == -1 || add_direct(d, doc, CTX_GET(doc,
		    t + 1, "dependencies"), err) == -1))
			return -1;
	}
	ctx_digest_figure(d, CTX_FIG_PACKAGES, n);
	return n > 0;
}

/* Add the names of requirements, as "name[extra]>=1; python_version < '3'". */
static int
add_requirements(struct ctx_digest *d, enum ctx_list to,
    const struct ctx_doc *doc, uint32_t list, struct ctx_err *err)
{
	struct ctx_str s;
	uint32_t e;
	size_t n;

	CTX_FOR_LIST(doc, e, list) {
		s = ctx_node_str(doc, e);
		for (n = 0; n < s.len && strchr(" [<>=!~;@(\\", s.p[n]) ==
		    NULL; n++)
			continue;
		if (n > 0 && ctx_digest_name(d, to, s.p, n, err) == -1)
			return -1;
	}
	return 0;
}

static int
python_groups(struct ctx_digest *d, const struct ctx_doc *doc, uint32_t root,
    struct ctx_err *err)
{
	static const char poetry[] = "tool.poetry.group.";
	struct ctx_str s;
	uint32_t t, k;

	CTX_FOR_KEYS(doc, t, root) {
		s = ctx_node_str(doc, t);
		if (ctx_str_is(s, "dependency-groups")) {
			CTX_FOR_KEYS(doc, k, t + 1)
				if (add_requirements(d, CTX_DEV, doc, k + 1,
				    err) == -1)
					return -1;
		} else if (ctx_str_is(s, "tool.poetry.dev-dependencies") ||
		    (ctx_str_starts(s, poetry) && memmem(s.p, s.len,
		    ".dependencies", 13) != NULL)) {
			if (ctx_kind_add_keys(d, CTX_DEV, doc, t + 1, err) ==
			    -1)
				return -1;
		}
	}
	return 0;
}

static int
add_scripts(struct ctx_digest *d, const struct ctx_doc *doc, uint32_t root,
    struct ctx_err *err)
{
	uint32_t t;

	CTX_FOR_KEYS(doc, t, root)
		if ((ctx_node_is(doc, t, "project.scripts") ||
		    ctx_node_is(doc, t, "tool.poetry.scripts")) &&
		    ctx_kind_add_keys(d, CTX_RUN_SCRIPTS, doc, t + 1, err) ==
		    -1)
			return -1;
	return 0;
}

int
ctx_kind_python(struct ctx_digest *d, const struct ctx_doc *doc,
    uint32_t root, struct ctx_err *err)
{
	uint32_t project = CTX_GET(doc, root, "project"), t;

	if (add_title(d, doc, root, project != CTX_NONE ? "project" :
	    "tool.poetry", err) == -1 ||
	    add_requires(d, "python", doc, CTX_GET(doc, project,
	    "requires-python"), err) == -1 ||
	    add_scripts(d, doc, root, err) == -1 ||
	    add_requirements(d, CTX_DEPENDENCIES, doc, CTX_GET(doc, project,
	    "dependencies"), err) == -1)
		return -1;
	FOR_TABLES(doc, t, root, "tool.poetry.dependencies") {
		uint32_t k;

		CTX_FOR_KEYS(doc, k, t + 1)
			if (ctx_node_is(doc, k, "python") ?
			    add_requires(d, "python", doc, k + 1, err) == -1 :
			    ctx_kind_add(d, CTX_DEPENDENCIES, doc, k, err) ==
			    -1)
				return -1;
	}
	if (python_groups(d, doc, root, err) == -1)
		return -1;
	/* settings of tools alone are best described by their tables */
	return d->names.n > 0;
}
