/* SPDX-License-Identifier: MIT */
/*
 * Treat any bytes as a vocabulary file.  If it can be read, a text has as many
 * ids as tokens, whether it is counted at once or byte by byte.
 */
#include "fuzz.h"

#include <stdio.h>
#include <unistd.h>

#include "token/count.h"

static void
count(struct ctx_counter *c, const char *text, size_t len)
{
	struct ctx_err err = { 0 };
	struct ctx_ids ids = { 0 };
	uint64_t n;
	size_t i;

	MUST(ctx_counter_encode(c, text, len, &ids, &err) == 0);
	MUST(ctx_counter_text(c, text, len, &n, &err) == 0 && n == ids.n);
	for (i = 0; i < len; i++)
		MUST(ctx_counter_feed(c, text + i, 1, &err) == 0);
	MUST(ctx_counter_end(c, &n, &err) == 0 && n == ids.n);
	ctx_ids_done(&ids);
}

static char path[] = "/tmp/fuzz_vocab.XXXXXX";

static void
clean(void)
{
	unlink(path);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	static const char text[] = " The first  of\xc3\xa9 e\xcc\x81 12 "
	    "\xe4\xb8\xad\xe6\x96\x87\n\tA\xef\xac\x81 \xf0\x9f\x99\x82<s> ";
	static FILE *f;
	struct ctx_err err = { 0 };
	struct ctx_counter c;
	struct ctx_tok *tok;

	if (f == NULL) {
		MUST((f = fdopen(mkstemp(path), "w+b")) != NULL);
		atexit(clean);
	}
	rewind(f);
	MUST(ftruncate(fileno(f), 0) == 0);
	MUST(fwrite(data, 1, len, f) == len && fflush(f) == 0);
	if ((tok = ctx_tok_open(path, &err)) == NULL) {
		MUST(err.text[0] != '\0');
		return 0;
	}
	if (!ctx_tok_is_estimate(tok)) {
		MUST(ctx_counter_init(&c, tok, &err) == 0);
		count(&c, text, sizeof(text) - 1);
		count(&c, (const char *)data, len < 300 ? len : 300);
		ctx_counter_done(&c);
	}
	ctx_tok_free(tok);
	return 0;
}
