/* SPDX-License-Identifier: MIT */
/* Objects in bytes that arrive in pieces; see values.h. */
#include "read/values.h"

#include <string.h>

/* Take a byte between objects. */
static void
take_between(struct ctx_values *v, char c)
{
	if (strchr(" \t\r\n", c) != NULL && c != '\0')
		return;
	if (c == '{' && v->state != CTX_VALUES_END) {
		v->depth = 1;
		if (v->state == CTX_VALUES_BEGIN)
			v->state = CTX_VALUES_ROW;
	} else if (c == '[' && v->state == CTX_VALUES_BEGIN)
		v->state = CTX_VALUES_LIST;
	else if (c == ']' && v->state == CTX_VALUES_LIST)
		v->state = CTX_VALUES_END;
	else if (c != ',' || v->state != CTX_VALUES_LIST)
		v->odd = 1;
}

/* Take a byte of an object. */
static void
take_inside(struct ctx_values *v, char c)
{
	if (v->string) {
		if (!v->escape && c == '"')
			v->string = 0;
		v->escape = !v->escape && c == '\\';
	} else if (c == '"')
		v->string = 1;
	else if (c == '{' || c == '[')
		v->depth++;
	else if (c == '}' || c == ']')
		v->depth--;
}

int
ctx_values_feed(struct ctx_values *v, const char *p, size_t len,
    int (*value)(void *arg, const char *p, size_t len), void *arg)
{
	size_t i, from = 0;
	int rc;

	for (i = 0; i < len && !v->odd; i++) {
		if (v->depth == 0) {
			take_between(v, p[i]);
			from = i;
			continue;
		}
		take_inside(v, p[i]);
		if (v->depth > 0)
			continue;
		if (ctx_buf_add(&v->value, p + from, i + 1 - from) == -1)
			return -1;
		rc = value(arg, v->value.data, v->value.len);
		ctx_buf_reset(&v->value);
		if (rc != 0)
			return rc;
	}
	return v->depth == 0 ? 0 : ctx_buf_add(&v->value, p + from,
	    len - from);
}

void
ctx_values_done(struct ctx_values *v)
{
	ctx_buf_done(&v->value);
}
