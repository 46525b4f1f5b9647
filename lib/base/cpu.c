/* SPDX-License-Identifier: MIT */
#include "base/cpu.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

static const char *const names[] = {
	[CTX_CPU_PORTABLE] = "portable",
#ifdef VEC
	[CTX_CPU_VECTOR] = VEC_NAME,
#endif
#ifdef CTX_X86
	[CTX_CPU_AVX512] = "avx512",
#endif
};

static atomic_int current;	/* 0: not chosen yet */

static int
have(int cpu)
{
	switch (cpu) {
#ifdef CTX_X86
	case CTX_CPU_AVX512:
		return have(CTX_CPU_VECTOR) &&
		    CTX_CPU_HAS(AVX512DQ, "avx512dq") &&
		    CTX_CPU_HAS(AVX512BW, "avx512bw") &&
		    CTX_CPU_HAS(AVX512VL, "avx512vl") &&
		    CTX_CPU_HAS(AVX512_VBMI, "avx512vbmi") &&
		    CTX_CPU_HAS(AVX512_VBMI2, "avx512vbmi2");
#endif
#ifdef VEC
	case CTX_CPU_VECTOR:
		return vec_have();
#endif
	default:
		return cpu == CTX_CPU_PORTABLE;
	}
}

/*
 * The index of the path called name, or of the best one if name is NULL; 0 if
 * this machine does not have it.
 */
static int
find(const char *name)
{
	int i;

	for (i = sizeof(names) / sizeof(*names) - 1; i > 0; i--)
		if ((name == NULL || strcmp(name, names[i]) == 0) && have(i))
			break;
	return i;
}

enum ctx_cpu
ctx_cpu_now(void)
{
	int cpu = atomic_load_explicit(&current, memory_order_relaxed);

	if (cpu == 0) {
		cpu = find(getenv("CTX_CPU"));
		if (cpu == 0)
			cpu = find(NULL);
		atomic_store_explicit(&current, cpu, memory_order_relaxed);
	}
	return (enum ctx_cpu)cpu;
}

int
ctx_cpu_force(const char *name)
{
	int cpu = name == NULL ? 0 : find(name);

	if (name != NULL && cpu == 0)
		return -1;
	atomic_store_explicit(&current, cpu, memory_order_relaxed);
	return 0;
}

const char *
ctx_cpu_name(void)
{
	return names[ctx_cpu_now()];
}
