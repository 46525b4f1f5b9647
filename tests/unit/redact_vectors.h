/* SPDX-License-Identifier: MIT */
/*
 * What the tests of redaction share: texts with random parts, the vectors in
 * tests/data/redact (see vectors.txt for their format), and hostile texts.
 */
#ifndef CTX_TESTS_REDACT_VECTORS_H
#define CTX_TESTS_REDACT_VECTORS_H

#include "redact/redact.h"

#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include "check.h"
#include "redact/redact_rules.h"

#define LOWER	"abcdefghijklmnopqrstuvwxyz"
#define UPPER	"ABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define DIGIT	"0123456789"
#define BASE62	DIGIT UPPER LOWER
#define RULES_MAX	1024

static uint32_t seed;

static inline unsigned
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

static inline void
add_random(struct ctx_buf *out, const char *set, size_t n)
{
	while (n-- > 0)
		ctx_buf_addc(out, set[random_below(strlen(set))]);
}

/* n random characters with GitHub's checksum. */
static inline void
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

static inline void
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

static inline void
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

/* Expand {..}; returns its length in the template. */
static inline size_t
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

/* Expand a vector; *from and *to are the positions of << and >>. */
static inline void
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

static inline struct ctx_redact *
new_redact(const char *rules)
{
	static const char *const names[] = { "Ann Lee", "M\xc3\xbcller",
		"\xe5\xbc\xa0\xe4\xbc\x9f" };
	struct ctx_redact_opts opts = { .rules = rules, .key = "k",
	    .keylen = 1, .names = names, .nnames = rules != NULL ? 3 : 0 };
	struct ctx_err err = { 0 };
	struct ctx_redact *r = ctx_redact_new(&opts, &err);

	if (r == NULL) {
		fprintf(stderr, "%s\n", err.text);
		exit(1);
	}
	return r;
}

/* Redacting a redacted text changes nothing. */
static inline void
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

static inline void
check_vector(struct ctx_redact *r, const char *rule, char sign,
    const char *template)
{
	struct ctx_buf text = { 0 };
	const struct ctx_redact_hit *hit;
	struct ctx_err err = { 0 };
	size_t n, from, to;
	int ok;

	expand(&text, template, &from, &to);
	CHECK(ctx_buf_str(&text) != NULL);
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

/* Check the vectors of a file and count them by rule and sign. */
static inline void
test_file(struct ctx_redact *r, const char *name, unsigned count[][2])
{
	char line[4096], rule[64], sign;
	FILE *f = fopen(name, "r");
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
		if (!CHECK(i < ctx_redact_nrules && i < RULES_MAX)) {
			fprintf(stderr, "\t%s\n", line);
			continue;
		}
		count[i][sign == '+']++;
		check_vector(r, rule, sign, line + at);
	}
	fclose(f);
}

/*
 * Does each rule for secrets, or with CTX_REDACT_PERSONAL for personal data,
 * have two vectors of each sign?
 */
static inline void
check_counts(unsigned count[][2], int personal)
{
	const struct ctx_redact_rule *d = ctx_redact_rules;
	size_t i;

	for (i = 0; i < ctx_redact_nrules; i++, d++)
		if ((d->flags & CTX_REDACT_PERSONAL) == (unsigned)personal &&
		    !CHECK(count[i][0] >= 2 && count[i][1] >= 2))
			fprintf(stderr, "\t%s\n", d->id);
}

/*
 * How long a hostile text is: a megabyte, but less for make valgrind, where all
 * takes fifty times as long.  CTX_NO_JIT is how that builds.
 */
#ifdef CTX_NO_JIT
#define HOSTILE	(1u << 17)
#else
#define HOSTILE	(1u << 20)
#endif

/* A hostile text of repetitions of a piece. */
static inline char *
hostile(const char *piece, size_t *len)
{
	size_t n = strlen(piece), i;
	char *p = malloc(HOSTILE);

	if (p == NULL)
		abort();
	for (i = 0; i < HOSTILE; i++)
		p[i] = piece[i % n];
	*len = HOSTILE;
	return p;
}

/* Of this process: a busy machine, or an emulator, may take long for them. */
static inline double
seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* No time is quadratic, or a megabyte of these would take hours. */
static inline void
check_hostile(struct ctx_redact *r, const char *const *piece, size_t npiece)
{
	struct ctx_err err = { 0 };
	const struct ctx_redact_hit *hit;
	double start, most = 0, took;
	size_t i, n, len;
	char *p;

	for (i = 0; i < npiece; i++) {
		p = hostile(piece[i], &len);
		start = seconds();
		CHECK(ctx_redact_find(r, p, len, &hit, &n, &err) == 0);
		ctx_redact_suspect(r, p, len);
		took = seconds() - start;
		if (took > most)
			most = took;
		if (!CHECK(took < 20))
			fprintf(stderr, "\t%s: %.1f s\n", piece[i], took);
		if (getenv("REDACT_TIMES") != NULL)
			printf("%.3f s, %zu hits: %.30s\n", took, n, piece[i]);
		free(p);
	}
	printf("a hostile text takes at most %.3f s\n", most);
}

/* Pieces of what the rules for secrets match. */
#define SECRET_SCRAPS \
	"ghp_{c30}", "AKIA{k16}", "sk-ant-api03-{w93}AA", "{a5}", \
	" ", "=", ":", "\"", "password", "token", "://u:", "@h", "-", \
	"npm_{c30}", "{j}.{w40}.{w43}", "Bearer ", "{h32}", "\\n", \
	"[REDACTED:", "x:12345678]", "]", "{n}", "xoxb-{d12}-{a24}", \
	"-----BEGIN PRIVATE KEY-----{n}", "{b64}{n}", \
	"-----END PRIVATE KEY-----", "?key=", "密码", "：", ";Pwd=", \
	"curl -u a:", "Basic {p}", ".", "_", "/", "@", \
	"\\u0067", "\\/", "cGFzc3dvcmQ9VHIwdWI0ZG9yLTN4LTEyMzQ1Ng==", \
	" is ", "api key ", "\", \"", "value=\""

/* Redacting random pieces of what rules match is idempotent. */
static inline void
check_scraps(struct ctx_redact *r, const char *const *scrap, size_t nscrap)
{
	struct ctx_buf text = { 0 };
	size_t from, to;
	unsigned round, k;

	for (round = 0; round < 20000; round++) {
		seed = round;
		ctx_buf_reset(&text);
		for (k = 2 + random_below(7); k > 0; k--)
			expand(&text, scrap[random_below(nscrap)], &from, &to);
		check_twice(r, text.data, text.len);
	}
	ctx_buf_done(&text);
}

#endif
