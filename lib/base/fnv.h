/* SPDX-License-Identifier: MIT */
/*
 * FNV-1a with 64 bits (Fowler, Noll and Vo): a hash for names that must be the same on
 * every machine, not against those who look for collisions.
 *
 * Names: ctx_fnv.
 */
#ifndef CTX_BASE_FNV_H
#define CTX_BASE_FNV_H

#include <stddef.h>
#include <stdint.h>

#define CTX_FNV_BEGIN	14695981039346656037u

/* The hash of what h is the hash of, followed by p[0 .. len). */
static inline uint64_t
ctx_fnv(uint64_t h, const char *p, size_t len)
{
	while (len-- > 0)
		h = (h ^ (unsigned char)*p++) * 1099511628211u;
	return h;
}

#endif
