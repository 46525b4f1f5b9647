/* SPDX-License-Identifier: MIT */
/* File systems, and what works on them; see host.h. */
#include "store/host.h"

#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#if defined(__linux__)
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#elif defined(__NetBSD__)
#include <sys/statvfs.h>
#define statfs statvfs		/* the same, by its name there */
#else
#include <sys/mount.h>
#include <sys/param.h>
#endif

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"

#define WAIT_MS		1000	/* for the other process */

enum kind { KIND_UNKNOWN, KIND_LOCAL, KIND_SHARED };

/*
 * Names as mount tables have them, also those of file systems of FUSE without
 * their "fuse."; magic is f_type of statfs(2) in Linux.
 */
static const struct fs {
	const char *name;
	unsigned long magic;
	enum kind kind;
} known[] = {
	{ "ext4", 0xEF53, KIND_LOCAL }, { "xfs", 0x58465342, KIND_LOCAL },
	{ "btrfs", 0x9123683E, KIND_LOCAL },
	{ "tmpfs", 0x01021994, KIND_LOCAL },
	{ "overlay", 0x794c7630, KIND_LOCAL },
	{ "zfs", 0x2fc12fc1, KIND_LOCAL }, { "f2fs", 0xF2F52010, KIND_LOCAL },
	{ "bcachefs", 0xca451a4e, KIND_LOCAL },
	{ "apfs", 0, KIND_LOCAL }, { "hfs", 0, KIND_LOCAL },
	{ "ufs", 0, KIND_LOCAL }, { "ffs", 0, KIND_LOCAL },
	{ "hammer2", 0, KIND_LOCAL },
	{ "nfs", 0x6969, KIND_SHARED }, { "nfs4", 0, KIND_SHARED },
	{ "smb", 0x517B, KIND_SHARED }, { "smbfs", 0, KIND_SHARED },
	{ "cifs", 0xFF534D42, KIND_SHARED },
	{ "smb3", 0xFE534D42, KIND_SHARED },
	{ "9p", 0x01021997, KIND_SHARED }, { "p9fs", 0, KIND_SHARED },
	{ "afpfs", 0, KIND_SHARED }, { "webdav", 0, KIND_SHARED },
	{ "ceph", 0x00c36400, KIND_SHARED },
	{ "afs", 0x5346414F, KIND_SHARED }, { "kafs", 0x6B414653, KIND_SHARED },
	{ "coda", 0x73757245, KIND_SHARED },
	{ "ncpfs", 0x564c, KIND_SHARED },
	{ "lustre", 0x0BD00BD0, KIND_SHARED },
	{ "gpfs", 0x47504653, KIND_SHARED },
	{ "gfs2", 0x01161970, KIND_SHARED },
	{ "ocfs2", 0x7461636f, KIND_SHARED },
	{ "orangefs", 0x20030528, KIND_SHARED },
	{ "vboxsf", 0x786f4256, KIND_SHARED },
	{ "vmhgfs", 0xbacbacbc, KIND_SHARED },
	{ "sshfs", 0, KIND_SHARED }, { "rclone", 0, KIND_SHARED },
	{ "s3fs", 0, KIND_SHARED }, { "gcsfuse", 0, KIND_SHARED },
	{ "glusterfs", 0, KIND_SHARED }, { "davfs", 0, KIND_SHARED },
	{ "gvfsd-fuse", 0, KIND_SHARED }, { "ceph-fuse", 0, KIND_SHARED },
	{ "juicefs", 0, KIND_SHARED }, { "mfs", 0, KIND_SHARED },
	{ "vmhgfs-fuse", 0, KIND_SHARED },
};
#define NKNOWN (sizeof(known) / sizeof(known[0]))

static const struct fs *
by_name(const char *name)
{
	size_t i;

	if (strncmp(name, "fuse.", 5) == 0)
		name += 5;
	for (i = 0; i < NKNOWN; i++)
		if (strcmp(known[i].name, name) == 0)
			return &known[i];
	return NULL;
}

#if defined(__linux__)
#define FUSE	0x65735546

/*
 * statfs tells only that it is FUSE; the table of mounts tells which:
 * "36 35 0:31 /root /mount options tag ... - fuse.sshfs source options".
 */
static const struct fs *
find_mount(const char *path)
{
	const struct fs *fs = NULL;
	char line[4096], name[64], *dash;
	unsigned int major, minor;
	struct stat sb;
	FILE *in;

	if (stat(path, &sb) == -1 ||
	    (in = fopen("/proc/self/mountinfo", "re")) == NULL)
		return NULL;
	while (fs == NULL && fgets(line, sizeof(line), in) != NULL)
		if (sscanf(line, "%*d %*d %u:%u", &major, &minor) == 2 &&
		    major == major(sb.st_dev) && minor == minor(sb.st_dev) &&
		    (dash = strstr(line, " - ")) != NULL &&
		    sscanf(dash + 3, "%63s", name) == 1)
			fs = by_name(name);
	fclose(in);
	return fs != NULL && fs->kind == KIND_SHARED ? fs : NULL;
}

static const struct fs *
find(const char *path)
{
	unsigned long magic;
	struct statfs fs;
	size_t i;

	if (statfs(path, &fs) == -1)
		return NULL;
	magic = (unsigned long)fs.f_type & 0xffffffff;
	for (i = 0; i < NKNOWN; i++)
		if (known[i].magic == magic && magic != 0)
			return &known[i];
	return magic == FUSE ? find_mount(path) : NULL;
}
#else
static const struct fs *
find(const char *path)
{
	struct statfs fs;

	return statfs(path, &fs) == -1 ? NULL : by_name(fs.f_fstypename);
}
#endif

/* What does not work, as the other process ends. */
enum fault { FAULT_NONE, FAULT_LOCK, FAULT_MEMORY, FAULT_OTHER };

static int
set_lock(int fd, short type)
{
	struct flock lock = { .l_type = type, .l_whence = SEEK_SET,
	    .l_len = 1 };

	return fcntl(fd, F_SETLK, &lock);
}

/* Wait until the other process has set a word. */
static int
wait_for(volatile int *word)
{
	int i;

	for (i = 0; i < WAIT_MS && *word == 0; i++)
		usleep(1000);
	return *word != 0 ? 0 : -1;
}

static volatile int *
map(int fd)
{
	void *p = mmap(NULL, 2 * sizeof(int), PROT_READ | PROT_WRITE,
	    MAP_SHARED, fd, 0);

	return p == MAP_FAILED ? NULL : p;
}

/* The other process: neither lock is free, and it sees what we write. */
static enum fault
other_process(const char *path)
{
	int fd = open(path, O_RDWR | O_CLOEXEC);
	volatile int *word;

	if (fd == -1)
		return FAULT_OTHER;
	if (set_lock(fd, F_WRLCK) == 0 || flock(fd, LOCK_EX | LOCK_NB) == 0)
		return FAULT_LOCK;
	if ((word = map(fd)) == NULL)
		return FAULT_MEMORY;
	word[0] = 1;
	return wait_for(&word[1]) == 0 ? FAULT_NONE : FAULT_MEMORY;
}

/* Wait for the other process, but not for ever. */
static enum fault
result_of(pid_t pid)
{
	int i, status = 0;
	pid_t got = 0;

	for (i = 0; i < 3 * WAIT_MS && (got = waitpid(pid, &status,
	    WNOHANG)) == 0; i++)
		usleep(1000);
	if (got == 0) {
		kill(pid, SIGKILL);
		waitpid(pid, &status, 0);
	}
	return got == pid && WIFEXITED(status) ?
	    (enum fault)WEXITSTATUS(status) : FAULT_OTHER;
}

/* Try with a file of two processes.  path is its name. */
static enum fault
try(int fd, const char *path)
{
	volatile int *word;
	enum fault fault;
	pid_t pid;

	if (ftruncate(fd, 4096) == -1)
		return FAULT_OTHER;
	if (set_lock(fd, F_WRLCK) == -1 || flock(fd, LOCK_EX | LOCK_NB) == -1)
		return FAULT_LOCK;
	if ((word = map(fd)) == NULL)
		return FAULT_MEMORY;
	if ((pid = fork()) == 0)
		_exit((int)other_process(path));
	/* if the lock was free, the process ends without a word */
	if (pid != -1 && wait_for(&word[0]) == 0)
		word[1] = 1;
	fault = pid == -1 ? FAULT_OTHER : result_of(pid);
	munmap((void *)(uintptr_t)word, 2 * sizeof(int));
	return fault;
}

/* Try next to the file, before its first use. */
static int
probe(const char *path, struct ctx_err *err)
{
	char *name = ctx_buf_join(path, "-try.XXXXXX", err), quoted[80];
	enum fault fault;
	int fd;

	if (name == NULL)
		return -1;
	if ((fd = mkstemp(name)) == -1) {
		ctx_fail_errno(err, errno, "%s", path);
		free(name);
		return -1;
	}
	fault = try(fd, name);
	unlink(name);
	close(fd);
	free(name);
	if (fault == FAULT_NONE)
		return 0;
	return ctx_fail(err, CTX_ESYSTEM, "%s: %s on this file system; keep "
	    "the store on a local disk, or use --single-host if only one "
	    "machine opens it", ctx_err_quote(quoted, sizeof(quoted), path,
	    strlen(path)), fault == FAULT_LOCK ?
	    "locks do not work" : fault == FAULT_MEMORY ? "two processes "
	    "cannot share memory" : "locks and shared memory could not be "
	    "tried");
}

int
ctx_host_check(const char *path, int fresh, struct ctx_err *err)
{
	const struct fs *fs = find(path);
	char name[80];

	if (fs != NULL && fs->kind == KIND_SHARED)
		return ctx_fail(err, CTX_ESYSTEM, "%s: a store cannot be "
		    "shared by machines (%s); keep it on a local disk and let "
		    "others follow it (export --follow), or use --single-host "
		    "if only one machine opens it", ctx_err_quote(name,
		    sizeof(name), path, strlen(path)), fs->name);
	return fs != NULL || !fresh ? 0 : probe(path, err);
}

int
ctx_host_lock_error(int fd)
{
	struct flock lock = { .l_type = F_RDLCK, .l_whence = SEEK_SET,
	    .l_len = 1 };

	if (fd == -1 || fcntl(fd, F_GETLK, &lock) == 0)
		return 0;
	return errno == EACCES || errno == EAGAIN || errno == EINTR ? 0 :
	    errno;
}
