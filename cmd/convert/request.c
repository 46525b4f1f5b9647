/* SPDX-License-Identifier: MIT */
/* What a request has besides its messages; see request.h. */
#include "cmd/convert/request.h"

#include <string.h>

#include "decide/param.h"

#define OPT_OF struct convert_request
const struct cli_opt convert_request_opts[] = {
	OPT_GROUP("Requests"),
	OPT_FLAG(0, "request", wanted,
	    "write complete requests for the API", .needs = "model"),
	OPT_TEXT('m', "model", "NAME", model,
	    "model to name in requests and to count tokens for",
	    .live = "ctx-count --list-models", .utf8 = 1),
	OPT_TEXT(0, "api", "NAME", api,
	    "with --request: server that it is for, if not the dialect's own",
	    .word = ctx_api_name, .needs = "request"),
	OPT_CALL(0, "system", "FILE", system, cli_prompt_read,
	    "with --request: file with the system prompt, plain text",
	    .needs = "request"),
	OPT_CALL(0, "tools", "FILE", tools, cli_tools_read,
	    "with --request: file of tool definitions, a JSON list",
	    .needs = "request"),
	OPT_TEXT(0, "tool-choice", "HOW", want.choice,
	    "with --request: tools to call: auto, none, required, or a name",
	    .needs = "request"),
	OPT_NUM(0, "max-output", "N", want.max_output, 1, UINT32_MAX,
	    "with --request: maximum length of the answer, in tokens",
	    .needs = "request"),
	OPT_FLAG(0, "stream", want.stream,
	    "with --request: ask for a streamed answer", .needs = "request"),
	OPT_FLAG(0, "cache", want.cache,
	    "with --request: mark what the server is to cache",
	    .needs = "request"),
	OPT_CALL(0, "set", "NAME=VALUE", set, cli_set_take,
	    "with --request: set a member; can be repeated",
	    .needs = "request", .utf8 = 1),
	OPT_END
};
#undef OPT_OF

/* Warn of what the model refuses, or cannot be told. */
static void
warn_of_model(struct convert_request *r, const char *api, struct cli *c)
{
	const char *how = r->want.choice;
	struct ctx_str model = { r->model, (uint32_t)strlen(r->model) };

	cli_set_check(&r->set, api, r->model, c);
	if (how != NULL && strcmp(how, "auto") != 0 && strcmp(how, "none") !=
	    0 && ctx_param_refused(api, model, "tool_choice.forced", NULL,
	    NULL) != NULL)
		cli_warn(c, "%s refuses a tool choice that makes it call one, "
		    "which --tool-choice sets", r->model);
	if (r->want.cache && strcmp(api, "bedrock") == 0 &&
	    ctx_param_cached(api, model)->how == CTX_CACHE_NONE)
		cli_warn(c, "--cache: %s is not known to have cache points",
		    r->model);
}

/* End the process if the target's request cannot have what is wanted. */
static void
check(const struct convert_request *r, const struct ctx_target *to,
    struct cli *c)
{
	const struct ctx_request *want = &r->want;
	size_t i;

	if (to->request == NULL)
		cli_usage(c, "there is no request of that dialect");
	if (want->choice != NULL && !ctx_request_can_choose(to, want->choice))
		cli_usage(c, "the API of %s has no tool choice %s", to->name,
		    want->choice);
	for (i = 0; i < want->nset; i++)
		if (ctx_request_owns(to, want->set[i].name))
			cli_usage(c, "--set cannot set %s: the messages are "
			    "the input, and there are -m and --system",
			    want->set[i].name);
}

void
convert_request_settle(struct convert_request *r,
    struct ctx_convert_job_opts *opts, struct cli *c)
{
	const char *name = opts->to->name;

	opts->api = ctx_api_find(r->api != NULL ? r->api : name);
	if (r->api != NULL && strcmp(opts->api->dialect, name) != 0)
		cli_usage(c, "--api %s needs --to %s", r->api,
		    opts->api->dialect);
	r->want.model = r->model;
	if (cli_given(c, "tools"))
		r->want.tools = &r->tools.list;
	r->want.system = r->system.str;
	r->want.set = r->set.set;
	r->want.nset = r->set.n;
	if (r->wanted) {
		check(r, opts->to, c);
		warn_of_model(r, opts->api->name, c);
	}
	opts->request = r->wanted;
	opts->want = r->want;
}

void
convert_request_done(struct convert_request *r)
{
	cli_tools_done(&r->tools);
	cli_prompt_done(&r->system);
	cli_set_done(&r->set);
}
