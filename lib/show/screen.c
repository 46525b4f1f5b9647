/* SPDX-License-Identifier: MIT */
/* A history as text for a terminal or a pipe; see screen.h. */
#include "show/screen.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "show/args.h"
#include "show/figure.h"
#include "show/frame.h"
#include "show/width.h"

#define MARGIN		8	/* columns with tokens */
#define NARROW		40	/* with fewer columns there is no margin */
#define SIGN		2	/* columns of a sign before it */
#define INDENT		2	/* of what a message says */
#define FOLD_RESULT	4	/* lines that are shown without full */
#define FOLD_THINKING	3
#define FOLD_SYSTEM	4
#define FOLD_TEXT	60
#define NO_MARGIN	UINT64_MAX

#define MARK		"\033[7m"
#define MARK_END	"\033[27m"

/* How a text is printed. */
struct block {
	const char *style;	/* "" for none */
	size_t indent;
	size_t fold;		/* lines to show; 0: all */
	const char *unit;	/* of lines that are folded away */
	uint32_t frame;		/* bytes that are folded away first */
	int cut;		/* lines where the terminal ends, without full:
				   JSON may have data in it */
};

static void
style(const struct ctx_screen *t, const char *sequence)
{
	ctx_look_style(&t->look, t->out, sequence);
}

static int
has_margin(const struct ctx_screen *t)
{
	return t->look.columns == 0 || t->look.columns >= NARROW;
}

/* Empty t->line; what is missing in it is missing in the output. */
static void
fresh_line(struct ctx_screen *t)
{
	t->out->failed |= t->line.failed;
	ctx_buf_reset(&t->line);
}

static void
spaces(struct ctx_buf *out, size_t n)
{
	while (n-- > 0)
		ctx_buf_addc(out, ' ');
}

/*
 * Put the sign of what became of the message, if it is not the same, and the
 * space before what follows.
 */
static void
put_sign(struct ctx_screen *t, int more)
{
	const struct ctx_became_look *look = ctx_became_look(t->became);

	if (!t->compared)
		return;
	if (t->became != CTX_BECAME_SAME) {
		style(t, look->colour);
		ctx_buf_addc(t->out, look->sign);
		style(t, CTX_LOOK_PLAIN);
	}
	if (more)
		spaces(t->out, t->became == CTX_BECAME_SAME ? SIGN : SIGN - 1);
}

/* Begin a line, with the tokens that wait for one. */
static void
begin_line(struct ctx_screen *t, size_t indent)
{
	char number[CTX_WIDTH_NUMBER];

	put_sign(t, 1);
	if (has_margin(t)) {
		if (t->margin == NO_MARGIN)
			spaces(t->out, MARGIN);
		else {
			style(t, CTX_LOOK_DIM);
			ctx_buf_addf(t->out, "%*s ", MARGIN - 1,
			    ctx_width_number(t->margin, number));
			style(t, CTX_LOOK_PLAIN);
		}
		t->margin = NO_MARGIN;
		indent++;
	}
	spaces(t->out, indent);
}

/* The columns of a line after its margin and indentation. */
static size_t
room(const struct ctx_screen *t, size_t indent)
{
	size_t used = indent + (has_margin(t) ? MARGIN + 1 : 0) +
	    (t->compared ? SIGN : 0);

	if (t->look.columns == 0)
		return SIZE_MAX;
	return t->look.columns > used + 10 ? t->look.columns - used : 10;
}

/* Find a match in text from offset at on.  Returns 1 or 0. */
static int
matches(struct ctx_screen *t, struct ctx_str text, size_t at, size_t *off,
    size_t *end)
{
	int rc = ctx_select_match(&t->select, text, at, off, end, t->err);

	t->failed |= rc == -1;
	return rc == 1;
}

/* Find the next match in t->line from offset at on. */
static void
find_match(struct ctx_screen *t, size_t at)
{
	if (!t->look.colour || !matches(t, ctx_str_of(&t->line), at, &t->match,
	    &t->match_end))
		t->match = SIZE_MAX;
}

/* Append t->line[from .. end) in a style, with what matches marked. */
static void
put_piece(struct ctx_screen *t, size_t from, size_t end, const char *as)
{
	const char *line = t->line.data;
	size_t off, to;

	style(t, as);
	while (t->match < end) {
		off = t->match < from ? from : t->match;
		to = t->match_end > end ? end : t->match_end;
		ctx_buf_add(t->out, line + from, off - from);
		style(t, MARK);
		ctx_buf_add(t->out, line + off, to - off);
		style(t, MARK_END);
		from = to;
		if (t->match_end > end)
			break;
		find_match(t, t->match_end);
	}
	ctx_buf_add(t->out, line + from, end - from);
	if (*as != '\0')
		style(t, CTX_LOOK_PLAIN);
}

/* Put t->line on as many lines as it needs. */
static void
put_wrapped(struct ctx_screen *t, const struct block *b)
{
	size_t at = 0, n, next, columns = room(t, b->indent);

	find_match(t, 0);
	do {
		n = t->line.len - at;
		next = n;
		if (n > 0 && t->look.columns > 0)
			n = ctx_width_wrap(t->line.data + at, n, columns,
			    &next);
		if (n > 0 || t->margin != NO_MARGIN)
			begin_line(t, b->indent);
		else
			put_sign(t, 0);
		put_piece(t, at, at + n, n > 0 ? b->style : "");
		ctx_buf_addc(t->out, '\n');
		at += next;
	} while (at < t->line.len);
}

/* Put one line, cut where the terminal ends. */
static void
put_cut(struct ctx_screen *t, size_t indent, const char *as)
{
	size_t n = t->line.len;

	if (!t->full)
		n = ctx_look_fit(&t->look, t->line.data, n, room(t, indent));
	begin_line(t, indent);
	find_match(t, 0);
	put_piece(t, 0, n, as);
	if (n < t->line.len)
		ctx_buf_adds(t->out, ctx_look_sign(&t->look, CTX_SIGN_CUT));
	ctx_buf_addc(t->out, '\n');
}

/* Make t->line of a line of a text. */
static void
set_line(struct ctx_screen *t, struct ctx_str line)
{
	fresh_line(t);
	if (line.len > 0 && line.p[line.len - 1] == '\r')
		line.len--;
	ctx_width_print(&t->line, line.p, line.len);
}

static void
put_folded(struct ctx_screen *t, const struct block *b, size_t lines)
{
	char number[CTX_WIDTH_NUMBER];

	begin_line(t, b->indent);
	style(t, CTX_LOOK_DIM);
	ctx_buf_addf(t->out, "%s %s more %s%s",
	    ctx_look_sign(&t->look, CTX_SIGN_MORE),
	    ctx_width_number(lines, number), b->unit, lines == 1 ? "" : "s");
	style(t, CTX_LOOK_PLAIN);
	ctx_buf_addc(t->out, '\n');
}

/* Put a text, line by line; what is folded keeps the lines with matches. */
static void
put_text(struct ctx_screen *t, const struct block *b, struct ctx_str text)
{
	size_t lines, shown = 0, hidden = 0, fold = t->full ? 0 : b->fold;
	const char *p = text.p, *end, *nl;
	struct ctx_str line;
	size_t off, to;

	while (text.len > 0 && text.p[text.len - 1] == '\n')
		text.len--;
	lines = ctx_width_lines(text.p, text.len);
	/* a single line takes no more room than to say that it is hidden */
	if (fold > 0 && lines <= fold + 1)
		fold = 0;
	for (end = p + text.len; p < end; p = nl + 1) {
		if ((nl = memchr(p, '\n', (size_t)(end - p))) == NULL)
			nl = end;
		line = (struct ctx_str){ p, (uint32_t)(nl - p) };
		if (fold > 0 && (shown >= fold || (p < text.p + b->frame &&
		    !ctx_frame_fails(line))) && !matches(t, line, 0, &off,
		    &to)) {
			hidden++;
			continue;
		}
		shown++;
		set_line(t, line);
		if (b->cut)
			put_cut(t, b->indent, b->style);
		else
			put_wrapped(t, b);
	}
	if (hidden > 0)
		put_folded(t, b, hidden);
}

/* --- calls and results --------------------------------------------------- */

/* Append the arguments to t->line: "path=a.c limit=40", or as they are. */
static int
add_args(struct ctx_screen *t, struct ctx_str json, struct ctx_err *err)
{
	ctx_buf_reset(&t->word);
	if (ctx_args_text(&t->word, &t->args, json, err) == -1)
		return -1;
	ctx_width_flat(&t->line, t->word.data, t->word.len);
	return 0;
}

static void
set_name(struct ctx_screen *t, const struct ctx_shown_part *p)
{
	struct ctx_str name = ctx_scene_tool(p);

	fresh_line(t);
	ctx_buf_adds(&t->line, ctx_look_sign(&t->look, p->kind == CTX_CALL ?
	    CTX_SIGN_CALL : CTX_SIGN_RESULT));
	ctx_buf_addc(&t->line, ' ');
	ctx_width_flat(&t->line, name.p, name.len);
}

static int
put_call(struct ctx_screen *t, const struct ctx_shown_part *p,
    struct ctx_err *err)
{
	set_name(t, p);
	if (p->text.p != NULL && add_args(t, p->text, err) == -1)
		return -1;
	if (ctx_buf_fail(&t->line, err) == -1)
		return -1;
	if (t->full)
		put_wrapped(t, &(struct block){ CTX_LOOK_YELLOW, INDENT, 0,
		    "", 0, 0 });
	else
		put_cut(t, INDENT, CTX_LOOK_YELLOW);
	return 0;
}

static int
put_result(struct ctx_screen *t, const struct ctx_shown *m,
    const struct ctx_shown_part *p, struct ctx_err *err)
{
	struct block b = { CTX_LOOK_DIM, INDENT + 2, FOLD_RESULT, "line", 0,
	    0 };
	int failed = (p->flags & CTX_ERROR) != 0;
	struct ctx_str text;

	if (ctx_args_lines(&text, &t->word, &t->args, p, err) == -1)
		return -1;
	set_name(t, p);
	if (failed)
		ctx_buf_adds(&t->line, " failed");
	else if (ctx_scene_is_empty(m, p))
		ctx_buf_adds(&t->line, " (empty)");
	put_cut(t, INDENT, failed ? CTX_LOOK_RED : CTX_LOOK_DIM);
	if (text.len == 0)
		return 0;
	b.frame = ctx_frame_len(text);
	put_text(t, &b, text);
	return 0;
}

static int
put_media(struct ctx_screen *t, const struct ctx_shown_part *p,
    struct ctx_err *err)
{
	const struct block b = { CTX_LOOK_DIM, INDENT + 2, FOLD_RESULT, "line",
	    0, (p->flags & CTX_RAW) != 0 };
	struct ctx_str text;

	if (ctx_args_lines(&text, &t->word, &t->args, p, err) == -1)
		return -1;
	fresh_line(t);
	ctx_figure_words(&t->line, p);
	put_cut(t, INDENT, CTX_LOOK_DIM);
	if (text.len > 0)
		put_text(t, &b, text);
	return 0;
}

/* --- messages ------------------------------------------------------------ */

static int
put_part(struct ctx_screen *t, const struct ctx_shown *m,
    const struct ctx_shown_part *p, struct ctx_err *err)
{
	static const struct block thinking = { CTX_LOOK_DIM, INDENT,
	    FOLD_THINKING, "line", 0, 0 };
	static const struct block other = { CTX_LOOK_DIM, INDENT, FOLD_RESULT,
	    "line", 0, 1 };
	const struct block text = { "", INDENT, m->role == CTX_SYSTEM ||
	    m->own ? FOLD_SYSTEM : FOLD_TEXT, "line", 0, 0 };
	struct ctx_str said;

	switch (p->kind) {
	case CTX_TEXT:
	case CTX_OTHER:
		if (ctx_args_lines(&said, &t->word, &t->args, p, err) == -1)
			return -1;
		if (said.p != NULL)
			put_text(t, p->flags & CTX_RAW ? &other : &text, said);
		break;
	case CTX_THINKING:
		if (p->text.p != NULL)
			put_text(t, &thinking, p->text);
		break;
	case CTX_CALL:
		return put_call(t, p, err);
	case CTX_RESULT:
		return put_result(t, m, p, err);
	case CTX_IMAGE:
	case CTX_FILE:
		return put_media(t, p, err);
	case CTX_HOLLOW:
	case CTX_COPY:
		break;
	}
	return 0;
}

/* Put a line across the page that says what begins. */
static void
put_rule(struct ctx_screen *t, const char *text, size_t len)
{
	const char *dash = ctx_look_sign(&t->look, CTX_SIGN_RULE);
	size_t n = t->look.columns == 0 ? 40 : t->look.columns, used;

	if (t->messages > 0)
		ctx_buf_addc(t->out, '\n');
	fresh_line(t);
	ctx_width_flat(&t->line, text, len);
	used = ctx_width_of(t->line.data, t->line.len) + 4;
	style(t, CTX_LOOK_DIM);
	ctx_buf_addf(t->out, "%s%s ", dash, dash);
	ctx_buf_add(t->out, t->line.data, t->line.len);
	ctx_buf_addc(t->out, ' ');
	for (; used < n; used++)
		ctx_buf_adds(t->out, dash);
	style(t, CTX_LOOK_PLAIN);
	ctx_buf_addc(t->out, '\n');
}

/* Say which conversation and turn the message is in, if that is another. */
static void
put_place(struct ctx_screen *t, const struct ctx_shown *m)
{
	int other = m->conversation != t->conversation;
	struct ctx_buf name = { 0 };

	if (other && (t->conversation != 0 || m->key.p != NULL ||
	    m->side.p != NULL)) {
		ctx_buf_adds(&name, "conversation ");
		if (m->key.p != NULL)
			ctx_buf_add(&name, m->key.p, m->key.len);
		else
			ctx_buf_addf(&name, "%" PRIu64, m->conversation);
		if (m->side.p != NULL) {
			ctx_buf_adds(&name, ", side ");
			ctx_buf_add(&name, m->side.p, m->side.len);
		}
		put_rule(t, name.data, name.len);
		t->joins = 0;
	}
	if ((other || m->turn != t->turn) && m->turn != 0) {
		ctx_buf_reset(&name);
		ctx_buf_addf(&name, "turn %" PRIu64, m->turn);
		put_rule(t, name.data, name.len);
		t->joins = 0;
	}
	t->out->failed |= name.failed;
	ctx_buf_done(&name);
	t->conversation = m->conversation;
	t->turn = m->turn;
}

/* Say why there is nothing to show of a message. */
static void
put_nothing(struct ctx_screen *t, const char *why)
{
	fresh_line(t);
	ctx_buf_adds(&t->line, why);
	put_cut(t, INDENT, CTX_LOOK_DIM);
}

static void
put_head(struct ctx_screen *t, const struct ctx_shown *m)
{
	static const char *const colour[] = { CTX_LOOK_BOLD CTX_LOOK_MAGENTA,
	    CTX_LOOK_BOLD CTX_LOOK_GREEN, CTX_LOOK_BOLD CTX_LOOK_BLUE,
	    CTX_LOOK_BOLD CTX_LOOK_YELLOW };

	t->margin = m->tokens;
	/* the lines of results say all */
	if (ctx_scene_is_results(m) || (m->flags & CTX_JOINED && t->joins))
		return;
	fresh_line(t);
	ctx_buf_adds(&t->line, ctx_msg_role_name(m->role));
	if (m->speaker.p != NULL) {
		ctx_buf_addc(&t->line, ' ');
		ctx_width_flat(&t->line, m->speaker.p, m->speaker.len);
	}
	ctx_buf_adds(&t->line, ctx_scene_note(m));
	put_cut(t, 0, colour[m->role]);
}

int
ctx_screen_put(struct ctx_screen *t, const struct ctx_shown *m,
    struct ctx_buf *out, struct ctx_err *err)
{
	int is = ctx_select_msg(&t->select, m, err);
	size_t i;

	/* what continues an answer that is not shown needs a head of its own */
	if (is == 0 && !(m->flags & CTX_JOINED))
		t->joins = 0;
	if (is != 1)
		return is;
	t->out = out;
	t->err = err;
	t->failed = 0;
	t->became = m->became;
	put_place(t, m);
	put_head(t, m);
	if (m->nothing != NULL)
		put_nothing(t, m->nothing);
	for (i = 0; i < m->npart && m->nothing == NULL; i++)
		if (ctx_select_part(&t->select, m, i) &&
		    put_part(t, m, &m->part[i], err) == -1)
			return -1;
	t->joins = m->role == CTX_ASSISTANT && !ctx_scene_is_results(m);
	t->messages++;
	t->tokens += m->tokens;
	t->out->failed |= t->line.failed;
	return t->failed ? -1 : ctx_buf_fail(out, err);
}

/* Append what became of messages: "12 dropped", if it is of any. */
static void
add_sum(struct ctx_screen *t, const struct ctx_became_sum *sums,
    enum ctx_became what)
{
	uint64_t n = sums[what].messages[what == CTX_BECAME_ADDED];
	const struct ctx_became_look *look = ctx_became_look(what);
	char number[CTX_WIDTH_NUMBER];

	if (n == 0)
		return;
	ctx_buf_addf(&t->line, "%s%c %s %s", t->line.len > 0 ? ", " : "",
	    look->sign, ctx_width_number(n, number), look->name);
}

int
ctx_screen_end(struct ctx_screen *t, const struct ctx_became_sum *sums,
    struct ctx_buf *out, struct ctx_err *err)
{
	uint64_t tokens[2] = { 0, 0 };
	char a[CTX_WIDTH_NUMBER], b[CTX_WIDTH_NUMBER];
	int what;

	t->out = out;
	fresh_line(t);
	for (what = 0; what < CTX_BECAME_N; what++) {
		add_sum(t, sums, (enum ctx_became)what);
		tokens[0] += sums[what].tokens[0];
		tokens[1] += sums[what].tokens[1];
	}
	ctx_buf_addf(&t->line, "%s%s %s %s tokens", t->line.len > 0 ? "; " :
	    "", ctx_width_number(tokens[0], a), ctx_look_sign(&t->look,
	    CTX_SIGN_BECOMES), ctx_width_number(tokens[1], b));
	if (t->messages > 0)
		ctx_buf_addc(out, '\n');
	ctx_look_wrap(&t->look, out, ctx_str_of(&t->line), CTX_LOOK_BOLD);
	out->failed |= t->line.failed;
	return ctx_buf_fail(out, err);
}

void
ctx_screen_done(struct ctx_screen *t)
{
	ctx_select_done(&t->select);
	ctx_buf_done(&t->line);
	ctx_buf_done(&t->word);
	ctx_doc_done(&t->args);
}
