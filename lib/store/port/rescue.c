/* SPDX-License-Identifier: MIT */
/* Rows of a file that SQLite refuses; see rescue.h. */
#include "store/port/rescue.h"

#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/utf8.h"
#include "store/port/leaf.h"
#include "store/schema.h"

/*
 * The tables.  Each column of a row is an integer (i), a text (t), a blob (b),
 * or NULL (n, which a column that is the row's id is on the page); capital
 * letters may be NULL.  Tables without a rowid have their key first.  A page
 * that is no longer in use may hold an earlier version of a row: clash is what
 * tells which is the later one.
 */
#define NEWER(what)	" ON CONFLICT DO UPDATE SET " what
#define THREAD	NEWER("user = excluded.user, head = excluded.head," \
	" updated = excluded.updated, pinned = excluded.pinned, attrs =" \
	" excluded.attrs WHERE excluded.updated >= updated")
static const struct table {
	const char *name, *types, *clash;
} tables[] = {
	{ "thread(id, name, user, head, created, updated, pinned, place,"
	    " attrs, change)", "ntTiiiiTTi", THREAD },
	{ "thread(id, name, user, head, created, updated, pinned, place,"
	    " attrs)", "ntTiiiiTT", THREAD },
	{ "context(thread, id, name, kind, parent, parent_seq, next_seq, turn,"
	    " created, attrs)", "iitiIIiiiT", NEWER("next_seq ="
	    " excluded.next_seq, turn = excluded.turn, attrs = excluded.attrs"
	    " WHERE excluded.next_seq >= next_seq") },
	{ "message(id, thread, context, seq, mid, role, turn, ts, tokens,"
	    " json, body, crc, words)", "niiiTTiiITIii",
	    NEWER("json = coalesce(json, excluded.json)") },
	{ "bundle(id, thread, context, first, last, size, lens, data)",
	    "niiiiibb", NEWER("last = excluded.last, size = excluded.size,"
	    " lens = excluded.lens, data = excluded.data"
	    " WHERE excluded.last > last") },
	{ "body(id, hash, size, kind, data, words)", "nbiiBi",
	    " ON CONFLICT DO NOTHING" },
	{ "body(id, hash, size, kind, data)", "nbiiB",
	    " ON CONFLICT DO NOTHING" },
	{ "body_part(body, pos, part)", "iii", " ON CONFLICT DO NOTHING" },
	{ "ckpt(thread, context, ns, name, n, parent, upto_seq, state, meta,"
	    " ts)", "iittiTiIIi", " ON CONFLICT DO NOTHING" },
	{ "ckpt_write(thread, context, ns, name, task, idx, channel, type,"
	    " body)", "iitttitTI", " ON CONFLICT DO NOTHING" },
	{ "view(thread, context, name, n, upto_seq, ts)", "iitiii",
	    " ON CONFLICT DO NOTHING" },
	{ "view_part(thread, context, name, n, pos, from_seq, to_seq, body)",
	    "iitiiIII", " ON CONFLICT DO NOTHING" },
	{ "summary(thread, context, n, upto_seq, body, ts)", "iiiiii",
	    " ON CONFLICT DO NOTHING" },
	{ "state(thread, context, key, pos, body)", "iitii",
	    NEWER("pos = excluded.pos, body = excluded.body"
	    " WHERE excluded.body > body") },
	{ "user_state(user, key, pos, body)", "ttii",
	    NEWER("pos = excluded.pos, body = excluded.body"
	    " WHERE excluded.body > body") },
	{ "snapshot(id, thread, context, turn, name, ts, summary, insights)",
	    "niiitiTT", " ON CONFLICT DO NOTHING" },
	{ "snapshot_part(thread, context, turn, snapshot, pos, name, body)",
	    "iiitiTi", " ON CONFLICT DO NOTHING" },
	{ "snapshot_link(thread, context, turn, snapshot, pos, target)",
	    "iiitit", " ON CONFLICT DO NOTHING" },
	{ "file(thread, kind, name, version, lang, descr, lines, chars, mime,"
	    " body, ts)", "ittiTTiiTIi", NEWER("body = NULL"
	    " WHERE excluded.body IS NULL") },
};
#define NTABLES	(sizeof(tables) / sizeof(tables[0]))

struct rescue {
	struct ctx_store *st;
	sqlite3_stmt *insert[NTABLES];
	int64_t rows;
};

/* Is it a text that cannot have been stored? */
static int
is_broken(const struct ctx_leaf_value *v)
{
	return v->type > 12 && (v->type & 1) != 0 &&
	    (ctx_utf8_check((const char *)v->p, v->len) != v->len ||
	    memchr(v->p, '\0', v->len) != NULL);
}

static int
fits(const struct ctx_leaf_value *v, char type)
{
	char have = v->type == 0 ? 'n' : v->type < 7 || v->type == 8 ||
	    v->type == 9 ? 'i' : v->type < 12 ? 'f' : v->type & 1 ? 't' : 'b';

	if (type >= 'a')
		return have == type && !is_broken(v);
	return have == 'n' || have == type + ('a' - 'A');
}

/* Which table is the row of?  NTABLES if of none. */
static size_t
table_of(const struct ctx_leaf_row *r)
{
	const char *types;
	size_t i;
	int c;

	for (i = 0; i < NTABLES; i++) {
		types = tables[i].types;
		if ((int)strlen(types) != r->n)
			continue;
		for (c = 0; c < r->n && fits(&r->col[c], types[c]); c++)
			continue;
		/* on a page of an index there is no id */
		if (c == r->n && (types[0] == 'n') == (r->id > 0))
			break;
	}
	return i;
}

static int
bind(sqlite3_stmt *q, const struct ctx_leaf_row *r)
{
	const struct ctx_leaf_value *v;
	int c, rc = SQLITE_OK;

	for (c = 0; c < r->n && rc == SQLITE_OK; c++) {
		v = &r->col[c];
		if (v->type == 0 || is_broken(v))
			rc = c == 0 ? sqlite3_bind_int64(q, 1, r->id) :
			    sqlite3_bind_null(q, c + 1);
		else if (v->type < 12)
			rc = sqlite3_bind_int64(q, c + 1, ctx_leaf_int(v));
		else if (v->type & 1)
			rc = sqlite3_bind_text64(q, c + 1, (const char *)v->p,
			    v->len, SQLITE_STATIC, SQLITE_UTF8);
		else
			rc = sqlite3_bind_blob64(q, c + 1, v->p, v->len,
			    SQLITE_STATIC);
	}
	return rc;
}

static int
take(const struct ctx_leaf_row *r, void *arg, struct ctx_err *err)
{
	struct rescue *to = arg;
	size_t i = table_of(r);
	int rc;

	if (i == NTABLES)
		return 0;
	if ((rc = bind(to->insert[i], r)) == SQLITE_OK) {
		rc = sqlite3_step(to->insert[i]);
		sqlite3_reset(to->insert[i]);
	}
	if (rc == SQLITE_DONE)
		to->rows++;
	/* A row that the table refuses is not one of it. */
	return rc == SQLITE_DONE || (rc & 0xff) == SQLITE_CONSTRAINT ? 0 :
	    ctx_db_fail(to->st, rc, err);
}

static int
prepare(struct rescue *to, size_t i, struct ctx_err *err)
{
	struct ctx_buf sql = { 0 };
	size_t c;
	int rc = -1;

	ctx_buf_addf(&sql, "INSERT INTO %s VALUES(?1", tables[i].name);
	for (c = 2; c <= strlen(tables[i].types); c++)
		ctx_buf_addf(&sql, ", ?%d", (int)c);
	ctx_buf_addf(&sql, ")%s", tables[i].clash);
	if (ctx_buf_str(&sql) == NULL)
		ctx_fail_nomem(err);
	else if ((rc = sqlite3_prepare_v2(to->st->db, sql.data, -1,
	    &to->insert[i], NULL)) != SQLITE_OK)
		rc = ctx_db_fail(to->st, rc, err);
	ctx_buf_done(&sql);
	return rc;
}

/* The index of body_part has rows of the same types, with the part first. */
static int
tidy(struct ctx_store *st, struct ctx_err *err)
{
	return ctx_db_exec(st, "DELETE FROM body_part WHERE body NOT IN"
	    " (SELECT id FROM body WHERE kind = 1) OR part NOT IN"
	    " (SELECT id FROM body)", err);
}

static int
fill(struct rescue *to, int fd, struct ctx_err *err)
{
	size_t i;
	int rc = 0;

	if (ctx_db_exec(to->st, "PRAGMA foreign_keys=OFF;"
	    "PRAGMA synchronous=OFF", err) == -1 ||
	    ctx_db_begin(to->st, err) == -1)
		return -1;
	for (i = 0; i < NTABLES && rc == 0; i++)
		rc = prepare(to, i, err);
	if (rc == 0 && (rc = ctx_leaf_each(fd, take, to, err)) == 0)
		rc = tidy(to->st, err);
	for (i = 0; i < NTABLES; i++)
		sqlite3_finalize(to->insert[i]);
	return ctx_db_end(to->st, rc == 0, err);
}

static uint32_t
big32(const unsigned char *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 |
	    (uint32_t)p[2] << 8 | p[3];
}

/* May the file be ours?  Only a header that can be read says that it is not. */
static int
may_be_ours(int fd)
{
	unsigned char h[100] = { 0 };

	return pread(fd, h, sizeof(h), 0) != sizeof(h) ||
	    memcmp(h, "SQLite format 3", 16) != 0 ||
	    (big32(h + 68) == CTX_SCHEMA_ID &&
	    big32(h + 60) <= CTX_SCHEMA_VERSION);
}

int
ctx_rescue_is_cut(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), cut = 0;
	unsigned char h[100];
	struct stat sb;
	uint64_t size;

	if (fd == -1)
		return 0;
	if (fstat(fd, &sb) == 0 && pread(fd, h, sizeof(h), 0) == sizeof(h) &&
	    memcmp(h, "SQLite format 3", 16) == 0 &&
	    big32(h + 24) == big32(h + 92)) {
		size = h[16] == 0 && h[17] == 1 ? 65536 :
		    (uint64_t)h[16] << 8 | h[17];
		cut = (uint64_t)sb.st_size < size * big32(h + 28);
	}
	close(fd);
	return cut;
}

/* Remove what a store that could not be opened has left. */
static void
clear(const char *folder)
{
	static const char *const names[] = { "", "-lock", "-wal", "-shm",
	    "-journal" };
	char *name;
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if ((name = sqlite3_mprintf("%s/db%s", folder,
		    names[i])) != NULL) {
			unlink(name);
			sqlite3_free(name);
		}
	rmdir(folder);
}

/*
 * Open an empty store in a folder of its own next to near, which is removed
 * with it.  Messages name it path.
 */
static int
open_empty(struct ctx_store **out, const char *path, const char *near,
    struct ctx_err *err)
{
	char *folder = sqlite3_mprintf("%s.XXXXXX", near), *own, *name;
	struct ctx_buf file = { 0 };
	int rc = -1;

	if (folder == NULL || mkdtemp(folder) == NULL) {
		rc = folder == NULL ? ctx_fail_nomem(err) :
		    ctx_fail_errno(err, errno, "%s", near);
		sqlite3_free(folder);
		return rc;
	}
	own = strdup(folder);
	name = strdup(path);
	ctx_buf_addf(&file, "%s/db", folder);
	if (own == NULL || name == NULL || ctx_buf_str(&file) == NULL)
		ctx_fail_nomem(err);
	else
		rc = ctx_store_open(out, file.data, CTX_STORE_CREATE, err);
	if (rc == 0) {
		free((*out)->path);
		(*out)->path = name;
		(*out)->copy = own;
	} else {
		clear(folder);
		free(own);
		free(name);
	}
	ctx_buf_done(&file);
	sqlite3_free(folder);
	return rc;
}

int
ctx_rescue_open(struct ctx_store **out, const char *path, const char *near,
    struct ctx_err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), rc = 0;
	struct rescue to = { 0 };

	if (fd == -1)
		return 0;
	if (may_be_ours(fd)) {
		rc = open_empty(&to.st, path, near, err);
		if (rc == 0 && (rc = fill(&to, fd, err)) == 0)
			rc = to.rows > 0;
	}
	close(fd);
	if (rc == 1)
		*out = to.st;
	else
		ctx_store_close(to.st, NULL);
	return rc;
}
