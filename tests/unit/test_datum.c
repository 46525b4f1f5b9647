/* SPDX-License-Identifier: MIT */
#include "extract/datum.h"

#include "base/buf.h"
#include "check.h"

/* A text, and its values after their names; names of members end with :. */
static const char *const table[][2] = {
	{ "", "" },
	{ " {} ", "" },
	{ "{\"a\": 1, \"b\" : \"x y\"}", "a:|a=1|b:|b=x y" },
	{ "{\"a\":[true,\"q\"],\"b\":{\"c\":null}}",
	    "a:|a=true|a=q|b:|c:|c=null" },
	{ "[1,2]", "1|2" },
	{ "plain words, 3", "plain|words|3" },
	{ "k: v", "k|v" },
	{ "\"a\\\"b\", \"cut", "a\\\"b|cut" },
	{ "{\"k\"\n: \"v\"}", "k:|k=v" },
	{ "{\"k\"", "k" },
	{ "ab\"cd\"", "ab|cd" }
};

static void
show(const struct ctx_datum *v, struct ctx_buf *b)
{
	if (b->len > 0)
		ctx_buf_addc(b, '|');
	if (!v->is_name && v->name != NULL) {
		ctx_buf_add(b, v->name, v->namelen);
		ctx_buf_addc(b, '=');
	}
	ctx_buf_add(b, v->text, v->len);
	ctx_buf_adds(b, v->is_name ? ":" : "");
}

/* Capitals are the same as small letters; a full set takes no more. */
static void
test_names(void)
{
	static struct ctx_datum_names set;
	char name[16];
	int i, n = 0;

	ctx_datum_name_add(&set, "Flight_Number", 13);
	ctx_datum_name_add(&set, "flight_number", 13);
	ctx_datum_name_add(&set, "", 0);
	CHECK_INT(set.n, 1);
	CHECK(ctx_datum_name_has(&set, "flight_number", 13));
	CHECK(ctx_datum_name_has(&set, "FLIGHT_NUMBER", 13));
	CHECK(!ctx_datum_name_has(&set, "flight", 6));
	CHECK(!ctx_datum_name_has(&set, "", 0));
	for (i = 0; i < CTX_DATUM_SLOTS; i++) {
		snprintf(name, sizeof(name), "n%d", i);
		ctx_datum_name_add(&set, name, strlen(name));
	}
	CHECK_INT(set.n, CTX_DATUM_SLOTS / 4 * 3);
	for (i = 0; i < CTX_DATUM_SLOTS; i++) {
		snprintf(name, sizeof(name), "n%d", i);
		n += ctx_datum_name_has(&set, name, strlen(name));
	}
	CHECK_INT(n, CTX_DATUM_SLOTS / 4 * 3 - 1);
}

int
main(void)
{
	struct ctx_buf b = { 0 };
	struct ctx_datum v;
	size_t i, at;

	TEST("the table of values");
	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		memset(&v, 0, sizeof(v));
		at = 0;
		ctx_buf_reset(&b);
		while (ctx_datum_next(&v, table[i][0], strlen(table[i][0]),
		    &at))
			show(&v, &b);
		CHECK_STR(ctx_buf_str(&b), table[i][1]);
	}
	ctx_buf_done(&b);
	RUN(test_names());
	return CHECK_DONE("datum");
}
