/* SPDX-License-Identifier: MIT */
/* ctx-count --price: what tokens cost; see count.h. */
#include "cmd/count/count.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli_files.h"

void
count_prices_open(struct count_rows *r, struct cli *c)
{
	const char *path = r->price_file != NULL ? r->price_file :
	    getenv("CTX_PRICES");
	struct ctx_buf text = { 0 };
	struct ctx_err err = { 0 };
	int rc = 1;

	if (path != NULL && *path != '\0')
		rc = cli_file_get(path, &text, &err);
	if (rc == 0)
		ctx_fail(&err, CTX_ESYSTEM, "no such file");
	if (rc != 1 || ctx_prices_read(&r->prices, text.data, text.len,
	    &err) == -1 || ctx_prices_known(&r->prices, &err) == -1) {
		cli_report(c, path, &err);
		exit(cli_end(c));
	}
	ctx_buf_done(&text);
}

char *
count_dollars(uint64_t nano, char out[COUNT_MONEY])
{
	uint64_t n = nano / 1000 + (nano % 1000 > 0);

	snprintf(out, COUNT_MONEY, "%" PRIu64 ".%06" PRIu64, n / 1000000,
	    n % 1000000);
	return out;
}

int
count_cost(const struct count_rows *r, uint64_t n, uint64_t *nano)
{
	const char *model = r->cost.model_name;
	const uint64_t plain[CTX_PRICE_N] = { [CTX_PRICE_INPUT] = n };
	const uint64_t cached[CTX_PRICE_N] = { [CTX_PRICE_CACHED] = n };
	uint64_t less = 0;

	if (!ctx_prices_cost(&r->prices, model, "", plain, nano) ||
	    (r->opts.by == CTX_TALLY_PREFIX &&
	    !ctx_prices_cost(&r->prices, model, "", cached, &less)))
		return 0;
	*nano -= less < *nano ? less : *nano;
	return 1;
}
