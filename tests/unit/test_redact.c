/* SPDX-License-Identifier: MIT */
/*
 * Redaction: the vectors of tests/data/redact/vectors.txt (its head says how
 * they are written), overlaps, idempotence, users' patterns, hostile texts.
 */
#include "decide/redact.h"

#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include "check.h"
#include "decide/anchor.h"
#include "decide/redact_rules.h"

#define LOWER	"abcdefghijklmnopqrstuvwxyz"
#define UPPER	"ABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define DIGIT	"0123456789"
#define BASE62	DIGIT UPPER LOWER

static uint32_t seed;

static unsigned
random_below(size_t n)
{
	seed = seed * 1664525 + 1013904223;
	return (unsigned)((seed >> 8) % n);
}

static const char *
alphabet(char class)
{
	switch (class) {
	case 'a': return UPPER LOWER DIGIT;
	case 'l': return LOWER DIGIT;
	case 'u': return UPPER DIGIT;
	case 'h': return DIGIT "abcdef";
	case 'd': return DIGIT;
	case 'k': return UPPER "234567";
	case 'w': return UPPER LOWER DIGIT "_-";
	case 'b': return UPPER LOWER DIGIT "+/";
	case 'g': return "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L";
	case 'z': return LOWER;
	case 'x': return "x";
	case 'X': return "X";
	case 'o': return "0";
	default: return NULL;
	}
}

static void
add_random(struct ctx_buf *out, const char *set, size_t n)
{
	while (n-- > 0)
		ctx_buf_addc(out, set[random_below(strlen(set))]);
}

/* n random characters and GitHub's checksum of them. */
static void
add_checksummed(struct ctx_buf *out, size_t n)
{
	uint32_t crc = 0xffffffff;
	char sum[6];
	size_t i, k;

	add_random(out, BASE62, n);
	for (i = out->len - n; i < out->len; i++)
		for (crc ^= (unsigned char)out->data[i], k = 0; k < 8; k++)
			crc = (crc & 1) ? crc >> 1 ^ 0xedb88320 : crc >> 1;
	crc = ~crc;
	for (i = 6; i-- > 0; crc /= 62)
		sum[i] = BASE62[crc % 62];
	ctx_buf_add(out, sum, sizeof(sum));
}

static void
add_base64(struct ctx_buf *out, const char *s, size_t n)
{
	static const char code[] = UPPER LOWER DIGIT "+/";
	uint32_t bits = 0;
	size_t have = 0, i;

	for (i = 0; i < n; i++) {
		bits = bits << 8 | (unsigned char)s[i];
		for (have += 8; have >= 6; have -= 6)
			ctx_buf_addc(out, code[bits >> (have - 6) & 63]);
	}
	if (have > 0)
		ctx_buf_addc(out, code[bits << (6 - have) & 63]);
}

static void
add_special(struct ctx_buf *out, char c)
{
	static const char jwt[] = "{\"alg\":\"HS256\",\"typ\":\"JWT\"}";
	struct ctx_buf b = { 0 };

	switch (c) {
	case 't': ctx_buf_addc(out, '\t'); break;
	case 'n': ctx_buf_addc(out, '\n'); break;
	case 'r': ctx_buf_addc(out, '\r'); break;
	case 's': ctx_buf_addc(out, '\033'); break;
	case 'j': add_base64(out, jwt, strlen(jwt)); break;
	case 'p':
		ctx_buf_adds(&b, "bob:");
		add_random(&b, UPPER LOWER DIGIT, 14);
		add_base64(out, b.data, b.len);
		ctx_buf_done(&b);
	}
}

/* Write out what {..} stands for; the length of it in the template. */
static size_t
expand_one(struct ctx_buf *out, const char *t)
{
	unsigned n;
	int used = 0;
	char c;

	if (sscanf(t, "{%c%u}%n", &c, &n, &used) == 2 && used > 0 &&
	    (c == 'c' || alphabet(c) != NULL)) {
		if (c == 'c')
			add_checksummed(out, n);
		else
			add_random(out, alphabet(c), n);
		return (size_t)used;
	}
	if (t[1] != '\0' && t[2] == '}' && strchr("tnrsjp", t[1]) != NULL) {
		add_special(out, t[1]);
		return 3;
	}
	ctx_buf_addc(out, '{');
	return 1;
}

/* The text of a vector; *from and *to are where << and >> stood. */
static void
expand(struct ctx_buf *out, const char *t, size_t *from, size_t *to)
{
	*from = *to = 0;
	while (*t != '\0')
		if (strncmp(t, "<<", 2) == 0) {
			*from = out->len;
			t += 2;
		} else if (strncmp(t, ">>", 2) == 0) {
			*to = out->len;
			t += 2;
		} else if (*t == '{')
			t += expand_one(out, t);
		else
			ctx_buf_addc(out, *t++);
}

static struct ctx_redact *
new_redact(const char *rules)
{
	struct ctx_redact_opts opts = { .rules = rules, .key = "k",
	    .keylen = 1 };
	struct ctx_err err = { 0 };
	struct ctx_redact *r = ctx_redact_new(&opts, &err);

	if (r == NULL) {
		fprintf(stderr, "%s\n", err.text);
		exit(1);
	}
	return r;
}

/* Redacting what was redacted changes nothing. */
static void
check_twice(struct ctx_redact *r, const char *text, size_t len)
{
	struct ctx_buf once = { 0 }, twice = { 0 };
	struct ctx_err err = { 0 };
	size_t n = 1;

	CHECK(ctx_redact_text(r, text, len, &once, NULL, &err) == 0);
	CHECK(ctx_redact_text(r, once.data, once.len, &twice, &n, &err) == 0);
	CHECK_INT(n, 0);
	if (!CHECK(once.len == twice.len &&
	    memcmp(once.data, twice.data, once.len) == 0))
		fprintf(stderr, "\t%.*s\n", (int)once.len, once.data);
	ctx_buf_done(&once);
	ctx_buf_done(&twice);
}

static void
check_vector(struct ctx_redact *r, const char *rule, char sign,
    const char *template)
{
	struct ctx_buf text = { 0 };
	const struct ctx_redact_hit *hit;
	struct ctx_err err = { 0 };
	size_t n, from, to;
	int ok;

	expand(&text, template, &from, &to);
	ctx_buf_str(&text);
	if (!CHECK(ctx_redact_find(r, text.data, text.len, &hit, &n,
	    &err) == 0))
		return;
	if (sign == '+')
		ok = n == 1 && hit->off == from && hit->len == to - from &&
		    strcmp(ctx_redact_id(r, hit->rule), rule) == 0 &&
		    ctx_redact_suspect(r, text.data, text.len);
	else
		ok = n == 0;
	if (!CHECK(ok)) {
		fprintf(stderr, "\t%s %c %s\n", rule, sign, text.data);
		for (; n > 0; n--, hit++)
			fprintf(stderr, "\tfound %s: %.*s\n",
			    ctx_redact_id(r, hit->rule), (int)hit->len,
			    text.data + hit->off);
	}
	check_twice(r, text.data, text.len);
	ctx_buf_done(&text);
}

static void
test_vectors(struct ctx_redact *r)
{
	char line[4096], rule[64], sign;
	unsigned plus[256] = { 0 }, minus[256] = { 0 };
	FILE *f = fopen("tests/data/redact/vectors.txt", "r");
	size_t i;
	int at;

	if (!CHECK(f != NULL))
		return;
	for (seed = 1; fgets(line, sizeof(line), f) != NULL; ) {
		line[strcspn(line, "\n")] = '\0';
		if (line[0] == '#' || line[0] == '\0')
			continue;
		if (!CHECK(sscanf(line, "%63s\t%c\t%n", rule, &sign, &at) ==
		    2))
			continue;
		for (i = 0; i < ctx_redact_nrules; i++)
			if (strcmp(ctx_redact_rules[i].id, rule) == 0)
				break;
		if (!CHECK(i < ctx_redact_nrules && i < 256)) {
			fprintf(stderr, "\t%s\n", line);
			continue;
		}
		(sign == '+' ? plus : minus)[i]++;
		check_vector(r, rule, sign, line + at);
	}
	fclose(f);
	for (i = 0; i < ctx_redact_nrules; i++)
		if (!CHECK(plus[i] >= 2 && minus[i] >= 2))
			fprintf(stderr, "\t%s\n", ctx_redact_rules[i].id);
}

/* Rows of the table that would not work, or confuse. */
static void
test_table(void)
{
	size_t i, k;

	for (i = 0; i < ctx_redact_nrules; i++) {
		const struct ctx_redact_rule *d = &ctx_redact_rules[i];

		CHECK(strspn(d->id, LOWER DIGIT "-") == strlen(d->id));
		CHECK(strlen(d->id) <= CTX_REDACT_ID_MAX);
		CHECK(strncmp(d->source, "https://", 8) == 0);
		CHECK(strpbrk(d->anchors, "\"\n\t&<>'") == NULL ||
		    strstr(d->anchors, " &") != NULL);
		for (k = 0; k < i; k++)
			CHECK(strcmp(d->id, ctx_redact_rules[k].id) != 0);
	}
}

static const struct {
	const char *name, *text, *want;
} plain[] = {
	{ "specific beats general", "api_key = \"AIza{w34}Q\"",
	    "api_key = \"[REDACTED:google-api-key:*]\"" },
	{ "two of a kind", "AKIA{k16} AKIA{k16}",
	    "[REDACTED:aws-access-key-id:*] [REDACTED:aws-access-key-id:*]" },
	{ "side by side", "ghp_{c30},npm_{c30}",
	    "[REDACTED:github-token:*],[REDACTED:npm-token:*]" },
	{ "inside a URL", "https://u:ghp_{c30}@github.com/x",
	    "https://u:[REDACTED:github-token:*]@github.com/x" },
	{ "wider range wins", "Authorization: Bearer {j}.{w40}.{w40}",
	    "Authorization: Bearer [REDACTED:jwt:*]" },
	{ "our own mark", "password=[REDACTED:generic-password:0123abcd]",
	    "password=[REDACTED:generic-password:0123abcd]" },
	{ "not our mark", "password=[REDACTED] secret: [REDACTED:x:1]",
	    "password=[REDACTED] secret: [REDACTED:x:1]" },
};

/* Is got like want, where "*" stands for eight hexadecimal digits? */
static int
is_like(const char *got, const char *want)
{
	for (; *want != '\0'; want++)
		if (*want == '*') {
			if (strspn(got, DIGIT "abcdef") != 8)
				return 0;
			got += 8;
		} else if (*got++ != *want)
			return 0;
	return *got == '\0';
}

static void
test_plain(struct ctx_redact *r)
{
	struct ctx_buf text, out;
	struct ctx_err err;
	size_t i, from, to;

	for (i = 0; i < sizeof(plain) / sizeof(plain[0]); i++) {
		memset(&text, 0, sizeof(text));
		memset(&out, 0, sizeof(out));
		memset(&err, 0, sizeof(err));
		expand(&text, plain[i].text, &from, &to);
		CHECK(ctx_redact_text(r, text.data, text.len, &out, NULL,
		    &err) == 0);
		if (!CHECK(is_like(ctx_buf_str(&out), plain[i].want)))
			fprintf(stderr, "\t%s: %s\n", plain[i].name,
			    out.data);
		check_twice(r, text.data, text.len);
		ctx_buf_done(&text);
		ctx_buf_done(&out);
	}
}

int
main(void)
{
	static const char *const path[] = { "portable", "avx2", "neon", NULL };
	struct ctx_redact *r = new_redact(NULL);
	size_t i;

	test_table();
	for (i = 0; i < 4; i++) {
		if (ctx_anchors_force(path[i]) == -1)
			continue;
		test_vectors(r);
		test_plain(r);
	}
	ctx_redact_free(r);
	return CHECK_DONE("redact");
}
