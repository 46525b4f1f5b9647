/* SPDX-License-Identifier: MIT */
#include "cmd/digest-files/list.h"

#include <string.h>

#include "digest/title.h"

#define TEXT_MAX	200	/* longest name, and description, in bytes */

/* What a file is for, taken from its first heading or first comment. */
static size_t
describe(const struct ctx_digest *d, const char **text)
{
	const struct ctx_name *v = d->names.v;
	size_t i;

	for (i = 0; i < d->names.n; i++)
		if (v[i].list == CTX_HEADINGS) {
			*text = ctx_name_text(&d->names, &v[i]);
			return v[i].len;
		}
	return d->lang == NULL ? 0 : ctx_title(d->lang, d->utf8, d->utf8len,
	    text);
}

int
list_item(struct ctx_buf *out, const struct ctx_digest *d)
{
	const char *base = strrchr(d->name, '/'), *dot, *text = NULL;
	size_t n;

	if (d->lang == NULL && d->kind != CTX_FILE_DATA)
		return 0;
	base = base == NULL ? d->name : base + 1;
	dot = strrchr(base, '.');
	ctx_buf_adds(out, "- ");
	ctx_name_clean(out, base, dot == NULL || dot == base ?
	    strlen(base) : (size_t)(dot - base), TEXT_MAX);
	ctx_buf_addf(out, " (%s)", d->type);
	if ((n = describe(d, &text)) > 0) {
		ctx_buf_adds(out, " - ");
		ctx_name_clean(out, text, n, TEXT_MAX);
	}
	ctx_buf_addc(out, '\n');
	return 1;
}
