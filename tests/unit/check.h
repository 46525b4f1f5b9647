/* SPDX-License-Identifier: MIT */
/*
 * The unit tests' whole framework: CHECK counts and reports, CHECK_DONE ends
 * main with "NAME: N passed, N failed" and the exit code.
 */
#ifndef CTX_TESTS_CHECK_H
#define CTX_TESTS_CHECK_H

#include <stdio.h>
#include <string.h>

static unsigned check_passed, check_failed;

#define CHECK(cond) check_at((cond), __FILE__, __LINE__, #cond)
#define CHECK_STR(got, want) check_str((got), (want), __FILE__, __LINE__)
#define CHECK_MEM(got, n, want) \
	check_mem((got), (n), (want), strlen(want), __FILE__, __LINE__)
#define CHECK_INT(got, want) \
	check_int((long long)(got), (long long)(want), __FILE__, __LINE__, #got)
#define CHECK_DONE(name) \
	(printf("%s: %u passed, %u failed\n", (name), check_passed, \
	    check_failed), check_failed != 0)

static inline int
check_at(int ok, const char *file, int line, const char *text)
{
	if (ok)
		check_passed++;
	else {
		check_failed++;
		fprintf(stderr, "%s:%d: not true: %s\n", file, line, text);
	}
	return ok;
}

static inline int
check_int(long long got, long long want, const char *file, int line,
    const char *text)
{
	if (got != want)
		fprintf(stderr, "%s:%d: %s is %lld, not %lld\n", file, line,
		    text, got, want);
	return check_at(got == want, file, line, text);
}

static inline int
check_mem(const char *got, size_t n, const char *want, size_t wantlen,
    const char *file, int line)
{
	int ok = n == wantlen && memcmp(got, want, n) == 0;

	if (!ok)
		fprintf(stderr, "%s:%d: got  \"%.*s\"\n\twanted \"%s\"\n", file,
		    line, (int)n, got, want);
	return check_at(ok, file, line, "bytes are equal");
}

static inline int
check_str(const char *got, const char *want, const char *file, int line)
{
	return check_mem(got, strlen(got), want, strlen(want), file, line);
}

#endif
