/* SPDX-License-Identifier: MIT */
/* ctx-truncate --text; see truncate-text.h. */
#include "truncate-text.h"

#include <stdio.h>

#include "base/utf8.h"
#include "cli_text.h"
#include "job/slice.h"

struct part {
	struct ctx_cost *cost;
	enum truncate_part part;
	uint64_t max;
	const struct ctx_markers *notes;
};

/*
 * Set *out to both ends of the text with the note between them, of at most
 * half and the rest of room tokens without the note.
 */
static int
join_ends(const struct part *k, const struct ctx_buf *text, uint64_t room,
    struct ctx_buf *out, struct ctx_err *err)
{
	const struct ctx_marker_said said = {
		ctx_utf8_count(text->data, text->len), 0, { NULL, 0 } };
	struct ctx_slice head, tail;

	if (ctx_slice_head(k->cost, text->data, text->len, room - room / 2,
	    &head, err) == -1 ||
	    ctx_slice_tail(k->cost, text->data + head.to, text->len - head.to,
	    room / 2, &tail, err) == -1)
		return -1;
	ctx_buf_reset(out);
	ctx_buf_add(out, text->data, head.to);
	if (head.to > 0 && text->data[head.to - 1] != '\n')
		ctx_buf_addc(out, '\n');
	ctx_marker_put(out, k->notes, CTX_MARKER_CUT, &said);
	ctx_buf_addc(out, '\n');
	ctx_buf_add(out, text->data + head.to + tail.from,
	    tail.to - tail.from);
	return ctx_buf_fail(out, err);
}

/*
 * Both ends of a text that has more than max tokens.  Joined, they may have
 * more tokens than apart; then there is less room for them.  If the note alone
 * has too many, the text's head is what fits.
 */
static int
take_ends(const struct part *k, const struct ctx_buf *text,
    struct ctx_buf *out, struct ctx_err *err)
{
	uint64_t room = k->max, n;
	struct ctx_slice head;

	for (;;) {
		if (join_ends(k, text, room, out, err) == -1 ||
		    ctx_cost_text(k->cost, out->data, out->len, &n, err) == -1)
			return -1;
		if (n <= k->max)
			return 0;
		if (room < n - k->max)
			break;
		room -= n - k->max;
	}
	if (ctx_slice_head(k->cost, text->data, text->len, k->max, &head,
	    err) == -1)
		return -1;
	ctx_buf_reset(out);
	return ctx_buf_add(out, text->data, head.to) == -1 ?
	    ctx_fail_nomem(err) : 0;
}

static int
write_part(void *arg, const char *name, struct ctx_buf *text,
    struct ctx_err *err)
{
	const struct part *k = arg;
	struct ctx_buf out = { 0 };
	struct ctx_slice s;
	int rc;

	(void)name;
	if (cli_text_check(text, err) == -1)
		return -1;
	rc = k->part == TRUNCATE_TAIL ?
	    ctx_slice_tail(k->cost, text->data, text->len, k->max, &s, err) :
	    ctx_slice_head(k->cost, text->data, text->len, k->max, &s, err);
	if (rc == -1)
		return -1;
	if (k->part != TRUNCATE_ENDS || s.to == text->len) {
		fwrite(text->data + s.from, 1, s.to - s.from, stdout);
		return 0;
	}
	rc = take_ends(k, text, &out, err);
	if (rc == 0)
		fwrite(out.data, 1, out.len, stdout);
	ctx_buf_done(&out);
	return rc;
}

void
truncate_text(struct ctx_cost *k, enum truncate_part part, uint64_t max,
    const struct ctx_markers *notes, struct cli *c)
{
	struct part p = { k, part, max, notes };

	cli_text_each(c, write_part, &p);
}
