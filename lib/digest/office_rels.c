/* SPDX-License-Identifier: MIT */
/*
 * Where the parts of a package are (ECMA-376, part 2, 6.5): the relationships of
 * a part, or of the package, name them.
 */
#include <string.h>

#include "digest/office.h"

int
ctx_office_rels(struct ctx_office *o, const char *part, struct ctx_buf *rels)
{
	const char *slash = strrchr(part, '/');
	size_t dir = slash != NULL ? (size_t)(slash + 1 - part) : 0;
	struct ctx_buf path = { 0 };
	int rc;

	ctx_buf_add(&path, part, dir);
	ctx_buf_addf(&path, "_rels/%s.rels", part + dir);
	rc = ctx_buf_str(&path) == NULL ? ctx_fail_nomem(o->err) :
	    ctx_office_load(o, path.data, rels);
	ctx_buf_done(&path);
	return rc;
}

/* Does the attribute have the value, or end in it if that begins with '/'? */
static int
has(const struct ctx_tag *t, const char *name, const char *value, size_t len)
{
	const char *v;
	size_t n;

	return ctx_tag_attr(t, name, &v, &n) && (n == len || (n > len &&
	    *value == '/')) && memcmp(v + n - len, value, len) == 0;
}

/* Set path to a target, which is relative to the folder of part. */
static void
resolve(struct ctx_buf *path, const char *part, const char *p, size_t len)
{
	const char *slash = strrchr(part, '/');

	ctx_buf_reset(path);
	if (len > 0 && *p == '/') {
		p++;
		len--;
	} else if (slash != NULL)
		ctx_buf_add(path, part, (size_t)(slash + 1 - part));
	for (; len >= 3 && memcmp(p, "../", 3) == 0; p += 3, len -= 3)
		while (path->len > 0 && --path->len > 0 &&
		    path->data[path->len - 1] != '/')
			;
	ctx_tag_text(path, p, len);
}

void
ctx_office_target(struct ctx_buf *path, const char *part,
    const struct ctx_buf *rels, const char *name, const char *value,
    size_t len)
{
	const char *p = rels->data, *end = p + rels->len, *to;
	struct ctx_tag t;
	size_t n;

	ctx_buf_reset(path);
	while (ctx_tag_step(&p, end, &t))
		if (ctx_tag_is(&t, "Relationship") && !t.closes &&
		    has(&t, name, value, len) &&
		    !has(&t, "TargetMode", "External", 8) &&
		    ctx_tag_attr(&t, "Target", &to, &n)) {
			resolve(path, part, to, n);
			return;
		}
}

int
ctx_office_related(struct ctx_office *o, const char *part, const char *type,
    const char *usual, struct ctx_buf *path)
{
	if (ctx_office_rels(o, part, &o->part) == -1)
		return -1;
	ctx_office_target(path, part, &o->part, "Type", type, strlen(type));
	if (path->len == 0)
		ctx_buf_adds(path, usual);
	return ctx_buf_str(path) == NULL ? ctx_fail_nomem(o->err) : 0;
}
