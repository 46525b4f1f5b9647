/* SPDX-License-Identifier: MIT */
/*
 * Redaction of secrets: the vectors in tests/data/redact, overlaps,
 * idempotence, users' patterns, hostile texts.
 */
#include "redact_vectors.h"

#include "base/cpu.h"
#include "redact/anchor.h"

static void
test_vectors(struct ctx_redact *r)
{
	unsigned count[RULES_MAX][2] = { { 0 } };

	test_file(r, "tests/data/redact/vectors.txt", count);
	test_file(r, "tests/data/redact/services.txt", count);
	check_counts(count, 0);
}

/* No row of the table may be useless or misleading. */
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

/* text has one hit, for want, at from .. end; or none, if want is NULL. */
static void
check_one(struct ctx_redact *r, const struct ctx_buf *text, const char *want,
    size_t from, size_t end)
{
	const struct ctx_redact_hit *hit;
	struct ctx_err err = { 0 };
	size_t n = 0;

	CHECK(ctx_redact_find(r, text->data, text->len, &hit, &n, &err) == 0);
	if (!CHECK(want == NULL ? n == 0 : n == 1 && hit->off == from &&
	    hit->off + hit->len == end && strcmp(ctx_redact_id(r, hit->rule),
	    want) == 0))
		fprintf(stderr, "\t%zu hits in %.*s\n", n, (int)text->len,
		    text->data);
	CHECK(want == NULL || ctx_redact_suspect(r, text->data, text->len));
	check_twice(r, text->data, text->len);
}

/* A run of base64 is a secret if it encodes one, however it is aligned. */
static void
test_base64(struct ctx_redact *r)
{
	static const struct {
		const char *text, *rule;
	} c[] = {
		{ "ghp_{c30}", "github-token" },
		{ "a ghp_{c30}", "github-token" },
		{ "to: ghp_{c30}, and then some more words", "github-token" },
		{ "{\"password\":\"Tr0ub4dor-3x\",\"a\":1}",
		    "generic-password" },
		{ "a text of some length, with no secret in it", NULL },
		{ "\1\2\3ghp_{c30}", NULL },
		/* a byte order mark, and words that are not English */
		{ "\xef\xbb\xbf" "key ghp_{c30}", "github-token" },
		{ "\xe5\xaf\x86\xe7\xa0\x81 ghp_{c30} \xe2\x82\xac",
		    "github-token" },
		{ "cl\xc3\xa9s secr\xc3\xa8tes: ghp_{c30}", "github-token" },
		{ "\x89PNG\r\n\x1a\nghp_{c30}", NULL },
	};
	/* what stands before it may look like digits of it */
	static const char *const before[] = {
		"data: ", "key\\n", "https://h.org/v1/", "x-", "id_of_"
	};
	const size_t n = sizeof(before) / sizeof(before[0]);
	struct ctx_buf words = { 0 }, text = { 0 };
	size_t i, from, end;

	for (i = 0; i < n * sizeof(c) / sizeof(c[0]); i++) {
		ctx_buf_reset(&words);
		ctx_buf_reset(&text);
		expand(&words, c[i / n].text, &from, &end);
		ctx_buf_adds(&text, before[i % n]);
		from = text.len;
		add_base64(&text, words.data, words.len);
		ctx_buf_adds(&text, "=");
		end = text.len;
		ctx_buf_adds(&text, " end");
		check_one(r, &text, c[i / n].rule, from, end);
	}
	ctx_buf_done(&words);
	ctx_buf_done(&text);
}

/* The secret is in two lines of base64, as in a mail, or in JSON of GitHub. */
static void
test_base64_lines(struct ctx_redact *r)
{
	static const struct {
		size_t len;
		const char *end;
	} c[] = {
		{ 76, "\n" }, { 76, "\r\n" }, { 60, "\\n" },
		{ 76, "\\r\\n" }, { 60, "\\\\n" }
	};
	struct ctx_buf words = { 0 }, code = { 0 }, text = { 0 };
	size_t i, k, n, from, end;

	expand(&words, "{z40} the key ghp_{c30} {z40}", &from, &end);
	add_base64(&code, words.data, words.len);
	for (i = 0; i < sizeof(c) / sizeof(c[0]); i++) {
		ctx_buf_reset(&text);
		ctx_buf_adds(&text, "\"");
		for (k = 0; k < code.len; k += n) {
			n = code.len - k < c[i].len ? code.len - k : c[i].len;
			ctx_buf_adds(&text, k > 0 ? c[i].end : "");
			ctx_buf_add(&text, code.data + k, n);
		}
		end = text.len;
		ctx_buf_adds(&text, c[i].end);
		check_one(r, &text, "github-token", 1, end);
	}
	ctx_buf_done(&words);
	ctx_buf_done(&code);
	ctx_buf_done(&text);
}

/* Escapes that JSON does not need hide nothing, and belong to the secret. */
static void
test_escapes(struct ctx_redact *r)
{
	static const char *const c[][2] = {
		{ "a \\u0067hp_{c30} b", "github-token" },
		{ "a \\u0073\\u006b-ant-api03-{w93}AA b", "anthropic-api-key" },
		{ "a A\\u004BIA{k16} b", "aws-access-key-id" },
		{ "a \\\\u0067hp_{c30} b", NULL },
		{ "a \\u1067hp_{c30} b", NULL },
	};
	struct ctx_buf text = { 0 };
	size_t i, from, end;

	for (i = 0; i < sizeof(c) / sizeof(c[0]); i++) {
		ctx_buf_reset(&text);
		expand(&text, c[i][0], &from, &end);
		check_one(r, &text, c[i][1], 2, text.len - 2);
	}
	ctx_buf_reset(&text);
	expand(&text, "postgres:\\/\\/bob:<<{a12}>>@db\\/x", &from, &end);
	check_one(r, &text, "url-credentials", from, end);
	ctx_buf_done(&text);
}

/* Is got like want, in which "*" means eight hexadecimal digits? */
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

/* What is suspect alone is so as a part of a longer text. */
static void
check_part(struct ctx_redact *r, const char *text, int want)
{
	struct ctx_buf b = { 0 };
	size_t n = strlen(text);

	ctx_buf_adds(&b, "\"ghp_x\", \"");
	ctx_buf_adds(&b, text);
	ctx_buf_adds(&b, "\"}, \"ghp_x\", \"ghp_x\"");
	CHECK(ctx_redact_scan(r, b.data, b.len) == 1);
	CHECK(ctx_redact_suspect_in(r, b.data, 10, 12 + n) == want);
	CHECK(ctx_redact_suspect_in(r, b.data, 0, 7) == 1);
	CHECK(ctx_redact_suspect_in(r, b.data, b.len - 7, b.len) == 1);
	CHECK(ctx_redact_suspect_in(r, b.data, b.len - 1, b.len) == 0);
	CHECK(ctx_redact_scan(r, text, n) == want);
	ctx_buf_done(&b);
}

/* A JSON string is suspect if its text has a secret. */
static void
test_suspect(struct ctx_redact *r)
{
	static const struct {
		const char *text;
		int want;
	} c[] = {
		{ "Nothing to see here: a text of some words, and 17 more.",
		    0 },
		{ "\"usage\":{\"input_tokens\":12,\"output_tokens\":34}", 0 },
		{ "the token, the secret and the password", 0 },
		{ "ghp_x", 1 },
		{ "\\u4f60ghp_abc", 1 },
		{ "\\u001b[32mghp_abc", 1 },
		{ "\\u001b[32mgreen\\u001b[0m\\n\\t\\\"", 0 },
		{ "postgres:\\/\\/u:secretly@h", 1 },
		{ "a=1\\u0026b", 1 },
		{ "\\u0067hp_", 1 },
		{ "\\u5bc6\\u7801\\uff1ahunter2", 1 },
		{ "\"password\\\": \\\"hunter2\\\"", 1 },
		{ "", 0 },
	};
	size_t i;

	for (i = 0; i < sizeof(c) / sizeof(c[0]); i++) {
		if (!CHECK(ctx_redact_suspect(r, c[i].text,
		    strlen(c[i].text)) == c[i].want))
			fprintf(stderr, "\t%s\n", c[i].text);
		check_part(r, c[i].text, c[i].want);
	}
}

static void
test_border(void)
{
	static const struct {
		const char *before;
		int want;
	} c[] = {
		{ "", 1 }, { " ", 1 }, { "=", 1 }, { "x", 0 }, { "7", 0 },
		{ "_", 0 }, { "-", 0 }, { "/", 1 }, { "\\n", 1 },
		{ "\\x", 0 }, { "n", 0 }, { "\\u003d", 1 }, { "\\u4f60", 1 },
		{ "u003d", 0 }, { "%3D", 1 }, { "%3Dx", 0 },
		{ "\033[0m", 1 }, { "\033[1;32m", 1 }, { "\\u001b[32m", 1 },
		{ "[32m", 0 }, { "m", 0 }, { "a[32m", 0 }, { "\\033[32m", 1 }
	};
	size_t i;

	for (i = 0; i < sizeof(c) / sizeof(c[0]); i++)
		if (!CHECK(ctx_redact_at_border(c[i].before,
		    strlen(c[i].before)) == c[i].want))
			fprintf(stderr, "\t%s\n", c[i].before);
}

/* The same secret has the same placeholder with the same key only. */
static void
test_key(void)
{
	static const char key[] = "kkkk";
	char word[5][CTX_REDACT_PLACEHOLDER];
	struct ctx_redact_hit hit = { 0, 6, 0 };
	struct ctx_err err = { 0 };
	struct ctx_redact *r;
	size_t i;

	for (i = 0; i < 5; i++) {
		struct ctx_redact_opts opts = { .key = key, .keylen =
		    i < 2 ? 3 : i == 2 ? 4 : 0 };

		if (!CHECK((r = ctx_redact_new(&opts, &err)) != NULL))
			return;
		ctx_redact_placeholder(r, "abcdef", &hit, word[i]);
		ctx_redact_free(r);
	}
	CHECK_STR(word[0], word[1]);
	CHECK(strcmp(word[0], word[2]) != 0);
	CHECK(strcmp(word[3], word[4]) != 0);
	CHECK(is_like(word[0], "[REDACTED:anthropic-api-key:*]"));
}

/* Two keys closer together than the rule looks back are both found. */
static void
test_close(struct ctx_redact *r)
{
	static const char text[] = "NRAK-7QX2M9ZK4TB8WC1VN6PJ3HD5RGA "
	    "NRAK-B8WC1VN6PJ3HD5RGA7QX2M9ZK4T";
	const struct ctx_redact_hit *hit;
	struct ctx_err err = { 0 };
	size_t n = 0;

	if (!CHECK(ctx_redact_find(r, text, strlen(text), &hit, &n,
	    &err) == 0 && n == 2))
		return;
	CHECK(hit[0].off == 0 && hit[0].len == 32);
	CHECK(hit[1].off == 33 && hit[1].len == 32);
}

/* The first token has the maximum length; the second begins inside of it. */
static void
test_overlap(struct ctx_redact *r)
{
	static const char text[] = "a1B2c3D4e5F6g7.atlasv1."
	    "q9W8e7R6t5Y4u3I2o1P0a9S8d7F6g5H4j3K2l1Z0x9C8v7B6n5M4k3="
	    "h7J6k5L4z3X2c1.atlasv1."
	    "m1N2b3V4c5X6z7L8k9J0h1G2f3D4s5A6p7O8i9U0y1T2r3E4w5Q6a7S8d9F0";
	const struct ctx_redact_hit *hit;
	struct ctx_err err = { 0 };
	size_t n = 0;

	if (!CHECK(ctx_redact_find(r, text, strlen(text), &hit, &n,
	    &err) == 0 && n == 1))
		return;
	CHECK(hit[0].off == 0 && hit[0].len == strlen(text));
}

static const struct {
	const char *pattern, *text, *want;	/* no want: text is the error */
} pattern[] = {
	{ "staff=EMP-\\d+", "ask EMP-12 or EMP-9.",
	    "ask [REDACTED:staff:*] or [REDACTED:staff:*]." },
	{ "s=pin (?<secret>\\d+)", "pin 1234, pin x", "pin [REDACTED:s:*], "
	    "pin x" },
	{ "s=(?<secret>x)?y", "y", "y" },
	{ "s=.", "\xe4\xbd\xa0", "[REDACTED:s:*]" },
	{ "s=\\d{8}", "12345678", "[REDACTED:s:*]" },
	{ "s=REDACTED", "REDACTED", "[REDACTED:s:*]" },
	{ "s=(?<=\\])b|a", "ab", "[REDACTED:s:*][REDACTED:s:*]" },
	{ "s=a*", "bab", "b[REDACTED:s:*]b" },
	{ "s=(?m)^k.*$", "a\nkey\nb", "a\n[REDACTED:s:*]\nb" },
	{ "s=e\\z", "ee", "e[REDACTED:s:*]" },
	{ "s=(a", "pattern 's': missing closing parenthesis at offset 2",
	    NULL },
	{ "=a", "a pattern must be NAME=PCRE2; NAME has at most 40 letters, "
	    "digits, '-', '_' or '.'", NULL },
	{ "s", "a pattern must be NAME=PCRE2; NAME has at most 40 letters, "
	    "digits, '-', '_' or '.'", NULL },
	{ "a b=c", "a pattern must be NAME=PCRE2; NAME has at most 40 letters, "
	    "digits, '-', '_' or '.'", NULL },
};

static void
test_patterns(void)
{
	size_t i;

	for (i = 0; i < sizeof(pattern) / sizeof(pattern[0]); i++) {
		const char *const list[] = { pattern[i].pattern };
		struct ctx_redact_opts opts = { .rules = "none",
		    .patterns = list, .npatterns = 1 };
		struct ctx_err err = { 0 };
		struct ctx_buf out = { 0 };
		struct ctx_redact *r = ctx_redact_new(&opts, &err);
		const char *text = pattern[i].text;

		if (!CHECK((r == NULL) == (pattern[i].want == NULL)) ||
		    r == NULL) {
			CHECK_STR(err.text, text);
			CHECK(err.code == CTX_EUSAGE);
			ctx_redact_free(r);
			continue;
		}
		CHECK(ctx_redact_text(r, text, strlen(text), &out, NULL,
		    &err) == 0);
		if (!CHECK(is_like(ctx_buf_str(&out), pattern[i].want)))
			fprintf(stderr, "\t%s: %s\n", pattern[i].pattern,
			    out.data);
		check_twice(r, text, strlen(text));
		ctx_buf_done(&out);
		ctx_redact_free(r);
	}
}

/* A match can be longer than any window. */
static void
test_long(void)
{
	static const char *const list[] = { "s=b.*c" };
	struct ctx_redact_opts opts = { .patterns = list, .npatterns = 1 };
	const struct ctx_redact_hit *hit;
	struct ctx_err err = { 0 };
	struct ctx_redact *r = ctx_redact_new(&opts, &err);
	struct ctx_buf text = { 0 };
	size_t n, len, from, to;
	char *p = hostile("a", &len);

	p[1000] = 'b';
	p[len - 7] = 'c';
	CHECK(ctx_redact_find(r, p, len, &hit, &n, &err) == 0);
	CHECK(n == 1 && hit->off == 1000 && hit->len == len - 1006);
	free(p);
	expand(&text, "x{n}{j}.<<{w100000}>>.{w43}{n}y", &from, &to);
	CHECK(ctx_redact_find(r, text.data, text.len, &hit, &n, &err) == 0);
	CHECK(n == 1 && hit->off == 2 && hit->len == text.len - 4);
	ctx_buf_done(&text);
	ctx_redact_free(r);
}

/* A pattern that backtracks gives a result or an error soon. */
static void
test_bad_patterns(void)
{
	static const char *const list[][2] = {
		{ "s=(a+)+$", "a" }, { "s=(a+)+b", "a" }, { "s=a.*b", "a" },
		{ "s=(?:a|aa)+b", "a" }, { "s=(.*)(.*)(.*)x", "ab" },
		{ "s=(?s).*", "a\n" }, { "s=(?s)a.*?b", "ac" }
	};
	size_t i, n, len;

	for (i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
		struct ctx_redact_opts opts = { .rules = "none",
		    .patterns = &list[i][0], .npatterns = 1 };
		struct ctx_err err = { 0 };
		struct ctx_redact *r = ctx_redact_new(&opts, &err);
		const struct ctx_redact_hit *hit;
		double start = seconds(), took;
		char *p = hostile(list[i][1], &len);
		int rc = ctx_redact_find(r, p, len, &hit, &n, &err);

		took = seconds() - start;
		CHECK(rc == 0 || strncmp(err.text,
		    "pattern 's' takes too long at byte ", 35) == 0);
		if (!CHECK(took < 60))
			fprintf(stderr, "\t%s: %.1f s\n", list[i][0], took);
		if (getenv("REDACT_TIMES") != NULL)
			printf("%.3f s, %s: %s\n", took, list[i][0],
			    rc == 0 ? "done" : err.text);
		ctx_redact_free(r);
		free(p);
	}
}

/* No time is quadratic, or a megabyte of these would take hours. */
static void
test_hostile(struct ctx_redact *r)
{
	static const char *const piece[] = {
		"a", "-----BEGIN", "-----BEGIN PRIVATE KEY-----\n",
		"-----BEGIN PRIVATE KEY-----\nAAAAAAAAAAAAAAAAAAAAAAAAAAAA\n",
		"eyJ.", "eyJ", ".eyJhbGciOi.", "://", "://a:", "://a:b@",
		"password=", "password=\"", "token: ", "bearer ", ":AA",
		"1:AA", "-us1", "ghp_", "sk-ant-", "sk-", "sk-proj-", "xoxb-",
		"curl -u ", "curl ", "machine a login b password ",
		"[REDACTED:",
		"[REDACTED:a:12345678]", "?sig=", "AKIA", "AAAA", "Basic ",
		"aGVsbG8gd29ybGQsIGhvdyBhcmUgeW91Pw+/", "Private-Lines: 1\n",
		"_auth=", "9Q~", "AZDO", "password = ${x}", "\xe5\xaf\x86",
		"\033[", "AKIAABCDEFGHIJKLMNOP ", "secret_token_api_key",
		"@", "1", "1:", "a:", "%40", "cGFzc3dvcmQ9",
		"cGFzc3dvcmQ9cGFzc3dvcmQ9cGFzc3dvcmQ9 ", "\\u0061", "\\/",
		"\\u0070assword\\u003d", "kind: secret\ndata:\n", "curl ",
		"twitter", "twitter=", "twitter, ", "telegr: 1:", "vault s.",
		"%3A%2F%2Fa%3Ab", "-----BEGIN PRIVATE KEY-----\n12\tAAAA",
		"-----BEGIN PRIVATE KEY-----\n               12| ",
		"-----BEGIN PRIVATE KEY-----\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n",
		"data:\n  a: bbbbb\n", "the token is ", "api key 1", "a\", \"",
		"secret\", \"", "token: process.env.A || ", "0.AAAA", "==:",
		"sk_", "key_0", "sumo: su", "vault vault s.",
		"data:\n data:\n", " a: data:\n", "data:\n  a:\n",
		"kind: secret\n", "data\":{\"a\":\"", "kind\":\"secret\"",
		"password='\"", "password=\\'a ", "curl -u 'a:", "pass:'",
		"://a:b@@@", "mysql -p\\\"", "eyJhbGciOi..",
		"-----BEGIN PRIVATE KEY-----\nA-b: c\n"
	};

	check_hostile(r, piece, sizeof(piece) / sizeof(piece[0]));
}

/* Redacting random pieces of what rules match is idempotent. */
static void
test_scraps(struct ctx_redact *r)
{
	static const char *const scrap[] = { SECRET_SCRAPS };

	check_scraps(r, scrap, sizeof(scrap) / sizeof(scrap[0]));
}

int
main(void)
{
	static const char *const path[] = { "portable", "avx2", "neon", NULL };
	struct ctx_redact *r = new_redact(NULL);
	size_t i;

	RUN(test_table());
	for (i = 0; i < 4; i++) {
		const char *name = path[i] != NULL ? path[i] : "best";

		if (ctx_cpu_force(path[i]) == -1)
			continue;
		TEST("vectors, %s", name);
		test_vectors(r);
		TEST("plain texts, %s", name);
		test_plain(r);
		TEST("suspects, %s", name);
		test_suspect(r);
		TEST("base64, %s", name);
		test_base64(r);
		TEST("lines of base64, %s", name);
		test_base64_lines(r);
		TEST("escapes, %s", name);
		test_escapes(r);
	}
	RUN(test_border());
	RUN(test_key());
	RUN(test_close(r));
	RUN(test_overlap(r));
	RUN(test_patterns());
	RUN(test_scraps(r));
	RUN(test_long());
	RUN(test_hostile(r));
	RUN(test_bad_patterns());
	ctx_redact_free(r);
	return CHECK_DONE("redact");
}
