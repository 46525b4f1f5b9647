/* SPDX-License-Identifier: MIT */
/* --set; see cli_set.h. */
#include "cli_set.h"

#include <stdlib.h>
#include <string.h>

#include "cli_opt.h"
#include "decide/param.h"

void
cli_set_take(struct cli *c, void *place)
{
	struct cli_set *s = place;
	const char *eq = strchr(c->arg, '=');
	char *name;

	if (eq == NULL || eq == c->arg)
		cli_usage(c, "--set needs NAME=VALUE");
	if (s->n == CLI_SET_MAX)
		cli_usage(c, "--set was given too often");
	if ((name = strndup(c->arg, (size_t)(eq - c->arg))) == NULL)
		cli_nomem(c);
	s->names[s->n] = name;
	s->set[s->n++] = (struct ctx_set){ name, eq + 1 };
}

void
cli_set_check(const struct cli_set *s, const char *api, const char *model,
    struct cli *c)
{
	struct ctx_str name = { model, (uint32_t)strlen(model) };
	const struct ctx_param_row *row;
	size_t i;

	for (i = 0; i < s->n; i++) {
		row = strcmp(s->set[i].value, "null") == 0 ? NULL :
		    ctx_param_refused(api, name, s->set[i].name, NULL, NULL);
		if (row == NULL || row->perhaps)
			continue;
		if (row->instead != NULL)
			cli_warn(c, "%s refuses %s, which --set sets; it takes "
			    "%s", model, s->set[i].name, row->instead);
		else
			cli_warn(c, "%s refuses %s, which --set sets", model,
			    s->set[i].name);
	}
}

void
cli_set_done(struct cli_set *s)
{
	size_t i;

	for (i = 0; i < s->n; i++)
		free(s->names[i]);
	s->n = 0;
}
