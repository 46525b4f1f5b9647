/* SPDX-License-Identifier: MIT */
/* Workspaces; see space.h. */
#include "store/space.h"

#include <sys/stat.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/random.h"
#include "store/db.h"
#include "store/thread.h"

#define PLACE_LEN	16	/* hexadecimal digits */

/* A place that we did not generate could lead anywhere. */
static int
place_ok(const char *place)
{
	return strlen(place) == PLACE_LEN &&
	    strspn(place, "0123456789abcdef") == PLACE_LEN;
}

/* ROOT, or ROOT/PLACE, which the caller frees; NULL with *err set. */
static char *
space_path(const struct ctx_store *st, const char *place, struct ctx_err *err)
{
	const char *root = getenv("CTX_WORKSPACES");
	struct ctx_buf out = { 0 };

	if (root != NULL && *root != '\0')
		ctx_buf_adds(&out, root);
	else if (ctx_store_is_url(st->path)) {
		ctx_fail(err, CTX_EUSAGE, "a store on PostgreSQL has no place "
		    "for workspaces; set CTX_WORKSPACES to their directory");
		return NULL;
	} else {
		ctx_buf_adds(&out, st->path);
		ctx_buf_adds(&out, ".d");
	}
	if (place != NULL) {
		ctx_buf_addc(&out, '/');
		ctx_buf_adds(&out, place);
	}
	if (ctx_buf_str(&out) == NULL) {
		ctx_buf_done(&out);
		ctx_fail_nomem(err);
	}
	return out.data;
}

/* Copy the thread's place to place[], "" if it has none. */
static int
find_place(struct ctx_store *st, const char *thread, char *place,
    struct ctx_err *err)
{
	struct ctx_where w = { thread, NULL };
	struct ctx_ref ref;
	const char *text;
	sqlite3_stmt *q;
	int rc;

	place[0] = '\0';
	if (ctx_thread_find(st, &w, &ref, err) == -1)
		return -1;
	q = ctx_db_query(st, err, "SELECT place FROM thread WHERE id = ?1",
	    "i", ref.thread);
	if ((rc = ctx_db_row(st, q, err)) == -1)
		return -1;
	if (rc == 0)
		return 0;
	text = (const char *)sqlite3_column_text(q, 0);
	rc = 0;
	if (text != NULL && !place_ok(text))
		rc = ctx_fail(err, CTX_ESYSTEM,
		    "%s: damaged: the name of a workspace is not valid",
		    st->path);
	else if (text != NULL)
		strcpy(place, text);
	sqlite3_reset(q);
	return rc;
}

int
ctx_space_find(struct ctx_store *st, const char *thread, char **path,
    struct ctx_err *err)
{
	char place[PLACE_LEN + 1];

	*path = NULL;
	if (find_place(st, thread, place, err) == -1)
		return -1;
	if (*place == '\0')
		return 0;
	*path = space_path(st, place, err);
	return *path == NULL ? -1 : 0;
}

static int
new_place(struct ctx_store *st, const char *thread, char *place,
    struct ctx_err *err)
{
	struct ctx_where w = { thread, NULL };
	struct ctx_ref ref;
	unsigned char b[PLACE_LEN / 2];
	size_t i;

	if (getentropy(b, sizeof(b)) == -1)
		return ctx_fail_errno(err, errno, "cannot get random bytes");
	for (i = 0; i < sizeof(b); i++)
		snprintf(place + 2 * i, 3, "%02x", b[i]);
	if (ctx_thread_find(st, &w, &ref, err) == -1)
		return -1;
	return ctx_db_run(st, err, "UPDATE thread SET place = ?2 WHERE"
	    " id = ?1", "is", ref.thread, place);
}

/* Whoever asks for a workspace is about to write to it. */
static int
asked_for(struct ctx_store *st, const char *thread, struct ctx_err *err)
{
	struct ctx_where w = { thread, NULL };
	struct ctx_ref ref;

	return ctx_thread_find(st, &w, &ref, err) == -1 ? -1 :
	    ctx_thread_used(st, ref.thread, err);
}

static int
make_folder(const char *path, struct ctx_err *err)
{
	struct stat sb;

	if (mkdir(path, 0700) == 0)
		return 0;
	if (errno == EEXIST && lstat(path, &sb) == 0 && S_ISDIR(sb.st_mode))
		return 0;
	return ctx_fail_errno(err, errno == EEXIST ? ENOTDIR : errno, "%s",
	    path);
}

int
ctx_space_make(struct ctx_store *st, const char *thread, char **path,
    struct ctx_err *err)
{
	char place[PLACE_LEN + 1], *root;
	int ok;

	*path = NULL;
	if ((root = space_path(st, NULL, err)) == NULL)
		return -1;
	if (ctx_db_begin(st, err) == -1) {
		free(root);
		return -1;
	}
	ok = find_place(st, thread, place, err) == 0 &&
	    (*place != '\0' || new_place(st, thread, place, err) == 0) &&
	    asked_for(st, thread, err) == 0;
	ok = ctx_db_end(st, ok, err) == 0 &&
	    (*path = space_path(st, place, err)) != NULL &&
	    make_folder(root, err) == 0 && make_folder(*path, err) == 0;
	free(root);
	if (ok)
		return 0;
	free(*path);
	*path = NULL;
	return -1;
}

/* The state of clear_folder. */
struct clear {
	int top;		/* the workspace */
	dev_t dev;		/* the device that it is on */
	unsigned serial;	/* number of folders moved up */
};

/* Set err from errno after a removal.  Returns -1. */
static int
failed(struct ctx_err *err)
{
	return ctx_fail_errno(err, errno, "cannot remove a workspace");
}

/*
 * Is name in fd a folder?  Returns 1, 0, or -1 (another file system, or an
 * error).
 */
static int
is_folder(const struct clear *c, int fd, const char *name,
    struct ctx_err *err)
{
	struct stat sb;

	if (fstatat(fd, name, &sb, AT_SYMLINK_NOFOLLOW) == -1)
		return failed(err);
	if (!S_ISDIR(sb.st_mode))
		return 0;
	if (sb.st_dev != c->dev)
		return ctx_fail(err, CTX_ESYSTEM,
		    "another file system is mounted in a workspace");
	return 1;
}

/* Move a folder up into the workspace itself, under a generated name. */
static int
move_up(struct clear *c, int fd, const char *name, struct ctx_err *err)
{
	char to[32];

	do
		snprintf(to, sizeof(to), ".removed-%u", c->serial++);
	while (renameat(fd, name, c->top, to) == -1 &&
	    (errno == ENOTEMPTY || errno == EEXIST) && c->serial != 0);
	if (faccessat(c->top, to, F_OK, AT_SYMLINK_NOFOLLOW) == -1)
		return failed(err);
	return 0;
}

/*
 * Open a folder of the workspace, or "."; *fd gets its descriptor.  NULL with
 * *err set on failure.
 */
static DIR *
open_folder(const struct clear *c, const char *name, int *fd,
    struct ctx_err *err)
{
	DIR *dir = NULL;

	*fd = openat(c->top, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW |
	    O_CLOEXEC);
	if (*fd == -1 || (dir = fdopendir(*fd)) == NULL) {
		failed(err);
		if (*fd != -1)
			close(*fd);
	}
	return dir;
}

static struct dirent *
next_entry(DIR *dir)
{
	struct dirent *e;

	while ((e = readdir(dir)) != NULL && (strcmp(e->d_name, ".") == 0 ||
	    strcmp(e->d_name, "..") == 0))
		continue;
	return e;
}

/*
 * Empty the folder name of the workspace: files are removed, folders are moved
 * up.
 */
static int
clear_folder(struct clear *c, const char *name, struct ctx_err *err)
{
	struct dirent *e;
	int fd, rc = 0;
	DIR *dir;

	/*
	 * Its owner may have removed the permissions; openat reports other
	 * owners.
	 */
	if (fchmodat(c->top, name, 0700, 0) == -1 && errno != EPERM)
		return failed(err);
	if ((dir = open_folder(c, name, &fd, err)) == NULL)
		return -1;
	while (rc != -1 && (e = next_entry(dir)) != NULL) {
		if ((rc = is_folder(c, fd, e->d_name, err)) == 1)
			rc = move_up(c, fd, e->d_name, err);
		else if (rc == 0 && unlinkat(fd, e->d_name, 0) == -1)
			rc = failed(err);
	}
	closedir(dir);
	return rc;
}

/*
 * Go once over the entries of the workspace itself.  Returns 1 if it was
 * empty.
 */
static int
clear_top(struct clear *c, struct ctx_err *err)
{
	int fd, rc = 0, empty = 1;
	struct dirent *e;
	DIR *dir = open_folder(c, ".", &fd, err);

	if (dir == NULL)
		return -1;
	while (rc != -1 && (e = next_entry(dir)) != NULL) {
		empty = 0;
		if ((rc = is_folder(c, fd, e->d_name, err)) == -1)
			break;
		if (rc == 1 && clear_folder(c, e->d_name, err) == -1)
			rc = -1;
		else if (unlinkat(fd, e->d_name, rc == 1 ? AT_REMOVEDIR :
		    0) == -1)
			rc = failed(err);
		else
			rc = 0;
	}
	closedir(dir);
	return rc == -1 ? -1 : empty;
}

int
ctx_space_remove(const char *path, struct ctx_err *err)
{
	struct clear c = { 0 };
	struct stat sb;
	int rc = 0;

	c.top = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (c.top == -1)
		return errno == ENOENT ? 0 :
		    ctx_fail_errno(err, errno, "%s", path);
	if (fstat(c.top, &sb) == -1)
		rc = ctx_fail_errno(err, errno, "%s", path);
	c.dev = sb.st_dev;
	while (rc == 0)
		rc = clear_top(&c, err);
	close(c.top);
	if (rc == 1 && rmdir(path) == -1)
		rc = ctx_fail_errno(err, errno, "%s", path);
	return rc == -1 ? -1 : 0;
}
