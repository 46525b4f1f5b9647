/* SPDX-License-Identifier: MIT */
/*
 * Kinds in YAML: workflows of GitHub Actions (docs.github.com), GitLab's CI
 * (docs.gitlab.com/ci/yaml), Compose files (compose-spec.io), manifests of
 * Kubernetes (kubernetes.io/docs), and pnpm's lockfile.
 */
#include <string.h>

#include "digest/kind_impl.h"

/* Member key of an object, which may also come from the anchor that it merges. */
static uint32_t
get(const struct ctx_doc *doc, uint32_t obj, const char *key)
{
	uint32_t v = CTX_GET(doc, obj, key), e, merge;

	merge = CTX_GET(doc, obj, "<<");
	if (v == CTX_NONE)
		v = CTX_GET(doc, merge, key);
	CTX_FOR_LIST(doc, e, merge)
		if (v == CTX_NONE)
			v = CTX_GET(doc, e, key);
	return v;
}

int
ctx_kind_github(struct ctx_digest *d, const struct ctx_doc *doc,
    uint32_t root, struct ctx_err *err)
{
	uint32_t jobs = CTX_GET(doc, root, "jobs");
	uint32_t on = CTX_GET(doc, root, "on");

	if (ctx_node_if(doc, jobs, '{') == CTX_NONE || on == CTX_NONE)
		return 0;
	if (ctx_kind_add(d, CTX_TITLE, doc, CTX_GET(doc, root, "name"),
	    err) == -1 ||
	    ctx_kind_add(d, CTX_TRIGGERS, doc, on, err) == -1 ||
	    ctx_kind_add_list(d, CTX_TRIGGERS, doc, on, err) == -1 ||
	    ctx_kind_add_keys(d, CTX_TRIGGERS, doc, on, err) == -1 ||
	    ctx_kind_add_keys(d, CTX_JOBS, doc, jobs, err) == -1)
		return -1;
	return 1;
}

/* Is a key of .gitlab-ci.yml one that is no job? */
static int
is_global(const struct ctx_doc *doc, uint32_t k)
{
	static const char *const words[] = { "default", "include", "stages",
	    "variables", "workflow", "image", "services", "cache",
	    "before_script", "after_script", "spec", "types" };
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (ctx_node_is(doc, k, words[i]))
			return 1;
	/* a name with a dot is a template */
	return *ctx_node_str(doc, k).p == '.';
}

int
ctx_kind_gitlab(struct ctx_digest *d, const struct ctx_doc *doc,
    uint32_t root, struct ctx_err *err)
{
	uint32_t k;

	if (ctx_kind_add_list(d, CTX_STAGES, doc, CTX_GET(doc, root,
	    "stages"), err) == -1)
		return -1;
	CTX_FOR_KEYS(doc, k, root)
		if (!is_global(doc, k) && ctx_node_type(doc, k + 1) == '{' &&
		    ctx_kind_add(d, CTX_JOBS, doc, k, err) == -1)
			return -1;
	return d->names.n > 0;
}

/* The ports of a service: "8080:80", or an object of published and target. */
static int
add_ports(struct ctx_digest *d, const struct ctx_doc *doc, uint32_t list,
    struct ctx_err *err)
{
	uint32_t e;

	CTX_FOR_LIST(doc, e, list) {
		struct ctx_str to = ctx_node_str(doc, CTX_GET(doc, e,
		    "target"));
		struct ctx_str from = ctx_node_str(doc, CTX_GET(doc, e,
		    "published"));

		ctx_buf_reset(&d->scratch);
		if (ctx_node_type(doc, e) == '"')
			ctx_node_decode(&d->scratch, doc, e);
		else if (to.p != NULL)
			ctx_buf_addf(&d->scratch, "%.*s%s%.*s",
			    CTX_STR_ARGS(from), from.p != NULL ? ":" : "",
			    CTX_STR_ARGS(to));
		if (ctx_buf_fail(&d->scratch, err) == -1 || ctx_digest_name(d,
		    CTX_PORTS, d->scratch.data, d->scratch.len, err) == -1)
			return -1;
	}
	return 0;
}

int
ctx_kind_compose(struct ctx_digest *d, const struct ctx_doc *doc,
    uint32_t root, struct ctx_err *err)
{
	uint32_t services = CTX_GET(doc, root, "services"), k;

	if (ctx_node_if(doc, services, '{') == CTX_NONE)
		return 0;
	if (ctx_kind_add(d, CTX_TITLE, doc, CTX_GET(doc, root, "name"),
	    err) == -1)
		return -1;
	CTX_FOR_KEYS(doc, k, services)
		if (ctx_kind_add(d, CTX_SERVICES, doc, k, err) == -1 ||
		    ctx_kind_add(d, CTX_IMAGES, doc, get(doc, k + 1,
		    "image"), err) == -1 ||
		    add_ports(d, doc, get(doc, k + 1, "ports"), err) == -1)
			return -1;
	return 1;
}

static int
add_resource(struct ctx_digest *d, const struct ctx_doc *doc, uint32_t e,
    struct ctx_err *err)
{
	uint32_t meta = CTX_GET(doc, e, "metadata");
	uint32_t name = CTX_GET(doc, meta, "name");

	if (name == CTX_NONE)
		name = CTX_GET(doc, meta, "generateName");
	return ctx_kind_add_pair(d, CTX_RESOURCES, doc, CTX_GET(doc, e,
	    "kind"), name, err);
}

/* Each document is a resource, or a List of them. */
int
ctx_kind_kubernetes(struct ctx_digest *d, const struct ctx_doc *doc,
    uint32_t root, struct ctx_err *err)
{
	uint32_t e, i;

	(void)root;
	CTX_FOR_LIST(doc, e, 0) {
		/* there may be nothing between two separators */
		if (ctx_node_type(doc, e) == 'n')
			continue;
		if (ctx_node_str(doc, CTX_GET(doc, e, "apiVersion")).p ==
		    NULL || ctx_node_str(doc, CTX_GET(doc, e, "kind")).p ==
		    NULL)
			return 0;
		if (!ctx_node_is(doc, CTX_GET(doc, e, "kind"), "List")) {
			if (add_resource(d, doc, e, err) == -1)
				return -1;
			continue;
		}
		CTX_FOR_LIST(doc, i, CTX_GET(doc, e, "items"))
			if (add_resource(d, doc, i, err) == -1)
				return -1;
	}
	return d->names.n > 0;
}

/* The dependencies of one folder of the project. */
static int
add_importer(struct ctx_digest *d, const struct ctx_doc *doc, uint32_t from,
    struct ctx_err *err)
{
	if (ctx_kind_add_keys(d, CTX_DEPENDENCIES, doc, CTX_GET(doc, from,
	    "dependencies"), err) == -1)
		return -1;
	return ctx_kind_add_keys(d, CTX_DEV, doc, CTX_GET(doc, from,
	    "devDependencies"), err);
}

int
ctx_kind_pnpm_lock(struct ctx_digest *d, const struct ctx_doc *doc,
    uint32_t root, struct ctx_err *err)
{
	uint32_t importers = CTX_GET(doc, root, "importers"), k;

	if (CTX_GET(doc, root, "lockfileVersion") == CTX_NONE)
		return 0;
	ctx_digest_figure(d, CTX_FIG_PACKAGES, ctx_kind_count_keys(doc,
	    CTX_GET(doc, root, "packages")));
	/* without workspaces, the members of the only folder are at the top */
	if (add_importer(d, doc, root, err) == -1)
		return -1;
	CTX_FOR_KEYS(doc, k, importers)
		if (add_importer(d, doc, k + 1, err) == -1)
			return -1;
	return 1;
}
