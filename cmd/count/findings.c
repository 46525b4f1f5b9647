/* SPDX-License-Identifier: MIT */
/* Limits that are exceeded, with --format; see count.h. */
#include "cmd/count/count.h"

#include <inttypes.h>
#include <string.h>

static const struct ctx_str nothing = { "", 0 };

static struct cli_rule
rule_at(size_t i)
{
	static const struct cli_rule rules[COUNT_RULES] = {
		[COUNT_OVER_BUDGET] = { "over-budget",
		    "conversation has more tokens than allowed",
		    "A conversation has more tokens than --max allows.",
		    "ctx-truncate(1) and ctx-clean(1) make it shorter." },
		[COUNT_CACHE_BREAK] = { "cache-break",
		    "history shares too little with the one before",
		    "Less of the tokens of the second history than --min are "
		    "in the messages that both have at the start.",
		    "A provider's prompt cache can save only what is the same "
		    "from the start; the line is that of the first message that "
		    "is not." },
		[COUNT_NOT_COUNTED] = { "not-counted",
		    "file has no message",
		    "A file has records, but none of them is a message, so "
		    "nothing was compared with --max.",
		    "ctx-stream(5) lists the formats that are read." }
	};

	return rules[i];
}

void
count_findings_open(struct count_rows *r, struct cli *c)
{
	r->tell = cli_given(c, "format");
	r->off[COUNT_OVER_BUDGET] = r->off[COUNT_NOT_COUNTED] = !r->has_max;
	r->off[COUNT_CACHE_BREAK] = !r->opts.apart;
	r->found.rules = (struct cli_rules){ rule_at, COUNT_RULES, r->off };
	if (r->tell)
		cli_findings_open(&r->found, c);
}

/*
 * Print a finding.  Its text has figures, which change, so the key says which of
 * the file's it is: the conversation, or nothing.
 */
static void
put(struct count_rows *r, enum count_rule rule, const char *file,
    uint64_t line, struct ctx_str key, const char *text)
{
	const struct cli_finding what = { .file = file,
	    .line = line > 0 ? line : 1, .rule = rule, .text = text,
	    .textlen = strlen(text), .key = key.p, .keylen = key.len };

	if (cli_findings_put(&r->found, &what))
		cli_raise(r->stream.cli, CLI_NO);
}

void
count_over_budget(struct count_rows *r, const struct count_row *row,
    uint64_t line)
{
	char name[512], text[700];
	int n;

	ctx_err_quote(name, sizeof(name), row->name, row->len);
	n = snprintf(text, sizeof(text), "%s%s: ", r->tell ? "conversation " :
	    "", name);
	if (r->tell && !row->is_json)
		n = 0;
	snprintf(text + n, sizeof(text) - (size_t)n, "%" PRIu64
	    " tokens exceed the limit of %" PRIu64, row->sum->tokens, r->max);
	if (r->tell)
		put(r, COUNT_OVER_BUDGET, r->stream.file, line, row->is_json ?
		    (struct ctx_str){ row->name, (uint32_t)row->len } : nothing,
		    text);
	else
		cli_error(r->stream.cli, CLI_NO, "%s", text);
}

void
count_no_message(struct cli_stream *s, const char *file, uint64_t records)
{
	struct count_rows *r = (struct count_rows *)s;
	char text[120];

	snprintf(text, sizeof(text), "no message in %" PRIu64 " record%s, so "
	    "nothing was compared with --max", records, CLI_S(records));
	if (r->tell)
		put(r, COUNT_NOT_COUNTED, s->file, 1, nothing, text);
	else
		cli_error(s->cli, CLI_NO, "%s: %s", file, text);
}

void
count_check_min(struct count_rows *r, struct cli *c)
{
	uint64_t common = r->total.tokens;
	uint64_t all = common + ctx_tally_apart(r->stream.job);
	uint64_t need = ctx_ratio_up(r->min, all);
	char text[160];

	if (common >= need)
		return;
	snprintf(text, sizeof(text), "%" PRIu64 " of %" PRIu64 " tokens are "
	    "common, but --min needs %" PRIu64, common, all, need);
	if (r->tell)
		put(r, COUNT_CACHE_BREAK, c->file[1],
		    ctx_tally_parts(r->stream.job), nothing, text);
	else
		cli_error(c, CLI_NO, "%s: %s", c->file[1], text);
}

void
count_findings_file(struct count_rows *r, const char *file)
{
	/* of two histories, only the new one is checked */
	if (r->tell && (r->opts.by != CTX_TALLY_PREFIX || r->nfile == 2))
		cli_findings_file(&r->found, file);
}

void
count_findings_end(struct count_rows *r, struct cli *c)
{
	if (r->tell)
		cli_findings_end(&r->found, r->opts.by != CTX_TALLY_PREFIX ?
		    (uint64_t)(c->nfile > 0 ? c->nfile : 1) :
		    r->nfile == 2 ? 1 : UINT64_MAX);
	cli_findings_done(&r->found);
}
