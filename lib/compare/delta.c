/* SPDX-License-Identifier: MIT */
/* Differences as lines for people; see delta.h. */
#include "compare/delta_impl.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "compare/udiff.h"
#include "show/width.h"

#define WORDS	60	/* columns of a text, if lines are not cut */
#define INDENT	4	/* of the lines that differ */

int
ctx_delta_is(const struct ctx_matching *m)
{
	uint32_t k;

	for (k = 0; k < m->nunit; k++)
		if (m->unit[k].change != CTX_BECAME_SAME)
			return 1;
	return 0;
}

/* --- lines ------------------------------------------------------------- */

/* Print d->line in a colour, cut where the terminal ends. */
static void
put_line(struct ctx_delta *d, const char *colour)
{
	size_t n = ctx_look_fit(&d->look, d->line.data, d->line.len,
	    d->look.columns);

	ctx_look_style(&d->look, d->out, colour);
	ctx_buf_add(d->out, d->line.data, n);
	if (n < d->line.len)
		ctx_buf_adds(d->out, ctx_look_sign(&d->look, CTX_SIGN_CUT));
	if (*colour != '\0')
		ctx_look_style(&d->look, d->out, CTX_LOOK_PLAIN);
	ctx_buf_addc(d->out, '\n');
	d->out->failed |= d->line.failed;
	ctx_buf_reset(&d->line);
}

/* Print d->line in a style, divided where the terminal ends. */
static void
put_whole(struct ctx_delta *d, const char *as)
{
	ctx_look_wrap(&d->look, d->out, ctx_str_of(&d->line), as);
	d->out->failed |= d->line.failed;
	ctx_buf_reset(&d->line);
}

/* Append a word and spaces up to a column; or spaces before it. */
static void
put_padded(struct ctx_buf *out, const char *p, size_t len, size_t columns,
    int right)
{
	size_t w = ctx_width_of(p, len), pad = w < columns ? columns - w : 0;

	if (right)
		ctx_buf_addf(out, "%*s", (int)pad, "");
	ctx_buf_add(out, p, len);
	if (!right)
		ctx_buf_addf(out, "%*s", (int)pad, "");
}

/* Append "1,234", or "1,234 -> 56" if they differ. */
static void
add_change(const struct ctx_delta *d, struct ctx_buf *out, uint64_t a,
    uint64_t b)
{
	char number[CTX_WIDTH_NUMBER];

	ctx_buf_adds(out, ctx_width_number(a, number));
	if (a != b)
		ctx_buf_addf(out, " %s %s", ctx_look_sign(&d->look,
		    CTX_SIGN_BECOMES), ctx_width_number(b, number));
}

static void
put_run(struct ctx_delta *d)
{
	if (d->run[0] + d->run[1] == 0)
		return;
	ctx_buf_adds(&d->line, "= ");
	add_change(d, &d->line, d->run[0], d->run[1]);
	ctx_buf_addf(&d->line, " message%s, ", d->run[0] == 1 &&
	    d->run[1] == 1 ? "" : "s");
	add_change(d, &d->line, d->tokens[0], d->tokens[1]);
	ctx_buf_addf(&d->line, " token%s", d->tokens[0] == 1 &&
	    d->tokens[1] == 1 ? "" : "s");
	put_line(d, CTX_LOOK_DIM);
	memset(d->run, 0, sizeof(d->run));
	memset(d->tokens, 0, sizeof(d->tokens));
}

/* Say which conversation follows, if any has a name. */
static void
put_key(struct ctx_delta *d, uint32_t key)
{
	const char *p;
	size_t len;

	if (key == d->key || d->m->keys.n == 0)
		return;
	d->key = key;
	put_run(d);
	if (key == CTX_NONE)
		ctx_buf_adds(&d->line, "no conversation");
	else {
		ctx_buf_adds(&d->line, "conversation ");
		p = ctx_strmap_at(&d->m->keys, key, &len);
		ctx_width_flat(&d->line, p, len);
	}
	put_line(d, CTX_LOOK_BOLD);
}

/* --- a unit ------------------------------------------------------------ */

const struct ctx_match_part *
ctx_delta_part(const struct ctx_matching *m, const struct ctx_unit *unit,
    int *side)
{
	const struct ctx_match_part *first = NULL;
	int s, first_side = 0;
	uint32_t i, k;

	for (s = 1; s >= 0; s--)
		for (i = 0; i < unit->n[s]; i++) {
			const struct ctx_match_msg *msg = &m->side[s].msg[
			    m->side[s].list[unit->first[s] + i]];

			for (k = 0; k < msg->npart; k++) {
				const struct ctx_match_part *p =
				    &m->side[s].part[msg->part + k];

				if (first == NULL) {
					first = p;
					first_side = s;
				}
				*side = s;
				if (p->mate == CTX_NONE ||
				    p->how != CTX_MATCH_SAME)
					return p;
			}
		}
	*side = first_side;
	return first;
}

/* Append the name of a call or result, with its sign. */
static void
add_name(const struct ctx_delta *d, struct ctx_buf *out,
    const struct ctx_match_part *p)
{
	const char *name = "(unknown tool)";
	size_t len = strlen(name);

	ctx_buf_addf(out, "%s ", ctx_look_sign(&d->look, p->kind == CTX_CALL ?
	    CTX_SIGN_CALL : CTX_SIGN_RESULT));
	if (p->name != CTX_NONE)
		name = ctx_strmap_at(&d->m->names, p->name, &len);
	ctx_width_flat(out, name, len);
	if (p->failed)
		ctx_buf_adds(out, " failed");
	ctx_buf_addc(out, ' ');
}

/* Append what a part is, in a few words. */
static void
add_words(const struct ctx_delta *d, struct ctx_buf *out,
    const struct ctx_match_part *p, int side)
{
	struct ctx_str text = ctx_match_head(&d->m->side[side], p);
	struct ctx_buf word = { 0 };
	size_t n;

	if (p->kind == CTX_CALL || p->kind == CTX_RESULT)
		add_name(d, &word, p);
	ctx_width_flat(&word, text.p, text.len);
	while (word.len > 0 && word.data[word.len - 1] == ' ')
		word.len--;
	n = word.len;
	if (d->look.columns == 0)
		n = ctx_width_cut(word.data, word.len, WORDS);
	ctx_buf_add(out, word.data, n);
	if (n < word.len || p->len > text.len)
		ctx_buf_adds(out, ctx_look_sign(&d->look, CTX_SIGN_MORE));
	out->failed |= word.failed;
	ctx_buf_done(&word);
}

static void
add_place(const struct ctx_matching *m, struct ctx_buf *out,
    const struct ctx_match_msg *msg, int side)
{
	ctx_buf_addf(out, "%" PRIu64, msg->line);
	if (m->side[side].several)
		ctx_buf_addf(out, ".%" PRIu64, msg->nth);
}

/* Append where the unit is: "3", or if it is elsewhere now, "3 -> 2". */
static void
put_place(struct ctx_delta *d, const struct ctx_unit *unit)
{
	const struct ctx_match_msg *old = ctx_delta_first(d->m, unit, 0);
	const struct ctx_match_msg *new = ctx_delta_first(d->m, unit, 1);
	struct ctx_buf was = { 0 }, is = { 0 };

	if (old != NULL)
		add_place(d->m, &was, old, 0);
	if (new != NULL)
		add_place(d->m, &is, new, 1);
	if (old != NULL && new != NULL && (was.len != is.len ||
	    memcmp(was.data, is.data, is.len) != 0))
		ctx_buf_adds(&was, ctx_look_sign(&d->look, CTX_SIGN_BECOMES));
	else if (old != NULL)
		is.len = 0;
	ctx_buf_add(&was, is.data, is.len);
	put_padded(&d->line, was.data, was.len, 9, 0);
	d->line.failed |= was.failed | is.failed;
	ctx_buf_done(&was);
	ctx_buf_done(&is);
}

static void
put_head(struct ctx_delta *d, const struct ctx_unit *unit,
    const struct ctx_match_msg *msg)
{
	const struct ctx_match_part *p;
	struct ctx_buf tokens = { 0 };
	int side;

	ctx_buf_addf(&d->line, "%c ", ctx_became_look(unit->change)->sign);
	put_place(d, unit);
	ctx_buf_addf(&d->line, " %-9s ", ctx_msg_role_name(msg->role));
	add_change(d, &tokens, unit->tokens[0], unit->tokens[1]);
	put_padded(&d->line, tokens.data, tokens.len, 15, 1);
	ctx_buf_adds(&d->line, "  ");
	if ((p = ctx_delta_part(d->m, unit, &side)) != NULL)
		add_words(d, &d->line, p, side);
	d->line.failed |= tokens.failed;
	ctx_buf_done(&tokens);
	put_line(d, ctx_became_look(unit->change)->colour);
}

/* --- the lines of its texts -------------------------------------------- */

static void
put_text_line(void *arg, char sign, struct ctx_str line)
{
	struct ctx_delta *d = arg;
	const char *colour = sign == '-' ? CTX_LOOK_RED : sign == '+' ?
	    CTX_LOOK_GREEN : sign == '@' ? CTX_LOOK_CYAN : "";

	ctx_buf_addf(&d->line, "%*s", INDENT, "");
	if (sign != '@')
		ctx_buf_addc(&d->line, sign);
	if (line.len > 0 && line.p[line.len - 1] == '\r')
		line.len--;
	ctx_width_print(&d->line, line.p, line.len);
	put_line(d, colour);
}

/* The texts of a unit on a side, one after another, each with a line end. */
static void
set_text(struct ctx_delta *d, const struct ctx_unit *unit, int side)
{
	const struct ctx_match_side *s = &d->m->side[side];
	struct ctx_buf *out = &d->text[side];
	uint32_t i, k;

	ctx_buf_reset(out);
	for (i = 0; i < unit->n[side]; i++) {
		const struct ctx_match_msg *msg =
		    &s->msg[s->list[unit->first[side] + i]];

		for (k = 0; k < msg->npart; k++) {
			const struct ctx_match_part *p =
			    &s->part[msg->part + k];

			if (p->kind == CTX_CALL || p->kind == CTX_RESULT)
				add_name(d, out, p);
			if (p->kind == CTX_RESULT && !out->failed)
				out->data[out->len - 1] = '\n';
			if (p->kept > 0)
				ctx_buf_add(out, s->text.data + p->at, p->kept);
			if (out->len > 0 && out->data[out->len - 1] != '\n')
				ctx_buf_addc(out, '\n');
		}
	}
}

static int
is_same(const struct ctx_buf *a, const struct ctx_buf *b)
{
	return a->len == b->len && (a->len == 0 ||
	    memcmp(a->data, b->data, a->len) == 0);
}

static int
put_texts(struct ctx_delta *d, const struct ctx_unit *unit,
    struct ctx_err *err)
{
	static const char words[] = "@@ other data, the same words @@";
	static const struct ctx_str same = { words, sizeof(words) - 1 };

	set_text(d, unit, 0);
	set_text(d, unit, 1);
	if (ctx_buf_fail(&d->text[0], err) == -1 ||
	    ctx_buf_fail(&d->text[1], err) == -1)
		return -1;
	if (unit->n[0] > 0 && unit->n[1] > 0 && is_same(&d->text[0],
	    &d->text[1]))
		put_text_line(d, '@', same);
	return ctx_udiff(ctx_str_of(&d->text[0]), ctx_str_of(&d->text[1]),
	    put_text_line, d, err);
}

int
ctx_delta_put(struct ctx_delta *d, uint32_t k, struct ctx_buf *out,
    struct ctx_err *err)
{
	const struct ctx_unit *unit = &d->m->unit[k];
	const struct ctx_match_msg *msg = ctx_delta_first(d->m, unit, 1);
	int side;

	if (msg == NULL)
		msg = ctx_delta_first(d->m, unit, 0);
	d->out = out;
	if (k == 0)
		d->key = (uint32_t)d->m->keys.n;	/* that of no message */
	if (unit->change == CTX_BECAME_SAME) {
		for (side = 0; side < 2; side++) {
			d->run[side] += unit->messages[side];
			d->tokens[side] += unit->tokens[side];
		}
		return 0;
	}
	put_key(d, msg->key);
	put_run(d);
	put_head(d, unit, msg);
	if (d->full && unit->change != CTX_BECAME_MOVED &&
	    put_texts(d, unit, err) == -1)
		return -1;
	return ctx_buf_fail(out, err);
}

/* --- totals ------------------------------------------------------------ */

static void
add_totals(struct ctx_delta *d)
{
	const struct ctx_match_side *s = d->m->side;
	char number[CTX_WIDTH_NUMBER];
	const char *between = ": ";
	uint64_t n;
	int i;

	add_change(d, &d->line, s[0].messages, s[1].messages);
	ctx_buf_addf(&d->line, " message%s, ", s[0].messages == 1 &&
	    s[1].messages == 1 ? "" : "s");
	add_change(d, &d->line, s[0].tokens, s[1].tokens);
	ctx_buf_addf(&d->line, " token%s", s[0].tokens == 1 &&
	    s[1].tokens == 1 ? "" : "s");
	for (i = 0; i < CTX_BECAME_N; i++) {
		n = d->m->sum[i].messages[i == CTX_BECAME_ADDED];
		if (n == 0)
			continue;
		ctx_buf_addf(&d->line, "%s%s %s", between,
		    ctx_width_number(n, number),
		    ctx_became_look((enum ctx_became)i)->name);
		between = ", ";
	}
}

void
ctx_delta_cache(const struct ctx_matching *m, struct ctx_buf *out)
{
	uint64_t kept = m->cached, rest = m->side[1].tokens - kept;
	char a[CTX_WIDTH_NUMBER], b[CTX_WIDTH_NUMBER];

	ctx_width_number(kept, a);
	ctx_width_number(rest, b);
	if (rest == 0)
		ctx_buf_addf(out, "cache: all %s tokens are the same", a);
	else if (kept == 0)
		ctx_buf_addf(out, "cache: nothing at the beginning is the "
		    "same; all %s token%s read anew", b,
		    rest == 1 ? " is" : "s are");
	else
		ctx_buf_addf(out, "cache: the first %s token%s the same; "
		    "the rest (%s token%s) is read anew", a,
		    kept == 1 ? " is" : "s are", b, rest == 1 ? "" : "s");
}

int
ctx_delta_end(struct ctx_delta *d, struct ctx_buf *out, struct ctx_err *err)
{
	d->out = out;
	put_run(d);
	add_totals(d);
	put_whole(d, CTX_LOOK_BOLD);
	ctx_delta_cache(d->m, &d->line);
	put_whole(d, "");
	return ctx_buf_fail(out, err);
}

int
ctx_delta_stat(struct ctx_delta *d, struct ctx_buf *out, struct ctx_err *err)
{
	uint64_t rest = d->m->side[1].tokens - d->m->cached;
	char a[CTX_WIDTH_NUMBER], b[CTX_WIDTH_NUMBER];

	add_totals(d);
	ctx_buf_addf(&d->line, "; cache: %s kept, %s read anew",
	    ctx_width_number(d->m->cached, a), ctx_width_number(rest, b));
	ctx_buf_add(out, d->line.data, d->line.len);
	ctx_buf_addc(out, '\n');
	out->failed |= d->line.failed;
	return ctx_buf_fail(out, err);
}

void
ctx_delta_done(struct ctx_delta *d)
{
	ctx_buf_done(&d->line);
	ctx_buf_done(&d->text[0]);
	ctx_buf_done(&d->text[1]);
}
