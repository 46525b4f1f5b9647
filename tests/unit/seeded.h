/* SPDX-License-Identifier: MIT */
/* Random numbers for property tests; the same in every run. */
#ifndef CTX_TESTS_SEEDED_H
#define CTX_TESTS_SEEDED_H

#include <stdint.h>

static uint64_t seeded_state = 88172645463325252u;

/* A number below n, by xorshift64*. */
static inline uint32_t
seeded(uint32_t n)
{
	seeded_state ^= seeded_state >> 12;
	seeded_state ^= seeded_state << 25;
	seeded_state ^= seeded_state >> 27;
	return (uint32_t)((seeded_state * 2685821657736338717u >> 33) % n);
}

#endif
