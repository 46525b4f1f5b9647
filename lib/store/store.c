/* SPDX-License-Identifier: MIT */
/* Open, create and close the file; see store.h. */
#include "store/store.h"

#include <sys/file.h>
#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/fd.h"
#include "base/url.h"
#include "store/bundle.h"
#include "store/fair.h"
#include "store/host.h"
#include "store/private.h"
#include "store/schema.h"
#include "store/search/note.h"
#include "store/squeeze.h"
#include "store/wal.h"

/* What the first bytes of a file tell. */
enum head {
	HEAD_EMPTY,	/* no bytes, or a database without tables */
	HEAD_OURS,
	HEAD_CURRENT,	/* ours, of this version, with a write-ahead log */
	HEAD_UNSURE	/* zeros: its creation was interrupted; the journal
			 * knows more */
};

/* Create the folders above path, accessible only to us, as XDG requires. */
static int
make_parents(char *path, struct ctx_err *err)
{
	char *p;

	for (p = path + 1; (p = strchr(p, '/')) != NULL; *p++ = '/') {
		*p = '\0';
		if (mkdir(path, 0700) == -1 && errno != EEXIST)
			return ctx_fail_errno(err, errno, "%s", path);
	}
	return 0;
}

/* The default, in folders that are there if the file is to be created. */
static char *
default_path(unsigned mode, struct ctx_err *err)
{
	char *path = NULL;
	const char *s;

	if ((s = getenv("CTX_DB")) != NULL && *s != '\0')
		return ctx_buf_join(s, "", err);
	if ((s = getenv("XDG_DATA_HOME")) != NULL && *s == '/')
		path = ctx_buf_join(s, "/ctx/ctx.db", err);
	else if ((s = getenv("HOME")) != NULL && *s != '\0')
		path = ctx_buf_join(s, "/.local/share/ctx/ctx.db", err);
	else
		ctx_fail(err, CTX_EUSAGE,
		    "no database; give --db FILE, or set CTX_DB or HOME");
	if (path != NULL && mode == CTX_STORE_CREATE &&
	    make_parents(path, err) == -1) {
		free(path);
		return NULL;
	}
	return path;
}

/*
 * Create the file, accessible only to its owner, unless it exists.  Returns 1
 * if it was created, 0, or -1.
 */
static int
create(const char *path, struct ctx_err *err)
{
	int fd = open(path, O_CREAT | O_EXCL | O_NOFOLLOW | O_RDWR | O_CLOEXEC,
	    0600);

	if (fd == -1)
		return errno == EEXIST ? 0 :
		    ctx_fail_errno(err, errno, "%s", path);
	close(fd);
	if (ctx_fd_sync_folder(path) == -1)
		return ctx_fail_errno(err, errno,
		    "%s: cannot create the directory", path);
	return 1;
}

static uint32_t
big32(const unsigned char *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 |
	    (uint32_t)p[2] << 8 | p[3];
}

/*
 * Examine the file before SQLite does: opening another program's database for
 * writing can already change it (closing it moves its log into it).
 */
static int
read_head(struct ctx_store *st, enum head *head, struct ctx_err *err)
{
	static const unsigned char zeros[100];
	unsigned char h[105] = { 0 };
	char name[160];
	struct stat sb;
	ssize_t n;
	int fd;

	ctx_err_quote(name, sizeof(name), st->path, strlen(st->path));
	if ((fd = open(st->path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)) == -1)
		return ctx_fail_errno(err, errno, "%s", name);
	if (fstat(fd, &sb) == -1 || !S_ISREG(sb.st_mode)) {
		close(fd);
		return ctx_fail(err, CTX_ESYSTEM, "%s: not a regular file",
		    name);
	}
	n = read(fd, h, sizeof(h));
	close(fd);
	if (n == -1)
		return ctx_fail_errno(err, errno, "%s", name);
	if (n == 0)
		*head = HEAD_EMPTY;
	else if (n >= 100 && memcmp(h, zeros, 100) == 0)
		*head = HEAD_UNSURE;
	else if (n < 100 || memcmp(h, "SQLite format 3", 16) != 0)
		return ctx_fail(err, CTX_ESYSTEM, "%s: not a ctx-store "
		    "database", name);
	else if (big32(h + 68) == CTX_SCHEMA_ID)
		*head = big32(h + 60) == CTX_SCHEMA_VERSION && h[18] == 2 &&
		    h[19] == 2 ? HEAD_CURRENT : HEAD_OURS;
	else if (big32(h + 68) == 0 && big32(h + 60) == 0 && n == 105 &&
	    h[100] == 0x0d && h[103] == 0 && h[104] == 0)
		*head = HEAD_EMPTY;
	else
		return ctx_fail(err, CTX_ESYSTEM,
		    "%s: this is a database of another program", name);
	if (*head == HEAD_OURS && big32(h + 60) > CTX_SCHEMA_VERSION)
		return ctx_fail(err, CTX_ESYSTEM,
		    "%s: version %u is newer than this program's version %d",
		    name, (unsigned)big32(h + 60), CTX_SCHEMA_VERSION);
	return 0;
}

/* The size of the file name + suffix, -1 if there is none. */
static int64_t
side_size(const char *path, const char *suffix)
{
	char *name = ctx_buf_join(path, suffix, NULL);
	struct stat sb;
	int rc;

	if (name == NULL)
		return -1;
	rc = stat(name, &sb);
	free(name);
	return rc == -1 ? -1 : (int64_t)sb.st_size;
}

/*
 * FILE-lock gets the mode of FILE, so that whoever may read FILE may lock it.
 * Readers do not create it.
 */
static int
open_lock(struct ctx_store *st, struct ctx_err *err)
{
	char *name = ctx_buf_join(st->path, "-lock", err);
	struct stat sb;

	if (name == NULL)
		return -1;
	if (stat(st->path, &sb) == -1)
		sb.st_mode = 0600;
	st->lockfd = open(name, st->writer ? O_RDWR | O_CREAT | O_NOFOLLOW |
	    O_CLOEXEC : O_RDONLY | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (st->lockfd != -1 && st->writer)
		(void)fchmod(st->lockfd, sb.st_mode & 0666);
	free(name);
	if (st->lockfd == -1 && (st->writer || errno != ENOENT))
		return ctx_fail_errno(err, errno, "%s-lock", st->path);
	return 0;
}

static int
wal_hook(void *arg, sqlite3 *db, const char *name, int pages)
{
	struct ctx_store *st = arg;

	(void)db;
	(void)name;
	st->wal = (uint64_t)pages * (uint64_t)st->page;
	return SQLITE_OK;
}

/* "file:" + path with everything special escaped + "?immutable=1". */
static char *
immutable_uri(const char *path, struct ctx_err *err)
{
	struct ctx_buf out = { 0 };

	ctx_buf_adds(&out, "file:");
	ctx_url_path(&out, path);
	ctx_buf_adds(&out, "?immutable=1");
	if (ctx_buf_str(&out) == NULL) {
		ctx_buf_done(&out);
		ctx_fail_nomem(err);
		return NULL;
	}
	return out.data;
}

static int
connect(struct ctx_store *st, const char *path, int flags,
    struct ctx_err *err)
{
	sqlite3_int64 no_mmap = 0;
	int rc = sqlite3_open_v2(path, &st->db, flags,
	    st->writer ? ctx_wal_vfs() : NULL);

	if (rc != SQLITE_OK)
		return ctx_db_fail(st, rc, err);
	ctx_db_patience(st, CTX_DB_BUSY_MS);
	sqlite3_db_config(st->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(st->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_db_config(st->db, SQLITE_DBCONFIG_ENABLE_FKEY, st->writer,
	    NULL);
	sqlite3_file_control(st->db, NULL, SQLITE_FCNTL_MMAP_SIZE, &no_mmap);
	sqlite3_wal_hook(st->db, wal_hook, st);
	return ctx_db_exec(st, "PRAGMA cell_size_check=ON;"
	    "PRAGMA temp_store=MEMORY;", err);
}

static int
at_work(void *arg)
{
	struct ctx_store *st = arg;

	st->watch(st->watch_arg);
	return 0;
}

void
ctx_store_watch(struct ctx_store *st, void (*fn)(void *arg), void *arg)
{
	st->watch = fn;
	st->watch_arg = arg;
	/* some hundred calls a second */
	sqlite3_progress_handler(st->db, 10000, at_work, st);
}

static int
disconnect(struct ctx_store *st)
{
	int rc;

	ctx_db_forget(st);
	rc = sqlite3_close(st->db);
	st->db = NULL;
	return rc;
}

/* In a transaction: are there tables?  Returns 1, 0 or -1. */
static int
has_tables(struct ctx_store *st, struct ctx_err *err)
{
	int64_t n;

	return ctx_db_int(st, &n, err, "SELECT EXISTS(SELECT 1 FROM "
	    "sqlite_schema)", "") == 1 ? n != 0 : -1;
}

/*
 * In a transaction: check the versions again, as SQLite sees them: the header
 * that read_head saw may be older than the log.  Returns 1, 0 if the file is
 * empty, or -1.
 */
static int
check_version(struct ctx_store *st, struct ctx_err *err)
{
	int64_t id, version;
	int tables;

	if (ctx_db_int(st, &id, err, "PRAGMA application_id", "") == -1 ||
	    ctx_db_int(st, &version, err, "PRAGMA user_version", "") == -1 ||
	    (tables = has_tables(st, err)) == -1)
		return -1;
	if (!tables && version == 0)
		return 0;
	if (id != CTX_SCHEMA_ID)
		return ctx_fail(err, CTX_ESYSTEM,
		    "%s: this is a database of another program", st->path);
	if (version > CTX_SCHEMA_VERSION)
		return ctx_fail(err, CTX_ESYSTEM,
		    "%s: version %lld is newer than this program's version %d",
		    st->path, (long long)version, CTX_SCHEMA_VERSION);
	if (version < CTX_SCHEMA_VERSION && !st->writer)
		st->older = version;
	if (version < CTX_SCHEMA_READABLE && !st->writer)
		return ctx_schema_older(st, err);
	return tables;
}

/* Open an empty store for a reader of an empty file. */
static int
open_nothing(struct ctx_store *st, struct ctx_err *err)
{
	int64_t from;

	st->writer = 1;		/* it is in memory, so we may write */
	if (connect(st, ":memory:", SQLITE_OPEN_READWRITE, err) == -1 ||
	    ctx_schema_upgrade(st, &from, err) == -1)
		return -1;
	st->writer = 0;
	return 0;
}

/* Can the connection read?  Only now does a database in WAL mode tell. */
static int
probe(struct ctx_store *st, const char *path, int flags, struct ctx_err *err)
{
	if (connect(st, path, flags, err) == 0 && has_tables(st, err) != -1)
		return 0;
	disconnect(st);
	return -1;
}

/*
 * A log with contents in a folder that is not writable: SQLite needs to create
 * an index for it, so both are copied to a private folder.
 */
static int
open_copy(struct ctx_store *st, struct ctx_err *err)
{
	char *name = ctx_private_make(&st->copy, NULL, err);
	int rc = -1;

	if (name != NULL && ctx_private_copy(st->path, name, err) == 0)
		rc = connect(st, name, SQLITE_OPEN_READWRITE, err);
	free(name);
	return rc;
}

/*
 * Open a file, or a file in a folder, that we cannot write.  If there is a log
 * with its index, an ordinary read-only connection works; if there is no log,
 * the file does not change while we hold the lock; otherwise a copy is read.
 */
static int
open_readonly(struct ctx_store *st, struct ctx_err *err)
{
	char *uri;
	int rc;

	if (side_size(st->path, "-wal") >= 0 &&
	    side_size(st->path, "-shm") > 0 &&
	    probe(st, st->path, SQLITE_OPEN_READONLY, NULL) == 0)
		return 0;
	if (st->lockfd != -1) {
		if (flock(st->lockfd, LOCK_SH) == -1)
			return ctx_fail_errno(err, errno, "%s-lock", st->path);
		st->shared = 1;
	}
	if (side_size(st->path, "-wal") > 0)
		return open_copy(st, err);
	if ((uri = immutable_uri(st->path, err)) == NULL)
		return -1;
	rc = connect(st, uri, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, err);
	free(uri);
	return rc;
}

/* May we write to the file and create others next to it? */
static int
writable(const char *path)
{
	char *copy = strdup(path), *slash;
	int ok;

	if (copy == NULL || (slash = strrchr(copy, '/')) == NULL) {
		free(copy);
		return 0;
	}
	slash[slash == copy] = '\0';
	ok = faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0 &&
	    faccessat(AT_FDCWD, copy, W_OK | X_OK, AT_EACCESS) == 0;
	free(copy);
	return ok;
}

/*
 * Open for reading.  If possible, connect for writing and prevent writes with
 * query_only: a read-only connection would leave the log's files behind.
 */
static int
open_reader(struct ctx_store *st, struct ctx_err *err)
{
	enum head head;
	int rc = -1;

	if (read_head(st, &head, err) == -1 ||
	    open_lock(st, err) == -1)
		return -1;
	if (head == HEAD_EMPTY && side_size(st->path, "-wal") <= 0)
		return open_nothing(st, err);
	if (!writable(st->path) ||
	    probe(st, st->path, SQLITE_OPEN_READWRITE, NULL) == -1)
		if (open_readonly(st, err) == -1)
			return -1;
	if (ctx_db_exec(st, "PRAGMA query_only=ON", err) == -1 ||
	    ctx_db_read(st, err) == -1)
		return -1;
	rc = check_version(st, err);
	ctx_db_read_end(st);
	if (rc != 0)
		return rc == 1 ? 0 : -1;
	disconnect(st);
	return open_nothing(st, err);
}

/* The busy timeout does not cover the switch to WAL. */
static int
set_wal(struct ctx_store *st, struct ctx_err *err)
{
	int i, rc = SQLITE_BUSY;

	for (i = 0; i < 3000 && rc == SQLITE_BUSY && st->lock_error == 0; i++) {
		if (i > 0)
			usleep(10000);
		rc = sqlite3_exec(st->db, "PRAGMA journal_mode=WAL", NULL,
		    NULL, NULL);
	}
	return rc == SQLITE_OK ? 0 : ctx_db_fail(st, rc, err);
}

static int
connect_writer(struct ctx_store *st, struct ctx_err *err)
{
	int64_t page;
	int rc = -1;

	if (connect(st, st->path, SQLITE_OPEN_READWRITE, err) == -1 ||
	    ctx_db_exec(st, "PRAGMA synchronous=FULL;PRAGMA cache_size=-32768;"
	    "PRAGMA journal_size_limit=" CTX_DB_WAL_KEPT ";", err) == -1 ||
	    ctx_db_read(st, err) == -1)
		return -1;
	if (check_version(st, err) != -1 &&
	    ctx_db_int(st, &page, err, "PRAGMA page_size", "") == 1) {
		st->page = (int)page;
		rc = 0;
	}
	ctx_db_read_end(st);
	return rc;
}

/*
 * Make the tables, or bring those of an older version up to date.  They are
 * created with a rollback journal, in one transaction that also sets our id:
 * the file is either empty or ours.
 */
static int
make_current(struct ctx_store *st, struct ctx_err *err)
{
	int64_t from, n;

	if (ctx_schema_upgrade(st, &from, err) == -1 || set_wal(st, err) == -1)
		return -1;
	/* Version 1 had no index for these. */
	return from == 1 ? ctx_note_add_all(st, &n, err) : 0;
}

static int
open_writer(struct ctx_store *st, struct ctx_err *err)
{
	enum head head;
	int rc = -1;

	/*
	 * One after the other: SQLite lets those that open and those that
	 * close a log wait for each other without a queue.
	 */
	if (read_head(st, &head, err) == -1 ||
	    open_lock(st, err) == -1 || ctx_db_lock(st, err) == -1)
		return -1;
	if (connect_writer(st, err) == 0 &&
	    (head == HEAD_CURRENT || make_current(st, err) == 0))
		rc = 0;
	ctx_db_unlock(st);
	return rc;
}

/* Resolve links in path, so that a file has only one lock. */
static int
resolve(struct ctx_store *st, const char *path, unsigned mode,
    struct ctx_err *err)
{
	char name[160];
	struct stat sb;

	ctx_err_quote(name, sizeof(name), path, strlen(path));
	if ((st->path = realpath(path, NULL)) == NULL) {
		if (errno == ENOENT && mode != CTX_STORE_CREATE)
			return ctx_fail(err, CTX_ENO, "%s: no such store",
			    name);
		return ctx_fail_errno(err, errno, "%s", name);
	}
	if (mode != CTX_STORE_READ && stat(st->path, &sb) == 0 &&
	    S_ISREG(sb.st_mode) && sb.st_nlink > 1)
		return ctx_fail(err, CTX_ESYSTEM,
		    "%s: the file has a second name (a hard link), which would "
		    "get a log of its own", name);
	return 0;
}

static int
open_at(struct ctx_store *st, const char *path, unsigned mode,
    struct ctx_err *err)
{
	int created = 0;

	if (ctx_store_is_url(path))
		return ctx_fail(err, CTX_ESYSTEM, "a store on PostgreSQL needs "
		    "ctx-store-pg, which is not installed; see "
		    "ctx-store-postgresql(7)");
	if (mode == CTX_STORE_CREATE && (created = create(path, err)) == -1)
		return -1;
	if (resolve(st, path, mode, err) == -1)
		return -1;
	/* a file without a lock was never written to here */
	if (!st->single_host && ctx_host_check(st->path, st->writer &&
	    side_size(st->path, "-lock") < 0, err) == -1) {
		if (created)
			unlink(st->path);
		return -1;
	}
	return mode == CTX_STORE_READ ? open_reader(st, err) :
	    open_writer(st, err);
}

static struct ctx_store *
new_store(unsigned mode, struct ctx_err *err)
{
	struct ctx_store *st = calloc(1, sizeof(*st));

	if (st == NULL) {
		ctx_fail_nomem(err);
		return NULL;
	}
	st->lockfd = -1;
	st->writer = (mode & ~(unsigned)CTX_STORE_SINGLE_HOST) !=
	    CTX_STORE_READ;
	st->single_host = (mode & CTX_STORE_SINGLE_HOST) != 0;
	st->wal_next = CTX_DB_WAL_LIMIT;
	return st;
}

void
ctx_store_alone(void)
{
	sqlite3_config(SQLITE_CONFIG_SINGLETHREAD);
	sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
	/* pages one by one: most calls need few of the 20 made at once */
	sqlite3_config(SQLITE_CONFIG_PAGECACHE, NULL, 0, 0);
}

int
ctx_store_open(struct ctx_store **out, const char *path,
    unsigned mode, struct ctx_err *err)
{
	struct ctx_store *st = new_store(mode, err);
	char *own = NULL;
	int rc = -1;

	if (st == NULL)
		return -1;
	mode &= ~(unsigned)CTX_STORE_SINGLE_HOST;
	if (path == NULL)
		path = own = default_path(mode, err);
	if (path != NULL)
		rc = open_at(st, path, mode, err);
	free(own);
	if (rc == -1)
		ctx_store_close(st, NULL);
	else
		*out = st;
	return rc;
}

int
ctx_store_open_temp(struct ctx_store **out, const char *near,
    struct ctx_err *err)
{
	struct ctx_store *st = new_store(CTX_STORE_CREATE |
	    CTX_STORE_SINGLE_HOST, err);
	char *path;
	int rc = -1;

	if (st == NULL)
		return -1;
	if ((path = ctx_private_make(&st->copy, near, err)) != NULL)
		rc = open_at(st, path, CTX_STORE_CREATE, err);
	free(path);
	/* what is lost by a power cut is not missed */
	if (rc == 0)
		rc = ctx_db_exec(st, "PRAGMA synchronous=OFF", err);
	if (rc == -1)
		ctx_store_close(st, NULL);
	else
		*out = st;
	return rc;
}

int
ctx_store_close(struct ctx_store *st, struct ctx_err *err)
{
	int rc = 0, locked;

	if (st == NULL)
		return 0;
	/*
	 * The last connection moves the log into the file.  If others write,
	 * it is not the last one, or they will be soon.
	 */
	locked = st->writer && st->lockfd != -1 &&
	    ctx_fair_try(st->lockfd) == 0;
	if (st->db != NULL && st->writer && !locked)
		sqlite3_db_config(st->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1,
		    NULL);
	if (st->db != NULL && disconnect(st) != SQLITE_OK)
		rc = ctx_fail(err, CTX_ESYSTEM, "%s: cannot close the database",
		    st->path);
	if (st->lockfd != -1)
		close(st->lockfd);	/* and with it the lock */
	ctx_private_remove(st->copy);
	ctx_bundle_free(st->bundles);
	ctx_squeeze_free(st->squeeze);
	free(st->path);
	free(st);
	return rc;
}
