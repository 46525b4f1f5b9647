/* SPDX-License-Identifier: MIT */
#include "token/path.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

/* Best first. */
static const struct {
	const char *name;
	enum ctx_path path;
} paths[] = {
	{ "avx512", CTX_PATH_AVX512 },
#ifdef VEC
	{ VEC_NAME, CTX_PATH_VECTOR },
#endif
	{ "portable", CTX_PATH_PORTABLE },
};

#define NPATHS	(sizeof(paths) / sizeof(*paths))

static atomic_int current;	/* 0: not chosen yet */

static int
have(enum ctx_path path)
{
	switch (path) {
#ifdef CTX_X86
	case CTX_PATH_AVX512:
		return __builtin_cpu_supports("avx512bw") &&
		    __builtin_cpu_supports("avx512vl") &&
		    __builtin_cpu_supports("avx512vbmi2") &&
		    __builtin_cpu_supports("bmi2");
#endif
#ifdef VEC
	case CTX_PATH_VECTOR:
		return vec_have();
#endif
	default:
		return path == CTX_PATH_PORTABLE;
	}
}

/* The path of that name if this machine has it; name NULL: its best; or 0. */
static int
find(const char *name)
{
	size_t i;

	for (i = 0; i < NPATHS; i++)
		if ((name == NULL || strcmp(name, paths[i].name) == 0) &&
		    have(paths[i].path))
			return paths[i].path;
	return 0;
}

enum ctx_path
ctx_path_now(void)
{
	int path = atomic_load_explicit(&current, memory_order_relaxed);

	if (path == 0) {
		path = find(getenv("CTX_SPLIT"));
		if (path == 0)
			path = find(NULL);
		atomic_store_explicit(&current, path, memory_order_relaxed);
	}
	return (enum ctx_path)path;
}

int
ctx_path_force(const char *name)
{
	int path = name == NULL ? 0 : find(name);

	if (name != NULL && path == 0)
		return -1;
	atomic_store_explicit(&current, path, memory_order_relaxed);
	return 0;
}
