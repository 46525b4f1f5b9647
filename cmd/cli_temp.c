/* SPDX-License-Identifier: MIT */
/* Files that replace other files; see cli_temp.h. */
#include "cli_temp.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/xattr.h>
#endif
#ifdef __APPLE__
#include <copyfile.h>
#endif

#define SLOTS	4	/* files open at once; a signal does not remove more */

/* Signals that end a process by default and that someone may send. */
static const int deadly[] = {
	SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGALRM, SIGTERM, SIGXCPU, SIGXFSZ,
	SIGUSR1, SIGUSR2
};

/* The names of the files that exist; the signal handler reads them. */
static const char *volatile doomed[SLOTS];

/* Remove the files, then die of the signal as if there were no handler. */
static void
on_signal(int sig)
{
	int i;

	for (i = 0; i < SLOTS; i++)
		if (doomed[i] != NULL)
			unlink(doomed[i]);
	signal(sig, SIG_DFL);
	raise(sig);
}

/* A signal that is ignored, as under nohup, stays ignored. */
static void
watch(void)
{
	struct sigaction sa, old;
	static int watching;
	size_t i;

	if (watching)
		return;
	watching = 1;
	memset(&sa, 0, sizeof(sa));
	sa.sa_handler = on_signal;
	sigfillset(&sa.sa_mask);
	for (i = 0; i < sizeof(deadly) / sizeof(deadly[0]); i++)
		if (sigaction(deadly[i], NULL, &old) == 0 &&
		    old.sa_handler == SIG_DFL)
			sigaction(deadly[i], &sa, NULL);
}

/* Block signals while the files and the list of their names change. */
static void
hold_signals(sigset_t *was)
{
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, was);
}

static void
let_signals(const sigset_t *was)
{
	int saved = errno;

	pthread_sigmask(SIG_SETMASK, was, NULL);
	errno = saved;
}

int
cli_temp_open(struct cli_temp *t, const char *target, struct ctx_err *err)
{
	sigset_t was;

	memset(t, 0, sizeof(*t));
	ctx_buf_adds(&t->name, target);
	ctx_buf_adds(&t->name, ".XXXXXX.tmp");
	if (ctx_buf_str(&t->name) == NULL) {
		ctx_buf_done(&t->name);
		return ctx_fail_nomem(err);
	}
	watch();
	hold_signals(&was);
	t->fd = mkstemps(t->name.data, 4);
	for (t->slot = 0; t->slot < SLOTS && doomed[t->slot] != NULL;)
		t->slot++;
	if (t->fd != -1 && t->slot < SLOTS)
		doomed[t->slot] = t->name.data;
	let_signals(&was);
	if (t->fd == -1) {
		ctx_fail_errno(err, errno,
		    "cannot create a temporary file in the same directory");
		ctx_buf_done(&t->name);
		return -1;
	}
	return 0;
}

/*
 * --- attributes of the old file
 * ----------------------------------------------
 */

#ifdef __linux__
#define ACCESS_LIST "system.posix_acl_access"

/*
 * Get the list of names, or a value; NULL with errno, which is 0 if there is
 * none.
 */
static char *
get_attr(int fd, const char *attr, size_t *len)
{
	char *p = NULL, *more;
	ssize_t n;
	int e;

	for (;;) {
		n = attr == NULL ? flistxattr(fd, NULL, 0) :
		    fgetxattr(fd, attr, NULL, 0);
		if (n == -1)
			break;
		if ((more = realloc(p, (size_t)n + 1)) == NULL) {
			errno = ENOMEM;
			break;
		}
		p = more;
		n = attr == NULL ? flistxattr(fd, p, (size_t)n) :
		    fgetxattr(fd, attr, p, (size_t)n);
		if (n != -1) {
			*len = (size_t)n;
			p[n] = '\0';
			return p;
		}
		if (errno != ERANGE)	/* it grew just now */
			break;
	}
	e = errno;
	free(p);
	errno = e == ENODATA || e == ENOTSUP ? 0 : e;
	return NULL;
}

static int
keep_attr(struct cli_temp *t, int old, const char *attr, const char *name,
    struct cli *c, struct ctx_err *err)
{
	size_t len = 0, nhave = 0;
	char *v = get_attr(old, attr, &len), *have;
	int rc = 0;

	if (v == NULL)
		return errno == 0 ? 0 : ctx_fail_errno(err, errno,
		    "cannot preserve the attribute %s", attr);
	/* labels set by the system are there already */
	have = get_attr(t->fd, attr, &nhave);
	if ((have == NULL || nhave != len || memcmp(have, v, len) != 0) &&
	    fsetxattr(t->fd, attr, v, len, 0) == -1) {
		if (errno == EPERM || errno == EACCES || errno == ENOTSUP)
			cli_warn(c,
			    "%s: the attribute %s was not preserved: %s",
			    name, attr, strerror(errno));
		else
			rc = ctx_fail_errno(err, errno,
			    "cannot preserve the attribute %s", attr);
	}
	free(have);
	free(v);
	return rc;
}

static int
keep_attrs(struct cli_temp *t, int old, const char *name, struct cli *c,
    struct ctx_err *err)
{
	size_t len = 0, at;
	char *list = get_attr(old, NULL, &len);
	int rc = 0;

	if (list == NULL && errno != 0)
		return ctx_fail_errno(err, errno,
		    "cannot preserve the attributes");
	for (at = 0; at < len && rc == 0; at += strlen(list + at) + 1)
		rc = keep_attr(t, old, list + at, name, c, err);
	free(list);
	return rc;
}

/*
 * Remove an access list that the folder gave the file but that the old file
 * lacks.
 */
static int
drop_access_list(struct cli_temp *t, struct ctx_err *err)
{
	if (fremovexattr(t->fd, ACCESS_LIST) == -1 && errno != ENODATA &&
	    errno != ENOTSUP)
		return ctx_fail_errno(err, errno,
		    "cannot preserve the access list");
	return 0;
}
#else
static int
drop_access_list(struct cli_temp *t, struct ctx_err *err)
{
	(void)t;
	(void)err;
	return 0;
}

static int
keep_attrs(struct cli_temp *t, int old, const char *name, struct cli *c,
    struct ctx_err *err)
{
	(void)name;
	(void)c;
#ifdef __APPLE__
	if (fcopyfile(old, t->fd, NULL, COPYFILE_ACL | COPYFILE_XATTR) == -1)
		return ctx_fail_errno(err, errno,
		    "cannot preserve the attributes");
#else
	(void)t;
	(void)old;
	(void)err;
#endif
	return 0;
}
#endif

int
cli_temp_like(struct cli_temp *t, int old, const struct stat *st,
    const char *name, struct cli *c, struct ctx_err *err)
{
	mode_t mode = st->st_mode & 07777;
	struct stat now;

	if (fstat(t->fd, &now) == -1)
		return ctx_fail_errno(err, errno, "cannot write the new file");
	/* set the owner first, since that clears set-user-ID bits */
	if ((now.st_uid != st->st_uid || now.st_gid != st->st_gid) &&
	    fchown(t->fd, st->st_uid, st->st_gid) == -1) {
		if (errno != EPERM)
			return ctx_fail_errno(err, errno,
			    "cannot preserve the owner");
		cli_warn(c, "%s: the owner was not preserved: %s", name,
		    strerror(errno));
		if (fchown(t->fd, (uid_t)-1, st->st_gid) == -1 &&
		    errno != EPERM)
			return ctx_fail_errno(err, errno,
			    "cannot preserve the group");
		mode &= 0777;
	}
	if (drop_access_list(t, err) == -1)
		return -1;
	if (fchmod(t->fd, mode) == -1)
		return ctx_fail_errno(err, errno, "cannot preserve the mode");
	return keep_attrs(t, old, name, c, err);
}

/* --- the end ---------------------------------------------------- */

/* The name is gone: the file was renamed to target, or removed. */
static int
leave(struct cli_temp *t, const char *target)
{
	sigset_t was;
	int rc = -1;

	hold_signals(&was);
	if (target == NULL || (rc = rename(t->name.data, target)) == -1) {
		int saved = errno;

		unlink(t->name.data);
		errno = saved;
	}
	if (t->slot < SLOTS)
		doomed[t->slot] = NULL;
	let_signals(&was);
	return rc;
}

int
cli_temp_replace(struct cli_temp *t, const char *target, struct ctx_err *err)
{
	int rc = t->loose ? 0 : fsync(t->fd);

	if (rc == -1)
		ctx_fail_errno(err, errno, "cannot write the new file");
	if (close(t->fd) == -1 && rc == 0)
		rc = ctx_fail_errno(err, errno, "cannot write the new file");
	if (leave(t, rc == 0 ? target : NULL) == -1)
		rc = ctx_fail_errno(err, errno, "cannot replace the file");
	ctx_buf_done(&t->name);
	return rc;
}

void
cli_temp_done(struct cli_temp *t)
{
	if (t->name.len == 0)
		return;
	close(t->fd);
	leave(t, NULL);
	ctx_buf_done(&t->name);
}
