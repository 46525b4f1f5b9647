/* SPDX-License-Identifier: MIT */
#include "extract/passage.h"

#include "check.h"

/* The kind, the text (arguments for a call), and passages joined by |. */
static const struct {
	enum ctx_talk_kind kind;
	const char *text, *want;
} table[] = {
	{ CTX_TALK_USER, "", "" },
	{ CTX_TALK_USER, "One thing. Another thing? Yes.",
	    "One thing|Another thing?" },
	{ CTX_TALK_USER, "Version 1.2 of e.g. this", "Version 1.2 of e.g. this" },
	{ CTX_TALK_USER, "Well, um, I want two", "I want two" },
	{ CTX_TALK_USER, "first line\n\n- second line\n## Third",
	    "first line|second line|Third" },
	{ CTX_TALK_USER, "1. Buy milk. 2. Buy bread.",
	    "1. Buy milk|2. Buy bread" },
	{ CTX_TALK_USER, "好的，我想订一家酒店。谢谢！", "我想订一家酒店" },
	{ CTX_TALK_USER, "我想找一个便宜的酒店，最好在市中心附近，好吗？",
	    "我想找一个便宜的酒店|最好在市中心附近，好" },
	{ CTX_TALK_USER, "Cats run! Dogs bark? Birds sing; fish swim",
	    "Cats run!|Dogs bark?|Birds sing; fish swim" },
	{ CTX_TALK_USER, "Cats end. here. 3 more. \"Quoted. (Paren. 'Single",
	    "Cats end. here|3 more|\"Quoted|(Paren|'Single" },
	{ CTX_TALK_USER, "Cats run.\tDogs bark.  ", "Cats run|Dogs bark" },
	{ CTX_TALK_USER, "Cats run.Dogs bark", "Cats run.Dogs bark" },
	{ CTX_TALK_USER, "> - one item\n* two items\n-three items\n### Four",
	    "one item|two items|-three items|Four" },
	{ CTX_TALK_USER, "我要红苹果！你要黄香蕉？他要大鸭梨；她要小桃子",
	    "我要红苹果|你要黄香蕉|他要大鸭梨|她要小桃子" },
	/* a clause has four characters or more; a rest of two is joined */
	{ CTX_TALK_USER, "今天天气，我们出门", "今天天气|我们出门" },
	{ CTX_TALK_USER, "今天天气，我走", "今天天气，我走" },
	{ CTX_TALK_USER, "今天天气，我们走", "今天天气|我们走" },
	{ CTX_TALK_CALL, "{\"a\": \"k\" , \"b\" : \"v v\"}", "t(k, v v)" },
	{ CTX_TALK_CALL, "{\"a\":\"x\\\"y\",\"b\":\"x\\ny\"}", "t(x\"y, x y)" },
	{ CTX_TALK_RESULT, "a \"b\" {c} \\ d\n\n e", "a b c d e" },
	{ CTX_TALK_RESULT, "x", "" },
	{ CTX_TALK_CALL, "{\"a\":\"x y\",\"b\":[1,true,{\"c\":\"\\u5317\"}]}",
	    "t(x y, 1, true, 北)" },
	{ CTX_TALK_CALL, "not json: really", "t(not, json, really)" },
	{ CTX_TALK_CALL, "", "t()" },
	{ CTX_TALK_CALL, "{\"cut", "t(cut)" },
	{ CTX_TALK_RESULT, "{\"ok\": true,\n  \"n\": 3}", "ok: true, n: 3" },
	{ CTX_TALK_SUMMARY, "a line\nRefs: x1, y2", "a line|" }
};

int
main(void)
{
	struct ctx_passages l = { 0 };
	struct ctx_talk said = { 0 };
	struct ctx_buf b = { 0 };
	struct ctx_err err = { 0 };
	size_t i, k;

	TEST("the table of passages");
	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		said = (struct ctx_talk){
			table[i].kind, table[i].text, strlen(table[i].text),
			"t", 1
		};
		ctx_buf_reset(&b);
		CHECK_INT(ctx_passages_split(&l, &said, 1, &err), 0);
		for (k = 0; k < l.n; k++) {
			if (k > 0)
				ctx_buf_addc(&b, '|');
			ctx_buf_add(&b, l.v[k].text, l.v[k].len);
		}
		CHECK_STR(ctx_buf_str(&b), table[i].want);
		/*
		 * the last row is an old summary with two facts, which are not
		 * printed
		 */
		if (said.kind == CTX_TALK_SUMMARY) {
			CHECK_INT(l.given.n, 2);
			CHECK_MEM(l.given.v[1].key, l.given.v[1].keylen, "y2");
			CHECK_INT(l.given.v[1].at, 1);
		}
		ctx_passages_done(&l);
	}
	ctx_buf_done(&b);
	return CHECK_DONE("passage");
}
