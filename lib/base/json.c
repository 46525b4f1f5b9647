/* SPDX-License-Identifier: MIT */
/* jansson's memory; see json.h. */
#include "base/json.h"

#include <setjmp.h>
#include <stdlib.h>

static _Thread_local int starved, reading;
static _Thread_local jmp_buf out;

static void *
watched(size_t n)
{
	void *p = malloc(n);

	if (p != NULL)
		return p;
	starved = 1;
	if (reading)
		longjmp(out, 1);
	return NULL;
}

void
ctx_json_watch(void)
{
	json_set_alloc_funcs(watched, free);
	starved = 0;
}

int
ctx_json_starved(void)
{
	return starved;
}

json_t *
ctx_json_read(const struct ctx_json_text *text, json_error_t *why)
{
	json_t *root;

	ctx_json_watch();
	reading = 1;
	if (setjmp(out) != 0)
		root = NULL;
	else if (text->path != NULL)
		root = json_load_file(text->path, text->flags, why);
	else if (text->file != NULL)
		root = json_loadf(text->file, text->flags, why);
	else
		root = json_loadb(text->p, text->len, text->flags, why);
	reading = 0;
	return root;
}

char *
ctx_json_print(json_t *root, size_t flags)
{
	char *text = root != NULL ? json_dumps(root, flags) : NULL;

	json_decref(root);
	if (!starved)
		return text;
	free(text);
	return NULL;
}
