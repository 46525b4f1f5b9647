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
	{ "评分4.5分以上", "4.5分<评分4.5分>" },
	{ "地址是在护城河大街32号", "32号<护城河大街32号>|~护城河大街" },
	{ "去护国寺小吃店（总店）吃", "~护国寺小吃店（总店）" },
	{ "看《活着》吧", "活着" },
	{ "￥300", "￥300" },
	{ "\xff\xfe 12x", "12x" }
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
	free(f.v);
	ctx_buf_done(&b);
	return CHECK_DONE("fact");
}
