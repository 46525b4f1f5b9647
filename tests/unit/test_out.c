/* SPDX-License-Identifier: MIT */
/* write/out: text in blocks and copied text are written in order. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "write/out.h"

/*
 * Add raw lines of a block that are not adjacent, so that each is a separate
 * piece, and then copies.  Nothing may be lost when the list of pieces is full.
 */
static void
mixed(int raws, int copies)
{
	static char want[1 << 20], got[1 << 20];
	struct ctx_block *block = ctx_block_new(1 << 16);
	struct ctx_err err = { 0 };
	struct ctx_out out;
	FILE *f = tmpfile();
	size_t n = 0, len;
	char line[32];
	int i;

	ctx_out_init(&out, fileno(f), "test");
	for (i = 0; i < raws; i++) {
		len = (size_t)snprintf(block->data + i * 16, 16, "raw %d\n", i);
		memcpy(want + n, block->data + i * 16, len);
		n += len;
		CHECK_INT(ctx_out_line(&out, block->data + i * 16, len, block,
		    &err), 0);
	}
	for (i = 0; i < copies; i++) {
		len = (size_t)snprintf(line, sizeof(line), "copy %d\n", i);
		memcpy(want + n, line, len);
		n += len;
		CHECK_INT(ctx_out_line(&out, line, len, NULL, &err), 0);
	}
	CHECK_INT(ctx_out_flush(&out, &err), 0);
	rewind(f);
	len = fread(got, 1, sizeof(got), f);
	CHECK(len == n && memcmp(got, want, n) == 0);
	ctx_out_done(&out);
	ctx_block_drop(block);
	fclose(f);
}

int
main(void)
{
	int raws;

	TEST("around %d pieces", CTX_OUT_IOV);
	for (raws = CTX_OUT_IOV - 2; raws <= CTX_OUT_IOV + 2; raws++)
		mixed(raws, 3);
	TEST("many copies");
	mixed(1, 20000);	/* more than the block of copies can hold */
	return CHECK_DONE("out");
}
