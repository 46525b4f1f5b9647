/* SPDX-License-Identifier: MIT */
/*
 * Which instructions are used: chosen once, for all of lib/token, at run time.
 * Every path gives the same counts; the tests run them all.
 */
#ifndef CTX_TOKEN_PATH_H
#define CTX_TOKEN_PATH_H

enum ctx_path {
	CTX_PATH_PORTABLE = 1,
	CTX_PATH_VECTOR,	/* of base/vec.h */
	CTX_PATH_AVX512
};

#if defined(__x86_64__)
#define CTX_X86		1
#define CTX_AVX512	__attribute__((target("avx512f,avx512bw,avx512vl," \
			    "avx512vbmi2,bmi,bmi2,lzcnt,popcnt")))
#endif

#define CTX_INLINE	static inline __attribute__((always_inline))

/* The forced one, $CTX_SPLIT's, or the machine's best. */
enum ctx_path ctx_path_now(void);

/*
 * Force one for tests, by name ("avx512", "avx2", "neon", "portable"), in
 * counters initialized from now on; NULL chooses again.  -1 if this machine
 * does not have it.
 */
int	ctx_path_force(const char *name);

#endif
