/* SPDX-License-Identifier: MIT */
/*
 * View any lines as messages of a dialect, which the first letter selects; the
 * second and third are options.  All that a view points at must be in its
 * record, and indexes in their arrays; what it takes out of a list must be an
 * element of it.  A message that the dialect writes beside one of these must be
 * JSON, and in a dialect that is read back it must have the text or the result
 * that it was written for.
 */
#include "history.h"

#include "view/media.h"
#include "view/usage.h"

#define WRITTEN	4	/* messages of a turn beside which others are written */

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
check_media(const struct ctx_convo *c, uint32_t rec, uint32_t i)
{
	struct ctx_str kind;
	struct ctx_buf out = { 0 };
	struct ctx_doc doc = { 0 };
	static struct ctx_respelled plain;
	struct ctx_media m;

	ctx_buf_reset(&plain.text);
	MUST(ctx_media_find(c, i, &m, &plain) == 0);
	if (m.form == CTX_MEDIA_NONE)
		return;
	if (plain.text.len == 0)
		inside(c, rec, m.data);
	else
		MUST(m.data.p >= plain.text.data && m.data.p + m.data.len <=
		    plain.text.data + plain.text.len);
	is_node(c, rec, m.node);
	kind = m.type.p != NULL ? m.type : ctx_media_sniff(m.data);
	if (m.form == CTX_MEDIA_LINK)
		ctx_media_put_link(&out, 0, m.data);
	else if (kind.p != NULL)
		ctx_media_put(&out, m.form == CTX_MEDIA_SOURCE, kind, m.data);
	MUST(out.len == 0 || ctx_doc_try(&doc, out.data, out.len) == 1);
	ctx_doc_done(&doc);
	ctx_buf_done(&out);
}

/* --- what is written anew ---------------------------------------------- */

/* The message that d writes must be JSON.  Returns what it is viewed as. */
static const struct ctx_convo *
emitted(const struct ctx_dialect *d, struct ctx_new *what,
    const struct ctx_convo *c, uint32_t m)
{
	static struct ctx_convo again;
	static struct ctx_buf out;
	struct ctx_doc doc = ctx_convo_doc(c, c->msg[m].rec);
	struct ctx_err err = { 0 };

	what->doc = &doc;
	what->like = c->rec[c->msg[m].rec].root;
	if (c->rec[c->msg[m].rec].shape == CTX_REC_CONVERSATION)
		what->like = c->msg[m].node;
	ctx_buf_reset(&out);
	MUST(d->emit(&out, what) == 0);
	MUST(ctx_dialect_line_of(&again, d, out.data, out.len, &err) == 0);
	return &again;
}

/* A message with a text. */
static void
write_text(const struct ctx_dialect *d, const struct ctx_convo *c, uint32_t m)
{
	static const char text[] = "one \"\n\xc3\xa9";
	struct ctx_new what = { .kind = CTX_NEW_TEXT, .role = CTX_USER,
	    .text = text, .textlen = sizeof(text) - 1 };
	const struct ctx_convo *got;
	struct ctx_buf said = { 0 };
	uint32_t i;

	if (c->msg[m].role == CTX_ASSISTANT)
		what.role = CTX_ASSISTANT;
	got = emitted(d, &what, c, m);
	for (i = 0; i < got->npart; i++)
		if (got->part[i].kind == CTX_TEXT)
			ctx_str_decode(&said, ctx_part_text(got, i).p,
			    ctx_part_text(got, i).len);
	MUST(said.len == what.textlen);
	MUST(memcmp(said.data, text, said.len) == 0);
	ctx_buf_done(&said);
}

/* A summary as the dialect's program has it, and a result of call i. */
static void
write_others(const struct ctx_dialect *d, const struct ctx_convo *c,
    uint32_t m, uint32_t i)
{
	static const enum ctx_new_kind kinds[] = { CTX_NEW_BOUNDARY,
	    CTX_NEW_SUMMARY };
	struct ctx_new what = { .role = CTX_USER, .text = "s", .textlen = 1,
	    .tokens = 7 };
	const struct ctx_convo *got;
	uint32_t k;

	for (k = d->summary == CTX_SUMMARY_BOUNDED ? 0 : 1;
	    d->summary != CTX_SUMMARY_MESSAGE && k < 2; k++) {
		what.kind = kinds[k];
		emitted(d, &what, c, m);
	}
	if (c->part[i].kind != CTX_CALL || c->part[i].id.p == NULL)
		return;
	what.kind = CTX_NEW_RESULT;
	what.role = CTX_TOOL;
	what.id = c->part[i].id;
	what.name = c->part[i].name;
	got = emitted(d, &what, c, m);
	for (k = 0; k < got->npart && got->part[k].kind != CTX_RESULT; k++)
		continue;
	MUST(k < got->npart);
	MUST(got->part[k].id.p == NULL ||
	    ctx_str_same(got->part[k].id, what.id));
}

static void
check_written(const struct ctx_convo *c, uint32_t m)
{
	const struct ctx_dialect *d = c->rec[c->msg[m].rec].dialect;

	/* an undecided line does not show the form of others */
	if (d == NULL || d->emit == NULL)
		return;
	write_text(d, c, m);
	if (c->msg[m].npart > 0)
		write_others(d, c, m, c->msg[m].part);
}

/* --- what is read ------------------------------------------------------ */

/* An id is in its record, unless that spells it with escapes. */
static void
check_id(const struct ctx_convo *c, uint32_t rec, const struct ctx_part *p)
{
	struct ctx_doc doc = ctx_convo_doc(c, rec);
	struct ctx_str spelled = ctx_node_json(&doc, p->idnode);

	if (spelled.p == NULL || memchr(spelled.p, '\\', spelled.len) == NULL)
		inside(c, rec, p->id);
}

static void
check_part(const struct ctx_convo *c, uint32_t m, uint32_t i)
{
	const struct ctx_part *p = &c->part[i];
	uint32_t rec = c->msg[m].rec;

	MUST(p->msg == m);
	check_id(c, rec, p);
	inside(c, rec, p->name);
	inside(c, rec, ctx_part_text(c, i));
	is_node(c, rec, p->idnode);
	is_node(c, rec, p->text);
	is_element(c, rec, p->place[0].node, p->place[0].list);
	is_element(c, rec, p->place[1].node, p->place[1].list);
	if (p->kind == CTX_IMAGE || p->kind == CTX_FILE)
		check_media(c, rec, i);
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
	struct ctx_str model;
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
		if (m < WRITTEN)
			check_written(c, m);
	}
	for (i = 0; i < c->nrec; i++) {
		model = (struct ctx_str){ NULL, 0 };
		if (c->rec[i].nmsg == 0)
			is_node(c, i, ctx_usage_of_rec(c, i, &model));
		inside(c, i, model);
	}
	for (i = 0; i < c->nodd; i++)
		is_node(c, c->odd[i].rec, c->odd[i].node);
	return 0;
}

/* What is asked of a line without taking it. */
static void
peek(struct ctx_turns *t, const struct ctx_line *line)
{
	struct ctx_err err = { 0 };
	struct ctx_doc nodes;
	uint64_t hash;

	if (ctx_turns_hash(t, line, &hash, &nodes, &err) == -1)
		MUST(err.code == CTX_EINPUT && err.text[0] != '\0');
	MUST(ctx_turns_alone(t, line, &err) != -1);
}

static void
view(const struct ctx_dialect *d, struct ctx_str text, unsigned how,
    unsigned by)
{
	static const char *const keys[] = { NULL, "id", "sessionId" };
	struct ctx_turns t = { .turn = check_turn, .dialect = d,
	    .whole = how & 1, .exports = how >> 1 & 1, .chained = how >> 2 & 1,
	    .branch = (enum ctx_turns_branch)((how >> 3) % 3),
	    .by = keys[by % 3] }, other = t;
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
		peek(&other, &line);
		if (ctx_turns_line(&t, &line, &err) == -1) {
			MUST(err.code == CTX_EINPUT && err.text[0] != '\0');
			MUST(ctx_turns_foreign(&t, &line, &err) == 0);
		}
	}
	MUST(ctx_turns_end(&t, &err) == 0);
	ctx_turns_done(&t);
	ctx_turns_done(&other);
	ctx_block_drop(block);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	unsigned how, by;
	size_t n = 0, i, head = ctx_scan_newline((const char *)data, len);
	struct ctx_str text;

	if (head + 1 >= len || head < 2 || len > 1 << 20)
		return 0;
	while (ctx_dialects[n] != NULL)
		n++;
	i = (uint8_t)(data[0] - 'a') % (n + 1);
	text = (struct ctx_str){ (const char *)data + head + 1,
	    (uint32_t)(len - head - 1) };
	how = (uint8_t)(data[1] - 'a');
	by = head > 2 ? (uint8_t)(data[2] - 'a') : 0;
	view(ctx_dialects[i], text, how, by);
	view(NULL, text, how, by);
	return 0;
}
