/* SPDX-License-Identifier: MIT */
#include "job/ran.h"

#include <inttypes.h>
#include <string.h>

#include "base/utf8.h"
#include "digest/digest_line.h"
#include "digest/names.h"

#define TITLE	160	/* bytes of a command that are shown */

static const char *const marks[][2] = {
	[CTX_EN] = { "[command run] ", "[tool run] " },
	[CTX_ZH] = { "[命令已运行] ", "[工具已运行] " },
};

static const struct words {
	const char *before, *one, *many, *zh;
} words[CTX_LISTED] = {
	[CTX_LISTED_LINES] = { "", " matching line", " matching lines",
	    "行匹配" },
	[CTX_LISTED_FILES] = { "", " file", " files", "个文件" },
	[CTX_LISTED_DIRS] = { "", " directory", " directories", "个目录" },
	[CTX_LISTED_PATHS] = { "", " path", " paths", "个路径" },
	[CTX_LISTED_ENTRIES] = { "", " entry", " entries", "项" },
	[CTX_LISTED_SECTIONS] = { "", " directory listed",
	    " directories listed", "个目录已列出" },
	[CTX_LISTED_COMMITS] = { "", " commit", " commits", "个提交" },
	[CTX_LISTED_STAGED] = { "", " staged", " staged", "项已暂存" },
	[CTX_LISTED_CHANGED] = { "", " not staged", " not staged",
	    "项未暂存" },
	[CTX_LISTED_UNTRACKED] = { "", " untracked", " untracked",
	    "项未跟踪" },
	[CTX_LISTED_UNMERGED] = { "", " unmerged", " unmerged",
	    "项未合并" },
	[CTX_LISTED_ADDED] = { "+", "", "", "" },
	[CTX_LISTED_REMOVED] = { "−", "", "", "" },
};

int
ctx_ran_is_line(const char *p, size_t len)
{
	return ctx_digest_begins(marks, p, len);
}

static void
add_counts(const struct ctx_listing *l, enum ctx_wording lang,
    struct ctx_buf *out)
{
	const char *between = " (";
	const struct words *w;
	uint64_t n;
	int i;

	for (i = 0; i < CTX_LISTED; i++) {
		w = &words[i];
		n = l->count[i];
		if (!l->has[i] || (n == 0 && *w->before == '\0'))
			continue;
		/* entries come after, and count these too */
		if (i == CTX_LISTED_DIRS && l->has[CTX_LISTED_ENTRIES])
			continue;
		ctx_buf_addf(out, "%s%s%" PRIu64 "%s", between, w->before, n,
		    lang == CTX_ZH ? w->zh : n == 1 ? w->one : w->many);
		between = ", ";
		n = l->count[CTX_LISTED_DIRS];
		if (i == CTX_LISTED_ENTRIES && n > 0)
			ctx_buf_addf(out, lang == CTX_ZH ? ", 其中%" PRIu64
			    "个目录" : n == 1 ? ", %" PRIu64
			    " of them a directory" : ", %" PRIu64
			    " of them directories", n);
	}
	if (l->first[0] != '\0')
		ctx_buf_addf(out, ", %s", l->first);
	if (l->last[0] != '\0')
		ctx_buf_addf(out, " … %s", l->last);
	if (l->since[0] != '\0')
		ctx_buf_addf(out, ", %s", l->since);
	if (l->since[0] != '\0' && strcmp(l->since, l->until) != 0)
		ctx_buf_addf(out, " – %s", l->until);
}

/* Add name i of l, with its lines. */
static void
add_name(const struct ctx_listing *l, size_t i, struct ctx_buf *out)
{
	const struct ctx_listing_name *v = &l->name[i];

	ctx_name_clean(out, l->bytes.data + v->off, v->len, CTX_NAME_LEN);
	if (l->has[CTX_LISTED_ADDED] && v->n + v->minus > 0)
		ctx_buf_addf(out, " +%" PRIu64 " −%" PRIu64, v->n, v->minus);
	else if (v->n > 0)
		ctx_buf_addf(out, " %" PRIu64, v->n);
}

int
ctx_ran_line(const struct ctx_ran *r, const struct ctx_listing *l,
    struct ctx_buf *out)
{
	size_t start = out->len, was, used, i;

	ctx_buf_adds(out, marks[r->lang][r->tool]);
	ctx_name_clean(out, r->title.p, r->title.len, TITLE);
	add_counts(l, r->lang, out);
	if (out->failed)
		return -1;
	/* "… +123" needs room, too */
	used = ctx_utf8_count(out->data + start, out->len - start) + 8;
	for (i = 0; i < l->n; i++) {
		was = out->len;
		ctx_buf_adds(out, i == 0 ? ": " : ", ");
		add_name(l, i, out);
		if (out->failed)
			break;
		used += ctx_utf8_count(out->data + was, out->len - was);
		if (i > 0 && r->width > 0 && used > r->width) {
			out->len = was;
			ctx_buf_addf(out, ", … +%zu", l->n - i);
			break;
		}
	}
	ctx_buf_addc(out, ')');
	return out->failed ? -1 : 0;
}
