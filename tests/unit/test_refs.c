/* SPDX-License-Identifier: MIT */
/* References to texts that were sent before. */
#include "decide/refs.h"

#include <stdlib.h>

#include "check.h"
#include "view/dialect.h"

/* printf 'x%.0s' $(seq 200) | sha256sum, the first 16 digits; the same for é */
#define DIGEST_X 0xaa20c23e32018340ull
#define DIGEST_E 0xdf20b2aa6262e99eull

static struct ctx_str
str(const char *s)
{
	return (struct ctx_str){ s, (uint32_t)strlen(s) };
}

static void
parsing(void)
{
	static const struct {
		const char *text;
		int ok;
		uint64_t digest, chars;
	} rows[] = {
		{ "[same text as sent before: sha256:0123456789abcdef, "
		    "5321 chars]", 1, 0x0123456789abcdef, 5321 },
		{ "\\u005bsame text as sent before: "
		    "sha256:0123456789abcdef, 1 chars]", 1,
		    0x0123456789abcdef, 1 },
		{ "[与之前发送的文本相同：sha256:0123456789abcdef，"
		    "5321 个字符]", 1, 0x0123456789abcdef, 5321 },
		{ "[same text as sent before: sha256:ffffffffffffffff, "
		    "0 chars]", 1, UINT64_MAX, 0 },
		{ "[same text as sent before: sha256:0123456789abcde, "
		    "5321 chars]", 0, 0, 0 },
		{ "[same text as sent before: sha256:0123456789ABCDEF, "
		    "5321 chars]", 0, 0, 0 },
		{ "[same text as sent before: sha256:0123456789abcdef, "
		    "5321 chars] ", 0, 0, 0 },
		{ " [same text as sent before: sha256:0123456789abcdef, "
		    "5321 chars]", 0, 0, 0 },
		{ "[same text as sent before: sha256:0123456789abcdef, "
		    " chars]", 0, 0, 0 },
		{ "[same text as sent before: sha256:0123456789abcdef, "
		    "1234567890123456789 chars]", 0, 0, 0 },
		{ "[same text as sent before: sha256:0123456789abcdef, "
		    "53", 0, 0, 0 },
		{ "[same text as sent before: sha256:01234567", 0, 0, 0 },
		{ "[same text", 0, 0, 0 },
		{ "", 0, 0, 0 },
	};
	struct ctx_refs_key ref;
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		CHECK_INT(ctx_refs_parse(str(rows[i].text), &ref), rows[i].ok);
		if (!rows[i].ok)
			continue;
		CHECK(ref.digest == rows[i].digest);
		CHECK_INT(ref.chars, rows[i].chars);
	}
	CHECK_INT(ctx_refs_parse((struct ctx_str){ NULL, 0 }, &ref), 0);
}

/* A reference anywhere in a conversation, in a text that may be one. */
static void
any(void)
{
#define COPY	"[same text as sent before: sha256:0123456789abcdef, 7 chars]"
	static const struct {
		const char *line;
		int any;
	} rows[] = {
		{ "[{'role':'user','content':'hi'},"
		    "{'role':'assistant','content':'" COPY "'}]", 1 },
		{ "[{'role':'user','content':'hi'},{'role':'tool',"
		    "'tool_call_id':'a','content':'" COPY "'}]", 1 },
		{ "[{'role':'user','content':[{'type':'text','text':'a'},"
		    "{'type':'text','text':'" COPY "'}]}]", 1 },
		{ "[{'role':'user','content':'see " COPY "'},"
		    "{'role':'assistant','content':''}]", 0 },
		{ "[{'role':'assistant','content':null,'tool_calls':[{"
		    "'id':'a','type':'function','function':{'name':'f',"
		    "'arguments':'" COPY "'}}]}]", 0 },
	};
	struct ctx_convo c = { 0 };
	char line[512], *p;
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		snprintf(line, sizeof(line), "%s", rows[i].line);
		for (p = line; *p != '\0'; p++)
			*p = *p == '\'' ? '"' : *p;
		CHECK_INT(ctx_dialect_line(&c, NULL, line, strlen(line), NULL),
		    0);
		CHECK_INT(ctx_refs_any(&c), rows[i].any);
	}
	ctx_convo_done(&c);
}

static int
not_one(uint64_t no, const void *arg)
{
	return no != *(const uint64_t *)arg;
}

static void
finding(void)
{
	static char x[201], e[6 * 200 + 1];
	struct ctx_refs_key rx = { DIGEST_X, 200 }, re = { DIGEST_E, 200 };
	struct ctx_refs_key other = { DIGEST_X, 201 };
	struct ctx_refs r = { 0 };
	struct ctx_err err = { 0 };
	uint64_t no = 99, three = 3;
	int i;

	memset(x, 'x', 200);
	for (i = 0; i < 200; i++)
		memcpy(e + 6 * i, "\\u00e9", 6);
	CHECK_INT(ctx_refs_find(&r, &rx, &no, &err), 0);
	CHECK_INT(ctx_refs_add(&r, 1, str("short"), &err), 0);
	CHECK_INT(r.n, 0);
	CHECK_INT(ctx_refs_add(&r, 3, str(x), &err), 0);
	CHECK_INT(r.hashed, 0);
	CHECK_INT(ctx_refs_add(&r, 4, str(e), &err), 0);
	CHECK_INT(ctx_refs_add(&r, 5, str(x), &err), 0);
	CHECK_INT(ctx_refs_find(&r, &rx, &no, &err), 1);
	CHECK_INT(no, 3);
	CHECK_INT(ctx_refs_find(&r, &re, &no, &err), 1);
	CHECK_INT(no, 4);
	CHECK_INT(ctx_refs_find(&r, &other, &no, &err), 0);
	/* after its removal, the next message with the same text is found */
	ctx_refs_prune(&r, not_one, &three);
	CHECK_INT(ctx_refs_find(&r, &rx, &no, &err), 1);
	CHECK_INT(no, 5);
	CHECK_INT(ctx_refs_add(&r, 6, str(e), &err), 0);
	CHECK_INT(ctx_refs_find(&r, &re, &no, &err), 1);
	CHECK_INT(no, 4);
	ctx_refs_reset(&r);
	CHECK_INT(ctx_refs_find(&r, &re, &no, &err), 0);
	ctx_refs_done(&r);
}

/* With many texts, the table grows, and is rebuilt when they are pruned. */
static void
many(void)
{
	enum { N = 3000, LEN = 210 };
	char *text = malloc(N * LEN);
	struct ctx_refs r = { 0 };
	struct ctx_err err = { 0 };
	struct ctx_refs_key ref = { DIGEST_X, 200 };
	static char x[201];
	uint64_t no = 0, gone;
	int i;

	if (text == NULL)
		abort();
	memset(text, 'y', N * LEN);
	for (i = 0; i < N; i++) {
		snprintf(text + i * LEN, 12, "%05d", i);
		text[i * LEN + 5] = 'y';
		ctx_refs_add(&r, (uint64_t)i, (struct ctx_str){
		    text + i * LEN, LEN }, &err);
		if (i % 500 == 0)
			CHECK_INT(ctx_refs_find(&r, &ref, &no, &err), 0);
	}
	memset(x, 'x', 200);
	ctx_refs_add(&r, N, str(x), &err);
	for (gone = 0; gone < 50; gone++)
		ctx_refs_prune(&r, not_one, &gone);
	CHECK_INT(r.n, N + 1 - 50);
	CHECK_INT(ctx_refs_find(&r, &ref, &no, &err), 1);
	CHECK_INT(no, N);
	ctx_refs_done(&r);
	free(text);
}

int
main(void)
{
	RUN(parsing());
	RUN(any());
	RUN(finding());
	RUN(many());
	return CHECK_DONE("refs");
}
