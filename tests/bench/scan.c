/* SPDX-License-Identifier: MIT */
/*
 * scan - the scanner alone: what every filter does at least
 *
 *	scan [-c]
 *
 * Checks each line of standard input and prints how many nodes there are.  With
 * -c it copies the lines to standard output instead, as a filter does that
 * changes none.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "read/line.h"
#include "read/span.h"
#include "write/out.h"

static int
flush(void *out, struct ctx_err *err)
{
	return ctx_out_flush(out, err);
}

int
main(int argc, char *argv[])
{
	int copy = argc > 1 && strcmp(argv[1], "-c") == 0, rc;
	unsigned long long nodes = 0;
	struct ctx_doc doc = { 0 };
	struct ctx_err err = { 0 };
	struct ctx_reader r;
	struct ctx_line line;
	struct ctx_out out;

	ctx_out_init(&out, STDOUT_FILENO, "standard output");
	ctx_reader_init(&r, STDIN_FILENO);
	r.before_read = flush;
	r.arg = &out;
	while ((rc = ctx_reader_next(&r, &line, &err)) == 1) {
		if ((rc = ctx_doc_scan(&doc, line.raw, line.len, &err)) == 0 &&
		    copy)
			rc = ctx_out_line(&out, line.raw, line.len, line.block,
			    &err);
		if (rc == -1)
			break;
		nodes += doc.n;
	}
	if (rc == 0)
		rc = ctx_out_flush(&out, &err);
	if (rc == -1)
		fprintf(stderr, "scan: %s\n", err.text);
	else if (!copy)
		printf("%llu\n", nodes);
	ctx_out_done(&out);
	ctx_doc_done(&doc);
	ctx_reader_done(&r);
	return rc == -1 ? 4 : 0;
}
