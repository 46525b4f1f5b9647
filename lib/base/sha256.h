/* SPDX-License-Identifier: MIT */
/*
 * SHA-256 (FIPS 180-4) and HMAC-SHA-256 (RFC 2104), for the names of stored
 * contents, the digests of prefixes and keyed placeholders.
 */
#ifndef CTX_BASE_SHA256_H
#define CTX_BASE_SHA256_H

#include <stddef.h>
#include <stdint.h>

#define CTX_SHA256_LEN	32
#define CTX_SHA256_HEX	(2 * CTX_SHA256_LEN + 1)	/* with the NUL */

struct ctx_sha256 {
	uint32_t h[8];
	uint64_t total;			/* bytes taken so far */
	unsigned char block[64];	/* the last total % 64 of them */
};

void	ctx_sha256_init(struct ctx_sha256 *s);

/* Add p[0 .. len); p may be NULL if len is 0. */
void	ctx_sha256_update(struct ctx_sha256 *s, const void *p, size_t len);

/* The digest of everything added.  Then s needs ctx_sha256_init again. */
void	ctx_sha256_final(struct ctx_sha256 *s,
	    unsigned char out[CTX_SHA256_LEN]);

/* Lower-case hexadecimal of a digest, terminated.  Returns out. */
char	*ctx_sha256_text(const unsigned char digest[CTX_SHA256_LEN],
	    char out[CTX_SHA256_HEX]);

/* The digest of p[0 .. len) as text, in one call.  Returns out. */
char	*ctx_sha256_hex(const void *p, size_t len, char out[CTX_SHA256_HEX]);

/* The HMAC of p[0 .. len) under key[0 .. keylen), a key of any length. */
void	ctx_sha256_hmac(const void *key, size_t keylen, const void *p,
	    size_t len, unsigned char out[CTX_SHA256_LEN]);

/* The code path in use: "sha-ni" or "portable". */
const char *ctx_sha256_path(void);

/*
 * Force a path by name, for tests; NULL chooses again.  Returns -1 if this
 * machine does not have it.
 */
int	ctx_sha256_force(const char *name);

#endif
