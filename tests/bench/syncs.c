/* SPDX-License-Identifier: MIT */
/* syncs FILE N: how often a second 4 KB can be put on the disk for good. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

int
main(int argc, char *argv[])
{
	static char block[4096] = "x";
	struct timespec a, b;
	int fd, i, n;

	if (argc != 3 || (n = atoi(argv[2])) < 1 ||
	    (fd = open(argv[1], O_RDWR | O_CREAT, 0600)) == -1)
		return 2;
	clock_gettime(CLOCK_MONOTONIC, &a);
	for (i = 0; i < n; i++)
		if (pwrite(fd, block, sizeof(block), (off_t)i * 4096) == -1 ||
		    fdatasync(fd) == -1)
			return 1;
	clock_gettime(CLOCK_MONOTONIC, &b);
	printf("%.0f\n", n / ((double)(b.tv_sec - a.tv_sec) +
	    (double)(b.tv_nsec - a.tv_nsec) / 1e9));
	return 0;
}
