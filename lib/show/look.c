/* SPDX-License-Identifier: MIT */
/* How lines look; see look.h. */
#include "show/look.h"

#include "show/width.h"

#define INDENT	2

const char *
ctx_look_sign(const struct ctx_look *l, enum ctx_look_sign sign)
{
	static const char *const signs[][2] = {
		{ "\u25b8", ">" },
		{ "\u25c2", "=" },
		{ "\u2026", "..." },
		{ "\u2026", ">" },
		{ "\u2192", "->" },
		{ "\u2500", "-" }
	};

	return signs[sign][l->ascii];
}

void
ctx_look_style(const struct ctx_look *l, struct ctx_buf *out,
    const char *sequence)
{
	if (l->colour)
		ctx_buf_adds(out, sequence);
}

size_t
ctx_look_fit(const struct ctx_look *l, const char *p, size_t len,
    size_t columns)
{
	if (l->columns == 0 || ctx_width_cut(p, len, columns) == len)
		return len;
	return ctx_width_cut(p, len, columns - 1);
}

void
ctx_look_wrap(const struct ctx_look *l, struct ctx_buf *out,
    struct ctx_str line, const char *style)
{
	size_t at = 0, n, next, indent = 0;

	while (at < line.len) {
		n = next = line.len - at;
		if (l->columns > 0)
			n = ctx_width_wrap(line.p + at, n, l->columns - indent,
			    &next);
		ctx_buf_addf(out, "%*s", (int)indent, "");
		ctx_look_style(l, out, style);
		ctx_buf_add(out, line.p + at, n);
		if (*style != '\0')
			ctx_look_style(l, out, CTX_LOOK_PLAIN);
		ctx_buf_addc(out, '\n');
		at += next;
		indent = INDENT;
	}
}
