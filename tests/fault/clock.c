/* SPDX-License-Identifier: MIT */
/*
 * A clock on which a second and a half pass between any two looks at it; a library to
 * preload, for tests of what is shown to people who wait.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>

int
clock_gettime(clockid_t id, struct timespec *t)
{
	static int (*real)(clockid_t, struct timespec *);
	static long looks;
	int rc;

	if (real == NULL)
		*(void **)&real = dlsym(RTLD_NEXT, "clock_gettime");
	rc = real(id, t);
	if (id == CLOCK_REALTIME) {
		t->tv_nsec += 500000000L * (++looks % 2);
		t->tv_sec += looks + looks / 2 + t->tv_nsec / 1000000000L;
		t->tv_nsec %= 1000000000L;
	}
	return rc;
}
