/* SPDX-License-Identifier: MIT */
/*
 * Which instructions to use.  This is chosen once at run time, for all code
 * that has more than one implementation.  All implementations give the same
 * result, and the tests run each of them.
 */
#ifndef CTX_BASE_CPU_H
#define CTX_BASE_CPU_H

enum ctx_cpu {
	CTX_CPU_PORTABLE = 1,
	CTX_CPU_VECTOR,		/* what base/vec.h has */
	CTX_CPU_AVX512		/* that and AVX-512 */
};

#include <stdint.h>

#if defined(__x86_64__)
#define CTX_X86		1

/*
 * Does this machine have an instruction set, by its names in glibc and gcc?
 * glibc has looked already.  gcc looks again when a program starts, if this is
 * compiled into it, and on a virtual machine that takes 0.03 ms.
 */
#if defined(__GLIBC__) && defined(__GLIBC_MINOR__) && \
    (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 34)
#include <sys/platform/x86.h>
#define CTX_CPU_HAS(glibc, gcc)	ctx_cpu_active(x86_cpu_ ## glibc)

/* As glibc's own, which shifts a one into the sign. */
static inline int
ctx_cpu_active(unsigned i)
{
	return __x86_get_cpuid_feature_leaf(i / 128)->active_array[i / 32 % 4]
	    >> i % 32 & 1;
}
#else
#define CTX_CPU_HAS(glibc, gcc)	__builtin_cpu_supports(gcc)
#endif

#define CTX_AVX512	__attribute__((target("avx512f,avx512dq,avx512bw,avx512vl," \
			    "avx512vbmi,avx512vbmi2,bmi,bmi2,lzcnt,popcnt")))
#endif

#define CTX_INLINE	static inline __attribute__((always_inline))

/* The path that was forced, else that of $CTX_CPU, else the best. */
enum ctx_cpu ctx_cpu_now(void);

/*
 * Force a path by name ("avx512", "avx2", "neon", "portable"), for tests.
 * Counters that already exist keep theirs.  NULL chooses again.  Returns -1 if
 * this machine does not have the path.
 */
int	ctx_cpu_force(const char *name);

/* The name of the path in use. */
const char *ctx_cpu_name(void);

#endif
