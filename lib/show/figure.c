/* SPDX-License-Identifier: MIT */
/* Images and files in words; see figure.h. */
#include "show/figure.h"

#include <inttypes.h>
#include <string.h>

#include "base/base64.h"
#include "base/pixels.h"
#include "show/width.h"

#define WORDS	400	/* columns of a name or URL; a URL may be a file */

/* The bytes that are base64; 0 if they are not. */
static uint64_t
bytes_of(struct ctx_str data)
{
	uint64_t n = 0;
	uint32_t i;

	for (i = 0; i < data.len && data.p[i] != '='; i++)
		if (ctx_base64_digit(data.p[i]) != -1)
			n++;
		else if (strchr(" \t\r\n", data.p[i]) == NULL)
			return 0;
	return n / 4 * 3 + (n % 4 > 1 ? n % 4 - 1 : 0);
}

void
ctx_figure_size(struct ctx_buf *out, const struct ctx_shown_part *p)
{
	char number[CTX_WIDTH_NUMBER];
	struct ctx_pixels size;
	uint64_t n;

	if (p->data.p == NULL || (n = bytes_of(p->data)) == 0)
		return;
	ctx_buf_addf(out, ", %s byte%s", ctx_width_number(n, number),
	    n == 1 ? "" : "s");
	if (ctx_pixels_base64(p->data.p, p->data.len, &size) == 0 &&
	    size.width > 0 && size.height > 0)
		ctx_buf_addf(out, ", %" PRIu32 "x%" PRIu32 " pixels",
		    size.width, size.height);
}

void
ctx_figure_words(struct ctx_buf *out, const struct ctx_shown_part *p)
{
	const struct ctx_str say[] = { p->type, p->name, p->url };
	size_t i, n;

	ctx_buf_adds(out, p->kind == CTX_IMAGE ? "[image" : "[file");
	for (i = 0; i < 3; i++)
		if (say[i].p != NULL) {
			n = ctx_width_cut(say[i].p, say[i].len, WORDS);
			ctx_buf_addc(out, ' ');
			ctx_width_flat(out, say[i].p, n);
			ctx_buf_adds(out, n < say[i].len ? "..." : "");
		}
	ctx_figure_size(out, p);
	ctx_buf_addc(out, ']');
}
