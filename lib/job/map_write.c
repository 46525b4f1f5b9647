/* SPDX-License-Identifier: MIT */
/* The lines of a map. */
#include <inttypes.h>
#include <string.h>

#include "job/map_impl.h"

#define MORE	"\xe2\x80\xa6 +%" PRIu32

void
ctx_map_put_dir(const struct ctx_map *m, const struct ctx_map_dir *d,
    uint32_t more, struct ctx_buf *out)
{
	const char *path = m->nfile == 0 ? "" :
	    ctx_map_path(m, &m->file[d->file]);

	if (d->len > 0) {
		ctx_buf_add(out, path, d->len);
		if (path[d->len - 1] != '/')
			ctx_buf_addc(out, '/');
	}
	if (more > 0) {
		if (d->len > 0)
			ctx_buf_addc(out, ' ');
		ctx_buf_addf(out, MORE, more);
		ctx_buf_adds(out, m->opts->lang == CTX_ZH ? " 个文件" :
		    more == 1 ? " file" : " files");
	}
	if (d->len > 0 || more > 0)
		ctx_buf_addc(out, '\n');
}

static void
indent(struct ctx_buf *out, const struct ctx_map_file *f, size_t n)
{
	for (n += f->dir != 0; n > 0; n--)
		ctx_buf_addc(out, ' ');
}

void
ctx_map_put_file(const struct ctx_map *m, const struct ctx_map_file *f,
    struct ctx_buf *out)
{
	size_t from = f->dirlen + (f->dir != 0);

	indent(out, f, 0);
	if (f->nitem == 0)
		ctx_buf_add(out, m->text.data + f->line, f->linelen);
	else
		ctx_buf_add(out, ctx_map_path(m, f) + from,
		    f->pathlen - from);
	ctx_buf_addc(out, '\n');
}

void
ctx_map_put_item(const struct ctx_map *m, const struct ctx_map_item *i,
    struct ctx_buf *out)
{
	const struct ctx_map_item *up = i;
	size_t depth = 1;

	while (up->up != 0) {
		up = &m->item[up->up - 1];
		depth++;
	}
	indent(out, &m->file[i->file], depth);
	ctx_buf_add(out, ctx_map_sig(m, i), i->siglen);
	ctx_buf_addc(out, '\n');
}

/* Add the names of a file's definitions, and the number of those left out. */
void
ctx_map_put_rest(const struct ctx_map *m, const struct ctx_map_file *f,
    uint32_t rest, struct ctx_buf *out)
{
	const struct ctx_map_item *item;
	size_t n = 0;
	uint32_t i;

	if (f->named == 0 && rest == 0)
		return;
	indent(out, f, 1);
	for (i = 0; f->named > 0 && i < f->nitem; i++) {
		item = &m->item[f->item + i];
		if (item->show != CTX_MAP_NAMED)
			continue;
		if (n++ > 0)
			ctx_buf_adds(out, ", ");
		ctx_buf_add(out, ctx_map_name(m, item), item->namelen);
	}
	if (rest > 0) {
		if (n > 0)
			ctx_buf_adds(out, ", ");
		ctx_buf_addf(out, MORE, rest);
	}
	ctx_buf_addc(out, '\n');
}

/* Count the files that are left out where it is said. */
static void
count_more(struct ctx_map *m)
{
	uint32_t at;
	size_t i;

	for (i = 0; i < m->ndir; i++)
		m->dir[i].more = 0;
	for (i = 0; i < m->nfile; i++) {
		if (m->file[i].show)
			continue;
		at = m->file[i].dir;
		while (at != 0 && !m->dir[at].listed && !m->dir[at].shown)
			at = m->dir[at].up;
		m->dir[at].more++;
	}
}

static void
write_file(struct ctx_map *m, const struct ctx_map_file *f,
    struct ctx_buf *out)
{
	uint32_t i;

	ctx_map_put_file(m, f, out);
	m->sums.shown++;
	m->sums.names += f->named;
	m->sums.signatures += f->shown - f->named;
	for (i = f->item; i < f->item + f->nitem; i++)
		if (m->item[i].show == CTX_MAP_SIGNED)
			ctx_map_put_item(m, &m->item[i], out);
	ctx_map_put_rest(m, f, f->nitem - f->shown, out);
}

int
ctx_map_write(struct ctx_map *m, struct ctx_buf *out)
{
	const struct ctx_map_file *f;
	size_t i, k = 0;

	m->sums.shown = m->sums.names = m->sums.signatures = 0;
	count_more(m);
	for (i = 0; i < m->ndir; i++) {
		if (m->dir[i].shown || m->dir[i].more > 0)
			ctx_map_put_dir(m, &m->dir[i], m->dir[i].more, out);
		for (; k < m->nfile; k++) {
			f = &m->file[m->order[k]];
			if (f->dir != i)
				break;
			if (f->show)
				write_file(m, f, out);
		}
	}
	return out->failed ? -1 : 0;
}
