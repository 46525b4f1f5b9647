/* SPDX-License-Identifier: MIT */
/*
 * Manifests and lockfiles in JSON: npm's (docs.npmjs.com, package.json and
 * package-lock.json), Composer's (getcomposer.org, composer-schema.json) and
 * Pipenv's.
 */
#include <string.h>

#include "digest/kind_impl.h"

int
ctx_kind_npm(struct ctx_digest *d, const struct ctx_doc *doc, uint32_t root,
    struct ctx_err *err)
{
	uint32_t name = CTX_GET(doc, root, "name");
	uint32_t spaces = CTX_GET(doc, root, "workspaces"), k;
	uint32_t engines = CTX_GET(doc, root, "engines");

	if (ctx_kind_add_pair(d, CTX_TITLE, doc, name,
	    CTX_GET(doc, root, "version"), err) == -1)
		return -1;
	CTX_FOR_KEYS(doc, k, engines)
		if (ctx_kind_add_pair(d, CTX_REQUIRES, doc, k, k + 1,
		    err) == -1)
			return -1;
	if (ctx_node_if(doc, spaces, '{') != CTX_NONE)
		spaces = CTX_GET(doc, spaces, "packages");
	if (ctx_kind_add_keys(d, CTX_RUN_SCRIPTS, doc, CTX_GET(doc, root,
	    "scripts"), err) == -1 ||
	    ctx_kind_add_keys(d, CTX_DEPENDENCIES, doc, CTX_GET(doc, root,
	    "dependencies"), err) == -1 ||
	    ctx_kind_add_keys(d, CTX_DEV, doc, CTX_GET(doc, root,
	    "devDependencies"), err) == -1 ||
	    ctx_kind_add_list(d, CTX_MEMBERS, doc, spaces, err) == -1)
		return -1;
	/* {"type":"module"} alone is best described by its keys */
	return d->names.n > 0;
}

/*
 * The packages in an old lockfile's tree, where each may have its own.  The
 * depth of a struct ctx_doc bounds the recursion.
 */
static uint64_t
count_tree(const struct ctx_doc *doc, uint32_t tree)
{
	uint64_t n = 0;
	uint32_t k;

	CTX_FOR_KEYS(doc, k, tree)
		n += 1 + count_tree(doc, CTX_GET(doc, k + 1, "dependencies"));
	return n;
}

/* Is it a package in node_modules, not a link to a folder of the project? */
static int
is_installed(const struct ctx_doc *doc, uint32_t key)
{
	static const char dir[] = "node_modules/";
	struct ctx_str s = ctx_node_str(doc, key);
	uint32_t link = CTX_GET(doc, key + 1, "link");

	return memmem(s.p, s.len, dir, sizeof(dir) - 1) != NULL &&
	    (link == CTX_NONE || ctx_node_type(doc, link) != 't');
}

int
ctx_kind_npm_lock(struct ctx_digest *d, const struct ctx_doc *doc,
    uint32_t root, struct ctx_err *err)
{
	uint32_t packages = CTX_GET(doc, root, "packages"), k, own = CTX_NONE;
	uint32_t tree = CTX_GET(doc, root, "dependencies");
	uint64_t n = 0;

	if (CTX_GET(doc, root, "lockfileVersion") == CTX_NONE)
		return 0;
	CTX_FOR_KEYS(doc, k, packages) {
		n += (uint64_t)is_installed(doc, k);
		if (ctx_node_str(doc, k).len == 0)
			own = k + 1;
	}
	if (ctx_node_if(doc, packages, '{') == CTX_NONE)
		n = count_tree(doc, tree);
	ctx_digest_figure(d, CTX_FIG_PACKAGES, n);
	if (ctx_kind_add_pair(d, CTX_TITLE, doc, CTX_GET(doc, root, "name"),
	    CTX_GET(doc, root, "version"), err) == -1 ||
	    ctx_kind_add_keys(d, CTX_DEPENDENCIES, doc, CTX_GET(doc, own,
	    "dependencies"), err) == -1 ||
	    ctx_kind_add_keys(d, CTX_DEV, doc, CTX_GET(doc, own,
	    "devDependencies"), err) == -1)
		return -1;
	return 1;
}

int
ctx_kind_composer(struct ctx_digest *d, const struct ctx_doc *doc,
    uint32_t root, struct ctx_err *err)
{
	if (ctx_kind_add_pair(d, CTX_TITLE, doc, CTX_GET(doc, root, "name"),
	    CTX_GET(doc, root, "version"), err) == -1 ||
	    ctx_kind_add_keys(d, CTX_RUN_SCRIPTS, doc, CTX_GET(doc, root,
	    "scripts"), err) == -1 ||
	    ctx_kind_add_keys(d, CTX_DEPENDENCIES, doc, CTX_GET(doc, root,
	    "require"), err) == -1 ||
	    ctx_kind_add_keys(d, CTX_DEV, doc, CTX_GET(doc, root,
	    "require-dev"), err) == -1)
		return -1;
	return d->names.n > 0;
}

static uint64_t
count_list(const struct ctx_doc *doc, uint32_t node)
{
	uint64_t n = 0;
	uint32_t e;

	CTX_FOR_LIST(doc, e, node)
		n++;
	return n;
}

int
ctx_kind_composer_lock(struct ctx_digest *d, const struct ctx_doc *doc,
    uint32_t root, struct ctx_err *err)
{
	uint32_t packages = CTX_GET(doc, root, "packages");

	(void)err;
	if (ctx_node_if(doc, packages, '[') == CTX_NONE)
		return 0;
	ctx_digest_figure(d, CTX_FIG_PACKAGES, count_list(doc, packages) +
	    count_list(doc, CTX_GET(doc, root, "packages-dev")));
	return 1;
}

int
ctx_kind_pipfile_lock(struct ctx_digest *d, const struct ctx_doc *doc,
    uint32_t root, struct ctx_err *err)
{
	uint32_t k;
	uint64_t n = 0;

	(void)err;
	if (ctx_node_if(doc, CTX_GET(doc, root, "_meta"), '{') == CTX_NONE)
		return 0;
	/* "default", "develop", and whatever other groups there are */
	CTX_FOR_KEYS(doc, k, root)
		if (!ctx_node_is(doc, k, "_meta"))
			n += ctx_kind_count_keys(doc, k + 1);
	ctx_digest_figure(d, CTX_FIG_PACKAGES, n);
	return 1;
}
