/* SPDX-License-Identifier: MIT */
/* What a map shows: as much as fits, what matters most first. */
#include "job/map_impl.h"

#define SIGNED_PART	30	/* percent for signatures before any names */
#define TREE_PART	16	/* the lines of directories: one part in this */
#define MISSES		200	/* that do not fit until it is full */

/* The tokens of a line that was put into m->scratch, at least 1. */
static int
count(struct ctx_map *m, uint32_t max, uint32_t *n, struct ctx_err *err)
{
	uint64_t tokens;

	if (ctx_buf_fail(&m->scratch, err) == -1 || ctx_cost_text(m->opts->cost,
	    m->scratch.data, m->scratch.len, &tokens, err) == -1)
		return -1;
	*n = tokens == 0 ? 1 : tokens > max ? max : (uint32_t)tokens;
	return 0;
}

static int
cost_dir(struct ctx_map *m, struct ctx_map_dir *d, struct ctx_err *err)
{
	if (d->cost > 0)
		return 0;
	ctx_buf_reset(&m->scratch);
	ctx_map_put_dir(m, d, d->all, &m->scratch);
	return count(m, UINT32_MAX, &d->cost, err);
}

/* Of a file: its line, and the number of what is left out of it. */
static int
cost_file(struct ctx_map *m, struct ctx_map_file *f, struct ctx_err *err)
{
	if (f->cost > 0)
		return 0;
	ctx_buf_reset(&m->scratch);
	ctx_map_put_file(m, f, &m->scratch);
	ctx_map_put_rest(m, f, f->nitem, &m->scratch);
	return count(m, UINT32_MAX, &f->cost, err);
}

static int
cost_item(struct ctx_map *m, struct ctx_map_item *i, enum ctx_map_show how,
    struct ctx_err *err)
{
	uint32_t n;

	if (i->cost[how] > 0)
		return 0;
	ctx_buf_reset(&m->scratch);
	if (how == CTX_MAP_SIGNED)
		ctx_map_put_item(m, i, &m->scratch);
	else {
		ctx_buf_addc(&m->scratch, ' ');
		ctx_buf_add(&m->scratch, ctx_map_name(m, i), i->namelen);
		ctx_buf_addc(&m->scratch, ',');
	}
	if (count(m, UINT16_MAX, &n, err) == -1)
		return -1;
	i->cost[how] = (uint16_t)n;
	return 0;
}

/* What it takes to show a file at all. */
static int
open_cost(struct ctx_map *m, struct ctx_map_file *f, uint64_t *n,
    struct ctx_err *err)
{
	struct ctx_map_dir *d = &m->dir[f->dir];

	if (f->show)
		return 0;
	if (cost_file(m, f, err) == -1 || cost_dir(m, d, err) == -1)
		return -1;
	*n += f->cost + (d->shown || d->listed ? 0 : d->cost);
	return 0;
}

/* What it takes to show a candidate so, with all that it is in. */
static int
price(struct ctx_map *m, const struct ctx_map_cand *c, enum ctx_map_show how,
    uint64_t *n, struct ctx_err *err)
{
	struct ctx_map_item *item;
	uint32_t i = c->item;

	*n = 0;
	if (open_cost(m, &m->file[c->file], n, err) == -1)
		return -1;
	if (i == CTX_MAP_NONE)
		return 0;
	for (;; i = item->up - 1) {
		item = &m->item[i];
		if (cost_item(m, item, how, err) == -1)
			return -1;
		if (item->show < how)
			*n += item->cost[how];
		if (how == CTX_MAP_NAMED || item->up == 0)
			return 0;
	}
}

static void
show(struct ctx_map *m, const struct ctx_map_cand *c, enum ctx_map_show how)
{
	struct ctx_map_file *f = &m->file[c->file];
	struct ctx_map_item *item;
	uint32_t i = c->item;

	f->show = 1;
	m->dir[f->dir].shown = 1;
	while (i != CTX_MAP_NONE) {
		item = &m->item[i];
		f->shown += item->show == CTX_MAP_HIDDEN;
		f->named += how == CTX_MAP_NAMED;
		if (item->show == CTX_MAP_NAMED) {
			f->named--;
			m->used -= item->cost[CTX_MAP_NAMED];
		}
		item->show = (uint8_t)how;
		i = item->up == 0 || how == CTX_MAP_NAMED ||
		    m->item[item->up - 1].show == CTX_MAP_SIGNED ?
		    CTX_MAP_NONE : item->up - 1;
	}
}

/* Is the name of an item shown in its file, also of another item? */
static int
is_named(const struct ctx_map *m, const struct ctx_map_cand *c)
{
	const struct ctx_map_file *f = &m->file[c->file];
	uint32_t word = m->rank.def[c->item].word, i;

	if (f->shown == 0 || m->rank.name[word].defs +
	    m->rank.name[word].declared < 2)
		return 0;
	for (i = f->item; i < f->item + f->nitem; i++)
		if (m->item[i].show != CTX_MAP_HIDDEN &&
		    m->rank.def[i].word == word)
			return 1;
	return 0;
}

static int
is_shown(const struct ctx_map *m, const struct ctx_map_cand *c,
    enum ctx_map_show how)
{
	if (c->item == CTX_MAP_NONE)
		return m->file[c->file].show;
	return m->item[c->item].show >= how ||
	    (how == CTX_MAP_NAMED && is_named(m, c));
}

/* Show candidates so, in their order, while they fit in limit. */
static int
fill(struct ctx_map *m, enum ctx_map_show how, uint64_t limit,
    struct ctx_err *err)
{
	const struct ctx_map_cand *c = m->cand, *end = c + m->ncand;
	unsigned misses = 0;
	uint64_t n;

	for (; c < end && misses < MISSES; c++) {
		if (is_shown(m, c, how))
			continue;
		if (price(m, c, how, &n, err) == -1)
			return -1;
		if (m->used + n > limit) {
			misses++;
			continue;
		}
		m->used += n;
		show(m, c, how);
	}
	return 0;
}

/* Hide all. */
static void
clear(struct ctx_map *m)
{
	size_t i;

	for (i = 0; i < m->nitem; i++)
		m->item[i].show = CTX_MAP_HIDDEN;
	for (i = 0; i < m->nfile; i++)
		m->file[i].show = 0, m->file[i].shown = m->file[i].named = 0;
	for (i = 0; i < m->ndir; i++)
		m->dir[i].listed = m->dir[i].shown = 0;
	m->used = 0;
}

/* List the directories with most files, which say what is left out of them. */
static int
list_dirs(struct ctx_map *m, uint64_t limit, struct ctx_err *err)
{
	struct ctx_map_dir *d;
	size_t i;

	for (i = 0; i < m->ndir; i++) {
		d = &m->dir[m->bysize[i]];
		if (d != m->dir && ctx_map_is_passage(m, m->bysize[i]))
			continue;
		if (cost_dir(m, d, err) == -1)
			return -1;
		if (d != m->dir && m->used + d->cost > limit / TREE_PART)
			break;
		d->listed = 1;
		m->used += d->cost;
	}
	return 0;
}

int
ctx_map_fit(struct ctx_map *m, uint64_t limit, struct ctx_err *err)
{
	clear(m);
	if (list_dirs(m, limit, err) == -1 ||
	    fill(m, CTX_MAP_SIGNED, limit * SIGNED_PART / 100, err) == -1 ||
	    fill(m, CTX_MAP_NAMED, limit, err) == -1 ||
	    fill(m, CTX_MAP_SIGNED, limit, err) == -1)
		return -1;
	return 0;
}
