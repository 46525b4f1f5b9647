/* SPDX-License-Identifier: MIT */
/* SQL for PostgreSQL; see sql.h. */
#include "pg/sql.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* The text that is translated. */
struct sql {
	const char *p;			/* the rest */
	struct ctx_buf *out;
	int nargs;
	int ignore;			/* conflicts, at the end */
	char before;			/* the last one that is no space */
	struct ctx_sql_more *more;
};

static int
is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Does the word w begin at p, as a whole? */
static int
at_word(const char *p, const char *w)
{
	size_t n = strlen(w);

	return strncmp(p, w, n) == 0 && !(is_word(w[n - 1]) && is_word(p[n]));
}

/* What stands for what.  A longer one comes before a shorter one. */
static const struct {
	const char *from, *to;
} table[] = {
	{ "INSERT OR IGNORE INTO", "INSERT INTO" },
	{ "IS NOT ?", "IS DISTINCT FROM ?" },
	{ "IS ?", "IS NOT DISTINCT FROM ?" },
	{ "IN temp.", NULL },		/* see in_temp */
	{ "temp.", "pg_temp." },
	{ "ifnull(", "coalesce(" },
	{ "INTEGER", "BIGINT" },
	{ "CROSS JOIN", "JOIN" },	/* hints, the first with an ON */
	{ "NOT INDEXED", "" },
	{ "LIMIT ?", NULL },		/* see limit */
	{ "search MATCH ?", NULL },	/* see match */
	{ "trigram MATCH ?", NULL },
	{ "PRAGMA data_version", "SELECT hashtextextended("
	    "pg_current_snapshot()::text, 0)" },
	{ "AS BLOB", "AS bytea" },
	{ "user", "\"user\"" },
	{ "vector", "message_vector" },
};
#define TABLE_N	(sizeof(table) / sizeof(table[0]))

/* The length of "IN temp.", and the rest of the name. */
static size_t
in_temp(struct sql *s, size_t len)
{
	size_t n = 0;

	while (is_word(s->p[len + n]))
		n++;
	ctx_buf_adds(s->out, "IN (TABLE pg_temp.");
	ctx_buf_add(s->out, s->p + len, n);
	ctx_buf_addc(s->out, ')');
	return len + n;
}

/* Less than nothing is no limit. */
static size_t
limit(struct sql *s, size_t len)
{
	char *end;
	long n = strtol(s->p + len, &end, 10);

	ctx_buf_addf(s->out, "LIMIT CASE WHEN $%ld >= 0 THEN $%ld END", n, n);
	return (size_t)(end - s->p);
}

/* The query is translated when it is bound (fts.h). */
static size_t
match(struct sql *s, size_t len)
{
	char *end;

	s->more->match = (int)strtol(s->p + len, &end, 10);
	s->more->trigrams = *s->p == 't';
	ctx_buf_addf(s->out, "words @@ $%d::text::tsquery", s->more->match);
	return (size_t)(end - s->p);
}

/* Take a word of the table.  Returns its length, or 0. */
static size_t
take_known(struct sql *s)
{
	size_t i, len;

	for (i = 0; i < TABLE_N; i++) {
		if (!at_word(s->p, table[i].from))
			continue;
		len = strlen(table[i].from);
		if (table[i].to == NULL)
			return *table[i].from == 'I' ? in_temp(s, len) :
			    *table[i].from == 'L' ? limit(s, len) :
			    match(s, len);
		if (*table[i].to == '"' && s->before == '.')
			return 0;
		s->ignore |= i == 0;
		ctx_buf_adds(s->out, table[i].to);
		if (table[i].from[len - 1] != '?')
			return len;
		s->out->len--;		/* the argument is next */
		return len - 1;
	}
	return 0;
}

/* Take an argument, "?12". */
static size_t
take_arg(struct sql *s)
{
	char *end;
	int n = (int)strtol(s->p + 1, &end, 10), i;
	struct ctx_sql_more *more = s->more;
	size_t len = (size_t)(end - s->p);

	if (at_word(end, " IS NULL") || at_word(end, " IS NOT NULL")) {
		for (i = 0; i < more->n && more->nulls[i] != n; i++)
			continue;
		if (i == CTX_SQL_NULLS)
			return 0;
		more->nulls[i] = n;
		more->n = i == more->n ? i + 1 : more->n;
		ctx_buf_addf(s->out, at_word(end, " IS NULL") ? "$%d" :
		    "NOT $%d", s->nargs + i + 1);
		return len + (at_word(end, " IS NULL") ? 8 : 12);
	}
	ctx_buf_addf(s->out, "$%d", n);
	return len;
}

/* Copy a text or a quoted name. */
static size_t
take_quoted(struct sql *s)
{
	size_t n = strcspn(s->p + 1, *s->p == '"' ? "\"" : "'") + 2;

	ctx_buf_add(s->out, s->p, n);
	return n;
}

static size_t
take_word(struct sql *s)
{
	size_t n = take_known(s);

	if (n > 0)
		return n;
	/* keywords are capitals, columns are not */
	if (at_word(s->p, "IS ") && islower((unsigned char)s->p[3])) {
		ctx_buf_adds(s->out, "IS NOT DISTINCT FROM");
		return 2;
	}
	while (is_word(s->p[n]))
		n++;
	ctx_buf_add(s->out, s->p, n);
	return n;
}

int
ctx_sql_translate(struct ctx_buf *out, const char *sql, int nargs,
    struct ctx_sql_more *more, struct ctx_err *err)
{
	struct sql s = { .p = sql, .out = out, .nargs = nargs,
	    .more = more };
	size_t n;

	while (*s.p != '\0') {
		if (*s.p == '?')
			n = take_arg(&s);
		else if (*s.p == '\'' || *s.p == '"')
			n = take_quoted(&s);
		else if (is_word(*s.p))
			n = take_word(&s);
		else {
			n = 1;
			ctx_buf_addc(out, *s.p);
		}
		if (n == 0)
			return ctx_fail(err, CTX_ERANGE, "too many NULLs");
		s.p += n;
		if (s.p[-1] != ' ')
			s.before = s.p[-1];
	}
	if (at_word(sql, "CREATE TEMP TABLE"))
		ctx_buf_adds(out, " ON COMMIT DROP");
	if (s.ignore)
		ctx_buf_adds(out, " ON CONFLICT DO NOTHING");
	return ctx_buf_str(out) == NULL ? ctx_fail_nomem(err) : 0;
}
