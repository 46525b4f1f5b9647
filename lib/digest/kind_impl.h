/* SPDX-License-Identifier: MIT */
/* What the readers of kinds share; see kind.h. */
#ifndef CTX_DIGEST_KIND_IMPL_H
#define CTX_DIGEST_KIND_IMPL_H

#include "digest/digest.h"
#include "read/node.h"

/*
 * A reader adds what it finds to d and returns 1, or 0 if the file is not of
 * its kind (what it added is then taken back), or -1 with *err set.
 */
typedef int ctx_kind_reader(struct ctx_digest *d, const char *p, size_t len,
    struct ctx_err *err);
/*
 * The same for a file that became JSON: root is an object.  Of TOML it has each
 * table under its name, as often as it occurs.  Of YAML it is the first
 * document, and node 0 is a list of all.
 */
typedef int ctx_kind_doc_reader(struct ctx_digest *d,
    const struct ctx_doc *doc, uint32_t root, struct ctx_err *err);

/* kind_line.c */
ctx_kind_reader ctx_kind_dockerfile, ctx_kind_env, ctx_kind_go_mod,
    ctx_kind_go_sum, ctx_kind_yarn, ctx_kind_gemfile;
/* kind_xml.c */
ctx_kind_reader ctx_kind_maven, ctx_kind_junit;
/* kind_npm.c: npm's and others' files in JSON */
ctx_kind_doc_reader ctx_kind_npm, ctx_kind_npm_lock, ctx_kind_composer,
    ctx_kind_composer_lock, ctx_kind_pipfile_lock;
/* kind_toml.c */
ctx_kind_doc_reader ctx_kind_cargo, ctx_kind_cargo_lock, ctx_kind_python,
    ctx_kind_uv_lock;
/* kind_yaml.c */
ctx_kind_doc_reader ctx_kind_github, ctx_kind_gitlab, ctx_kind_compose,
    ctx_kind_kubernetes, ctx_kind_pnpm_lock;
/* kind_api.c */
ctx_kind_doc_reader ctx_kind_api;

/*
 * Append the TOML p[0 .. len) as JSON.  Returns 1, or 0 if it is not TOML, or
 * -1 if out of memory.
 */
int	ctx_kind_toml_json(struct ctx_buf *out, const char *p, size_t len);

/* Add the text of a string, number or literal; CTX_NONE adds nothing. */
int	ctx_kind_add(struct ctx_digest *d, enum ctx_list list,
	    const struct ctx_doc *doc, uint32_t node, struct ctx_err *err)
	    CTX_CHECKED;
/* Add the keys of an object; anything else has none. */
int	ctx_kind_add_keys(struct ctx_digest *d, enum ctx_list list,
	    const struct ctx_doc *doc, uint32_t node, struct ctx_err *err)
	    CTX_CHECKED;
/* Add the strings in a list; anything else has none. */
int	ctx_kind_add_list(struct ctx_digest *d, enum ctx_list list,
	    const struct ctx_doc *doc, uint32_t node, struct ctx_err *err)
	    CTX_CHECKED;
/* Add "a b", or what there is of the two, which may be CTX_NONE. */
int	ctx_kind_add_pair(struct ctx_digest *d, enum ctx_list list,
	    const struct ctx_doc *doc, uint32_t a, uint32_t b,
	    struct ctx_err *err) CTX_CHECKED;

/* The number of an object's members. */
uint64_t ctx_kind_count_keys(const struct ctx_doc *doc, uint32_t node);

#endif
