/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "base/fnv.h"
#include "base/utf8.h"
#include "digest/names.h"

int
ctx_name_clean(struct ctx_buf *out, const char *p, size_t len, size_t max)
{
	size_t start = out->len, i = 0, n;
	uint32_t cp;
	int space = 0;

	for (; i < len; i += n) {
		n = ctx_utf8_step(p + i, len - i, &cp);
		if (n == 0) {
			n = 1;
			cp = 0xfffd;
		}
		if (cp <= ' ' || (cp >= 0x7f && cp <= 0xa0) || cp == 0x2028 ||
		    cp == 0x2029 || cp == 0xfeff || cp == 0x3000) {
			space = 1;
			continue;
		}
		if (out->len - start + n + 1 > max)
			return ctx_buf_adds(out, "…");
		if (space && out->len > start)
			ctx_buf_addc(out, ' ');
		space = 0;
		if (cp == 0xfffd)
			ctx_buf_adds(out, "\xef\xbf\xbd");
		else
			ctx_buf_add(out, p + i, n);
	}
	return out->failed ? -1 : 0;
}

static size_t
hash(unsigned list, const char *p, size_t len)
{
	uint64_t h = ctx_fnv(CTX_FNV_BEGIN + list, p, len);

	return (size_t)(h ^ h >> 32);
}

/* The slot for this name: either empty (0) or holding an equal name. */
static uint32_t *
slot(const struct ctx_names *names, unsigned list, const char *p, size_t len)
{
	const struct ctx_name *b;
	size_t i;

	i = hash(list, p, len) & (names->nseen - 1);
	for (; names->seen[i] != 0; i = (i + 1) & (names->nseen - 1)) {
		b = &names->v[names->seen[i] - 1];
		if (b->list == list && b->len == len &&
		    memcmp(ctx_name_text(names, b), p, len) == 0)
			break;
	}
	return &names->seen[i];
}

static uint32_t *
slot_of(const struct ctx_names *names, const struct ctx_name *a)
{
	return slot(names, a->list, ctx_name_text(names, a), a->len);
}

int
ctx_names_has(const struct ctx_names *names, enum ctx_list list,
    const char *p, size_t len)
{
	return names->nseen > 0 && *slot(names, list, p, len) != 0;
}

/* Grow the table so that it is at most half full. */
static int
grow_seen(struct ctx_names *names)
{
	uint32_t *bigger;
	size_t i;

	if (names->nseen > names->n * 2)
		return 0;
	i = names->nseen == 0 ? 64 : names->nseen * 4;
	if ((bigger = calloc(i, sizeof(*bigger))) == NULL)
		return -1;
	free(names->seen);
	names->seen = bigger;
	names->nseen = i;
	for (i = 0; i < names->n; i++)
		if (!names->v[i].again)
			*slot_of(names, &names->v[i]) = (uint32_t)i + 1;
	return 0;
}

int
ctx_names_add(struct ctx_names *names, enum ctx_list list, const char *p,
    size_t len, uint32_t line, int inner)
{
	struct ctx_name name = { .off = (uint32_t)names->text.len,
	    .line = line, .list = (uint8_t)list, .inner = inner != 0 };
	uint32_t *at;

	if (ctx_name_clean(&names->text, p, len, CTX_NAME_LEN) == -1)
		return -1;
	name.len = (uint32_t)names->text.len - name.off;
	if (name.len == 0)
		return 0;
	if (names->n >= CTX_NAMES_MAX) {
		names->distinct[list] += *slot_of(names, &name) == 0;
		names->text.len = name.off;
		return 0;
	}
	if (CTX_ROOM(names->v, names->n, &names->cap) == -1)
		return -1;
	if (grow_seen(names) == -1)
		return -1;
	at = slot_of(names, &name);
	if (*at == 0) {
		names->distinct[list]++;
		*at = (uint32_t)names->n + 1;
	} else if (list > CTX_TYPES) {
		names->text.len = name.off;	/* one copy is enough */
		return 0;
	} else
		name.again = 1;
	names->v[names->n++] = name;
	return 0;
}

void
ctx_names_drop(struct ctx_names *names, enum ctx_list list)
{
	size_t i, n = 0;

	for (i = 0; i < names->n; i++)
		if (names->v[i].list != list)
			names->v[n++] = names->v[i];
	names->n = n;
	names->distinct[list] = 0;
	/* the table has the numbers of names that have moved */
	if (names->nseen > 0)
		memset(names->seen, 0, names->nseen * sizeof(*names->seen));
	for (i = 0; i < n; i++)
		if (!names->v[i].again)
			*slot_of(names, &names->v[i]) = (uint32_t)i + 1;
}

static int
compare(const void *va, const void *vb)
{
	const struct ctx_name *a = va, *b = vb;

	if (a->list != b->list)
		return a->list < b->list ? -1 : 1;
	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	return a->off < b->off ? -1 : a->off > b->off;
}

void
ctx_names_sort(struct ctx_names *names)
{
	if (names->n > 1)
		qsort(names->v, names->n, sizeof(*names->v), compare);
}

int
ctx_name_indented(const char *text, const char *p)
{
	const char *line = p;

	while (line > text && line[-1] != '\n' && p - line < 200)
		line--;
	return *line == ' ' || *line == '\t';
}

void
ctx_names_reset(struct ctx_names *names)
{
	ctx_buf_reset(&names->text);
	if (names->n > 0)
		memset(names->seen, 0, names->nseen * sizeof(*names->seen));
	memset(names->distinct, 0, sizeof(names->distinct));
	names->n = 0;
}

void
ctx_names_done(struct ctx_names *names)
{
	ctx_buf_done(&names->text);
	free(names->v);
	free(names->seen);
	memset(names, 0, sizeof(*names));
}
