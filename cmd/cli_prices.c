/* SPDX-License-Identifier: MIT */
/* What tokens cost; see cli_prices.h. */
#include "cli_prices.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli_files.h"

void
cli_prices_open(struct ctx_prices *p, const char *path, struct cli *c)
{
	struct ctx_buf text = { 0 };
	struct ctx_err err = { 0 };
	int rc = 1;

	if (path == NULL)
		path = getenv("CTX_PRICES");
	if (path != NULL && *path != '\0')
		rc = cli_file_get(path, &text, &err);
	if (rc == 0)
		ctx_fail(&err, CTX_ESYSTEM, "no such file");
	if (rc != 1 || ctx_prices_read(p, text.data, text.len, &err) == -1 ||
	    ctx_prices_known(p, &err) == -1) {
		cli_report(c, path, &err);
		exit(cli_end(c));
	}
	ctx_buf_done(&text);
}

char *
cli_dollars(uint64_t nano, char out[CLI_DOLLARS])
{
	uint64_t n = nano / 1000 + (nano % 1000 > 0);

	snprintf(out, CLI_DOLLARS, "%" PRIu64 ".%06" PRIu64, n / 1000000,
	    n % 1000000);
	return out;
}
