/* SPDX-License-Identifier: MIT */
/* The lines of tool results that stay, by what the conversation has said. */
#include "decide/lean_impl.h"

#include <string.h>

#include "base/utf8.h"
#include "decide/reads.h"
#include "read/node.h"

#define MORE	4	/* times that a limit in tokens is tried */

/* --- the call ------------------------------------------------------------ */

/* The call of the result that part p is, or is in; CTX_NONE if it has none. */
static uint32_t
call_of(const struct ctx_lean_step *s, uint32_t p)
{
	while (p > 0 && s->c->part[p].flags & CTX_INNER)
		p--;
	return s->c->part[p].mate;
}

/* Read the arguments of the call of p into l->doc.  1, 0 if there are none. */
static int
read_call(const struct ctx_lean_step *s, uint32_t p)
{
	struct ctx_lean *l = s->l;
	uint32_t call = call_of(s, p);
	struct ctx_str text = { NULL, 0 };

	ctx_buf_reset(&l->plain);
	if (call != CTX_NONE)
		text = ctx_part_text(s->c, call);
	if (text.p == NULL)
		return 0;
	if ((s->c->part[call].flags & CTX_RAW ?
	    ctx_buf_add(&l->plain, text.p, text.len) :
	    ctx_str_decode(&l->plain, text.p, text.len)) == -1)
		return -1;
	return ctx_doc_try(&l->doc, l->plain.data, l->plain.len);
}

/* A tool may have a command's name: git_diff. */
static enum ctx_command
kind_of_tool(struct ctx_str name)
{
	char text[32];
	uint32_t i;

	if (name.p == NULL || name.len >= sizeof(text))
		return CTX_COMMAND_UNKNOWN;
	for (i = 0; i < name.len; i++)
		text[i] = name.p[i] == '_' || name.p[i] == '.' ? ' ' :
		    name.p[i] >= 'A' && name.p[i] <= 'Z' ?
		    (char)(name.p[i] | 0x20) : name.p[i];
	return ctx_command_kind(text, i);
}

int
ctx_lean_command(const struct ctx_lean_step *s, uint32_t p,
    enum ctx_command *kind, struct ctx_err *err)
{
	struct ctx_lean *l = s->l;
	uint32_t call = call_of(s, p), v;
	int rc = read_call(s, p);

	*kind = CTX_COMMAND_UNKNOWN;
	ctx_buf_reset(&l->scrub);
	if (rc == 1 && (v = ctx_reads_command(&l->doc, 0)) != CTX_NONE) {
		if (ctx_node_decode(&l->scrub, &l->doc, v) == -1)
			rc = -1;
		else
			*kind = ctx_command_kind(l->scrub.data, l->scrub.len);
	}
	if (rc == -1)
		return ctx_fail_nomem(err);
	if (*kind == CTX_COMMAND_UNKNOWN && call != CTX_NONE)
		*kind = kind_of_tool(s->c->part[call].name);
	return 0;
}

/* Is it the value of a member? */
static int
is_value(const struct ctx_doc *doc, uint32_t node)
{
	return ctx_node_type(doc, node) == '"' && !ctx_node_is_key(doc, node);
}

/* The words of the call of result p. */
static int
hear_call(const struct ctx_lean_step *s, uint32_t p)
{
	struct ctx_lean *l = s->l;
	uint32_t i;
	int rc;

	ctx_heard_reset(&l->asked);
	if ((rc = read_call(s, p)) != 1)
		return rc;
	for (i = 0; i < l->doc.n; i++) {
		if (!is_value(&l->doc, i))
			continue;
		ctx_buf_reset(&l->scrub);
		if (ctx_node_decode(&l->scrub, &l->doc, i) == -1 ||
		    ctx_heard_add_text(&l->asked, l->scrub.data,
		    l->scrub.len) == -1)
			return -1;
	}
	return 0;
}

/* And may it name a file? */
static int
is_path(const struct ctx_doc *doc, uint32_t node)
{
	struct ctx_str s;

	if (!is_value(doc, node))
		return 0;
	s = ctx_node_str(doc, node);
	return memchr(s.p, '/', s.len) != NULL ||
	    memchr(s.p, '.', s.len) != NULL;
}

int
ctx_lean_reads_again(struct ctx_lean_step *s, uint32_t p, int *again,
    struct ctx_err *err)
{
	struct ctx_lean *l = s->l;
	struct ctx_str path;
	uint64_t file = 0;
	uint32_t i;
	int rc = read_call(s, p);

	*again = 0;
	for (i = 0; rc == 1 && i < l->doc.n; i++)
		if (is_path(&l->doc, i)) {
			path = ctx_node_str(&l->doc, i);
			file = ctx_heard_pair(file, ctx_heard_line(path.p,
			    path.len));
		}
	if (rc == 1 && file != 0) {
		*again = ctx_heard_has(&s->seen->files, file);
		if (ctx_heard_add(&s->seen->files, file) == -1)
			rc = -1;
	}
	return rc == -1 ? ctx_fail_nomem(err) : 0;
}

/* --- picking ------------------------------------------------------------- */

/* Pick lines of l->plain into l->scrub, and escape them into l->spare. */
static int
pick(struct ctx_lean_step *s, const struct ctx_pick_opts *o)
{
	struct ctx_lean *l = s->l;
	int rc;

	ctx_buf_reset(&l->scrub);
	ctx_buf_reset(&l->spare);
	rc = ctx_pick(&l->pick, o, l->plain.data, l->plain.len, &l->scrub);
	if (rc == 1 && ctx_str_encode(&l->spare, l->scrub.data,
	    l->scrub.len) == -1)
		rc = -1;
	return rc;
}

/* The same with a limit of max tokens; text has total of them. */
static int
pick_tokens(struct ctx_lean_step *s, struct ctx_pick_opts *o, uint64_t max,
    uint64_t total, struct ctx_err *err)
{
	uint64_t chars = ctx_utf8_count(s->l->plain.data, s->l->plain.len);
	int i, rc;

	o->max = chars * max / total;
	for (i = 0; i < MORE && o->max > 0; i++) {
		if ((rc = pick(s, o)) != 1)
			return rc == -1 ? ctx_fail_nomem(err) : rc;
		if (s->o->count(s->o->arg, ctx_str_of(&s->l->spare), 0, &total,
		    NULL, err) == -1)
			return -1;
		if (total <= max)
			return 1;
		o->max = o->max * max / total * 15 / 16;
	}
	return 0;
}

static int
pick_text(struct ctx_lean_step *s, struct ctx_pick_opts *o, int choose,
    struct ctx_str text, struct ctx_err *err)
{
	const struct ctx_shorten *how = &s->o->result;
	uint64_t total;
	int rc;

	if (choose && how->tokens) {
		if (s->o->count(s->o->arg, text, 0, &total, NULL, err) == -1)
			return -1;
		if (total > how->max)
			return pick_tokens(s, o, how->max, total, err);
	} else if (choose)
		o->max = how->max;
	rc = pick(s, o);
	return rc == -1 ? ctx_fail_nomem(err) : rc;
}

int
ctx_lean_pick(struct ctx_lean_step *s, uint32_t p, int choose,
    struct ctx_str text, struct ctx_err *err)
{
	struct ctx_lean *l = s->l;
	struct ctx_pick_opts o = { .dense = s->o->thin == CTX_THIN_DENSE,
	    .thin = s->o->thin != CTX_THIN_OFF ? CTX_THIN_MIN : 0,
	    .said = &s->seen->said, .sent = &s->seen->lines,
	    .asked = &l->asked, .named = &s->seen->named, .notes = s->o->notes,
	    .kind = (enum ctx_command)l->printed[p],
	    .whole = l->printed[p] == CTX_COMMAND_FILE };
	uint64_t least = o.thin;
	char hash[CTX_SHA256_HEX];

	/* no character is shorter than a byte, and no token */
	if (choose && (least == 0 || least > s->o->result.max))
		least = s->o->result.max;
	if (least == 0 || text.len <= least || ctx_shorten_marked(text))
		return 0;
	if (hear_call(s, p) == -1)
		return ctx_fail_nomem(err);
	if (s->o->keep && s->o->notes->dir != NULL) {
		if (ctx_lean_hash(l, s->origin, hash) == -1)
			return ctx_fail_nomem(err);
		o.hash = hash;
	}
	ctx_buf_reset(&l->plain);
	if (ctx_str_decode(&l->plain, text.p, text.len) == -1)
		return ctx_fail_nomem(err);
	return pick_text(s, &o, choose, text, err);
}

/* Is it what a user wrote? */
static int
is_users(const struct ctx_lean_step *s, uint32_t p)
{
	const struct ctx_part *part = &s->c->part[p];

	return part->kind == CTX_TEXT && !(part->flags & CTX_INNER) &&
	    s->c->msg[part->msg].role == CTX_USER;
}

int
ctx_lean_say(struct ctx_lean_step *s, uint32_t p, struct ctx_str text,
    struct ctx_err *err)
{
	const struct ctx_part *part = &s->c->part[p];
	int twice = part->kind == CTX_CALL && !(part->flags & CTX_RAW);
	struct ctx_lean *l = s->l;
	const char *said = text.p;
	size_t len = text.len;

	if (!ctx_lean_picks(s->o) || said == NULL)
		return 0;
	if (memchr(said, '\\', len) != NULL) {
		ctx_buf_reset(&l->plain);
		ctx_buf_reset(&l->scrub);
		/* arguments may be JSON in a string */
		if (ctx_str_decode(&l->plain, said, len) == -1 || (twice &&
		    ctx_str_decode(&l->scrub, l->plain.data, l->plain.len) ==
		    -1))
			return ctx_fail_nomem(err);
		said = twice ? l->scrub.data : l->plain.data;
		len = twice ? l->scrub.len : l->plain.len;
	}
	if (ctx_heard_add_text(&s->seen->said, said, len) == -1 ||
	    ctx_heard_add_lines(&s->seen->lines, said, len) == -1 ||
	    (is_users(s, p) && ctx_heard_add_text(&s->seen->named, said, len) ==
	    -1))
		return ctx_fail_nomem(err);
	return 0;
}
