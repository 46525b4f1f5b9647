/* SPDX-License-Identifier: MIT */
#include "extract/deed.h"

#include "check.h"

static const struct {
	const char *tool;
	enum ctx_deed want;
} tools[] = {
	/* the first verb that tells something decides, in any style */
	{ "book_room", CTX_DEED_DONE }, { "cancelOrder", CTX_DEED_DONE },
	{ "CancelOrder", CTX_DEED_DONE }, { "mail.send", CTX_DEED_DONE },
	{ "mcp__tracker__create-issue", CTX_DEED_DONE },
	{ "UPDATE_ROW", CTX_DEED_DONE }, { "user:delete", CTX_DEED_DONE },
	{ "Edit", CTX_DEED_DONE }, { "apply_patch", CTX_DEED_DONE },
	{ "HTTPPost", CTX_DEED_DONE }, { "v2_write", CTX_DEED_DONE },
	{ "取消订单", CTX_DEED_DONE }, { "酒店预订", CTX_DEED_DONE },
	{ "get_user", CTX_DEED_LOOKS }, { "getOrders", CTX_DEED_LOOKS },
	{ "Read", CTX_DEED_LOOKS }, { "files.list", CTX_DEED_LOOKS },
	{ "find_and_replace", CTX_DEED_LOOKS },
	{ "calculate", CTX_DEED_LOOKS }, { "think", CTX_DEED_LOOKS },
	{ "查询余额", CTX_DEED_LOOKS }, { "订单查询", CTX_DEED_LOOKS },
	/* a verb is a whole word */
	{ "bookkeeping", CTX_DEED_UNKNOWN }, { "getter", CTX_DEED_UNKNOWN },
	{ "settings", CTX_DEED_UNKNOWN }, { "bash", CTX_DEED_UNKNOWN },
	{ "", CTX_DEED_UNKNOWN }, { "_", CTX_DEED_UNKNOWN },
	{ "\xff\xff", CTX_DEED_UNKNOWN }, { "取", CTX_DEED_UNKNOWN },
	{ "averyveryverylongword_get", CTX_DEED_LOOKS }
};

static const struct {
	const char *result;
	int want;
} results[] = {
	{ "Error: payment amount does not add up", 1 },
	{ "  error", 1 }, { "FAILED to open", 1 }, { "失败：余额不足", 1 },
	{ "Traceback (most recent call last)", 1 },
	{ "{\"error\": \"no such id\"}", 1 },
	{ "{\"error\" : {\"code\": 4}}", 1 },
	{ "{\"success\":\n false}", 1 }, { "[{\"ok\": false}]", 1 },
	{ "{\"status\": \"failed\"}", 1 },
	{ "{\"error\": null, \"ok\": true}", 0 }, { "{\"error\": \"\"}", 0 },
	{ "errors: none", 0 }, { "booked, no error", 0 },
	{ "the field \"error\": \"x\"", 0 }, { "", 0 }, { "ok", 0 },
	{ "{\"a\": 1}", 0 },
	{ "fatal: not a repository", 1 }, { "fatality", 0 },
	{ "Exit code 128\nno", 1 }, { "ok\nExit Code: 0\n", 0 },
	{ "Process exited with code 2\n", 1 },
	{ "{\"output\":\"x\",\"metadata\":{\"exit_code\":3}}", 1 },
	{ "{\"output\":\"x\",\"metadata\":{\"exit_code\":0}}", 0 },
	{ "exit codes are 1 and 2", 0 }
};

/* A deed, and what it was done to. */
static const char *const objects[][2] = {
	{ "cancel(JG7FMM)", "JG7FMM" },
	{ "book(mia_li_3668, JFK, 3)", "mia_li_3668" },
	{ "pay(gift, card_7781, card_40)", "card_7781" },
	{ "send(hello, you)", "hello" },
	{ "send(hello, …)", "hello" },
	{ "send(a (b), x_1)", "x_1" },
	{ "stop()", "" },
	{ "(1", "1" },
	{ "stop", "" },
	{ "", "" }
};

int
main(void)
{
	size_t i, n, at;

	TEST("the tables of deeds");
	for (i = 0; i < sizeof(tools) / sizeof(tools[0]); i++)
		if (!CHECK_INT(ctx_deed_of(tools[i].tool,
		    strlen(tools[i].tool)), tools[i].want))
			fprintf(stderr, "\t%s\n", tools[i].tool);
	for (i = 0; i < sizeof(results) / sizeof(results[0]); i++)
		if (!CHECK_INT(ctx_deed_failed(results[i].result,
		    strlen(results[i].result)), results[i].want))
			fprintf(stderr, "\t%s\n", results[i].result);
	for (i = 0; i < sizeof(objects) / sizeof(objects[0]); i++) {
		n = ctx_deed_object(objects[i][0], strlen(objects[i][0]), &at);
		CHECK_MEM(objects[i][0] + at, n, objects[i][1]);
	}
	return CHECK_DONE("deed");
}
