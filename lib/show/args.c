/* SPDX-License-Identifier: MIT */
/* The arguments of a call; see args.h. */
#include "show/args.h"

#include "read/node.h"

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
			ctx_node_put(out, doc, k + 1);
	}
	return ctx_buf_fail(out, err);
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
