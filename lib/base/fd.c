/* SPDX-License-Identifier: MIT */
/* Whole reads and writes; see fd.h. */
#include "base/fd.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BLOCK	((size_t)64 << 10)

int
ctx_fd_read(int fd, size_t max, struct ctx_buf *out)
{
	size_t start = out->len;
	ssize_t n;

	for (;;) {
		if (ctx_buf_reserve(out, BLOCK) == -1) {
			errno = ENOMEM;
			return -1;
		}
		n = read(fd, out->data + out->len, out->cap - out->len);
		if (n == -1 && errno == EINTR)
			continue;
		if (n <= 0)
			return n == 0 ? 1 : -1;
		out->len += (size_t)n;
		if (out->len - start > max) {
			out->len = start + max;
			return 0;
		}
	}
}

int
ctx_fd_write(int fd, const void *data, size_t len)
{
	const char *p = data;
	ssize_t n;

	for (; len > 0; p += n, len -= (size_t)n)
		if ((n = write(fd, p, len)) == -1) {
			if (errno != EINTR)
				return -1;
			n = 0;
		}
	return 0;
}

int
ctx_fd_copy(int from, int to)
{
	char block[BLOCK];
	ssize_t n;

	do {
		n = read(from, block, sizeof(block));
		if (n > 0 && ctx_fd_write(to, block, (size_t)n) == -1)
			return -1;
	} while (n > 0 || (n == -1 && errno == EINTR));
	return (int)n;
}

int
ctx_fd_sync_folder(const char *path)
{
	char *copy = strdup(path), *slash;
	int fd, rc;

	if (copy == NULL)
		return -1;
	if ((slash = strrchr(copy, '/')) != NULL)
		slash[slash == copy] = '\0';
	fd = open(slash != NULL ? copy : ".", O_RDONLY | O_CLOEXEC);
	free(copy);
	if (fd == -1)
		return -1;
	rc = fsync(fd);
	close(fd);
	return rc;
}
