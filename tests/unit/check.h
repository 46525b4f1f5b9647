/* SPDX-License-Identifier: MIT */
/*
 * The framework of the unit tests.  TEST begins a test with a name, and RUN
 * makes a call a test.  CHECK counts and reports.  CHECK_DONE ends main with
 * "NAME: N passed, N failed (N checks)" and the exit code.  Only tests are
 * counted as passed or failed: a table of vectors is one test, and the number
 * of its checks follows in parentheses.  A test without checks fails, and so
 * does a check before the first test.
 */
#ifndef CTX_TESTS_CHECK_H
#define CTX_TESTS_CHECK_H

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static struct {
	char name[100];		/* of the current test; "" if there is none */
	unsigned passed, failed;	/* tests that have ended */
	unsigned checks, wrong;	/* checks of the current test */
	unsigned long all;	/* checks of all tests */
} check;

/* Begin a test and end the one before: TEST("borders, %s", path). */
#define TEST(...) check_begin(__VA_ARGS__)

/* Make a call a test with the call as its name: RUN(test_borders()). */
#define RUN(call) do { check_begin("%s", #call); call; } while (0)

#define CHECK(cond) check_at((cond), __FILE__, __LINE__, #cond)
#define CHECK_STR(got, want) check_str((got), (want), __FILE__, __LINE__)
#define CHECK_MEM(got, n, want) \
	check_mem((got), (n), (want), strlen(want), __FILE__, __LINE__)
#define CHECK_INT(got, want) \
	check_int((long long)(got), (long long)(want), __FILE__, __LINE__, #got)
#define CHECK_DONE(name) check_done(name)

static inline void
check_end(void)
{
	if (check.name[0] == '\0' && check.checks == 0)
		return;
	if (check.checks == 0)
		fprintf(stderr, "%s: nothing was checked\n", check.name);
	if (check.checks == 0 || check.wrong > 0)
		check.failed++;
	else
		check.passed++;
	check.all += check.checks;
	check.checks = check.wrong = 0;
}

#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
static inline void
check_begin(const char *fmt, ...)
{
	va_list ap;

	check_end();
	va_start(ap, fmt);
	vsnprintf(check.name, sizeof(check.name), fmt, ap);
	va_end(ap);
}

static inline int
check_done(const char *program)
{
	check_end();
	if (check.passed + check.failed == 0) {
		fprintf(stderr, "%s: no test\n", program);
		check.failed++;
	}
	printf("%s: %u passed, %u failed (%lu checks)\n", program,
	    check.passed, check.failed, check.all);
	return check.failed != 0;
}

/* Print "file:line: in the test NAME: " before a failure. */
static inline void
check_where(const char *file, int line)
{
	fprintf(stderr, "%s:%d: %s: ", file, line,
	    check.name[0] != '\0' ? check.name : "before any TEST");
}

static inline int
check_at(int ok, const char *file, int line, const char *text)
{
	check.checks++;
	if (check.name[0] == '\0')
		ok = 0;
	if (!ok) {
		check.wrong++;
		check_where(file, line);
		fprintf(stderr, "not true: %s\n", text);
	}
	return ok;
}

static inline int
check_int(long long got, long long want, const char *file, int line,
    const char *text)
{
	if (got != want) {
		check_where(file, line);
		fprintf(stderr, "%s is %lld, not %lld\n", text, got, want);
	}
	return check_at(got == want, file, line, text);
}

static inline int
check_mem(const char *got, size_t n, const char *want, size_t wantlen,
    const char *file, int line)
{
	int ok = n == wantlen && memcmp(got, want, n) == 0;

	if (!ok) {
		check_where(file, line);
		fprintf(stderr, "got  \"%.*s\"\n\twanted \"%s\"\n", (int)n,
		    got, want);
	}
	return check_at(ok, file, line, "bytes are equal");
}

static inline int
check_str(const char *got, const char *want, const char *file, int line)
{
	return check_mem(got, strlen(got), want, strlen(want), file, line);
}

#endif
