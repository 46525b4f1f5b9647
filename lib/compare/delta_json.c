/* SPDX-License-Identifier: MIT */
/* Differences as lines of JSON; see delta.h. */
#include "compare/delta_impl.h"

#include <inttypes.h>

/* Append ,"name":"text", or null if there is no text. */
static void
add_string(struct ctx_buf *out, const char *name, struct ctx_str s)
{
	ctx_buf_addf(out, ",\"%s\":", name);
	if (s.p == NULL) {
		ctx_buf_adds(out, "null");
		return;
	}
	ctx_buf_addc(out, '"');
	ctx_str_encode(out, s.p, s.len);
	ctx_buf_addc(out, '"');
}

/* Append what a unit is in a history, or null if it is not there. */
static void
add_side(const struct ctx_matching *m, struct ctx_buf *out,
    const struct ctx_unit *unit, int side)
{
	const struct ctx_match_msg *msg = ctx_delta_first(m, unit, side);

	ctx_buf_adds(out, side ? ",\"new\":" : ",\"old\":");
	if (msg == NULL)
		ctx_buf_adds(out, "null");
	else
		ctx_buf_addf(out, "{\"line\":%" PRIu64 ",\"index\":%" PRIu64
		    ",\"messages\":%" PRIu32 ",\"tokens\":%" PRIu64 "}",
		    msg->line, msg->nth, unit->messages[side],
		    unit->tokens[side]);
}

/* The tool of a call or result; .p is NULL if it has none. */
static struct ctx_str
tool_of(const struct ctx_matching *m, const struct ctx_match_part *p)
{
	struct ctx_str tool = { NULL, 0 };
	size_t len;

	if (p->name != CTX_NONE && (p->kind == CTX_CALL ||
	    p->kind == CTX_RESULT)) {
		tool.p = ctx_strmap_at(&m->names, p->name, &len);
		tool.len = (uint32_t)len;
	}
	return tool;
}

int
ctx_delta_json(struct ctx_delta *d, uint32_t k, struct ctx_buf *out,
    struct ctx_err *err)
{
	const struct ctx_matching *m = d->m;
	const struct ctx_unit *unit = &m->unit[k];
	const struct ctx_match_msg *msg = ctx_delta_first(m, unit,
	    unit->n[1] > 0);
	const struct ctx_match_part *p;
	const char *key;
	size_t len;
	int side;

	if (unit->change == CTX_BECAME_SAME)
		return 0;
	p = ctx_delta_part(m, unit, &side);
	ctx_buf_addf(out, "{\"change\":\"%s\"",
	    ctx_became_look(unit->change)->name);
	if (msg->key != CTX_NONE) {
		key = ctx_strmap_at(&m->keys, msg->key, &len);
		ctx_buf_adds(out, ",\"conversation\":");
		ctx_buf_add(out, key, len);
	}
	ctx_buf_addf(out, ",\"role\":\"%s\"", ctx_msg_role_name(msg->role));
	add_string(out, "tool", tool_of(m, p));
	add_side(m, out, unit, 0);
	add_side(m, out, unit, 1);
	add_string(out, "text", ctx_match_head(&m->side[side], p));
	ctx_buf_adds(out, "}\n");
	return ctx_buf_fail(out, err);
}

int
ctx_delta_json_end(const struct ctx_delta *d, struct ctx_buf *out,
    struct ctx_err *err)
{
	const struct ctx_matching *m = d->m;
	int i, k;

	ctx_buf_adds(out, "{\"summary\":{");
	for (i = 0; i < 2; i++)
		ctx_buf_addf(out, "\"%s\":{\"messages\":%" PRIu64
		    ",\"tokens\":%" PRIu64 "},", i ? "new" : "old",
		    m->side[i].messages, m->side[i].tokens);
	for (i = 0; i < CTX_BECAME_N; i++) {
		ctx_buf_addf(out, "\"%s\":{",
		    ctx_became_look((enum ctx_became)i)->name);
		for (k = 0; k < 2; k++)
			ctx_buf_addf(out, "%s\"%s\":{\"messages\":%" PRIu64
			    ",\"tokens\":%" PRIu64 "}", k ? "," : "",
			    k ? "new" : "old", m->sum[i].messages[k],
			    m->sum[i].tokens[k]);
		ctx_buf_adds(out, "},");
	}
	ctx_buf_addf(out, "\"cache\":{\"kept\":%" PRIu64 ",\"anew\":%" PRIu64
	    "}}}\n", m->cached, m->side[1].tokens - m->cached);
	return ctx_buf_fail(out, err);
}
