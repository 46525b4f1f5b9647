/* SPDX-License-Identifier: MIT */
/* The tables as JSON; see rowkind.h. */
#include "store/port/rowkind.h"

#include <string.h>

#include "store/db.h"

#define INT	CTX_COL_INT
#define TEXT	CTX_COL_TEXT
#define WHEN	CTX_COL_WHEN
#define BODY	CTX_COL_BODY

const struct ctx_rowkind ctx_rowkinds[] = {
	{ "context", "context", "thread", "id", CTX_CLASH_LONGER, {
	    { "id", INT }, { "name", TEXT }, { "kind", INT },
	    { "parent", INT }, { "parent_seq", INT }, { "next_seq", INT },
	    { "turn", INT }, { "created", WHEN }, { "attrs", TEXT } } },
	{ "message", "message", "thread", "context, seq", CTX_CLASH_ERROR, {
	    { "context", INT }, { "seq", INT }, { "mid", TEXT },
	    { "role", TEXT }, { "turn", INT }, { "ts", WHEN },
	    { "tokens", INT }, { "json", TEXT }, { "body", BODY },
	    { "crc", INT } } },
	{ "ckpt", "ckpt", "thread", "context, n", CTX_CLASH_ERROR, {
	    { "context", INT }, { "ns", TEXT }, { "name", TEXT },
	    { "n", INT }, { "parent", TEXT }, { "upto_seq", INT },
	    { "state", BODY }, { "meta", BODY }, { "ts", WHEN } } },
	{ "ckpt_write", "ckpt_write", "thread", "context, ns, name, task, idx",
	    CTX_CLASH_ERROR, {
	    { "context", INT }, { "ns", TEXT }, { "name", TEXT },
	    { "task", TEXT }, { "idx", INT }, { "channel", TEXT },
	    { "type", TEXT }, { "body", BODY } } },
	{ "view", "view", "thread", "context, name, n", CTX_CLASH_ERROR, {
	    { "context", INT }, { "name", TEXT }, { "n", INT },
	    { "upto_seq", INT }, { "ts", WHEN } } },
	{ "view_part", "view_part", "thread", "context, name, n, pos",
	    CTX_CLASH_NEWER, {
	    { "context", INT }, { "name", TEXT }, { "n", INT },
	    { "pos", INT }, { "from_seq", INT }, { "to_seq", INT },
	    { "body", BODY } } },
	{ "summary", "summary", "thread", "context, n", CTX_CLASH_ERROR, {
	    { "context", INT }, { "n", INT }, { "upto_seq", INT },
	    { "body", BODY }, { "ts", WHEN } } },
	{ "state", "state", "thread", "context, key", CTX_CLASH_NEWER, {
	    { "context", INT }, { "key", TEXT }, { "pos", INT },
	    { "body", BODY } } },
	{ "snapshot", "snapshot", "thread", "context, turn, name",
	    CTX_CLASH_ERROR, {
	    { "context", INT }, { "turn", INT }, { "name", TEXT },
	    { "ts", WHEN }, { "summary", TEXT }, { "insights", TEXT } } },
	{ "snapshot_part", "snapshot_part", "thread",
	    "context, turn, snapshot, pos", CTX_CLASH_ERROR, {
	    { "context", INT }, { "turn", INT }, { "snapshot", TEXT },
	    { "pos", INT }, { "name", TEXT }, { "body", BODY } } },
	{ "snapshot_link", "snapshot_link", "thread",
	    "context, turn, snapshot, pos", CTX_CLASH_ERROR, {
	    { "context", INT }, { "turn", INT }, { "snapshot", TEXT },
	    { "pos", INT }, { "target", TEXT } } },
	{ "file", "file", "thread", "kind, name, version", CTX_CLASH_ERROR, {
	    { "kind", TEXT }, { "name", TEXT }, { "version", INT },
	    { "lang", TEXT }, { "descr", TEXT }, { "lines", INT },
	    { "chars", INT }, { "mime", TEXT }, { "body", BODY },
	    { "ts", WHEN } } },
	{ "user_state", "user_state", "user", "key", CTX_CLASH_OLD, {
	    { "key", TEXT }, { "pos", INT }, { "body", BODY } } },
	{ 0 }
};

void
ctx_rowkind_select(const struct ctx_rowkind *k, struct ctx_buf *sql)
{
	const struct ctx_col *c;

	for (c = k->col; c->name != NULL; c++)
		ctx_buf_addf(sql, "%s%s", c == k->col ? "SELECT " : ", ",
		    c->name);
	ctx_buf_addf(sql, " FROM %s WHERE %s = ?1 ORDER BY %s", k->table,
	    k->scope, k->order);
}

/* The names in order are separated by ", ". */
int
ctx_rowkind_is_key(const struct ctx_rowkind *k, const struct ctx_col *c)
{
	size_t n = strlen(c->name);
	const char *p = k->order;

	while ((p = strstr(p, c->name)) != NULL) {
		if ((p == k->order || p[-1] == ' ') &&
		    (p[n] == ',' || p[n] == '\0'))
			return 1;
		p += n;
	}
	return 0;
}

/* Take the place of the row with its key. */
static void
replace(const struct ctx_rowkind *k, struct ctx_buf *sql)
{
	const struct ctx_col *c;
	int n = 0;

	ctx_buf_addf(sql, " ON CONFLICT(%s, %s) DO UPDATE SET ", k->scope,
	    k->order);
	for (c = k->col; c->name != NULL; c++)
		ctx_buf_addf(sql, "%s%s = excluded.%s", n++ > 0 ? ", " : "",
		    c->name, c->name);
}

static void
insert(const struct ctx_rowkind *k, enum ctx_rowkind_sql which,
    struct ctx_buf *sql)
{
	int longer = k->clash == CTX_CLASH_LONGER &&
	    which != CTX_ROWKIND_FORCE;
	int anew = !longer && which != CTX_ROWKIND_INSERT;
	const struct ctx_col *c;
	int i = 2;

	ctx_buf_addf(sql, "INSERT %sINTO %s(%s", longer || (anew &&
	    !ctx_db_replaces()) ? "" : anew ? "OR REPLACE " : "OR IGNORE ",
	    k->table, k->scope);
	for (c = k->col; c->name != NULL; c++)
		ctx_buf_addf(sql, ", %s", c->name);
	ctx_buf_adds(sql, ") VALUES(?1");
	for (c = k->col; c->name != NULL; c++)
		ctx_buf_addf(sql, ", ?%d", i++);
	ctx_buf_adds(sql, ")");
	if (longer)
		ctx_buf_adds(sql, " ON CONFLICT(thread, id) DO UPDATE SET"
		    " parent_seq = excluded.parent_seq,"
		    " next_seq = excluded.next_seq, turn = excluded.turn,"
		    " attrs = excluded.attrs"
		    " WHERE excluded.next_seq > context.next_seq");
	else if (anew && !ctx_db_replaces())
		replace(k, sql);
}

static void
same(const struct ctx_rowkind *k, struct ctx_buf *sql)
{
	const struct ctx_col *c;
	int i = 2;

	ctx_buf_addf(sql, "SELECT count(*) FROM %s WHERE %s = ?1", k->table,
	    k->scope);
	for (c = k->col; c->name != NULL; c++)
		ctx_buf_addf(sql, " AND %s IS ?%d", c->name, i++);
}

static void
loosen(const struct ctx_rowkind *k, struct ctx_buf *sql)
{
	const struct ctx_col *c, *key;

	for (c = k->col; c->name != NULL; c++) {
		if (c->type != CTX_COL_BODY)
			continue;
		ctx_buf_addf(sql, "%s SELECT %s FROM %s WHERE %s = ?1",
		    sql->len == 0 ? "INSERT OR IGNORE INTO temp.loose" :
		    " UNION ALL", c->name, k->table, k->scope);
		/* every column is a parameter, so that binding is the same */
		for (key = k->col; key->name != NULL; key++)
			ctx_buf_addf(sql, " AND (%s%s IS ?%d)",
			    ctx_rowkind_is_key(k, key) ? "" : "TRUE OR ",
			    key->name, (int)(key - k->col) + 2);
		ctx_buf_addf(sql, " AND %s IS NOT NULL", c->name);
	}
}

void
ctx_rowkind_sql(const struct ctx_rowkind *k, enum ctx_rowkind_sql which,
    struct ctx_buf *sql)
{
	if (which == CTX_ROWKIND_SAME)
		same(k, sql);
	else if (which == CTX_ROWKIND_LOOSEN)
		loosen(k, sql);
	else
		insert(k, which, sql);
}
