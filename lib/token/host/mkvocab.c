/* SPDX-License-Identifier: MIT */
/*
 * mkvocab - write a vocabulary table at build time
 *
 *	mkvocab NAME SPLIT RANKFILE TABLE
 *
 * SPLIT is r50k, cl100k or o200k.
 */
#include <stdio.h>
#include <string.h>

#include "token/table.h"
#include "token/vocab.h"

int
main(int argc, char *argv[])
{
	static const char *const kind[] = { "none", "r50k", "cl100k", "o200k" };
	struct ctx_vocab v;
	struct ctx_err err = { 0 };
	unsigned k;
	int rc;

	for (k = 0; argc == 5 && k < sizeof(kind) / sizeof(*kind); k++)
		if (strcmp(argv[2], kind[k]) == 0)
			break;
	if (argc != 5 || k == sizeof(kind) / sizeof(*kind)) {
		fputs("usage: mkvocab name split rankfile table\n", stderr);
		return 2;
	}
	ctx_vocab_init(&v, argv[1]);
	v.split = (enum ctx_split_kind)k;
	v.flags = CTX_TABLE_WHOLE;
	rc = ctx_vocab_read_ranks(&v, argv[3], &err);
	if (rc == 0)
		rc = ctx_vocab_write(&v, argv[4], &err);
	if (rc == -1)
		fprintf(stderr, "mkvocab: %s\n", err.text);
	ctx_vocab_done(&v);
	return rc == -1 ? 4 : 0;
}
