/* SPDX-License-Identifier: MIT */
/*
 * The offline summarizer on one case of a summary evaluation: messages as JSON
 * lines (OpenAI's shape) on standard input, the budget as argument, the summary
 * on standard output.  Tokens are estimated the way score.py does it: a run of
 * letters costs a sixth of its length, of digits a third, anything else 1.
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decide/extract.h"
#include "decide/glyph.h"

struct list {
	struct ctx_said *v;
	size_t n, cap;
};

static int
cost(void *arg, const char *text, size_t len, uint64_t *n, struct ctx_err *err)
{
	(void)arg;
	(void)err;
	*n = ctx_glyph_size(text, len);
	return 0;
}

static void
add(struct list *l, enum ctx_said_kind kind, const char *text,
    const char *tool)
{
	struct ctx_said *v = ctx_grow(l->v, l->n, &l->cap, sizeof(*v));

	if (v == NULL)
		exit(1);
	l->v = v;
	v[l->n++] = (struct ctx_said){
		kind, text, strlen(text), tool, strlen(tool)
	};
}

static void
add_message(struct list *l, json_t *m)
{
	const char *role = json_string_value(json_object_get(m, "role"));
	json_t *content = json_object_get(m, "content"), *e;
	enum ctx_said_kind kind;
	const char *s;
	size_t i;

	if (role == NULL || strcmp(role, "system") == 0)
		return;
	kind = strcmp(role, "user") == 0 ? CTX_SAID_USER :
	    strcmp(role, "tool") == 0 ? CTX_SAID_RESULT : CTX_SAID_ASSISTANT;
	if (json_is_string(content))
		add(l, kind, json_string_value(content), "");
	json_array_foreach(content, i, e)
		if ((s = json_string_value(json_object_get(e, "text"))))
			add(l, kind, s, "");
	json_array_foreach(json_object_get(m, "tool_calls"), i, e) {
		json_t *f = json_object_get(e, "function");

		add(l, CTX_SAID_CALL,
		    json_string_value(json_object_get(f, "arguments")),
		    json_string_value(json_object_get(f, "name")));
	}
}

int
main(int argc, char *argv[])
{
	struct list l = { 0 };
	struct ctx_extract opt = { 0, 0, cost, NULL };
	struct ctx_buf out = { 0 };
	struct ctx_err err = { 0 };
	json_t *all = json_array(), *m;

	opt.budget = argc > 1 ? strtoull(argv[1], NULL, 10) : 256;
	while ((m = json_loadf(stdin, JSON_DISABLE_EOF_CHECK, NULL)) != NULL) {
		json_array_append_new(all, m);	/* strings are borrowed */
		add_message(&l, m);
	}
	if (ctx_extract(l.v, l.n, &opt, &out, &err) == -1) {
		fprintf(stderr, "summarize_eval: %s\n", err.text);
		return 1;
	}
	if (out.len > 0)
		fwrite(out.data, 1, out.len, stdout);
	putchar('\n');
	ctx_buf_done(&out);
	free(l.v);
	json_decref(all);
	return 0;
}
