/* SPDX-License-Identifier: MIT */
/*
 * How long texts will be when they are written, for pace.h.  These lengths must
 * be the same when the result is read again, so a text that was shortened, or
 * is a copy of another, is as long as it was when that was decided.
 */
#include "decide/lean_impl.h"

#include <string.h>

#include "base/sha256.h"
#include "decide/clear.h"

#define TOKEN	4	/* characters, about */

/* Of a reference, the length of the text that it refers to. */
static uint64_t
chars_of_copy(struct ctx_str text)
{
	struct ctx_marker_said said;

	return ctx_marker_at(CTX_MARKER_COPY, text, 0, &said) == text.len ?
	    said.n : text.len;
}

/* What is left of n characters when text is shortened to a limit. */
static int
limited(struct ctx_lean_step *s, const struct ctx_shorten *how,
    struct ctx_str text, uint64_t *n, struct ctx_err *err)
{
	uint64_t max = how->tokens ? how->max * TOKEN : how->max;
	int rc = how->max > 0 && ctx_shorten_marked(text);

	if (how->tokens && rc == 0) {
		ctx_buf_reset(&s->l->spare);
		rc = ctx_shorten(how, text, NULL, &s->l->spare, err);
	}
	if (rc == 1 || (how->max > 0 && *n > max))
		*n = max;
	return rc == -1 ? -1 : 0;
}

/* Of a text of which lines may go, the length from which they do. */
static uint64_t
picked(const struct ctx_lean_step *s, enum ctx_lean_kind kind,
    struct ctx_str text, uint64_t n)
{
	const struct ctx_shorten *how = &s->o->result;
	uint64_t max = how->tokens ? how->max * TOKEN : how->max;
	uint64_t most = s->o->thin != CTX_THIN_OFF ? CTX_THIN_MIN : max;

	if (max > 0 && max < most)
		most = max;
	if (!ctx_lean_picks(s->o) || kind == CTX_LEAN_SAID ||
	    (kind == CTX_LEAN_FILE && !s->o->thin_files))
		return n;
	return n > most || ctx_pick_marked(text) ? most : n;
}

static int
chars_of_text(struct ctx_lean_step *s, uint32_t p, struct ctx_str text,
    uint64_t *n, struct ctx_err *err)
{
	const struct ctx_part *part = &s->c->part[p];
	enum ctx_lean_kind kind;
	int is_result, whole;
	const char *rule;
	/* ctx_lean_drop comes before there are places */
	const struct ctx_lean_place *at = s->o->kept != NULL &&
	    s->seen != NULL ? &s->l->place[p] : NULL;

	ctx_lean_redacted(s, part->text, &text);
	if (ctx_lean_kind(s, p, part->id, &kind, err) == -1 ||
	    ctx_lean_tidy(s, at, kind, &text, &rule, err) == -1)
		return -1;
	*n = ctx_marker_begins(CTX_MARKER_COPY, NULL, text) ?
	    chars_of_copy(text) : ctx_str_chars(text.p, text.len);
	is_result = kind != CTX_LEAN_SAID;
	whole = is_result && (s->spared || ctx_lean_shortens_old(s->o));
	if (!whole && limited(s, is_result ? &s->o->result : &s->o->message,
	    text, n, err) == -1)
		return -1;
	*n = picked(s, kind, text, *n);
	return 0;
}

int
ctx_lean_shortens(struct ctx_lean_step *s, struct ctx_str text,
    struct ctx_err *err)
{
	if (ctx_marker_begins(CTX_MARKER_COPY, NULL, text) ||
	    ctx_clear_is_note(s->o->notes, text))
		return 0;
	ctx_buf_reset(&s->l->spare);
	return ctx_shorten(&s->o->result, text, s->o->keep ? LEAN_NO_HASH :
	    NULL, &s->l->spare, err);
}

int
ctx_lean_gain(struct ctx_lean_step *s, uint32_t p, uint64_t *gain,
    struct ctx_err *err)
{
	struct ctx_str text = ctx_part_text(s->c, p);
	enum ctx_lean_kind kind;
	const char *rule;
	uint64_t n;
	int rc;

	*gain = 0;
	if (s->o->clear) {
		if (ctx_clear_is_note(s->o->notes, text))
			return 0;
		if (ctx_lean_chars(s, p, &n, err) == -1)
			return -1;
		*gain = n > CTX_CLEAR_NOTE ? n - CTX_CLEAR_NOTE : 0;
		return 0;
	}
	ctx_lean_redacted(s, s->c->part[p].text, &text);
	if (ctx_lean_kind(s, p, s->c->part[p].id, &kind, err) == -1 ||
	    ctx_lean_tidy(s, s->o->kept != NULL ? &s->l->place[p] : NULL,
	    kind, &text, &rule, err) == -1 ||
	    (rc = ctx_lean_shortens(s, text, err)) == -1)
		return -1;
	if (rc == 1)
		*gain = ctx_str_chars(text.p, text.len) -
		    ctx_str_chars(s->l->spare.data, s->l->spare.len);
	return 0;
}

int
ctx_lean_chars(struct ctx_lean_step *s, uint32_t p, uint64_t *n,
    struct ctx_err *err)
{
	const struct ctx_part *part = &s->c->part[p];
	struct ctx_str text = ctx_part_text(s->c, p);

	*n = 0;
	if (text.p == NULL || part->kind == CTX_COPY)
		return 0;
	/* arguments that were cleared do not say how long they were */
	if (part->kind == CTX_CALL && s->o->clear_inputs)
		return 0;
	if (ctx_lean_alterable(s, p))
		return chars_of_text(s, p, text, n, err);
	*n = ctx_lean_redacted_chars(s, s->c->msg[part->msg].rec, part->text,
	    ctx_str_chars(text.p, text.len));
	return 0;
}

int
ctx_lean_measure(struct ctx_lean_step *s, struct ctx_err *err)
{
	struct ctx_pace *w = &s->l->pace;
	uint32_t p, of = 0;
	uint64_t n;

	if (ctx_pace_reset(w, s->c, err) == -1)
		return -1;
	for (p = 0; p < s->c->npart && s->o->pace.step > 0; p++) {
		if (!(s->c->part[p].flags & CTX_INNER))
			of = p;
		/* what goes with calls has no length before they go, either */
		if (ctx_lean_is_gone(s, p, of) || ctx_lean_is_note(s, of) ||
		    (s->o->prune && ctx_lean_is_blank(s, of)))
			continue;
		s->spared = !ctx_lean_is_chosen(s, s->c->part[of].name);
		if (ctx_lean_chars(s, p, &n, err) == -1)
			return -1;
		w->chars[s->c->part[p].msg] += n + CTX_PACE_JOIN;
	}
	s->spared = 0;
	return 0;
}
