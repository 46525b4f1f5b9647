/* SPDX-License-Identifier: MIT */
/* The file of the write-ahead log; see wal.h. */
#include "store/wal.h"

#include <pthread.h>
#include <sqlite3.h>
#include <string.h>
#include <unistd.h>

#define HEADER	32		/* bytes before the first frame */

struct log_file {
	sqlite3_file base;
	sqlite3_file *real;	/* follows this struct */
	int fresh;		/* created by us, never synced */
	int dirty;
};

static sqlite3_vfs *real;	/* the default one */

static struct log_file *
log_of(sqlite3_file *f)
{
	return (struct log_file *)f;
}

static int
log_close(sqlite3_file *file)
{
	struct log_file *f = log_of(file);

	return f->real->pMethods->xClose(f->real);
}

static int
log_read(sqlite3_file *file, void *p, int n, sqlite3_int64 at)
{
	struct log_file *f = log_of(file);

	return f->real->pMethods->xRead(f->real, p, n, at);
}

static int
log_write(sqlite3_file *file, const void *p, int n, sqlite3_int64 at)
{
	struct log_file *f = log_of(file);

	f->dirty = 1;
	return f->real->pMethods->xWrite(f->real, p, n, at);
}

static int
log_truncate(sqlite3_file *file, sqlite3_int64 size)
{
	struct log_file *f = log_of(file);

	/* what is cut off is in the database, so no sync is needed */
	return f->real->pMethods->xTruncate(f->real, size);
}

static int
log_size(sqlite3_file *file, sqlite3_int64 *size)
{
	struct log_file *f = log_of(file);

	return f->real->pMethods->xFileSize(f->real, size);
}

static int
log_sync(sqlite3_file *file, int flags)
{
	struct log_file *f = log_of(file);
	sqlite3_int64 size;
	int rc;

	if (!f->dirty)
		return SQLITE_OK;
	if (f->fresh && log_size(file, &size) == SQLITE_OK && size <= HEADER)
		return SQLITE_OK;
	rc = f->real->pMethods->xSync(f->real, flags);
	if (rc == SQLITE_OK)
		f->fresh = f->dirty = 0;
	return rc;
}

static int
log_control(sqlite3_file *file, int op, void *arg)
{
	struct log_file *f = log_of(file);

	return f->real->pMethods->xFileControl(f->real, op, arg);
}

static int
log_sector(sqlite3_file *file)
{
	struct log_file *f = log_of(file);

	return f->real->pMethods->xSectorSize(f->real);
}

static int
log_traits(sqlite3_file *file)
{
	struct log_file *f = log_of(file);

	return f->real->pMethods->xDeviceCharacteristics(f->real);
}

/* A log's file is never locked or mapped. */
static const sqlite3_io_methods log_methods = {
	.iVersion = 1,
	.xClose = log_close,
	.xRead = log_read,
	.xWrite = log_write,
	.xTruncate = log_truncate,
	.xSync = log_sync,
	.xFileSize = log_size,
	.xFileControl = log_control,
	.xSectorSize = log_sector,
	.xDeviceCharacteristics = log_traits,
};

static int
open_file(sqlite3_vfs *vfs, const char *name, sqlite3_file *file,
    int flags, int *out)
{
	struct log_file *f = log_of(file);
	int rc;

	(void)vfs;
	if (!(flags & SQLITE_OPEN_WAL))
		return real->xOpen(real, name, file, flags, out);
	memset(f, 0, sizeof(*f));
	f->fresh = access(name, F_OK) == -1;
	/* What a killed process wrote to the log may not be on disk. */
	f->dirty = 1;
	f->real = (sqlite3_file *)(f + 1);
	rc = real->xOpen(real, name, f->real, flags, out);
	if (rc == SQLITE_OK)
		f->base.pMethods = &log_methods;
	return rc;
}

/* Its name, made if it is not yet, by one thread at a time. */
static const char *
name_of(sqlite3_vfs *vfs)
{
	if (vfs->zName != NULL)
		return vfs->zName;
	if ((real = sqlite3_vfs_find(NULL)) == NULL)
		return NULL;
	*vfs = *real;
	vfs->pNext = NULL;
	vfs->zName = "ctx-store";
	vfs->szOsFile = (int)sizeof(struct log_file) + real->szOsFile;
	vfs->xOpen = open_file;
	if (sqlite3_vfs_register(vfs, 0) == SQLITE_OK)
		return vfs->zName;
	vfs->zName = NULL;
	return NULL;
}

const char *
ctx_wal_vfs(void)
{
	static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;
	static sqlite3_vfs vfs;
	const char *name;

	pthread_mutex_lock(&making);
	name = name_of(&vfs);
	pthread_mutex_unlock(&making);
	return name;
}
