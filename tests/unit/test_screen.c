/* SPDX-License-Identifier: MIT */
/* A transcript where there is no UTF-8: signs of ASCII, which bats cannot ask for. */
#include "show/screen.h"

#include "check.h"

int
main(void)
{
	const struct ctx_shown_part part[] = {
		{ .kind = CTX_CALL, .name = { "f", 1 },
		    .text = { "{\"a\":1}", 7 } },
		{ .kind = CTX_RESULT, .name = { "f", 1 },
		    .text = { "1\n2\n3\n4\n5\n6", 11 } }
	};
	const struct ctx_shown m = { .no = 1, .turn = 1, .conversation = 1,
	    .role = CTX_ASSISTANT, .tokens = 5, .part = part, .npart = 2 };
	struct ctx_screen t = { .look = { .ascii = 1 } };
	struct ctx_buf out = { 0 };
	struct ctx_err err = { 0 };

	TEST("signs of ASCII");
	CHECK_INT(ctx_screen_put(&t, &m, &out, &err), 0);
	CHECK_MEM(out.data, out.len,
	    "-- turn 1 ------------------------------\n"
	    "      5  assistant\n"
	    "           > f a=1\n"
	    "           = f\n"
	    "             1\n"
	    "             2\n"
	    "             3\n"
	    "             4\n"
	    "             ... 2 more lines\n");
	ctx_screen_done(&t);
	ctx_buf_done(&out);
	return CHECK_DONE("screen");
}
