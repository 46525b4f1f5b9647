/* SPDX-License-Identifier: MIT */
/* Known models and encodings; see count.h. */
#include "cmd/count/count.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "token/model.h"

static int
list_model(const struct ctx_model *m, struct ctx_err *err)
{
	struct ctx_ratio f = m->fitted.factor;
	int at_hand = ctx_model_table(m) == NULL ? 1 :
	    ctx_tok_at_hand(m->encoding, err);

	if (at_hand == -1)
		return -1;
	printf("%-28s %-12s %-14s %-12s %8" PRIu64 " %7" PRIu64 "%s\n",
	    m->prefix, m->provider, m->encoding, ctx_level_name(f.num != f.den ?
	    CTX_ESTIMATE : m->level),
	    m->window, m->output, at_hand ? "" : " needs --prepare");
	return 0;
}

void
count_list_models(struct cli *c, void *place)
{
	struct ctx_err err = { 0 };
	struct ctx_models *models = ctx_models_new(&err);
	const struct ctx_model *m;
	size_t i;
	int rc = models == NULL ? -1 : 0;

	(void)place;
	for (i = 0; rc == 0 && (m = ctx_models_at(models, i)) != NULL; i++)
		rc = list_model(m, &err);
	if (rc == -1)
		cli_report(c, NULL, &err);
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
