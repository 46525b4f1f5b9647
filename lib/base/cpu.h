/* SPDX-License-Identifier: MIT */
/*
 * Which instructions are used: chosen once at run time, for all that has more
 * than one way to do a thing.  Every way gives the same; the tests take them
 * all.
 */
#ifndef CTX_BASE_CPU_H
#define CTX_BASE_CPU_H

enum ctx_cpu {
	CTX_CPU_PORTABLE = 1,
	CTX_CPU_VECTOR,		/* what base/vec.h has */
	CTX_CPU_AVX512		/* that and AVX-512 */
};

#if defined(__x86_64__)
#define CTX_X86		1
#define CTX_AVX512	__attribute__((target("avx512f,avx512bw,avx512vl," \
			    "avx512vbmi2,bmi,bmi2,lzcnt,popcnt")))
#endif

#define CTX_INLINE	static inline __attribute__((always_inline))

/* What was forced, or $CTX_CPU says, or the machine's best. */
enum ctx_cpu ctx_cpu_now(void);

/*
 * Force one for tests, by name ("avx512", "avx2", "neon", "portable"), in
 * counters that are initialized from now on and in all else; NULL chooses
 * again.  -1 if this machine does not have it.
 */
int	ctx_cpu_force(const char *name);

/* What is used, by name. */
const char *ctx_cpu_name(void);

#endif
