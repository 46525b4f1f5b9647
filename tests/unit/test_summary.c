/* SPDX-License-Identifier: MIT */
/* Which texts are running summaries, and which only look like them. */
#include "decide/summary.h"

#include <stdlib.h>

#include "check.h"
#include "view/dialect.h"

#define HEAD	"[Context: Summary of earlier conversation ("
#define OK	"{\"role\":\"user\",\"content\":\"" HEAD "12 turns)]:\\nThey talked.\"}"

static const struct row {
	const char *what, *line;
	int is, turns;
	const char *text;
} rows[] = {
	{ "a summary", OK, 1, 12, "They talked." },
	{ "of no turns", "{\"role\":\"user\",\"content\":\"" HEAD
	    "0 turns)]:\\n\"}", 1, 0, "" },
	{ "escapes are kept", "{\"role\":\"user\",\"content\":\"" HEAD
	    "3 turns)]:\\n\\\"A\\\"\\nB\"}", 1, 3, "\\\"A\\\"\\nB" },
	{ "as a part of a list", "{\"role\":\"user\",\"content\":[{\"type\":"
	    "\"text\",\"text\":\"" HEAD "2 turns)]:\\nX\"}]}", 1, 2, "X" },
	{ "no number", "{\"role\":\"user\",\"content\":\"" HEAD
	    " turns)]:\\nX\"}", 0, 0, NULL },
	{ "a negative number", "{\"role\":\"user\",\"content\":\"" HEAD
	    "-1 turns)]:\\nX\"}", 0, 0, NULL },
	{ "no line end after it", "{\"role\":\"user\",\"content\":\"" HEAD
	    "12 turns)]: X\"}", 0, 0, NULL },
	{ "truncated", "{\"role\":\"user\",\"content\":\"" HEAD "12\"}", 0, 0,
	    NULL },
	{ "something before it", "{\"role\":\"user\",\"content\":\" " HEAD
	    "12 turns)]:\\nX\"}", 0, 0, NULL },
	{ "another part after it", "{\"role\":\"user\",\"content\":[{\"type\":"
	    "\"text\",\"text\":\"" HEAD "2 turns)]:\\nX\"},{\"type\":\"text\","
	    "\"text\":\"Y\"}]}", 0, 0, NULL },
	{ "a number of a hundred digits", "{\"role\":\"user\",\"content\":\""
	    HEAD "11111111111111111111111111111111111111111111111111"
	    "11111111111111111111111111111111111111111111111111 turns)]:\\nX"
	    "\"}", 0, 0, NULL },
	{ "no text", "{\"role\":\"user\",\"content\":null}", 0, 0, NULL },
	{ "from the assistant", "{\"role\":\"assistant\",\"content\":\"" HEAD
	    "12 turns)]:\\nX\"}", 0, 0, NULL }
};

static void
read_line(struct ctx_convo *c, const char *line)
{
	struct ctx_err err = { 0 };
	struct ctx_rec *r;

	ctx_convo_reset(c);
	r = ctx_convo_add_rec(c);
	r->raw = line;
	r->len = strlen(line);
	r->root = 0;
	if (!CHECK(ctx_doc_scan(&c->doc, line, r->len, &err) == 0) ||
	    !CHECK(ctx_dialect_view(c, &ctx_dialect_openai, 1, &err) == 0) ||
	    !CHECK_INT(c->nmsg, 1))
		abort();
}

int
main(void)
{
	struct ctx_convo c = { 0 };
	const struct row *r;
	struct ctx_str text;
	uint64_t turns;
	int is;

	TEST("which texts are summaries");
	for (r = rows; r < rows + sizeof(rows) / sizeof(rows[0]); r++) {
		read_line(&c, r->line);
		is = ctx_summary_is(&c, 0, &turns, &text);
		if (!CHECK_INT(is, r->is))
			fprintf(stderr, "\t%s\n", r->what);
		CHECK_INT(ctx_summary_is(&c, 0, NULL, NULL), r->is);
		if (!is)
			continue;
		CHECK_INT(turns, r->turns);
		CHECK_MEM(text.p, text.len, r->text);
	}
	TEST("which texts are replies to them");
	read_line(&c, "{\"role\":\"assistant\",\"content\":\""
	    CTX_SUMMARY_REPLY "\"}");
	CHECK_INT(ctx_summary_is_reply(&c, 0), 1);
	read_line(&c, "{\"role\":\"user\",\"content\":\""
	    CTX_SUMMARY_REPLY "\"}");
	CHECK_INT(ctx_summary_is_reply(&c, 0), 0);
	read_line(&c, "{\"role\":\"assistant\",\"content\":\""
	    CTX_SUMMARY_REPLY " And\"}");
	CHECK_INT(ctx_summary_is_reply(&c, 0), 0);
	TEST("the texts of the format");
	/* the texts are part of a format that others write too */
	CHECK_STR(CTX_SUMMARY_HEAD, HEAD);
	CHECK_STR(CTX_SUMMARY_TAIL, " turns)]:\n");
	CHECK_STR(CTX_SUMMARY_REPLY, "Understood. I have the context from our "
	    "earlier conversation.");
	ctx_convo_done(&c);
	return CHECK_DONE("summary");
}
