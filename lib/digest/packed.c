/* SPDX-License-Identifier: MIT */
#include "digest/packed.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "read/span.h"

#define FEW		10	/* files that are only named */

/* Names that tell what an archive has, in their order. */
static const char *const telling[] = { "README", "readme", "package.json",
    "Cargo.toml", "pyproject.toml", "setup.py", "go.mod", "pom.xml",
    "CMakeLists.txt", "configure", "Makefile", "control", "PKG-INFO",
    "METADATA", "MANIFEST.MF", "index.", "main.", "__init__.py", "LICENSE" };

#define NTELLING	(sizeof(telling) / sizeof(telling[0]))

int
ctx_packed_add(struct ctx_packed *l, const char *name, size_t len,
    uint64_t bytes, struct ctx_err *err)
{
	while (len > 2 && name[0] == '.' && name[1] == '/') {
		name += 2;
		len -= 2;
	}
	l->files++;
	if (UINT64_MAX - l->bytes < bytes)
		l->bytes = UINT64_MAX;
	else
		l->bytes += bytes;
	if (ctx_strmap_add(&l->names, name, len) == CTX_STRMAP_FULL)
		return ctx_fail_nomem(err);
	return 0;
}

void
ctx_packed_done(struct ctx_packed *l)
{
	ctx_strmap_done(&l->names);
	memset(l, 0, sizeof(*l));
}

/* --- groups of names ------------------------------------------------------ */

struct group {
	size_t name;		/* its number in the map */
	uint64_t n;
};

/* The largest first, then those that come first. */
static int
compare(const void *va, const void *vb)
{
	const struct group *a = va, *b = vb;

	if (a->n != b->n)
		return a->n > b->n ? -1 : 1;
	return a->name < b->name ? -1 : a->name > b->name;
}

/* A part of a path that is its group; len 0 for none. */
typedef struct ctx_str group_of(const char *name, size_t len, size_t common);

/* The first folder after those that all have in common. */
static struct ctx_str
folder_of(const char *name, size_t len, size_t common)
{
	const char *slash = memchr(name + common, '/', len - common);

	return (struct ctx_str){ name + common, slash == NULL ? 0 :
	    (uint32_t)(slash - name - (ptrdiff_t)common + 1) };
}

static struct ctx_str
ending_of(const char *name, size_t len, size_t common)
{
	size_t i = len;

	(void)common;
	while (i > 0 && name[i - 1] != '.' && name[i - 1] != '/' &&
	    len - i < 12)
		i--;
	return i < 2 || name[i - 1] != '.' || name[i - 2] == '/' || i == len ?
	    (struct ctx_str){ name, 0 } :
	    (struct ctx_str){ name + i - 1, (uint32_t)(len - i + 1) };
}

/* Count the groups of all names in *count. */
static int
count(const struct ctx_packed *l, size_t common, group_of *of,
    struct ctx_strmap *map, struct group **groups)
{
	struct ctx_str s;
	const char *p;
	size_t i, g, n, len, cap = 0;

	for (i = 0; i < l->names.n; i++) {
		p = ctx_strmap_at(&l->names, i, &len);
		s = of(p, len, common);
		if (s.len == 0)
			continue;
		n = map->n;
		if ((g = ctx_strmap_add(map, s.p, s.len)) ==
		    CTX_STRMAP_FULL || CTX_ROOM(*groups, g, &cap) == -1)
			return -1;
		if (map->n > n)
			(*groups)[g] = (struct group){ g, 0 };
		(*groups)[g].n++;
	}
	return 0;
}

/* Add the groups of the names, as "src/ 12", the largest first. */
static int
add_groups(const struct ctx_packed *l, struct ctx_digest *d,
    enum ctx_list list, size_t common, struct ctx_err *err)
{
	struct ctx_strmap map = { 0 };
	struct group *groups = NULL;
	const char *p;
	size_t i, len;
	int rc = count(l, common, list == CTX_FOLDERS ? folder_of : ending_of,
	    &map, &groups);

	if (rc == -1)
		ctx_fail_nomem(err);
	else if (map.n > 1)
		qsort(groups, map.n, sizeof(*groups), compare);
	for (i = 0; i < map.n && rc == 0; i++) {
		p = ctx_strmap_at(&map, groups[i].name, &len);
		ctx_buf_reset(&d->scratch);
		ctx_buf_add(&d->scratch, p, len);
		ctx_buf_addf(&d->scratch, " %" PRIu64, groups[i].n);
		if ((rc = ctx_buf_fail(&d->scratch, err)) == 0)
			rc = ctx_digest_name(d, list, d->scratch.data,
			    d->scratch.len, err);
	}
	free(groups);
	ctx_strmap_done(&map);
	return rc;
}

/* --- the digest ------------------------------------------------------------ */

/* The bytes of the folder that all names begin with. */
static size_t
common_folder(const struct ctx_packed *l)
{
	const char *first, *p;
	size_t n, len, i, j;

	first = ctx_strmap_at(&l->names, 0, &n);
	for (i = 1; i < l->names.n && n > 0; i++) {
		p = ctx_strmap_at(&l->names, i, &len);
		for (j = 0; j < n && j < len && p[j] == first[j]; j++)
			continue;
		n = j;
	}
	while (n > 0 && first[n - 1] != '/')
		n--;
	return n;
}

/* Is it a file that tells, directly in the common folder or in META-INF/? */
static int
tells(const char *name, size_t len, size_t common, const char *word)
{
	static const char meta[] = "META-INF/";
	size_t n = strlen(word);

	name += common;
	len -= common;
	if (len > sizeof(meta) && memcmp(name, meta, sizeof(meta) - 1) == 0) {
		name += sizeof(meta) - 1;
		len -= sizeof(meta) - 1;
	}
	return len >= n && memcmp(name, word, n) == 0 &&
	    memchr(name, '/', len) == NULL;
}

static int
add_names(const struct ctx_packed *l, struct ctx_digest *d, size_t common,
    struct ctx_err *err)
{
	const char *p;
	size_t i, k, len;

	for (k = 0; k <= NTELLING; k++)
		for (i = 0; i < l->names.n; i++) {
			p = ctx_strmap_at(&l->names, i, &len);
			if ((k == NTELLING || tells(p, len, common,
			    telling[k])) && ctx_digest_name(d, CTX_FILES,
			    p + common, len - common, err) == -1)
				return -1;
		}
	return 0;
}

int
ctx_packed_digest(const struct ctx_packed *l, struct ctx_digest *d,
    struct ctx_err *err)
{
	size_t common = 0, len;
	const char *p;

	ctx_digest_figure(d, CTX_FIG_FILES, l->files);
	ctx_digest_figure(d, CTX_FIG_SIZE, d->bytes);
	ctx_digest_figure(d, CTX_FIG_UNPACKED, l->bytes);
	if (l->files > FEW) {
		common = common_folder(l);
		if (common > 0) {
			p = ctx_strmap_at(&l->names, 0, &len);
			if (ctx_digest_name(d, CTX_ALL_IN, p, common, err) ==
			    -1)
				return -1;
		}
		if (add_groups(l, d, CTX_FOLDERS, common, err) == -1 ||
		    add_groups(l, d, CTX_KINDS, common, err) == -1)
			return -1;
	}
	return add_names(l, d, common, err);
}
