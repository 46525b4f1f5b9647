/* SPDX-License-Identifier: MIT */
/*
 * Kinds in XML: Maven's projects (maven.apache.org/pom.html), and results of
 * tests in the form that began with JUnit's Ant task.
 */
#include <string.h>

#include "digest/kind_impl.h"
#include "digest/tag.h"

#define DEPTH_MAX	64

/* A walk through XML, with the names of the elements that are open. */
struct walk {
	const char *p, *end;
	struct ctx_tag t;
	struct ctx_tag open[DEPTH_MAX];
	size_t depth;
	int bad;		/* tags do not nest */
};

/* The next tag.  An element with contents is in open[] from then on. */
static int
step(struct walk *w)
{
	const struct ctx_tag *o;

	if (!ctx_tag_step(&w->p, w->end, &w->t) || w->bad)
		return 0;
	if (w->t.closes) {
		w->bad = w->depth == 0;
		if (w->bad)
			return 0;
		o = &w->open[--w->depth];
		w->bad = o->len != w->t.len || memcmp(o->p, w->t.p, o->len) !=
		    0;
	} else if (!ctx_tag_void(&w->t)) {
		if (w->depth == DEPTH_MAX)
			w->bad = 1;
		else
			w->open[w->depth++] = w->t;
	}
	return !w->bad;
}

/* Are the open elements these, as "project/build/"? */
static int
is_at(const struct walk *w, const char *path)
{
	const char *slash;
	size_t i;

	for (i = 0; *path != '\0'; i++, path = slash + 1) {
		slash = strchr(path, '/');
		if (i == w->depth || w->open[i].len != (size_t)(slash - path) ||
		    memcmp(w->open[i].p, path, w->open[i].len) != 0)
			return 0;
	}
	return i == w->depth;
}

/* Take the text of the element that was just opened, without outer blanks. */
static void
take_text(const struct walk *w, struct ctx_buf *out)
{
	size_t i = 0;

	ctx_buf_reset(out);
	ctx_tag_text_after(out, &w->t, w->end);
	while (out->len > 0 && (unsigned char)out->data[out->len - 1] <= ' ')
		out->len--;
	while (i < out->len && (unsigned char)out->data[i] <= ' ')
		i++;
	if (i > 0)
		memmove(out->data, out->data + i, out->len -= i);
}

static int
put(struct ctx_digest *d, enum ctx_list list, struct ctx_buf *b,
    struct ctx_err *err)
{
	if (ctx_buf_fail(b, err) == -1)
		return -1;
	return ctx_digest_name(d, list, b->data, b->len, err);
}

/* --- Maven ------------------------------------------------------------------- */

struct pom {
	struct ctx_buf group, name, version;
	struct ctx_buf artifact, scope;		/* of a dependency */
};

static int
on_pom(struct ctx_digest *d, const struct walk *w, struct pom *m,
    struct ctx_err *err)
{
	static const char in[] = "project/dependencies/dependency/";

	if (is_at(w, "project/groupId/"))
		take_text(w, &m->group);
	else if (is_at(w, "project/artifactId/"))
		take_text(w, &m->name);
	else if (is_at(w, "project/version/"))
		take_text(w, &m->version);
	else if (is_at(w, "project/parent/groupId/") && m->group.len == 0)
		take_text(w, &m->group);
	else if (is_at(w, "project/parent/version/") && m->version.len == 0)
		take_text(w, &m->version);
	else if (is_at(w, in)) {
		ctx_buf_reset(&m->artifact);
		ctx_buf_reset(&m->scope);
	} else if (is_at(w, "project/dependencies/dependency/artifactId/"))
		take_text(w, &m->artifact);
	else if (is_at(w, "project/dependencies/dependency/scope/"))
		take_text(w, &m->scope);
	else if (is_at(w, "project/modules/module/")) {
		take_text(w, &d->scratch);
		return put(d, CTX_MEMBERS, &d->scratch, err);
	}
	return 0;
}

static int
read_pom(struct ctx_digest *d, struct walk *w, struct pom *m,
    struct ctx_err *err)
{
	while (step(w)) {
		if (!w->t.closes && !ctx_tag_void(&w->t)) {
			if (on_pom(d, w, m, err) == -1)
				return -1;
		} else if (w->t.closes && ctx_tag_is(&w->t, "dependency") &&
		    is_at(w, "project/dependencies/") && put(d,
		    m->scope.len == 4 && memcmp(m->scope.data, "test", 4) ==
		    0 ? CTX_DEV : CTX_DEPENDENCIES, &m->artifact, err) == -1)
			return -1;
	}
	if (w->bad || m->name.len == 0)
		return 0;
	if (m->group.len > 0)
		ctx_buf_addc(&m->group, ':');
	ctx_buf_add(&m->group, m->name.data, m->name.len);
	if (m->version.len > 0)
		ctx_buf_addc(&m->group, ' ');
	ctx_buf_add(&m->group, m->version.data, m->version.len);
	return put(d, CTX_TITLE, &m->group, err) == -1 ? -1 : 1;
}

int
ctx_kind_maven(struct ctx_digest *d, const char *p, size_t len,
    struct ctx_err *err)
{
	struct walk w = { .p = p, .end = p + len };
	struct pom m;
	int rc;

	memset(&m, 0, sizeof(m));
	rc = read_pom(d, &w, &m, err);

	ctx_buf_done(&m.group);
	ctx_buf_done(&m.name);
	ctx_buf_done(&m.version);
	ctx_buf_done(&m.artifact);
	ctx_buf_done(&m.scope);
	return rc;
}

/* --- JUnit -------------------------------------------------------------------- */

/* How many tests ended in which way, and how the current one did. */
struct results {
	uint64_t n[4];		/* passed, failed, errors, skipped */
	size_t how;		/* index of n */
	int testing;
};

/* Append the attribute of a test, with its entities decoded. */
static void
put_attr(struct ctx_buf *b, const struct ctx_tag *t, const char *name)
{
	const char *v;
	size_t n;

	if (!ctx_tag_attr(t, name, &v, &n))
		return;
	if (b->len > 0)
		ctx_buf_addc(b, '.');
	ctx_tag_text(b, v, n);
}

static int
on_result(struct ctx_digest *d, const struct walk *w, struct results *r,
    struct ctx_err *err)
{
	static const char *const words[] = { "", "failure", "error",
	    "skipped" };
	int ends = w->t.closes || ctx_tag_void(&w->t);
	size_t i;

	if (ctx_tag_is(&w->t, "testcase")) {
		if (!w->t.closes) {
			r->testing = 1;
			r->how = 0;
			ctx_buf_reset(&d->scratch);
			put_attr(&d->scratch, &w->t, "classname");
			put_attr(&d->scratch, &w->t, "name");
		}
		if (!ends)
			return 0;
		r->testing = 0;
		r->n[r->how]++;
		return r->how == 1 || r->how == 2 ? put(d, CTX_FAILURES,
		    &d->scratch, err) : 0;
	}
	for (i = 1; i < 4 && r->testing && !w->t.closes; i++)
		if (ctx_tag_is(&w->t, words[i]) && r->how == 0)
			r->how = i;
	return 0;
}

int
ctx_kind_junit(struct ctx_digest *d, const char *p, size_t len,
    struct ctx_err *err)
{
	struct walk w = { .p = p, .end = p + len };
	struct results r = { { 0 }, 0, 0 };
	int first = 1;

	while (step(&w)) {
		if (first && !ctx_tag_is(&w.t, "testsuites") &&
		    !ctx_tag_is(&w.t, "testsuite"))
			return 0;
		first = 0;
		if (on_result(d, &w, &r, err) == -1)
			return -1;
	}
	if (w.bad || w.depth > 0 || r.n[0] + r.n[1] + r.n[2] + r.n[3] == 0)
		return 0;
	ctx_digest_figure(d, CTX_FIG_PASSED, r.n[0]);
	if (r.n[1] > 0)
		ctx_digest_figure(d, CTX_FIG_FAILED, r.n[1]);
	if (r.n[3] > 0)
		ctx_digest_figure(d, CTX_FIG_SKIPPED, r.n[3]);
	if (r.n[2] > 0)
		ctx_digest_figure(d, CTX_FIG_ERRORS, r.n[2]);
	return 1;
}
