/* SPDX-License-Identifier: MIT */
/* Files that are edited in place; see cli_in_place.h. */
#include "cli_in_place.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/fd.h"
#include "cli_inputs.h"

#ifdef __APPLE__
#define st_mtim	st_mtimespec
#endif

#define BACKUPS_MAX	1000	/* by default, of one file */

static void
take_in_place(struct cli *c, void *place)
{
	struct cli_in_place *p = place;

	if (c->arg != NULL && *c->arg == '\0')
		cli_usage(c, "%s: the suffix of a backup is empty", c->spelled);
	p->on = 1;
	p->suffix = c->arg;
}

#define OPT_OF struct cli_in_place
const struct cli_opt cli_in_place_opts[] = {
	OPT_DO('i', "in-place", "=SUFFIX", take_in_place,
	    "edit files in place; with SUFFIX, keep a backup"),
	OPT_FLAG(0, "force", force,
	    "with -i: edit files that are being written, too",
	    .needs = "in-place"),
	OPT_FLAG(0, "no-backup", no_backup,
	    "with -i: keep no backup of a session", .needs = "in-place"),
	OPT_END
};
#undef OPT_OF

/*
 * Does any process have the file open for writing?  Only Linux tells: it grants a
 * lease for reading where no process does (fcntl(2)), to the file's owner.
 */
static int
is_written(int fd)
{
	int rc = 0;
#ifdef F_SETLEASE
	/* sent if one opens it while we have the lease */
	void (*was)(int) = signal(SIGIO, SIG_IGN);

	rc = fcntl(fd, F_SETLEASE, F_RDLCK) == -1 && errno == EAGAIN;
	if (!rc)
		fcntl(fd, F_SETLEASE, F_UNLCK);
	signal(SIGIO, was);
#else
	(void)fd;
#endif
	return rc;
}

/* Is the file as it was when it was opened, and the name its own? */
static int
is_same(const struct cli_in_place *p)
{
	struct stat now, named;

	return fstat(p->fd, &now) == 0 && stat(p->path, &named) == 0 &&
	    now.st_ino == named.st_ino && now.st_dev == named.st_dev &&
	    now.st_size == p->st.st_size &&
	    now.st_mtim.tv_sec == p->st.st_mtim.tv_sec &&
	    now.st_mtim.tv_nsec == p->st.st_mtim.tv_nsec;
}

static int
check_writers(const struct cli_in_place *p, struct ctx_err *err)
{
	return p->force || !is_written(p->fd) ? 0 : ctx_fail(err, CTX_ESYSTEM,
	    "another process has it open for writing; end that, or use --force");
}

int
cli_in_place_open(struct cli_in_place *p, const char *name,
    struct ctx_err *err)
{
	p->name = name;
	if ((p->path = realpath(name, NULL)) == NULL)
		return cli_input_fail(name, errno, err);
	/* refuse what is not a regular file, without waiting for it */
	if ((p->fd = open(p->path, O_RDONLY | O_NONBLOCK)) == -1) {
		ctx_fail_errno(err, errno, "cannot open");
		goto fail;
	}
	if (fstat(p->fd, &p->st) == 0 &&
	    cli_input_check(NULL, p->fd, err) == 0 &&
	    !S_ISREG(p->st.st_mode))
		ctx_fail(err, CTX_ESYSTEM, "is not a regular file");
	else if (err->code == CTX_OK && check_writers(p, err) == 0 &&
	    cli_temp_open(&p->temp, p->path, err) == 0)
		return 0;
	close(p->fd);
fail:
	free(p->path);
	return -1;
}

/* Make a copy of the old file and give it the name backup. */
static int
copy_backup(const struct cli_in_place *p, const char *backup, struct cli *c,
    struct ctx_err *err)
{
	struct cli_temp temp;
	int rc = -1;

	if (cli_temp_open(&temp, backup, err) == -1)
		return -1;
	if (lseek(p->fd, 0, SEEK_SET) == -1 ||
	    ctx_fd_copy(p->fd, temp.fd) == -1)
		ctx_fail_errno(err, errno, "cannot copy it");
	else if (cli_temp_like(&temp, p->fd, &p->st, p->name, c, err) == 0)
		rc = cli_temp_replace(&temp, backup, err);
	cli_temp_done(&temp);
	return rc;
}

/*
 * Put the old file in place of an earlier backup, which is there until then.
 * Where no file can have two names, it is a copy.
 */
static int
replace_backup(const struct cli_in_place *p, const char *backup, struct cli *c,
    struct ctx_err *err)
{
	struct cli_temp temp;
	struct stat st;

	if (lstat(backup, &st) == 0 && st.st_ino == p->st.st_ino &&
	    st.st_dev == p->st.st_dev)
		return 0;
	if (cli_temp_open(&temp, backup, err) == -1)
		return -1;
	if (unlink(temp.name.data) == 0 && link(p->path, temp.name.data) == 0)
		return cli_temp_replace(&temp, backup, err);
	cli_temp_done(&temp);
	return copy_backup(p, backup, c, err);
}

/*
 * Give the old file a second name, so that both always exist.  Returns 1, or 0
 * if that name is taken and must stay.
 */
static int
add_backup(const struct cli_in_place *p, struct ctx_buf *backup, int must_stay,
    struct cli *c, struct ctx_err *err)
{
	struct ctx_err why = { 0 };
	struct stat st;
	int rc;

	if (ctx_buf_str(backup) == NULL)
		return ctx_fail_nomem(err);
	if (link(p->path, backup->data) == 0)
		return 1;
	rc = lstat(backup->data, &st);
	if (rc == 0 && must_stay)
		return 0;
	rc = rc == 0 ? replace_backup(p, backup->data, c, &why) :
	    copy_backup(p, backup->data, c, &why);
	return rc == 0 ? 1 : ctx_fail(err, why.code, "cannot make a backup: %s",
	    why.text);
}

/* Keep a backup under the first name that is free. */
static int
keep_session(const struct cli_in_place *p, struct cli *c, struct ctx_err *err)
{
	struct ctx_buf backup = { 0 };
	int n, rc = 0;

	for (n = 1; n <= BACKUPS_MAX && rc == 0; n++) {
		ctx_buf_reset(&backup);
		ctx_buf_addf(&backup, n == 1 ? "%s.bak" : "%s.bak%d", p->path, n);
		rc = add_backup(p, &backup, 1, c, err);
	}
	if (rc == 0)
		rc = ctx_fail(err, CTX_ESYSTEM, "has %d backups; remove some",
		    BACKUPS_MAX);
	if (rc == 1)
		cli_warn(c, "%s: the session as it was is in %s", p->name,
		    backup.data);
	ctx_buf_done(&backup);
	return rc == -1 ? -1 : 0;
}

/*
 * Keep a backup, if one is wanted, whose name is on disk before it is needed.
 */
static int
keep_backup(const struct cli_in_place *p, int is_session, struct cli *c,
    struct ctx_err *err)
{
	struct ctx_buf backup = { 0 };
	int rc;

	if (p->suffix == NULL && (!is_session || p->no_backup))
		return 0;
	if (p->suffix == NULL)
		rc = keep_session(p, c, err);
	else {
		ctx_buf_adds(&backup, p->path);
		ctx_buf_adds(&backup, p->suffix);
		rc = add_backup(p, &backup, 0, c, err);
		ctx_buf_done(&backup);
	}
	/* a folder may be one that cannot be read, or have nothing to sync */
	if (rc != -1 && ctx_fd_sync_folder(p->path) == -1 && errno != EACCES &&
	    errno != EINVAL && errno != ENOTSUP)
		rc = ctx_fail_errno(err, errno, "cannot make a backup");
	return rc == -1 ? -1 : 0;
}

int
cli_in_place_replace(struct cli_in_place *p, int is_session, struct cli *c,
    struct ctx_err *err)
{
	if (!p->force && !is_same(p))
		return ctx_fail(err, CTX_ESYSTEM, "changed while it was read, "
		    "and stays as it is; run the command again");
	if (check_writers(p, err) == -1 || cli_temp_like(&p->temp, p->fd,
	    &p->st, p->name, c, err) == -1 ||
	    keep_backup(p, is_session, c, err) == -1)
		return -1;
	return cli_temp_replace(&p->temp, p->path, err);
}

int
cli_in_place_beside(struct cli_in_place *p, const char *suffix,
    struct ctx_out *out, struct ctx_err *err)
{
	int fd;

	ctx_buf_reset(&p->beside);
	ctx_buf_adds(&p->beside, p->path);
	ctx_buf_adds(&p->beside, suffix);
	if (ctx_buf_str(&p->beside) == NULL)
		return ctx_fail_nomem(err);
	fd = open(p->beside.data, O_WRONLY | O_CREAT | O_APPEND, 0666);
	if (fd == -1)
		return ctx_fail_errno(err, errno, "cannot write %s",
		    p->beside.data);
	ctx_out_init(out, fd, p->beside.data);
	return 0;
}

void
cli_in_place_done(struct cli_in_place *p)
{
	ctx_buf_done(&p->beside);
	cli_temp_done(&p->temp);
	free(p->path);
	close(p->fd);
	p->path = NULL;
}
