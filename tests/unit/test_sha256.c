/* SPDX-License-Identifier: MIT */
/*
 * SHA-256 with the examples of FIPS 180-4 and NIST's long message, and HMAC
 * with the test cases of RFC 4231; with every code path and every division of
 * the input.
 */
#include "base/sha256.h"

#include <stdlib.h>

#include "check.h"

static const struct {
	const char *text, *hex;
} fips[] = {
	{ "", "e3b0c44298fc1c149afbf4c8996fb924"
	    "27ae41e4649b934ca495991b7852b855" },
	{ "abc", "ba7816bf8f01cfea414140de5dae2223"
	    "b00361a396177a9cb410ff61f20015ad" },
	{ "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
	    "248d6a61d20638b8e5c026930c3e6039"
	    "a33ce45964ff2167f6ecedd419db06c1" },
	{ "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
	    "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
	    "cf5b16a778af8380036ce59e7b049237"
	    "0b249b11e8f07a51afac45037afee9d1" },
};

static void
test_fips(void)
{
	char hex[CTX_SHA256_HEX];
	size_t i;

	for (i = 0; i < sizeof(fips) / sizeof(fips[0]); i++)
		CHECK_STR(ctx_sha256_hex(fips[i].text, strlen(fips[i].text),
		    hex), fips[i].hex);
}

/* One million 'a', in parts of every length from 1 up. */
static void
test_million(void)
{
	unsigned char digest[CTX_SHA256_LEN];
	char hex[CTX_SHA256_HEX], *a = malloc(1000000);
	struct ctx_sha256 s;
	size_t off = 0, n = 1;

	if (!CHECK(a != NULL))
		return;
	memset(a, 'a', 1000000);
	ctx_sha256_init(&s);
	while (off < 1000000) {
		n = n < 1000000 - off ? n : 1000000 - off;
		ctx_sha256_update(&s, a + off, n);
		off += n++;
	}
	ctx_sha256_final(&s, digest);
	CHECK_STR(ctx_sha256_text(digest, hex),
	    "cdc76e5c9914fb9281a1c7e284d73e67"
	    "f1809a48a497200e046d39ccc7112cd0");
	CHECK_STR(ctx_sha256_hex(a, 1000000, hex),
	    "cdc76e5c9914fb9281a1c7e284d73e67"
	    "f1809a48a497200e046d39ccc7112cd0");
	free(a);
}

static void
check_hmac(const char *key, size_t keylen, const char *text, const char *want)
{
	unsigned char out[CTX_SHA256_LEN];
	char hex[CTX_SHA256_HEX];

	ctx_sha256_hmac(key, keylen, text, strlen(text), out);
	CHECK_STR(ctx_sha256_text(out, hex), want);
}

static void
test_hmac(void)
{
	char key[131];

	memset(key, 0x0b, 20);
	check_hmac(key, 20, "Hi There",
	    "b0344c61d8db38535ca8afceaf0bf12b"
	    "881dc200c9833da726e9376c2e32cff7");
	check_hmac("Jefe", 4, "what do ya want for nothing?",
	    "5bdcc146bf60754e6a042426089575c7"
	    "5a003f089d2739839dec58b964ec3843");
	memset(key, 0xaa, sizeof(key));
	check_hmac(key, sizeof(key), "Test Using Larger Than Block-Size Key - "
	    "Hash Key First",
	    "60e431591ee0b67f0d8a26aacbf5b77f"
	    "8e0bc6213728c5140546040f0ee37f54");
}

int
main(void)
{
	static const char *const path[] = { "portable", "sha-ni", NULL };
	const char *name;
	size_t i;

	for (i = 0; i < 3; i++) {
		if (ctx_sha256_force(path[i]) == -1)
			continue;
		name = path[i] != NULL ? path[i] : "best";
		TEST("the path, %s", name);
		CHECK(path[i] == NULL ||
		    strcmp(ctx_sha256_path(), path[i]) == 0);
		TEST("vectors of FIPS 180, %s", name);
		test_fips();
		TEST("a million letters, %s", name);
		test_million();
		TEST("HMAC, %s", name);
		test_hmac();
	}
	TEST("an unknown path");
	CHECK(ctx_sha256_force("abacus") == -1);
	return CHECK_DONE("sha256");
}
