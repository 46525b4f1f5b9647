/* SPDX-License-Identifier: MIT */
/*
 * Run inputs through a fuzz target without libFuzzer.
 *
 *	replay TARGET FILE ...		each file is an input
 *	replay --packed TARGET FILE ...	has inputs as pack.py writes them
 *
 * The Makefile gives each target's function its name, and lists them.
 */
#include "fuzz.h"

#include <stdio.h>

#define T(name)	int name(const uint8_t *data, size_t len);
TARGETS
#undef T

#define T(name)	{ #name, name },
static const struct {
	const char *name;
	int (*run)(const uint8_t *data, size_t len);
} targets[] = { TARGETS };
#undef T

#define NTARGETS	(sizeof(targets) / sizeof(targets[0]))

static int
failed(const char *name)
{
	perror(name);
	return 1;
}

/* Read the whole file, of which the caller frees *data. */
static int
load(const char *name, uint8_t **data, size_t *len)
{
	FILE *f = fopen(name, "rb");
	long n = -1;
	int rc = 1;

	if (f == NULL)
		return failed(name);
	if (fseek(f, 0, SEEK_END) == 0 && (n = ftell(f)) >= 0 &&
	    (*data = malloc((size_t)n + 1)) != NULL) {
		rewind(f);
		*len = (size_t)n;
		rc = fread(*data, 1, *len, f) != *len;
	}
	fclose(f);
	return rc == 0 ? 0 : failed(name);
}

/* Run a copy without a byte after it: a sanitizer sees where it ends. */
static int
run(size_t target, const uint8_t *data, size_t len)
{
	uint8_t *alone = malloc(len > 0 ? len : 1);

	if (alone == NULL)
		return failed("malloc");
	if (len > 0)
		memcpy(alone, data, len);
	targets[target].run(alone, len);
	free(alone);
	return 0;
}

/* Each input is its length in decimal, a newline, its bytes and a newline. */
static int
run_packed(size_t target, const uint8_t *data, size_t all)
{
	size_t at = 0, len;
	int rc = 0;

	while (rc == 0 && at < all) {
		for (len = 0; at < all && data[at] != '\n'; at++)
			len = len * 10 + data[at] - '0';
		if (++at >= all || len >= all - at || data[at + len] != '\n') {
			fprintf(stderr, "not a packed file\n");
			return 1;
		}
		rc = run(target, data + at, len);
		at += len + 1;
	}
	return rc;
}

int
main(int argc, char *argv[])
{
	int i = 1, packed = argc > 1 && strcmp(argv[1], "--packed") == 0;
	int rc = 0;
	size_t t = 0, len = 0;
	uint8_t *data = NULL;

	i += packed;
	while (t < NTARGETS && i < argc && strcmp(targets[t].name, argv[i]))
		t++;
	if (t == NTARGETS || ++i >= argc) {
		fprintf(stderr, "usage: replay [--packed] TARGET FILE ...\n");
		return 2;
	}
	for (; i < argc && rc == 0; i++) {
		if ((rc = load(argv[i], &data, &len)) == 0)
			rc = packed ? run_packed(t, data, len) :
			    run(t, data, len);
		free(data);
		data = NULL;
	}
	return rc;
}
