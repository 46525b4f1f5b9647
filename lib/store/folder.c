/* SPDX-License-Identifier: MIT */
/* Files in folders; see folder.h. */
#include "store/folder.h"

#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/random.h"

/*
 * Create the folder if it does not exist, with its name on disk.  Returns -1
 * with errno.
 */
static int
make_folder(int top, const char *folder)
{
	if (mkdirat(top, folder, 0777) == 0)
		return fsync(top);
	return errno == EEXIST ? 0 : -1;
}

/* Open the folder, but not through a link, which could lead anywhere. */
static int
open_folder(const char *dir, const char *folder, int make)
{
	int top = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC), fd = -1;
	int saved;

	if (top == -1)
		return -1;
	if (!make || make_folder(top, folder) == 0)
		fd = openat(top, folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW |
		    O_CLOEXEC);
	saved = errno;
	close(top);
	errno = saved;
	return fd;
}

/* Create a file with an unguessable name. */
static int
open_temporary(int folder, mode_t mode, char name[32])
{
	unsigned char b[8];
	int i, n;

	if (getentropy(b, sizeof(b)) == -1)
		return -1;
	n = snprintf(name, 32, ".ctx-store.");
	for (i = 0; i < 8; i++)
		n += snprintf(name + n, 3, "%02x", b[i]);
	return openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW |
	    O_CLOEXEC, mode);
}

/* Returns -1 with errno. */
static int
write_into(int folder, const struct ctx_folder_file *f)
{
	char temp[32];
	int fd = open_temporary(folder, f->mode, temp), rc, saved;

	if (fd == -1)
		return -1;
	rc = ctx_fd_write(fd, f->data, f->len) == 0 && fsync(fd) == 0 ?
	    0 : -1;
	saved = errno;
	if (close(fd) == -1 && rc == 0) {
		saved = errno;
		rc = -1;
	}
	if (rc == 0 && (rc = renameat(folder, temp, folder, f->name)) == -1)
		saved = errno;
	if (rc == -1)
		unlinkat(folder, temp, 0);
	else if ((rc = fsync(folder)) == -1)
		saved = errno;
	errno = saved;
	return rc;
}

static char *
path_of(const char *dir, const char *folder, const char *name)
{
	struct ctx_buf b = { 0 };

	ctx_buf_addf(&b, "%s/%s/", dir, folder);
	ctx_buf_adds(&b, name);
	if (ctx_buf_str(&b) == NULL)
		ctx_buf_done(&b);
	return b.data;
}

int
ctx_folder_write(const struct ctx_folder_file *f, char **path,
    struct ctx_err *err)
{
	int folder = open_folder(f->dir, f->folder, 1), rc = -1;

	if (folder == -1 || write_into(folder, f) == -1)
		ctx_fail_errno(err, errno == ELOOP ? ENOTDIR : errno,
		    "%s/%s", f->dir, f->folder);
	else
		rc = 0;
	if (folder != -1)
		close(folder);
	if (rc == 0 && path != NULL &&
	    (*path = path_of(f->dir, f->folder, f->name)) == NULL)
		rc = ctx_fail_nomem(err);
	return rc;
}

int
ctx_folder_unlink(const char *dir, const char *folder, const char *name,
    struct ctx_err *err)
{
	int fd = open_folder(dir, folder, 0), rc = 0;

	if (fd == -1)
		return errno == ENOENT ? 0 : ctx_fail_errno(err, errno,
		    "%s/%s", dir, folder);
	if (unlinkat(fd, name, 0) == -1 && errno != ENOENT)
		rc = ctx_fail_errno(err, errno, "%s/%s", dir, folder);
	close(fd);
	return rc;
}

char *
ctx_folder_find(const char *dir, const char *folder, const char *name)
{
	int fd = open_folder(dir, folder, 0);
	struct stat sb;
	char *path = NULL;

	if (fd == -1)
		return NULL;
	if (fstatat(fd, name, &sb, AT_SYMLINK_NOFOLLOW) == 0 &&
	    S_ISREG(sb.st_mode))
		path = path_of(dir, folder, name);
	close(fd);
	return path;
}
