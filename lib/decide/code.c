/* SPDX-License-Identifier: MIT */
/* Code in texts; see code.h. */
#include "decide/code.h"

#include <string.h>

static int
blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* The end of the line that begins at i, after its newline. */
static size_t
line_end(const char *p, size_t len, size_t i)
{
	const char *nl = i < len ? memchr(p + i, '\n', len - i) : NULL;

	return nl != NULL ? (size_t)(nl - p) + 1 : len;
}

/* A run of fence characters at the start of line p[i .. end). */
struct run {
	char c;
	size_t indent, n;	/* n is 0 if there is none */
};

static struct run
run_at(const char *p, size_t i, size_t end)
{
	struct run r = { 0 };

	while (i + r.indent < end && (p[i + r.indent] == ' ' ||
	    p[i + r.indent] == '\t'))
		r.indent++;
	i += r.indent;
	if (i == end || (p[i] != '`' && p[i] != '~'))
		return r;
	r.c = p[i];
	while (i + r.n < end && p[i + r.n] == r.c)
		r.n++;
	return r;
}

/* Does line p[i .. end) open a block?  Sets f's info. */
static int
opens(const char *p, size_t i, size_t end, struct run *r,
    struct ctx_code_fence *f)
{
	*r = run_at(p, i, end);
	if (r->n < 3)
		return 0;
	f->indent = r->indent;
	f->from = i + r->indent;
	for (i = f->from + r->n; i < end && blank(p[i]); i++)
		continue;
	while (end > i && (blank(p[end - 1]) || p[end - 1] == '\n'))
		end--;
	f->info = i;
	f->infolen = end - i;
	for (f->lang = 0; f->lang < f->infolen; f->lang++)
		if (strchr(" \t,:{", p[i + f->lang]) != NULL)
			break;
	return r->c == '~' || memchr(p + i, '`', end - i) == NULL;
}

/* Does line p[i .. end) close the block?  Sets *to to the end of its fence. */
static int
closes(const char *p, size_t i, size_t end, const struct run *first,
    size_t *to)
{
	struct run r = run_at(p, i, end);

	if (r.c != first->c || r.n < first->n || r.indent > first->indent + 3)
		return 0;
	*to = i + r.indent + r.n;
	for (i = *to; i < end; i++)
		if (!blank(p[i]) && p[i] != '\n')
			return 0;
	return 1;
}

int
ctx_code_fence_next(const char *text, size_t len, size_t *pos,
    struct ctx_code_fence *f)
{
	size_t i, end;
	struct run first;

	memset(f, 0, sizeof(*f));
	for (i = *pos; i < len; i = end) {
		end = line_end(text, len, i);
		if (!opens(text, i, end, &first, f))
			continue;
		f->code = end;
		for (i = end; i < len; i = end) {
			end = line_end(text, len, i);
			if (!closes(text, i, end, &first, &f->to))
				continue;
			f->codelen = i - f->code;
			*pos = end;
			return 1;
		}
		f->codelen = len - f->code;
		f->open = 1;
		*pos = f->to = len;
		return 1;
	}
	*pos = len;
	return 0;
}

int
ctx_code_fence_take(const char *text, const struct ctx_code_fence *f,
    struct ctx_buf *out)
{
	const char *p = text + f->code, *indent = text + f->from - f->indent;
	size_t i, end, skip;

	for (i = 0; i < f->codelen; i = end) {
		end = line_end(p, f->codelen, i);
		for (skip = 0; skip < f->indent && i + skip < end &&
		    p[i + skip] == indent[skip]; skip++)
			continue;
		ctx_buf_add(out, p + i + skip, end - i - skip);
	}
	return out->failed ? -1 : 0;
}

/* The length of a fence that no line of the code can be mistaken for. */
static size_t
fence_len(const char *p, size_t len)
{
	size_t i, end, n = 3;
	struct run r;

	for (i = 0; i < len; i = end) {
		end = line_end(p, len, i);
		r = run_at(p, i, end);
		if (r.c == '`' && r.n >= n && r.indent <= 3)
			n = r.n + 1;
	}
	return n;
}

int
ctx_code_fence_put(struct ctx_buf *out, const char *indent,
    size_t indentlen, const char *lang, const char *code, size_t len)
{
	size_t n = fence_len(code, len), i, end = line_end(code, len, 0);
	const char *eol = "\n";

	if (end >= 2 && code[end - 1] == '\n' && code[end - 2] == '\r')
		eol = "\r\n";
	for (i = 0; i < n; i++)
		ctx_buf_addc(out, '`');
	ctx_buf_adds(out, lang);
	ctx_buf_adds(out, eol);
	for (i = 0; i < len; i = end) {
		end = line_end(code, len, i);
		if (code[i] != '\n' && code[i] != '\r')
			ctx_buf_add(out, indent, indentlen);
		ctx_buf_add(out, code + i, end - i);
	}
	if (len > 0 && code[len - 1] != '\n')
		ctx_buf_adds(out, eol);
	ctx_buf_add(out, indent, indentlen);
	for (i = 0; i < n; i++)
		ctx_buf_addc(out, '`');
	return out->failed ? -1 : 0;
}

static int
id_char(char c)
{
	return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' &&
	    (c | 0x20) <= 'z') || (c != '\0' && strchr("._-@", c) != NULL);
}

int
ctx_code_ref_next(const char *text, size_t len, size_t *pos,
    struct ctx_code_ref *r)
{
	static const char open[] = "<code_ref>", close[] = "</code_ref>";
	const size_t nopen = sizeof(open) - 1, nclose = sizeof(close) - 1;
	const char *p;
	size_t i;

	while (*pos < len && (p = memmem(text + *pos, len - *pos, open,
	    nopen)) != NULL) {
		r->from = (size_t)(p - text);
		*pos = r->id = r->from + nopen;
		for (i = r->id; i < len && i - r->id < CTX_CODE_REF_MAX &&
		    id_char(text[i]); i++)
			continue;
		r->idlen = i - r->id;
		if (r->idlen == 0 || len - i < nclose ||
		    memcmp(text + i, close, nclose) != 0)
			continue;
		*pos = r->to = i + nclose;
		return 1;
	}
	*pos = len;
	return 0;
}

int
ctx_code_ref_is(const char *text, size_t len)
{
	struct ctx_code_ref r;
	size_t pos = 0;

	return ctx_code_ref_next(text, len, &pos, &r) && r.from == 0 &&
	    r.to == len;
}
