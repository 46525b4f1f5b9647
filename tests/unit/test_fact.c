/* SPDX-License-Identifier: MIT */
#include "extract/fact.h"

#include <stdlib.h>

#include "base/buf.h"
#include "check.h"
#include "extract/words.h"

/* A text, and its facts: key or key<display>; names begin with ~. */
static const char *const table[][2] = {
	{ "", "" },
	{ "nothing to see here.", "" },
	{ "see https://a.example/x?y=1. Then go", "https://a.example/x?y=1" },
	{ "mail Bob@example.com, please", "Bob@example.com" },
	{ "in ~/src/main.c and ./run", "~/src/main.c|./run" },
	{ "user_id mia_li_3668", "user_id|mia_li_3668" },
	{ "order #W123 on 2024-05-20 at 10:30.", "#W123|2024-05-20|10:30" },
	{ "it costs $1,200.50, 5% off", "$1,200.50|5%" },
	{ "12.5% of it, not 7x% but $30", "12.5%|7x%|$30" },
	{ "see http://a.example/b, https://c.example.", "http://a.example/b|https://c.example" },
	{ "a ..hidden ./x ../y", "./x|../y" },
	{ "from JFK to SEA", "JFK|SEA" },
	{ "A plan I made", "" },
	{ "YOU MUST NOT do IT, IMPORTANT", "" },
	{ "<b>bold</b> and /etc/x", "/etc/x" },
	{ "say \"hello there\" or `rm -rf`", "hello there|rm -rf" },
	{ "say \"x\"", "" },
	{ "ask Maria Lopez about it", "~Maria Lopez" },
	{ "Ask maria. Then Paul", "~Paul" },
	{ "人均75元", "75元<人均75元>" },
	{ "评分4.5分以上", "4.5分以上<评分4.5分以上>" },
	{ "地址是在护城河大街32号", "32号<护城河大街32号>|~护城河大街" },
	{ "去护国寺小吃店（总店）吃", "~护国寺小吃店（总店）" },
	{ "看《活着》吧", "活着" },
	{ "￥300", "￥300" },
	{ "\xff\xfe 12x", "12x" },
	/* the bytes of a token, and what joins or ends it */
	{ "see a_0, z_9, A_z, Z_a now", "a_0|z_9|A_z|Z_a" },
	{ "x_1[2 x_1{2 x_1^2", "x_1|2|x_1|2|x_1|2" },
	{ "a-1 a.1 a/b a:1 a,1 a@b a+1", "a-1|a.1|a/b|a:1|1|a@b|a+1" },
	{ "a=1 a-", "1" },
	{ "# #1 $ $x ~ .x_1 ..x_1 x_1.", "#1|x_1|..x_1|x_1" },
	{ "http://a", "//a" },
	{ "http://ab", "http://ab" },
	{ "https://a", "https://a" },
	{ "(http://a.example) <http://b.example>",
	    "http://a.example|http://b.example" },
	{ "http://a.example/学 http://b.example/x,.:",
	    "http://a.example/|http://b.example/x" },
	{ "</x a</y /z", "/z" },
	/* codes; shouted words have neighbours in capitals */
	{ "in LA or ABCDEF", "LA|ABCDEF" },
	{ "in X or ABCDEFG or jFK", "" },
	{ "A JFK", "JFK" },
	{ "AB JFK", "" },
	{ "xB JFK", "JFK" },
	{ "JFK A", "JFK" },
	{ "JFK AB", "" },
	{ "JFK aB", "JFK" },
	{ "JFK Ab", "JFK" },
	{ "a JFK;AB", "JFK|AB" },
	/* quoted: from 2 to 40 characters, in one line */
	{ "say \"xy\"", "xy" },
	{ "say \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\"",
	    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" },
	{ "say \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\"", "" },
	{ "say \"ab\ncd\"", "" },
	{ "say \"ab", "" },
	{ "say \"", "" },
	{ "say \"a `bc` d\"", "a `bc` d" },
	{ "“ab”, 「学习」, 《学》, \"学学\"", "ab|学习|学学" },
	{ "say \"\xff\xff\"", "\xff\xff" },
	/* numbers with a unit, and what is around them */
	{ "价格75元整数额度高低", "75元<价格75元>|~整数额度高低" },
	{ "一二三四五六七八九十一二三四五六七八九十5",
	    "5" },
	{ "x5元", "x5元" },
	{ "£30 €30 ¥30 a¥30", "£30|€30|¥30|¥30" },
	{ "5% 折扣", "5%" },
	{ "打5%折扣", "5%折扣<打5%折扣>" },
	{ "a1号2楼", "a1号2楼" },
	/* ranges and what limits a number are a part of it */
	{ "游玩时间是2小时~3小时", "2小时~3小时<游玩时间是2小时~3小时>|~游玩时间" },
	{ "玩3天 - 6天，从2天到3天", "3天 - 6天<玩3天 - 6天>|2天到3天" },
	{ "评分4分以上的", "4分以上<评分4分以上>" },
	{ "8.5折以内，30分钟左右", "8.5折以内|30分钟左右" },
	{ "3 - 2, 3元 - 你", "3|2|3元" },
	{ "1小时30分钟", "1小时30分钟" },
	{ "新华街58号1号楼1楼1032室", "58号1号楼1楼1032室<新华街58号1号楼1楼1032室>" },
	{ "新华街58号1楼", "58号1楼<新华街58号1楼>" },
	{ "电话010-8027 6611", "010-8027<电话010-8027>|6611" },
	/* a half of a word says something else, so it is left out */
	{ "一二三四五六七八九十一二三四五六七八5",
	    "5<一二三四五六七八九十一二三四五六七八5>" },
	{ "5元一二三四五", "5元|~一二三四五" },
	{ "5元一二三四", "5元<5元一二三四>|~一二三四" },
	/* places, also short ones, and not what says only of what kind */
	{ "去故宫的路", "~故宫" },
	{ "在地铁站B口等", "~地铁站B口" },
	{ "去牡丹园地铁站A1口", "~牡丹园地铁站A1口" },
	{ "附近酒店，一家餐馆，地铁站", "" },
	/* cells, thousands, and lines with numbers */
	{ "A08,2026-08-23,12 and 1,200 or 12,34,567",
	    "A08|2026-08-23|12|1,200|12|34,567" },
	{ "7:from x_1, 8:x_2, 9:30", "x_1|x_2|9:30" },
	/* marks of data sets and headings */
	{ "###STOP### and # x_1", "x_1" },
	/* names: four to sixteen Han characters, two before parentheses */
	{ "护城河", "" },
	{ "护城河大", "~护城河大" },
	{ "一二三四五六七八九十一二三四五六",
	    "~一二三四五六七八九十一二三四五六" },
	{ "一二三四五六七八九十一二三四五六七", "" },
	{ "小店(总店)", "~小店(总店)" },
	{ "店（总店）", "" },
	{ "小店（）", "" },
	{ "小店（总", "" },
	{ "去护国寺小吃店（总", "~护国寺小吃店" },
	{ "小店（总（店）", "" },
	{ "小店（总\n店）", "" },
	{ "小店（一二三四五六七八九十一二三四五六）",
	    "~小店（一二三四五六七八九十一二三四五六）" },
	{ "小店（一二三四五六七八九十一二三四五六a）",
	    "~一二三四五六七八九十一二三四五六" },
	/* capitalized words in mid-sentence */
	{ "hi, Bob; Ann. Tim", "~Bob|~Ann" },
	{ "a Bob and I went", "~Bob" },
	{ "Bob", "" },
	{ " Bob", "" },
	{ "met Al", "~Al" },
	{ "met Al A", "~Al" },
	{ "met Al Zed Ann [", "~Al Zed Ann" },
	{ "met Al  Zed", "~Al" },
	{ "met Al [Zed", "~Al" },
	{ "zap Azz", "~Azz" },
	{ "met Bob2 and McX", "Bob2|~Mc" },
	{ "so, And, Okay; And Bob, YES No", "~And Bob" },
	/* two words without content are no path */
	{ "yes/no and/or He/She Yes/No src/no no/src/yes /no yes/",
	    "src/no|no/src/yes|/no" }
};

/* How hard a fact is to guess; identifiers are the hardest. */
static const struct {
	const char *key;
	unsigned share;
	int id;
} shares[] = {
	{ "HAT136", 200, 1 }, { "mia_li_3668", 200, 1 }, { "x_1", 200, 1 },
	{ "2024-05-20", 200, 1 }, { "a@b.example", 200, 1 },
	{ "src/main.c", 200, 1 }, { "#12", 200, 1 }, { "1234567890", 200, 1 },
	{ "12345", 70, 0 }, { "700", 70, 0 }, { "$30", 70, 0 },
	{ "10:30", 70, 0 }, { "40", 40, 0 }, { "7", 40, 0 },
	{ "JFK", 60, 0 }, { "ABCD", 100, 0 }, { "x1", 100, 0 },
	{ "4.5分", 100, 0 }, { "hello there", 100, 0 }, { "a/b", 100, 0 },
	{ "one_way", 100, 0 }
};

static void
show(const struct ctx_fact *f, struct ctx_buf *b)
{
	if (b->len > 0)
		ctx_buf_addc(b, '|');
	if (f->name)
		ctx_buf_addc(b, '~');
	ctx_buf_add(b, f->key, f->keylen);
	if (f->showlen == f->keylen)
		return;
	ctx_buf_addc(b, '<');
	ctx_buf_add(b, f->show, f->showlen);
	ctx_buf_addc(b, '>');
}

static int
by_name(const void *a, const void *b)
{
	const struct ctx_fact *x = a, *y = b;

	return x->name != y->name ? x->name - y->name :
	    x->key < y->key ? -1 : x->key > y->key;
}

int
main(void)
{
	struct ctx_han_set border;
	struct ctx_facts f = { 0 };
	struct ctx_buf b = { 0 };
	struct ctx_err err = { 0 };
	size_t i, k;

	ctx_han_set_init(&border, ctx_word_han_border);
	TEST("the table of facts");
	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		f.n = 0;
		ctx_buf_reset(&b);
		CHECK_INT(ctx_facts_scan(&f, &border, table[i][0],
		    strlen(table[i][0]), 7, &err), 0);
		if (f.n > 1)
			qsort(f.v, f.n, sizeof(*f.v), by_name);
		for (k = 0; k < f.n; k++) {
			show(&f.v[k], &b);
			CHECK_INT(f.v[k].at, 7);
		}
		CHECK_STR(ctx_buf_str(&b), table[i][1]);
	}
	TEST("the table of shares");
	for (i = 0; i < sizeof(shares) / sizeof(shares[0]); i++)
		if (!CHECK_INT(ctx_fact_share(shares[i].key,
		    strlen(shares[i].key)), shares[i].share) ||
		    !CHECK_INT(ctx_fact_is_id(shares[i].key,
		    strlen(shares[i].key)), shares[i].id))
			fprintf(stderr, "\t%s\n", shares[i].key);
	free(f.v);
	ctx_buf_done(&b);
	return CHECK_DONE("fact");
}
