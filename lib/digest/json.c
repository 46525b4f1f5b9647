/* SPDX-License-Identifier: MIT */
/*
 * JSON and JSONL.  A walk through the text finds the keys of the outermost
 * object, or counts the elements of the outermost array and takes the keys of
 * its first object.  It needs no memory, handles any depth, and tolerates
 * comments and truncated text; ctx_doc_scan decides whether the text is JSON
 * at all.
 */
#include <string.h>

#include "digest/format.h"
#include "read/span.h"

#define CHECK_MAX	((size_t)16 << 20)	/* bytes that are validated */
#define LINES_MAX	200	/* of JSONL that are searched for keys */
#define LINE_MAX_BYTES	((size_t)1 << 20)

static int
is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* The position after the string that opens at p, or end. */
static const char *
string_end(const char *p, const char *end)
{
	for (p++; p < end; p++)
		if (*p == '\\' && p + 1 < end)
			p++;
		else if (*p == '"')
			return p + 1;
	return end;
}

/* The position after the comment at p, if one begins there; otherwise p. */
static const char *
comment_end(const char *p, const char *end)
{
	const char *to;

	if (end - p < 2 || *p != '/')
		return p;
	if (p[1] == '/') {
		to = memchr(p, '\n', (size_t)(end - p));
		return to == NULL ? end : to;
	}
	if (p[1] != '*')
		return p;
	to = memmem(p + 2, (size_t)(end - p) - 2, "*/", 2);
	return to == NULL ? end : to + 2;
}

static int
add_key(struct ctx_digest *d, const char *p, size_t len, struct ctx_err *err)
{
	ctx_buf_reset(&d->scratch);
	/*
	 * A key seldom has more than a hundred bytes, and a long one is cut
	 * anyway.
	 */
	if (len > 4 * CTX_NAME_LEN)
		len = 4 * CTX_NAME_LEN;
	if (ctx_str_decode(&d->scratch, p, len) == -1)
		return ctx_fail_nomem(err);
	return ctx_digest_name(d, CTX_KEYS, d->scratch.data, d->scratch.len,
	    err);
}

enum keys {
	KEYS_TO_COME,
	KEYS_HERE,		/* of the object at key_depth */
	KEYS_OVER
};

/* The state of a walk. */
struct walk {
	struct ctx_digest *d;
	const char *p, *end;
	char root;		/* opens the outermost value; '\0': not yet */
	size_t depth;		/* open objects and arrays */
	enum keys keys;
	size_t key_depth;
	int in_item;		/* an element has begun since [ or , */
	uint64_t items;		/* of the outermost array */
};

static void
skip_blank(struct walk *w)
{
	const char *from;

	do {
		from = w->p;
		while (w->p < w->end && is_space(*w->p))
			w->p++;
		w->p = comment_end(w->p, w->end);
	} while (w->p != from);
}

/* Something occurred directly in the outermost value. */
static void
in_root(struct walk *w)
{
	if (*w->p == ',')
		w->in_item = 0;
	else if (w->root == '[' && *w->p != ']' && !w->in_item) {
		w->in_item = 1;
		w->items++;
	}
}

static void
on_open(struct walk *w)
{
	w->depth++;
	if (*w->p == '{' && w->keys == KEYS_TO_COME && (w->depth == 1 ||
	    (w->depth == 2 && w->root == '[' && w->items == 1))) {
		w->keys = KEYS_HERE;
		w->key_depth = w->depth;
	}
	w->p++;
}

static void
on_close(struct walk *w)
{
	if (w->keys == KEYS_HERE && w->depth == w->key_depth)
		w->keys = KEYS_OVER;
	if (w->depth > 0)
		w->depth--;
	w->p++;
}

static int
on_string(struct walk *w, struct ctx_err *err)
{
	const char *from = w->p + 1, *to = string_end(w->p, w->end), *q = to;

	w->p = to;
	if (w->keys != KEYS_HERE || w->depth != w->key_depth || to <= from)
		return 0;
	while (q < w->end && is_space(*q))
		q++;
	if (q == w->end || *q != ':')
		return 0;
	return add_key(w->d, from, (size_t)(to - from) - 1, err);
}

/*
 * Walk p[0 .. len).  The keys are those of the outermost object, or of the
 * first object in the outermost array, whose elements are counted in *items.
 */
static int
walk(struct ctx_digest *d, const char *p, size_t len, uint64_t *items,
    struct ctx_err *err)
{
	struct walk w = { .d = d, .p = p, .end = p + len };
	int rc = 0;

	for (skip_blank(&w); w.p < w.end && rc == 0; skip_blank(&w)) {
		if (w.depth == 1)
			in_root(&w);
		else if (w.depth == 0 && w.root != '\0')
			break;		/* the first value has ended */
		else if (w.depth == 0)
			w.root = *w.p;
		if (*w.p == '"')
			rc = on_string(&w, err);
		else if (*w.p == '{' || *w.p == '[')
			on_open(&w);
		else if (*w.p == '}' || *w.p == ']')
			on_close(&w);
		else
			w.p++;
	}
	*items = w.items;
	return rc;
}

/*
 * Is p[0 .. len) JSON, as far as it is checked?  Returns 1, 0, or -1 if out of
 * memory.
 */
static int
is_json(const char *p, size_t len)
{
	struct ctx_doc doc = { 0 };
	struct ctx_err err = { 0 };
	int rc;

	rc = ctx_doc_scan(&doc, p, len, &err);
	ctx_doc_done(&doc);
	if (err.code == CTX_ENOMEM)
		return -1;
	/* Text that is nested too deeply for the scanner is still JSON. */
	return rc == 0 || strstr(err.text, "nested") != NULL;
}

static size_t
line_len(const char *p, size_t len)
{
	const char *nl;

	nl = memchr(p, '\n', len);
	return nl == NULL ? len : (size_t)(nl - p);
}

int
ctx_format_looks_json(const char *p, size_t len)
{
	while (len > 0 && is_space(*p)) {
		p++;
		len--;
	}
	return len > 1 && (*p == '{' || *p == '[') && len <= CHECK_MAX ?
	    is_json(p, len) : 0;
}

/* Are there at least two lines that are JSON objects? */
int
ctx_format_looks_jsonl(const char *p, size_t len)
{
	size_t n = line_len(p, len), m;
	int rc;

	if (n < 2 || *p != '{' || n + 1 >= len || n > LINE_MAX_BYTES)
		return 0;
	m = line_len(p + n + 1, len - n - 1);
	if (m <= 1 || m > LINE_MAX_BYTES || p[n + 1] != '{')
		return 0;
	rc = is_json(p, n);
	return rc == 1 ? is_json(p + n + 1, m) : rc;
}

int
ctx_format_json(struct ctx_digest *d, const char *data, size_t len,
    struct ctx_err *err)
{
	uint64_t items;
	int valid = 1, lines = 0;

	if (len <= CHECK_MAX && d->from <= 1)
		valid = is_json(data, len);
	if (valid == 0)
		lines = ctx_format_looks_jsonl(data, len);
	if (valid == -1 || lines == -1)
		return ctx_fail_nomem(err);
	if (lines) {
		d->type = "JSONL";
		return ctx_format_jsonl(d, data, len, err);
	}
	ctx_digest_figure(d, CTX_FIG_SIZE, d->bytes);
	if (walk(d, data, len, &items, err) == -1)
		return -1;
	while (len > 0 && is_space(*data)) {
		data++;
		len--;
	}
	if (len > 0 && *data == '[')
		ctx_digest_figure(d, CTX_FIG_ITEMS, items);
	if (!valid)
		ctx_digest_figure(d, CTX_FIG_INVALID, 1);
	return 0;
}

int
ctx_format_jsonl(struct ctx_digest *d, const char *data, size_t len,
    struct ctx_err *err)
{
	const char *p, *end = data + len;
	uint64_t records = 0, items;
	size_t n, i;

	for (p = data; p < end; p += n + 1) {
		n = line_len(p, (size_t)(end - p));
		for (i = 0; i < n && is_space(p[i]); i++)
			continue;
		if (i == n)
			continue;
		if (records++ < LINES_MAX && walk(d, p, n < LINE_MAX_BYTES ?
		    n : LINE_MAX_BYTES, &items, err) == -1)
			return -1;
	}
	ctx_digest_figure(d, CTX_FIG_RECORDS, records);
	ctx_digest_figure(d, CTX_FIG_SIZE, d->bytes);
	return 0;
}
