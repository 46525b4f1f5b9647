/* SPDX-License-Identifier: MIT */
/* A private folder; see private.h. */
#include "store/private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/fd.h"

char *
ctx_private_make(char **folder, const char *near, struct ctx_err *err)
{
	const char *tmp = getenv("TMPDIR");

	if (tmp == NULL || *tmp == '\0')
		tmp = "/tmp";
	*folder = near != NULL ? ctx_buf_join(near, ".XXXXXX", err) :
	    ctx_buf_join(tmp, "/ctx-store.XXXXXX", err);
	if (*folder == NULL)
		return NULL;
	if (mkdtemp(*folder) == NULL) {
		ctx_fail_errno(err, errno, "%s", *folder);
		free(*folder);
		*folder = NULL;
		return NULL;
	}
	return ctx_buf_join(*folder, "/db", err);
}

static int
copy_file(const char *from, const char *to, struct ctx_err *err)
{
	int in = open(from, O_RDONLY | O_CLOEXEC), rc = -1;
	int out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	if (in == -1 || out == -1 || (rc = ctx_fd_copy(in, out)) == -1)
		ctx_fail_errno(err, errno, "copying %s", from);
	if (in != -1)
		close(in);
	if (out != -1)
		close(out);
	return rc;
}

int
ctx_private_copy(const char *from, const char *to, struct ctx_err *err)
{
	char *log = ctx_buf_join(from, "-wal", err), *copy = NULL;
	int rc = -1;

	if (log != NULL && (copy = ctx_buf_join(to, "-wal", err)) != NULL &&
	    copy_file(from, to, err) == 0)
		rc = copy_file(log, copy, err);
	free(log);
	free(copy);
	return rc;
}

void
ctx_private_remove(char *folder)
{
	static const char *const names[] = { "/db", "/db-wal", "/db-shm",
	    "/db-journal", "/db-lock" };
	char *name;
	size_t i;

	if (folder == NULL)
		return;
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if ((name = ctx_buf_join(folder, names[i], NULL)) != NULL) {
			unlink(name);
			free(name);
		}
	rmdir(folder);
	free(folder);
}
