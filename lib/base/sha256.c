/* SPDX-License-Identifier: MIT */
/* SHA-256 and HMAC-SHA-256; see sha256.h. */
#include "base/sha256.h"

#include <stdatomic.h>
#include <string.h>

#if defined(__x86_64__) && defined(__GNUC__)
#define HAVE_SHA_NI 1
#include <cpuid.h>
#include <immintrin.h>
#endif

typedef void blocks_fn(uint32_t h[8], const unsigned char *p, size_t n);

/* The fractional parts of the cube roots of the first 64 primes. */
static const uint32_t K[64] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5,
	0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
	0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
	0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
	0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc,
	0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
	0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
	0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
	0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
	0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3,
	0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5,
	0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
	0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2
};

static inline uint32_t
ror(uint32_t x, int n)
{
	return x >> n | x << (32 - n);
}

static inline uint32_t
load32(const unsigned char *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 |
	    (uint32_t)p[2] << 8 | p[3];
}

static void
store32(unsigned char *p, uint32_t x)
{
	p[0] = (unsigned char)(x >> 24);
	p[1] = (unsigned char)(x >> 16);
	p[2] = (unsigned char)(x >> 8);
	p[3] = (unsigned char)x;
}

static void
schedule(uint32_t w[64], const unsigned char *p)
{
	int i;

	for (i = 0; i < 16; i++)
		w[i] = load32(p + 4 * i);
	for (; i < 64; i++) {
		uint32_t a = w[i - 15], b = w[i - 2];

		w[i] = w[i - 16] + (ror(a, 7) ^ ror(a, 18) ^ a >> 3) +
		    w[i - 7] + (ror(b, 17) ^ ror(b, 19) ^ b >> 10);
	}
}

/*
 * One round.  s[(7 - i) & 7] is what the standard calls h: the names rotate
 * instead of the values, so nothing has to be moved.
 */
static inline void
round1(uint32_t s[8], int i, uint32_t kw)
{
	uint32_t a = s[-i & 7], b = s[(1 - i) & 7], c = s[(2 - i) & 7];
	uint32_t e = s[(4 - i) & 7], f = s[(5 - i) & 7], g = s[(6 - i) & 7];
	uint32_t t = s[(7 - i) & 7] + kw + (g ^ (e & (f ^ g))) +
	    (ror(e, 6) ^ ror(e, 11) ^ ror(e, 25));

	s[(3 - i) & 7] += t;
	s[(7 - i) & 7] = t + (ror(a, 2) ^ ror(a, 13) ^ ror(a, 22)) +
	    ((a & b) | (c & (a | b)));
}

static void
blocks_portable(uint32_t h[8], const unsigned char *p, size_t n)
{
	uint32_t w[64], s[8];
	int i;

	for (; n > 0; n--, p += 64) {
		schedule(w, p);
		memcpy(s, h, sizeof(s));
		for (i = 0; i < 64; i += 8) {
			/* spelled out, so that s[] stays in registers */
			round1(s, 0, K[i] + w[i]);
			round1(s, 1, K[i + 1] + w[i + 1]);
			round1(s, 2, K[i + 2] + w[i + 2]);
			round1(s, 3, K[i + 3] + w[i + 3]);
			round1(s, 4, K[i + 4] + w[i + 4]);
			round1(s, 5, K[i + 5] + w[i + 5]);
			round1(s, 6, K[i + 6] + w[i + 6]);
			round1(s, 7, K[i + 7] + w[i + 7]);
		}
		for (i = 0; i < 8; i++)
			h[i] += s[i];
	}
}

#ifdef HAVE_SHA_NI
/*
 * The instructions keep the state as the pairs ABEF and CDGH, high word first,
 * and process four words of the schedule at a time.  m[] is a ring of sixteen
 * words.
 */
__attribute__((target("sha,sse4.1,ssse3"))) static void
blocks_sha_ni(uint32_t h[8], const unsigned char *p, size_t n)
{
	const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0bLL,
	    0x0405060700010203LL);
	__m128i abef, cdgh, abef0, cdgh0, badc, hgfe, m[4], k, t;
	int i;

	badc = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)h), 0xb1);
	hgfe = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)(h + 4)),
	    0x1b);
	abef = _mm_alignr_epi8(badc, hgfe, 8);
	cdgh = _mm_blend_epi16(hgfe, badc, 0xf0);
	for (; n > 0; n--, p += 64) {
		abef0 = abef;
		cdgh0 = cdgh;
		for (i = 0; i < 4; i++)
			m[i] = _mm_shuffle_epi8(_mm_loadu_si128(
			    (const __m128i *)(p + 16 * i)), swap);
		for (i = 0; i < 16; i++) {
			k = _mm_add_epi32(m[i & 3], _mm_loadu_si128(
			    (const __m128i *)(K + 4 * i)));
			cdgh = _mm_sha256rnds2_epu32(cdgh, abef, k);
			k = _mm_shuffle_epi32(k, 0x0e);
			abef = _mm_sha256rnds2_epu32(abef, cdgh, k);
			if (i >= 12)
				continue;
			t = _mm_sha256msg1_epu32(m[i & 3], m[(i + 1) & 3]);
			t = _mm_add_epi32(t, _mm_alignr_epi8(m[(i + 3) & 3],
			    m[(i + 2) & 3], 4));
			m[i & 3] = _mm_sha256msg2_epu32(t, m[(i + 3) & 3]);
		}
		abef = _mm_add_epi32(abef, abef0);
		cdgh = _mm_add_epi32(cdgh, cdgh0);
	}
	badc = _mm_shuffle_epi32(abef, 0x1b);
	hgfe = _mm_shuffle_epi32(cdgh, 0xb1);
	_mm_storeu_si128((__m128i *)h, _mm_blend_epi16(badc, hgfe, 0xf0));
	_mm_storeu_si128((__m128i *)(h + 4), _mm_alignr_epi8(hgfe, badc, 8));
}

static int
have_sha_ni(void)
{
	unsigned a, b, c, d;

	return __get_cpuid(1, &a, &b, &c, &d) &&
	    (c & bit_SSE4_1) && (c & bit_SSSE3) &&
	    __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_SHA);
}
#endif

/* Chosen at the first block.  Threads that race here choose the same. */
static _Atomic(blocks_fn *) blocks;

int
ctx_sha256_force(const char *name)
{
#ifdef HAVE_SHA_NI
	if ((name == NULL || strcmp(name, "sha-ni") == 0) && have_sha_ni()) {
		blocks = blocks_sha_ni;
		return 0;
	}
#endif
	if (name != NULL && strcmp(name, "portable") != 0)
		return -1;
	blocks = blocks_portable;
	return 0;
}

const char *
ctx_sha256_path(void)
{
	if (blocks == NULL)
		ctx_sha256_force(NULL);
	return blocks == blocks_portable ? "portable" : "sha-ni";
}

static void
run_blocks(uint32_t h[8], const unsigned char *p, size_t n)
{
	if (blocks == NULL)
		ctx_sha256_force(NULL);
	(*blocks)(h, p, n);
}

void
ctx_sha256_init(struct ctx_sha256 *s)
{
	/* the fractional parts of the square roots of the first 8 primes */
	static const uint32_t h0[8] = {
		0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
		0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19
	};

	memcpy(s->h, h0, sizeof(s->h));
	s->total = 0;
}

void
ctx_sha256_update(struct ctx_sha256 *s, const void *data, size_t len)
{
	const unsigned char *p = data;
	size_t have = s->total % 64, n;

	if (len == 0)
		return;
	s->total += len;
	if (have > 0) {
		n = len < 64 - have ? len : 64 - have;
		memcpy(s->block + have, p, n);
		if (have + n < 64)
			return;
		run_blocks(s->h, s->block, 1);
		p += n;
		len -= n;
	}
	run_blocks(s->h, p, len / 64);
	memcpy(s->block, p + len / 64 * 64, len % 64);
}

void
ctx_sha256_final(struct ctx_sha256 *s, unsigned char out[CTX_SHA256_LEN])
{
	unsigned char pad[72] = { 0x80 };
	uint64_t bits = s->total * 8;
	size_t n = 64 - (s->total + 8) % 64;
	int i;

	store32(pad + n, (uint32_t)(bits >> 32));
	store32(pad + n + 4, (uint32_t)bits);
	ctx_sha256_update(s, pad, n + 8);
	for (i = 0; i < 8; i++)
		store32(out + 4 * i, s->h[i]);
}

char *
ctx_sha256_text(const unsigned char digest[CTX_SHA256_LEN],
    char out[CTX_SHA256_HEX])
{
	static const char hex[] = "0123456789abcdef";
	int i;

	for (i = 0; i < CTX_SHA256_LEN; i++) {
		out[2 * i] = hex[digest[i] >> 4];
		out[2 * i + 1] = hex[digest[i] & 15];
	}
	out[2 * CTX_SHA256_LEN] = '\0';
	return out;
}

char *
ctx_sha256_hex(const void *p, size_t len, char out[CTX_SHA256_HEX])
{
	unsigned char digest[CTX_SHA256_LEN];
	struct ctx_sha256 s;

	ctx_sha256_init(&s);
	ctx_sha256_update(&s, p, len);
	ctx_sha256_final(&s, digest);
	return ctx_sha256_text(digest, out);
}

void
ctx_sha256_hmac(const void *key, size_t keylen, const void *p, size_t len,
    unsigned char out[CTX_SHA256_LEN])
{
	unsigned char pad[64] = { 0 };
	struct ctx_sha256 s;
	int i;

	ctx_sha256_init(&s);
	if (keylen > sizeof(pad)) {
		ctx_sha256_update(&s, key, keylen);
		ctx_sha256_final(&s, pad);
		ctx_sha256_init(&s);
	} else if (keylen > 0)
		memcpy(pad, key, keylen);
	for (i = 0; i < 64; i++)
		pad[i] ^= 0x36;
	ctx_sha256_update(&s, pad, sizeof(pad));
	ctx_sha256_update(&s, p, len);
	ctx_sha256_final(&s, out);
	for (i = 0; i < 64; i++)
		pad[i] ^= 0x36 ^ 0x5c;
	ctx_sha256_init(&s);
	ctx_sha256_update(&s, pad, sizeof(pad));
	ctx_sha256_update(&s, out, CTX_SHA256_LEN);
	ctx_sha256_final(&s, out);
}
