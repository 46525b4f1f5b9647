/* SPDX-License-Identifier: MIT */
/* The JSON of calls and results; see args.h. */
#include "show/args.h"

#include "read/node.h"
#include "read/spell.h"

#define INDENT	2	/* of what is in a value */
#define DEEPEST	8	/* values in values that have lines of their own */

/* Scan the arguments.  1 if they are an object, 0, or -1 with *err. */
static int
scan(struct ctx_doc *doc, struct ctx_str json, struct ctx_err *err)
{
	int is = json.p == NULL ? 0 : ctx_doc_try(doc, json.p, json.len);

	if (is == -1)
		return ctx_fail_nomem(err);
	return is && ctx_node_type(doc, 0) == '{';
}

int
ctx_args_text(struct ctx_buf *out, struct ctx_doc *doc, struct ctx_str json,
    struct ctx_err *err)
{
	int is = scan(doc, json, err);
	uint32_t k;

	if (is == -1)
		return -1;
	if (!is) {
		ctx_buf_addc(out, ' ');
		ctx_buf_add(out, json.p, json.len);
		return ctx_buf_fail(out, err);
	}
	CTX_FOR_KEYS(doc, k, 0) {
		ctx_buf_addc(out, ' ');
		ctx_node_decode(out, doc, k);
		ctx_buf_addc(out, '=');
		if (ctx_node_type(doc, k + 1) == '"')
			ctx_node_decode(out, doc, k + 1);
		else
			ctx_spell_compact(out, ctx_node_json(doc, k + 1));
	}
	return ctx_buf_fail(out, err);
}

/* --- JSON in lines ------------------------------------------------------- */

/* Append a string after what it is of: several lines below that. */
static void
put_string(struct ctx_buf *out, struct ctx_str s, int depth)
{
	struct ctx_buf text = { 0 };
	const char *p, *end, *nl;

	ctx_str_decode(&text, s.p, s.len);
	p = text.data;
	end = p + text.len;
	nl = text.len == 0 ? NULL : memchr(p, '\n', text.len);
	if (nl == NULL) {
		ctx_buf_addc(out, ' ');
		ctx_buf_add(out, p, text.len);
	}
	for (; nl != NULL && p < end; p = nl + 1) {
		if ((nl = memchr(p, '\n', (size_t)(end - p))) == NULL)
			nl = end;
		ctx_buf_addf(out, "\n%*s", INDENT * depth, "");
		ctx_buf_add(out, p, (size_t)(nl - p));
	}
	ctx_buf_addc(out, '\n');
	out->failed |= text.failed;
	ctx_buf_done(&text);
}

/* Has an array numbers or literals, which are no nodes? */
static int
has_bare(const struct ctx_doc *doc, uint32_t k)
{
	const struct ctx_node *array = &doc->node[k];
	uint32_t at = array->off + 1, e;

	CTX_FOR_LIST(doc, e, k) {
		for (; at < doc->node[e].off; at++)
			if (strchr(" \t\r\n,", doc->raw[at]) == NULL)
				return 1;
		at += doc->node[e].len;
	}
	for (; at < array->off + array->len - 1; at++)
		if (strchr(" \t\r\n,", doc->raw[at]) == NULL)
			return 1;
	return 0;
}

/* Has value k lines of its own? */
static int
nests(const struct ctx_doc *doc, uint32_t k, int depth)
{
	char type = ctx_node_type(doc, k);

	return (type == '{' || (type == '[' && !has_bare(doc, k))) &&
	    doc->node[k].next > k + 1 && depth < DEEPEST;
}

static void	put_members(struct ctx_buf *out, const struct ctx_doc *doc,
		    uint32_t k, int depth, int indented);

/* Append value k after what it is of; what it has is in lines below that. */
static void
put_value(struct ctx_buf *out, const struct ctx_doc *doc, uint32_t k,
    int depth)
{
	if (nests(doc, k, depth)) {
		ctx_buf_addc(out, '\n');
		put_members(out, doc, k, depth, 0);
	} else if (ctx_node_type(doc, k) == '"')
		put_string(out, ctx_node_str(doc, k), depth);
	else {
		ctx_buf_addc(out, ' ');
		ctx_spell_compact(out, ctx_node_json(doc, k));
		ctx_buf_addc(out, '\n');
	}
}

/* Append what is in value k; the first line may be indented already. */
static void
put_members(struct ctx_buf *out, const struct ctx_doc *doc, uint32_t k,
    int depth, int indented)
{
	int is_list = ctx_node_type(doc, k) == '[';
	uint32_t i, value;

	for (i = k + 1; i < doc->node[k].next; i = doc->node[value].next) {
		value = is_list ? i : i + 1;
		ctx_buf_addf(out, "%*s", indented ? 0 : INDENT * depth, "");
		indented = 0;
		if (is_list)
			ctx_buf_addc(out, '-');
		else {
			ctx_node_decode(out, doc, i);
			ctx_buf_addc(out, ':');
		}
		if (is_list && nests(doc, i, depth + 1)) {
			ctx_buf_addc(out, ' ');
			put_members(out, doc, i, depth + 1, 1);
		} else
			put_value(out, doc, value, depth + 1);
	}
}

int
ctx_args_lines(struct ctx_str *text, struct ctx_buf *word, struct ctx_doc *doc,
    const struct ctx_shown_part *p, struct ctx_err *err)
{
	int is;

	*text = p->text;
	if (!(p->flags & CTX_RAW) || p->text.len == 0)
		return 0;
	if ((is = ctx_doc_try(doc, p->text.p, p->text.len)) == -1)
		return ctx_fail_nomem(err);
	if (!is || !nests(doc, 0, 0))
		return 0;
	ctx_buf_reset(word);
	put_members(word, doc, 0, 0, 1);
	*text = ctx_str_of(word);
	return ctx_buf_fail(word, err);
}

int
ctx_args_file(struct ctx_buf *out, struct ctx_doc *doc, struct ctx_str json,
    struct ctx_err *err)
{
	/* what agents' tools call it; decide/reads_call.c has more */
	static const char *const keys[] = { "file_path", "path", "filename",
	    "filePath", "file", "absolute_path", "file_name", "target_file",
	    "notebook_path", "relative_path", NULL };
	int is = scan(doc, json, err);
	struct ctx_str name;

	if (is != 1)
		return is;
	name = ctx_node_first(doc, 0, keys);
	if (name.p == NULL || name.len == 0)
		return 0;
	ctx_str_decode(out, name.p, name.len);
	return ctx_buf_fail(out, err) == -1 ? -1 : 1;
}
