/* SPDX-License-Identifier: MIT */
/* Vectors for ctx-store embed, search and relevant; see meaning.h. */
#include "cmd/store/meaning.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

/* Pass the option on to the helper as it was written. */
static void
pass(struct cli *c, void *place)
{
	struct meaning *m = place;

	if (m->argc + 2 > MEANING_ARGS - 4)
		cli_usage(c, "too many options");
	m->argv[1 + m->argc++] = c->word;
	if (c->arg != NULL && strchr(c->word, '=') == NULL)
		m->argv[1 + m->argc++] = c->arg;
}

static void
take_url(struct cli *c, void *place)
{
	((struct meaning *)place)->url = c->arg;
	pass(c, place);
}

static void
take_model(struct cli *c, void *place)
{
	((struct meaning *)place)->model = c->arg;
	pass(c, place);
}

static void
take_no_redact(struct cli *c, void *place)
{
	((struct meaning *)place)->no_redact = 1;
	pass(c, place);
}

static void
take_timeout(struct cli *c, void *place)
{
	(void)cli_age(c);	/* checked before anything is done */
	pass(c, place);
}

static void
take_tries(struct cli *c, void *place)
{
	(void)cli_num(c, 1, 10);
	pass(c, place);
}

const struct cli_opt meaning_opts[] = {
	OPT_GROUP("Endpoint for vectors"),
	OPT_DO(0, "url", "URL", take_url, "URL of the endpoint to ask"),
	OPT_DO(0, "ask-model", "NAME", take_model, "model to ask"),
	OPT_DO(0, "key-file", "FILE", pass,
	    "file with the endpoint's key"),
	OPT_DO(0, "cacert", "FILE", pass, "file of CA certificates to trust"),
	OPT_DO(0, "insecure-http", NULL, pass,
	    "allow sending a key to another machine over http:"),
	OPT_DO(0, "no-redact", NULL, take_no_redact,
	    "send texts without redacting secrets"),
	OPT_DO(0, "timeout", "TIME", take_timeout,
	    "time limit for all tries of a request (default 120s)"),
	OPT_DO(0, "tries", "N", take_tries,
	    "maximum number of tries of a request (default 3)"),
	OPT_END
};

static const char *const methods[] = { "keyword", "meaning", "both", NULL };

#define OPT_OF struct meaning
const struct cli_opt meaning_method_opts[] = {
	OPT_WORD(0, "method", "HOW", method, methods,
	    "search method (default: both if there are vectors)",
	    .min = METHOD_KEYWORD),
	OPT_ROWS(meaning_opts),
	OPT_END
};

static const char *
variable(const char *name)
{
	const char *s = getenv(name);

	return s != NULL && *s != '\0' ? s : NULL;
}

int
meaning_ready(struct meaning *m)
{
	const char *model = m->model != NULL ? m->model :
	    variable("CTX_EMBED_MODEL");
	int n = 1 + m->argc;

	if (m->url == NULL && model == NULL &&
	    variable("CTX_EMBED_URL") == NULL)
		return 0;
	m->argv[0] = "ctx-embed";
	if (m->s->cli.verbose)
		m->argv[n++] = "-v";
	if (m->s->cli.quiet)
		m->argv[n++] = "-q";
	m->argv[n] = NULL;
	m->embedder.argv = (char *const *)(uintptr_t)m->argv;
	m->embedder.model = model != NULL ? model : "default";
	m->s->asked = m->embedder.model;
	m->embedder.waiting = store_watch_step;
	m->embedder.arg = m->s;
	return 1;
}

void
meaning_ended(struct meaning *m, int soft)
{
	int rc = m->embedder.exit;

	if (rc == -1)
		cli_warn(&m->s->cli, "ctx-embed was killed");
	if (rc <= CLI_OK || rc > CLI_REMOTE)
		rc = CLI_SYSTEM;
	if (!soft)
		cli_raise(&m->s->cli, (enum cli_exit)rc);
}

int
meaning_rank(struct meaning *m, const char *question,
    struct ctx_vector_like *like, struct ctx_rank *r)
{
	const int soft = m->method == METHOD_UNSET;
	const size_t len = strlen(question);
	struct cli *c = &m->s->cli;
	struct ctx_err err = { 0 };

	/* text that is not UTF-8 is refused together with the words */
	if (m->method == METHOD_KEYWORD || len == 0 ||
	    ctx_utf8_check(question, len) != len)
		return 0;
	if (like->max == 0)
		like->max = CTX_SEARCH_BEST;
	if (!meaning_ready(m))
		ctx_fail(&err, CTX_EUSAGE, "no endpoint to ask; give "
		    MEANING_HOW);
	else if (ctx_embedder_rank(&m->embedder, m->s->st, question, like, r,
	    &err) == 0)
		return 1;
	if (err.code == CTX_OK)
		meaning_ended(m, soft);
	else if (!soft)
		store_report(m->s, NULL, &err);
	else if (c->verbose || (err.code != CTX_EUSAGE && err.code != CTX_ENO))
		cli_warn(c, "searching by keyword only: %s", err.text);
	return soft ? 0 : -1;
}
