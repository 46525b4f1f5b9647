/* SPDX-License-Identifier: MIT */
/* Known models and encodings; see count.h. */
#include "cmd/count/count.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "token/model.h"

void
count_list_models(struct cli *c, void *place)
{
	struct ctx_err err = { 0 };
	struct ctx_models *models = ctx_models_new(&err);
	const struct ctx_model *m;
	size_t i;

	(void)place;
	if (models == NULL) {
		cli_report(c, NULL, &err);
		exit(cli_end(c));
	}
	for (i = 0; (m = ctx_models_at(models, i)) != NULL; i++)
		printf("%-28s %-12s %-14s %-12s %8" PRIu64 " %7" PRIu64 "\n",
		    m->prefix, m->provider, m->encoding,
		    ctx_level_name(m->level), m->window, m->output);
	ctx_models_free(models);
	exit(cli_end(c));
}

void
count_list_encodings(struct cli *c, void *place)
{
	const char *name, *what;
	size_t i;

	(void)place;
	for (i = 0; (name = ctx_tok_known(i, &what)) != NULL; i++)
		printf("%-16s %s\n", name, what);
	exit(cli_end(c));
}
