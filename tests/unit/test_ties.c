/* SPDX-License-Identifier: MIT */
/* Calls in other branches, and their results. */
#include "decide/ties.h"

#include <string.h>

#include "check.h"

/*
 * Each letter is a record: m is in the branch, b beside it; of capital letters
 * the record goes.  A tie is two digits: the records of a call and of its result;
 * 9 is one that is gone.
 */
static const struct {
	const char *records, *ties, *stay;
} cases[] = {
	{ "mbbm", "12", "mbbm" },
	{ "mbBm", "12", "m--m" },
	{ "mBbm", "12", "m--m" },
	{ "mBBm", "12", "m--m" },
	/* one of the branch stays, whatever becomes of the other */
	{ "mbM", "12", "m--" },
	{ "mBm", "12", "m-m" },
	{ "mbm", "12", "mbm" },
	{ "bm", "09", "-m" },
	{ "mb", "09", "mb" },
	/* what is tied to one that goes, on any way */
	{ "bbbbB", "01 12 23 34", "-----" },
	{ "Bbbbb", "01 12 23 34", "-----" },
	{ "bbbbB", "43 01 23 12", "-----" },
	{ "bbbbBbb", "03 24 14 56", "b--b-bb" },
	/* but not by way of the branch */
	{ "bbMbb", "01 12 23 34", "-----" },
	{ "bbmBb", "01 12 23 34", "bbm--" }
};

static void
test_case(size_t i)
{
	const char *r = cases[i].records, *t = cases[i].ties;
	const uint32_t n = (uint32_t)strlen(r);
	unsigned char fate[16] = { 0 };
	struct ctx_err err = { 0 };
	struct ctx_tie tie[8];
	char stay[16] = "";
	size_t ntie, k;

	for (k = 0; k < n && k < sizeof(fate); k++)
		fate[k] = (r[k] >= 'a' ? CTX_TIES_KEPT : 0) |
		    ((r[k] | 0x20) == 'b' ? CTX_TIES_BESIDE : 0);
	for (ntie = 0; *t != '\0'; t += t[2] == ' ' ? 3 : 2, ntie++)
		for (k = 0; k < 2; k++)
			tie[ntie].rec[k] = t[k] == '9' ? n :
			    (uint32_t)(t[k] - '0');
	CHECK(ctx_ties_settle(tie, ntie, fate, n, &err) == 0);
	for (k = 0; k < n; k++)
		stay[k] = fate[k] & CTX_TIES_KEPT ? r[k] : '-';
	CHECK_STR(stay, cases[i].stay);
}

int
main(void)
{
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		RUN(test_case(i));
	return CHECK_DONE("ties");
}
