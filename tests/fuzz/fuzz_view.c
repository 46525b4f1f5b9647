/* SPDX-License-Identifier: MIT */
/*
 * View any lines as messages of a dialect, which the first letter selects.  All
 * that a view points at must be in its record, and indexes in their arrays;
 * what it takes out of a list must be an element of it.
 */
#include "history.h"

#include "view/usage.h"

static void
inside(const struct ctx_convo *c, uint32_t rec, struct ctx_str s)
{
	const struct ctx_rec *r = &c->rec[rec];

	if (s.p != NULL)
		MUST(s.p >= r->raw && s.p + s.len <= r->raw + r->len);
}

static void
is_node(const struct ctx_convo *c, uint32_t rec, uint32_t node)
{
	if (node == CTX_NONE)
		return;
	MUST(node < c->doc.n);
	MUST((size_t)c->doc.node[node].off + c->doc.node[node].len <=
	    c->rec[rec].len);
}

static void
is_element(const struct ctx_convo *c, uint32_t rec, uint32_t node,
    uint32_t list)
{
	is_node(c, rec, node);
	is_node(c, rec, list);
	if (node != CTX_NONE && list != CTX_NONE &&
	    c->rec[rec].raw[c->doc.node[list].off] == '[')
		MUST(list < node && node < c->doc.node[list].next);
}

static void
check_part(const struct ctx_convo *c, uint32_t m, uint32_t i)
{
	const struct ctx_part *p = &c->part[i];
	uint32_t rec = c->msg[m].rec;

	MUST(p->msg == m);
	inside(c, rec, p->id);
	inside(c, rec, p->name);
	inside(c, rec, ctx_part_text(c, i));
	is_node(c, rec, p->idnode);
	is_node(c, rec, p->text);
	is_element(c, rec, p->place[0].node, p->place[0].list);
	is_element(c, rec, p->place[1].node, p->place[1].list);
}

static void
check_usage(const struct ctx_convo *c, uint32_t m)
{
	struct ctx_str model = { NULL, 0 };
	uint32_t at[CTX_USAGE_AT], node = ctx_usage_of_msg(c, m, &model);
	struct ctx_doc doc = ctx_convo_doc(c, c->msg[m].rec);
	int64_t when;
	int i;

	inside(c, c->msg[m].rec, model);
	is_node(c, c->msg[m].rec, node);
	if (node != CTX_NONE)
		ctx_usage_read(&doc, node);
	ctx_usage_at(c, m, at);
	for (i = 0; i < CTX_USAGE_AT; i++)
		if (at[i] != CTX_NONE)
			ctx_usage_when(&doc, at[i], &when);
}

static int
check_turn(const struct ctx_turn *turn, void *arg, struct ctx_err *err)
{
	const struct ctx_convo *c = turn->convo;
	uint32_t m, i;

	(void)arg;
	(void)err;
	for (m = 0; m < c->nmsg; m++) {
		MUST(c->msg[m].rec < c->nrec);
		MUST(c->msg[m].part + c->msg[m].npart <= c->npart);
		is_node(c, c->msg[m].rec, c->msg[m].node);
		is_node(c, c->msg[m].rec, c->msg[m].content);
		is_element(c, c->msg[m].rec, c->msg[m].elem, c->msg[m].list);
		inside(c, c->msg[m].rec, c->msg[m].name);
		CTX_FOR_PARTS(c, m, i)
			check_part(c, m, i);
		check_usage(c, m);
	}
	for (i = 0; i < c->nodd; i++)
		is_node(c, c->odd[i].rec, c->odd[i].node);
	return 0;
}

static void
view(const struct ctx_dialect *d, struct ctx_str text, unsigned how)
{
	struct ctx_turns t = { .turn = check_turn, .dialect = d,
	    .whole = how & 1, .exports = how >> 1 & 1, .chained = how >> 2 & 1,
	    .branch = (enum ctx_turns_branch)((how >> 3) % 3) };
	struct ctx_block *block = ctx_block_dup(text.p, text.len);
	struct ctx_line line = { .block = block };
	struct ctx_err err = { 0 };
	size_t at = 0;

	MUST(block != NULL);
	for (; at < text.len; at += line.len) {
		line.raw = block->data + at;
		line.len = ctx_scan_newline(line.raw, text.len - at);
		line.len += at + line.len < text.len;
		line.no++;
		if (ctx_turns_line(&t, &line, &err) == -1) {
			MUST(err.code == CTX_EINPUT && err.text[0] != '\0');
			MUST(ctx_turns_foreign(&t, &line, &err) == 0);
		}
	}
	MUST(ctx_turns_end(&t, &err) == 0);
	ctx_turns_done(&t);
	ctx_block_drop(block);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	size_t n = 0, i, head = ctx_scan_newline((const char *)data, len);
	struct ctx_str text;

	if (head + 1 >= len || head < 2 || len > 1 << 20)
		return 0;
	while (ctx_dialects[n] != NULL)
		n++;
	i = (uint8_t)(data[0] - 'a') % (n + 1);
	text = (struct ctx_str){ (const char *)data + head + 1,
	    (uint32_t)(len - head - 1) };
	view(ctx_dialects[i], text, (uint8_t)(data[1] - 'a'));
	view(NULL, text, (uint8_t)(data[1] - 'a'));
	return 0;
}
