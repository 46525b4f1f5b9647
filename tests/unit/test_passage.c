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
	{ CTX_TALK_CALL, "*** Begin Patch\n*** Add File: a.c\n+int x;",
	    "t(*** Add File: a.c +int x;)" },
	{ CTX_TALK_CALL, "", "t()" },
	{ CTX_TALK_CALL, "{\"cut", "t(cut)" },
	{ CTX_TALK_RESULT, "{\"ok\": true,\n  \"n\": 3}", "ok: true, n: 3" },
	{ CTX_TALK_RESULT, "{\"out\": \"a.c\\n\\nb.c\\tc.c \\\"d\\\"\"}",
	    "out: a.c b.c c.c d" },
	{ CTX_TALK_RESULT, "{\"p\": \"C:\\\\new\\\\t\"}", "p: C:newt" },
	/* no value is cut in its middle */
	{ CTX_TALK_RESULT, "{\"a\": \"......................................."
	    "...............\", \"mail\": \"ann.lee@example.com\"}",
	    "a: .............................................."
	    "........, mail: …" },
	/* what one program writes for another */
	{ CTX_TALK_USER, "###STOP###\n ##END# \nDone. ###X###\n## A ##",
	    "Done. ###X###|A ##" },
	/* identifiers in a list are told with what they are */
	{ CTX_TALK_USER, "It is late. The orders are:\n1. x_1234\n\n2. x_1235 "
	    "\nBye now", "It is late|The orders are: x_1234, x_1235|Bye now" },
	{ CTX_TALK_ASSISTANT, "订单：\n- x_1234\n* x_1235",
	    "订单： x_1234, x_1235" },
	{ CTX_TALK_USER, "The order is:\n- x_1234\nBye now",
	    "The order is:|x_1234|Bye now" },
	{ CTX_TALK_USER, "Give me:\n1. Name\n2) Zip\n", "Give me:|1. Name|2) Zip" },
	{ CTX_TALK_USER, "Orders\n- x_1234\n- x_1235", "Orders|x_1234|x_1235" },
	{ CTX_TALK_USER, "All of:\n- x_1234 a\n- x_1235 b",
	    "All of:|x_1234 a|x_1235 b" },
	/* bullets */
	{ CTX_TALK_USER, " \t\r> a b", "a b" },
	{ CTX_TALK_USER, "- ", "" },
	{ CTX_TALK_USER, "* a b\n# a c\n+ a d", "a b|a c|+ a d" },
	{ CTX_TALK_USER, "-", "" },
	/* short answers and openers; what remains has six bytes or more */
	{ CTX_TALK_USER, "甲乙丙、红苹果\n甲乙丙丁、红苹果", "红苹果|甲乙丙丁、红苹果" },
	{ CTX_TALK_USER, "红、绿苹果\n红！绿苹果\n红。绿苹果\n红!绿苹果\n红,绿苹果",
	    "绿苹果|绿苹果|绿苹果|绿苹果|绿苹果" },
	{ CTX_TALK_USER, "请说\n请订房", "请说|订房" },
	{ CTX_TALK_USER, "alright I want\nsox I want\nso\nOK-then\nno/yes",
	    "I want|sox I want|then|no/yes" },
	{ CTX_TALK_USER, "So I want this; .,\t", "I want this" },
	{ CTX_TALK_USER, "ab", "ab" },
	{ CTX_TALK_USER, "a", "" },
	/* a clause needs four Han characters, and its tail three */
	{ CTX_TALK_USER, "我说今天，我们出门\n我说天，我们出门",
	    "我说今天|我们出门|我们出门" },
	{ CTX_TALK_USER, "今天天气，我走。明天再说", "今天天气，我走|明天再说" },
	{ CTX_TALK_USER, "今天天气，", "今天天气" },
	{ CTX_TALK_USER, "12. 34. Cats run", "12. 34. Cats run" },
	/* values */
	{ CTX_TALK_CALL, "\"a\\\"b\", \"c", "t(a\"b, c)" },
	{ CTX_TALK_CALL, "{\"k\"\n: \"v\"}", "t(v)" },
	{ CTX_TALK_CALL, "{\"k\" x}", "t(k, x)" },
	{ CTX_TALK_CALL, "ab\"cd\"", "t(ab, cd)" },
	{ CTX_TALK_CALL, "\"a\\", "t(a\xef\xbf\xbd)" },
	{ CTX_TALK_CALL, "[\"a\\tb\\rc\"]", "t(a b c)" },
	/* 32 tokens of a call are shown, and 60 of a result */
	{ CTX_TALK_CALL, "1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1",
	    "t(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)" },
	{ CTX_TALK_CALL, "1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 2",
	    "t(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, …)" },
	{ CTX_TALK_RESULT, "a..... a..... a..... a..... a..... a..... a..... "
	    "a..... a..... a..... z", "a..... a..... a..... a..... a..... "
	    "a..... a..... a..... a..... a..... …" },
	/* a number says nothing without what it is of */
	{ CTX_TALK_RESULT, "10519.0", "" },
	/* JSON without spaces is shown with them */
	{ CTX_TALK_RESULT, "{\"a\":\"x:y\",\"b\":[1,2]}", "a: x:y, b: [1, 2]" },
	{ CTX_TALK_RESULT, "a:b,c", "a:b,c" },
	/* what identifies is shown whole, if it is the first that does */
#define LONG_ID "/a/bb/cc/dd/ee/ff/gg/hh/ii/jj/kk/ll/mm/nn/oo/pp/qq/rr/ss.c"
	{ CTX_TALK_CALL, "{\"all\":false,\"path\":\"" LONG_ID "\",\"n\":2}",
	    "t(false, " LONG_ID ", …)" },
	/* a value that is too long by itself is cut at a space, with a mark */
	{ CTX_TALK_CALL, "{\"a\":\"1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 "
	    "1 1 1 1 1 1 1 1 1 1 1 1 1\",\"b\":2}",
	    "t(1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1…, "
	    "…)" },
	{ CTX_TALK_RESULT, " \t ab\r\n\tcd", "ab cd" },
	{ CTX_TALK_RESULT, "ab", "ab" },
	{ CTX_TALK_SUMMARY, "a line\nRefs: x1, y2", "a line|" },
	/* only the last lines are lists, in their order */
	{ CTX_TALK_SUMMARY, "Done: pay(1)\nA line\nRefs: x1, y2",
	    "Done: pay(1)|A line|" },
	{ CTX_TALK_SUMMARY, "Failed: pay(1)\nDone: pay(2)\nRefs: x1, y2",
	    "Failed: pay(1)|pay(2)|" },
	{ CTX_TALK_SUMMARY, "Done: it was sent; they know\nRefs: x1, y2",
	    "Done: it was sent; they know|" },
	{ CTX_TALK_SUMMARY, "Done: pay(1)\nRefs: x1\nRefs: y2", "pay(1)||" },
	/* nothing in a call ends it there */
	{ CTX_TALK_CALL, "{\"a\":\"f();\\n\\tg(); h; i\"}",
	    "t(f();g();h; i)" }
};

/* A text of many, cut into these lengths, without spaces at the ends. */
static void
test_long(const char *many, size_t n, size_t a, size_t b, size_t c)
{
	const size_t want[] = { a, b, c };
	struct ctx_passages l = { 0 };
	struct ctx_talk said = { .kind = CTX_TALK_USER };
	struct ctx_buf text = { 0 };
	struct ctx_err err = { 0 };
	size_t i;

	for (i = 0; i < n; i++)
		ctx_buf_adds(&text, many);
	said.text = ctx_buf_str(&text);
	said.len = text.len;
	CHECK_INT(ctx_passages_split(&l, &said, 1, &err), 0);
	CHECK_INT(l.n, 3);
	for (i = 0; i < l.n && i < 3; i++)
		CHECK_INT(l.v[i].len, want[i]);
	ctx_buf_done(&text);
	ctx_passages_done(&l);
}

/* After n spaces, only what is in the first bytes is looked at. */
static void
test_head(enum ctx_talk_kind kind, size_t n, const char *want)
{
	struct ctx_passages l = { 0 };
	struct ctx_talk said = { .kind = kind, .tool = "t", .toollen = 1 };
	struct ctx_buf text = { 0 };
	struct ctx_err err = { 0 };
	size_t i;

	for (i = 0; i < n; i++)
		ctx_buf_addc(&text, ' ');
	ctx_buf_adds(&text, "abc");
	said.text = ctx_buf_str(&text);
	said.len = text.len;
	CHECK_INT(ctx_passages_split(&l, &said, 1, &err), 0);
	CHECK_INT(l.n, *want != '\0');
	if (l.n == 1)
		CHECK_MEM(l.v[0].text, l.v[0].len, want);
	ctx_buf_done(&text);
	ctx_passages_done(&l);
}

/* Values of 2 to 40 bytes are facts, also those that are not shown. */
static void
test_values(void)
{
#define V20	"aaaaaaaaaaaaaaaaaaaa"
	static const char args[] = "{\"k\":[\"x\",\"yy\",\"" V20 V20 "\",\""
	    V20 V20 "a\",12],\"l\":\"z\\u00e9\"}";
	static const char *const want[] = { "yy", V20 V20, "12", "zé" };
	struct ctx_passages l = { 0 };
	struct ctx_talk said[2] = {
		{ CTX_TALK_USER, "Cats run", 8, NULL, 0, .failed = 0 },
		{ CTX_TALK_CALL, args, sizeof(args) - 1, "t", 1, .failed = 0 }
	};
	struct ctx_err err = { 0 };
	size_t i;

	CHECK_INT(ctx_passages_split(&l, said, 2, &err), 0);
	CHECK_INT(l.n, 2);
	CHECK_INT(l.given.n, 4);
	for (i = 0; i < l.given.n && i < 4; i++) {
		CHECK_MEM(l.given.v[i].key, l.given.v[i].keylen, want[i]);
		CHECK_MEM(l.given.v[i].show, l.given.v[i].showlen, want[i]);
		CHECK_INT(l.given.v[i].at, 1);
		CHECK_INT(l.given.v[i].name, 0);
	}
	ctx_passages_done(&l);
}

/* The references of a summary; of an empty list, the word is a text. */
static void
test_refs(const char *text, size_t n, size_t given)
{
	struct ctx_passages l = { 0 };
	struct ctx_talk said = { CTX_TALK_SUMMARY, text, strlen(text), NULL,
	    0, .failed = 0 };
	struct ctx_err err = { 0 };

	CHECK_INT(ctx_passages_split(&l, &said, 1, &err), 0);
	CHECK_INT(l.n, n);
	CHECK_INT(l.given.n, given);
	ctx_passages_done(&l);
}

static void
put_passages(const struct ctx_passages *l, struct ctx_buf *b)
{
	static const char mark[] = " l!x";	/* by deed */
	const struct ctx_passage *p;

	for (p = l->v; p < l->v + l->n; p++)
		ctx_buf_addf(b, "%c%.*s[%.*s]", mark[p->deed], (int)p->len,
		    p->text, (int)p->objectlen, p->text + p->object);
}

#define SAID(k, t, s) \
	{ CTX_TALK_##k, (s), sizeof(s) - 1, (t), sizeof(t) - 1, \
	    .failed = 0 }

/* Which calls did something: results follow in the order of the calls. */
static void
test_deeds(void)
{
	struct ctx_talk said[] = {
		SAID(CALL, "get_x", "{\"id\":\"x_1\"}"),
		SAID(CALL, "set_x", "{\"v\":1,\"id\":\"x_1\",\"w\":2}"),
		SAID(CALL, "set_x", "{\"id\":\"x_2\"}"),
		SAID(CALL, "set_x", "{\"id\":\"x_3\"}"),
		SAID(RESULT, "get_x", "error"),
		SAID(RESULT, "set_x", "fine"),
		SAID(RESULT, "set_x", "Error: no"),
		SAID(RESULT, "set_x", "so so"),
		SAID(CALL, "set_x", "{\"id\":\"x_4\"}"),
		SAID(USER, "", "what"),
		SAID(RESULT, "set_x", "Error: no")
	};
	struct ctx_passages l = { 0 };
	struct ctx_buf b = { 0 };
	struct ctx_err err = { 0 };

	said[7].failed = 1;
	CHECK_INT(ctx_passages_split(&l, said, sizeof(said) / sizeof(said[0]),
	    &err), 0);
	put_passages(&l, &b);
	CHECK_STR(ctx_buf_str(&b), "lget_x(x_1)[x_1]!set_x(1, x_1, 2)[x_1]"
	    "xset_x(x_2)[x_2]xset_x(x_3)[x_3] error[] fine[] Error: no[]"
	    " so so[]!set_x(x_4)[x_4] what[] Error: no[]");
	ctx_buf_done(&b);
	ctx_passages_done(&l);
}

/* What the caller knows that a call does is shown in place of its arguments. */
static void
test_did(const char *did, const char *want)
{
	struct ctx_talk said[] = {
		SAID(CALL, "bash", "{\"command\":\"cd x && ls\"}"),
		SAID(CALL, "get_x", "{\"id\":\"x_1\"}"),
		SAID(CALL, "set_x", "{\"id\":\"x_1\"}")
	};
	struct ctx_passages l = { 0 };
	struct ctx_buf b = { 0 };
	struct ctx_err err = { 0 };

	said[0].deed = said[1].deed = CTX_DEED_DONE;
	said[0].did = did;
	said[0].didlen = strlen(did);
	said[2].deed = CTX_DEED_LOOKS;
	CHECK_INT(ctx_passages_split(&l, said, 3, &err), 0);
	put_passages(&l, &b);
	CHECK_STR(ctx_buf_str(&b), want);
	ctx_buf_done(&b);
	ctx_passages_done(&l);
}

/* Listings, and what is in an assistant's fences, are quoted: r, not u or a. */
static void
test_quoted(enum ctx_talk_kind kind, const char *text, const char *want)
{
	static const char letter[] = "uacrs";
	struct ctx_talk said = { .kind = kind, .text = text,
		.len = strlen(text) };
	struct ctx_passages l = { 0 };
	struct ctx_buf b = { 0 };
	struct ctx_err err = { 0 };
	size_t i;

	CHECK_INT(ctx_passages_split(&l, &said, 1, &err), 0);
	for (i = 0; i < l.n; i++)
		ctx_buf_addf(&b, "%c %.*s|", letter[l.v[i].kind],
		    (int)l.v[i].len, l.v[i].text);
	CHECK_STR(ctx_buf_str(&b), want);
	ctx_buf_done(&b);
	ctx_passages_done(&l);
}

/*
 * What an assistant said last counts, and what it asked if that was agreed to and
 * is not done yet.
 */
static void
test_agreed(const char *asked, const char *answer, const char *tool, int want)
{
	struct ctx_talk said[] = {
		{ .kind = CTX_TALK_USER, .text = "Help me", .len = 7 },
		{ .kind = CTX_TALK_ASSISTANT, .text = asked,
		    .len = strlen(asked) },
		{ .kind = CTX_TALK_USER, .text = answer,
		    .len = strlen(answer) },
		{ .kind = CTX_TALK_CALL, .text = "{}", .len = 2, .tool = tool,
		    .toollen = strlen(tool) },
		{ .kind = CTX_TALK_USER, .text = "Thanks", .len = 6 }
	};
	struct ctx_passages l = { 0 };
	struct ctx_err err = { 0 };

	CHECK_INT(ctx_passages_split(&l, said, answer[0] == '\0' ? 2 : 5,
	    &err), 0);
	CHECK(l.n >= 2 && !l.v[0].agreed);
	CHECK_INT(l.v[1].agreed, want);
	ctx_passages_done(&l);
}

/* The lists of an old summary are taken apart again. */
static void
test_old(void)
{
	struct ctx_talk said = SAID(SUMMARY, "", "A line\n"
	    "Done: set_x(x_1); pay(a; b, …)\nFailed: set_x(x_2)\n"
	    "Refs: x_7, id=x_8|x_9, a=, https://a.example/?b=1");
	static const struct {
		const char *key, *label;
	} want[] = {
		{ "x_7", "" }, { "x_8", "id" }, { "x_9", "id" }, { "a=", "" },
		{ "https://a.example/?b=1", "" }
	};
	struct ctx_passages l = { 0 };
	struct ctx_buf b = { 0 };
	struct ctx_err err = { 0 };
	const struct ctx_fact *f;
	uint32_t before = 129;
	size_t i;

	CHECK_INT(ctx_passages_split(&l, &said, 1, &err), 0);
	put_passages(&l, &b);
	CHECK_STR(ctx_buf_str(&b), " A line[]!set_x(x_1)[x_1]!pay(a; b, …)[a; b]"
	    "xset_x(x_2)[x_2] []");
	CHECK_INT(l.given.n, sizeof(want) / sizeof(want[0]));
	/* what is listed first weighs most */
	for (i = 0; i < l.given.n && i < sizeof(want) / sizeof(want[0]); i++) {
		f = &l.given.v[i];
		CHECK_MEM(f->key, f->keylen, want[i].key);
		if (f->labellen > 0 || want[i].label[0] != '\0')
			CHECK_MEM(f->label, f->labellen, want[i].label);
		CHECK(f->rank >= 32 && f->rank <= before);
		before = f->rank;
	}
	ctx_buf_done(&b);
	ctx_passages_done(&l);
}

/*
 * The values of a whole result are facts if they are identifiers, with the name
 * of their member, and so are names that are data.
 */
static void
test_result(void)
{
	struct ctx_passages l = { 0 };
	struct ctx_buf text = { 0 };
	struct ctx_talk said = { .kind = CTX_TALK_RESULT };
	struct ctx_err err = { 0 };
	int i;

	ctx_buf_adds(&text, "{\"rows\":[");
	for (i = 0; i < 100; i++)
		ctx_buf_adds(&text, "{\"kind\":\"plain\",\"n\":7},");
	ctx_buf_adds(&text, "{\"order_id\":\"W_7781\",\"cards\":"
	    "{\"card_4455\":{\"kind\":\"two words 12345\"}}}]}");
	said.text = ctx_buf_str(&text);
	said.len = text.len;
	CHECK_INT(ctx_passages_split(&l, &said, 1, &err), 0);
	CHECK_INT(l.n, 1);
	if (CHECK_INT(l.given.n, 2)) {
		CHECK_MEM(l.given.v[0].key, l.given.v[0].keylen, "W_7781");
		CHECK_MEM(l.given.v[0].label, l.given.v[0].labellen,
		    "order_id");
		CHECK_MEM(l.given.v[1].key, l.given.v[1].keylen, "card_4455");
		CHECK(l.given.v[1].label == NULL);
	}
	CHECK(ctx_datum_name_has(l.names, "KIND", 4));
	CHECK(!ctx_datum_name_has(l.names, "card_4455", 9));
	ctx_buf_done(&text);
	ctx_passages_done(&l);
}

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
			"t", 1, .failed = 0
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
		 * the old summaries have two facts, the last of their last
		 * line, which are not printed
		 */
		if (said.kind == CTX_TALK_SUMMARY) {
			CHECK_INT(l.given.n, 2);
			CHECK_MEM(l.given.v[1].key, l.given.v[1].keylen, "y2");
			CHECK_INT(l.given.v[1].at, l.n - 1);
		}
		ctx_passages_done(&l);
	}
	ctx_buf_done(&b);
	/* at a space after 480 bytes, or after 1920 */
	RUN(test_long("abcd ", 200, 484, 484, 29));
	RUN(test_long("a", 4000, 1921, 1921, 158));
	RUN(test_long("1 ", 2000, 1921, 1919, 157));
	RUN(test_head(CTX_TALK_RESULT, 2045, "abc"));
	RUN(test_head(CTX_TALK_RESULT, 2046, "ab"));
	RUN(test_head(CTX_TALK_RESULT, 2047, ""));
	RUN(test_head(CTX_TALK_CALL, 8189, "t(abc)"));
	RUN(test_head(CTX_TALK_CALL, 8190, "t(ab)"));
	RUN(test_values());
	RUN(test_refs("Refs: x", 1, 1));
	RUN(test_refs("Refs: ", 1, 0));
	RUN(test_refs("Refs: x1, , y2, ", 1, 2));
	RUN(test_refs("refs: x1, y2", 1, 0));
	RUN(test_deeds());
	RUN(test_did("git commit -m \"a,\n b\"", "!bash(git commit -m \"a,  b\")"
	    "[git commit -m \"a,  b\"]!get_x(x_1)[x_1]lset_x(x_1)[x_1]"));
	RUN(test_old());
	RUN(test_quoted(CTX_TALK_ASSISTANT, "So\n```c\nint x_1;\n```\nend it",
	    "r int x_1|a end it|"));
	RUN(test_quoted(CTX_TALK_USER, "see\n```\nid x_1\n```",
	    "u see|u ```|u id x_1|u ```|"));
	RUN(test_quoted(CTX_TALK_USER, "a.c:\n 9:int x;\n10:int y;\nend",
	    "u a.c:|r 9:int x|r 10:int y|u end|"));
	RUN(test_quoted(CTX_TALK_USER, "1:int x;\n2:\n3:int y;",
	    "r 1:int x|r 2:|r 3:int y|"));
	RUN(test_quoted(CTX_TALK_USER, "10:30 we meet\n12:30 we eat\n1. a b",
	    "u 10:30 we meet|u 12:30 we eat|u 1. a b|"));
	RUN(test_quoted(CTX_TALK_USER, "7|x y", "u 7|x y|"));
	RUN(test_quoted(CTX_TALK_USER, "<my_env>a b</my_env>\n",
	    "r <my_env>a b</my_env>|"));
	RUN(test_quoted(CTX_TALK_USER, "<my_env>a b</my_eny>",
	    "u <my_env>a b</my_eny>|"));
	RUN(test_quoted(CTX_TALK_USER, "<b>a b</b> c", "u <b>a b</b> c|"));
	RUN(test_quoted(CTX_TALK_USER, "<>a b c d</>", "u <>a b c d</>|"));
	RUN(test_quoted(CTX_TALK_ASSISTANT, "<env>a b</env>",
	    "a <env>a b</env>|"));
	RUN(test_agreed("A gift of $50? Or more", "Yes, please", "get_x", 1));
	RUN(test_agreed("A gift of $50?", "OK", "get_x", 1));
	RUN(test_agreed("要五十元的礼品卡吗？", "好的，谢谢", "get_x", 1));
	RUN(test_agreed("A gift of $50?", "", "", 1));
	RUN(test_agreed("A gift of $50", "", "", 1));
	RUN(test_agreed("A gift of $50", "Yes, please", "get_x", 0));
	RUN(test_agreed("A gift of $50?", "Yesterday", "get_x", 0));
	RUN(test_agreed("A gift of $50?", "No, thanks", "get_x", 0));
	RUN(test_agreed("A gift of $50?", "Yes", "send_gift", 0));
	RUN(test_result());
	return CHECK_DONE("passage");
}
