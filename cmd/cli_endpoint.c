/* SPDX-License-Identifier: MIT */
/* Options about an endpoint; see cli_endpoint.h. */
#include "cli_endpoint.h"

#include "net/endpoint.h"

#define OPT_OF struct ctx_endpoint_want
const struct cli_opt cli_endpoint_opts[] = {
	OPT_TEXT(0, "url", "URL", url, "URL of the endpoint to ask"),
	OPT_TEXT(0, "ask-model", "NAME", model, "model to ask", .utf8 = 1),
	OPT_TEXT(0, "key-file", "FILE", key_file,
	    "file with the endpoint's key"),
	OPT_FLAG(0, "insecure-http", insecure_http,
	    "allow sending a key to another machine over http:"),
	OPT_END
};
#undef OPT_OF

#define OPT_OF struct ctx_http_limits
const struct cli_opt cli_limits_opts[] = {
	OPT_AGE(0, "timeout", "TIME", total_ms, 86400,
	    "time limit for all tries of a request (default 120s)",
	    .min = 1000),
	OPT_NUM(0, "tries", "N", tries, 1, 10,
	    "maximum number of tries of a request (default 3)"),
	OPT_END
};
