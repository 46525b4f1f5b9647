/* SPDX-License-Identifier: MIT */
/* Compare the spill with plain copies: random additions and removals. */
#include "write/spill.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"

#define N	400

struct copy {
	struct ctx_spilled own;
	char *p;
	size_t len;
};

static struct copy copy[N];
static unsigned seed = 12345;

static unsigned
number(unsigned below)
{
	seed = seed * 1103515245u + 12345u;
	return (seed >> 8) % below;
}

static int
is_right(struct ctx_spill *s, const struct copy *c)
{
	struct ctx_err err = { 0 };
	const char *p = ctx_spill_get(s, &c->own, &err);

	return p != NULL && c->own.len == c->len &&
	    memcmp(p, c->p, c->len) == 0;
}

static void
add(struct ctx_spill *s, struct copy *c, size_t len)
{
	struct ctx_err err = { 0 };
	size_t i;

	c->p = malloc(len + 1);
	c->len = len;
	for (i = 0; i < len; i++)
		c->p[i] = (char)number(256);
	CHECK_INT(ctx_spill_add(s, &c->own, c->p, len, &err), 0);
}

static void
more(struct ctx_spill *s, struct copy *c, size_t len)
{
	struct ctx_err err = { 0 };
	char *p = malloc(len + 1);
	int rc;

	memset(p, 'm', len);
	rc = ctx_spill_more(s, &c->own, p, len, &err);
	CHECK(rc != -1);
	if (rc == 1) {
		c->p = realloc(c->p, c->len + len + 1);
		memcpy(c->p + c->len, p, len);
		c->len += len;
	}
	free(p);
}

static void
drop(struct ctx_spill *s, struct copy *c)
{
	ctx_spill_drop(s, &c->own);
	free(c->p);
	c->p = NULL;
}

static void
at_random(size_t max, unsigned size, unsigned steps)
{
	struct ctx_spill s = { .max = max };
	uint64_t live = 0;
	unsigned i, k, wrong = 0, last = 0;

	for (i = 0; i < steps; i++) {
		k = number(N);
		if (copy[k].p == NULL) {
			add(&s, &copy[k], number(50) == 0 ?
			    number(4 * (unsigned)max) : number(size));
			last = k;
		} else if (number(3) == 0)
			drop(&s, &copy[k]);
		else
			wrong += !is_right(&s, &copy[k]);
		if (copy[last].p != NULL && number(2) == 0)
			more(&s, &copy[last], number(size));
	}
	CHECK_INT(wrong, 0);
	for (i = 0; i < N; i++)
		if (copy[i].p != NULL)
			live += copy[i].len;
	CHECK_INT(s.live, live);
	/* the space of removed records is reused or freed */
	CHECK(s.base + s.tail.len <= 2 * s.live + 16 * max);
	for (i = 0; i < N; i++)
		if (copy[i].p != NULL) {
			CHECK(is_right(&s, &copy[i]));
			drop(&s, &copy[i]);
		}
	CHECK_INT(s.live, 0);
	ctx_spill_done(&s);
}

/* Little stays in memory; the file has no name; without one, it fails. */
static void
test_file(void)
{
	char dir[] = "/tmp/test_spill.XXXXXX";
	struct ctx_spill s = { .max = 100 };
	struct ctx_err err = { 0 };
	struct ctx_spilled a, b;
	char text[80];
	struct stat st;

	memset(text, 'x', sizeof(text));
	CHECK(mkdtemp(dir) != NULL);
	setenv("TMPDIR", dir, 1);
	CHECK_INT(ctx_spill_add(&s, &a, text, sizeof(text), &err), 0);
	CHECK_INT(s.fd, 0);
	CHECK_INT(ctx_spill_add(&s, &b, text, sizeof(text), &err), 0);
	CHECK(s.fd != 0);
	CHECK_INT(fstat(s.fd - 1, &st), 0);
	CHECK_INT(st.st_nlink, 0);
	CHECK_INT(st.st_mode & 077, 0);
	CHECK(memcmp(ctx_spill_get(&s, &a, &err), text, sizeof(text)) == 0);
	ctx_spill_done(&s);
	CHECK_INT(rmdir(dir), 0);
	CHECK_INT(ctx_spill_add(&s, &a, text, sizeof(text), &err), 0);
	CHECK_INT(ctx_spill_add(&s, &b, text, sizeof(text), &err), -1);
	CHECK_INT(err.code, CTX_ESYSTEM);
	CHECK(strncmp(err.text,
	    "cannot create a temporary file in /tmp/test_spill.", 50) == 0);
	ctx_spill_done(&s);
	unsetenv("TMPDIR");
}

int
main(void)
{
	RUN(at_random(1000, 40, 40000));
	RUN(at_random(1000, 900, 20000));
	RUN(at_random(100000, 300, 20000));
	RUN(at_random(64, 200, 20000));
	RUN(test_file());
	return CHECK_DONE("spill");
}
