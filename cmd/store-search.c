/* SPDX-License-Identifier: MIT */
/* ctx-store search, reindex: words to messages. */
#include <stdlib.h>
#include <string.h>

#include "base/when.h"
#include "store-by.h"
#include "store.h"
#include "store/row.h"
#include "store/index.h"
#include "store/search.h"

enum { OPT_AROUND = CLI_LONG, OPT_AS, OPT_RANK, OPT_ROLE, OPT_SINCE,
    OPT_SUBSTRING, OPT_THREAD, OPT_ALL };

static const struct cli_opt search_opts[] = {
	{ OPT_AROUND, "around", "N", "with N messages before and after" },
	{ OPT_AS, "as", "HOW", "rows or messages" },
	BY_OPTS,
	{ 'n', "last", "N", "the newest N hits (default 20)" },
	{ OPT_RANK, "rank", NULL, "the best hits first" },
	{ OPT_ROLE, "role", "ROLE", "only messages of this role" },
	{ OPT_SINCE, "since", "TIME", "only from this date, or age, on" },
	{ OPT_SUBSTRING, "substring", NULL,
	    "find the text anywhere, inside of words too (slow)" },
	{ OPT_THREAD, "thread", "NAME", "only in this thread" },
	STORE_COMMON
};

struct search {
	struct store *s;
	struct ctx_search how;
	struct by by;
	struct ctx_rank like;		/* what means the same */
	int64_t around;
	int as_messages;
	int64_t hits;
};

static int
print_around(const struct ctx_message *m, void *arg, struct ctx_err *err)
{
	(void)arg;
	if (store_write(m->raw, m->len, err) == -1)
		return -1;
	return m->len > 0 && m->raw[m->len - 1] == '\n' ? 0 :
	    store_write("\n", 1, err);
}

static int
print_row(struct search *f, const struct ctx_hit *h, struct ctx_err *err)
{
	struct ctx_buf *b = &f->s->row;

	ctx_row_begin(b);
	ctx_row_text(b, "thread_id", h->thread);
	ctx_row_text(b, "context_id", h->context);
	ctx_row_int(b, "seq", h->message.seq);
	ctx_row_int(b, "turn", h->message.turn);
	ctx_row_when(b, "ts", h->message.ts);
	ctx_row_text(b, "role", *h->message.role != '\0' ? h->message.role :
	    NULL);
	ctx_row_text(b, "id", *h->message.mid != '\0' ? h->message.mid : NULL);
	ctx_row_bytes(b, "snippet", h->snippet, h->snippet_len);
	ctx_row_end(b);
	return store_row(f->s, err);
}

static int
print_hit(const struct ctx_hit *h, void *arg, struct ctx_err *err)
{
	struct ctx_range range = CTX_RANGE_ALL;
	struct ctx_where w = { h->thread, h->context };
	struct search *f = arg;

	f->hits++;
	if (!f->as_messages)
		return print_row(f, h, err);
	if (f->around == 0)
		return print_around(&h->message, NULL, err);
	range.from_seq = h->message.seq > f->around ?
	    h->message.seq - f->around : 1;
	range.to_seq = h->message.seq + f->around;
	return ctx_log_read(f->s->st, &w, &range, print_around, NULL, err);
}

static void
options(struct search *f)
{
	static const char *const as[] = { "rows", "messages", NULL };
	struct cli *c = &f->s->cli;
	struct ctx_err err = { 0 };
	int ch;

	while ((ch = store_getopt(f->s)) != -1)
		switch (ch) {
		case OPT_AROUND:
			f->around = (int64_t)cli_num(c, 1, 1000000);
			f->as_messages = 1;
			break;
		case OPT_AS:
			f->as_messages = cli_word(c, as);
			break;
		case 'n':
			f->how.limit = (int64_t)cli_num(c, 1, INT64_MAX);
			break;
		case OPT_RANK:
			f->how.rank = 1;
			break;
		case OPT_ROLE:
			f->how.role = c->arg;
			break;
		case OPT_SINCE:
			cli_must(c, ctx_when_parse(c->arg, ctx_when_now(),
			    &f->how.since, &err), &err);
			break;
		case OPT_SUBSTRING:
			f->how.substring = 1;
			break;
		case OPT_THREAD:
			f->how.thread = c->arg;
			break;
		default:
			by_opt(&f->by, ch);
		}
}

/* What means the same, where --by wants it.  -1 has been reported. */
static int
find_like(struct search *f)
{
	struct ctx_where w = { f->how.thread, NULL };
	int rc;

	if (f->how.substring)
		return 0;
	rc = by_meaning(&f->by, f->how.words, w.thread != NULL ? &w : NULL, 0,
	    &f->like);
	if (rc == 1) {
		f->how.like = &f->like;
		f->how.only_like = f->by.how == BY_MEANING;
	}
	return rc;
}

static void
search_run(struct store *s)
{
	struct search f = { .s = s, .by.helper.s = s,
	    .how = { .since = INT64_MIN, .limit = 20 } };
	struct ctx_buf words = { 0 };
	struct ctx_err err = { 0 };
	int64_t missing = 0;
	int i;

	options(&f);
	store_operands(s, 1, 1 << 20, "words to look for");
	for (i = 0; i < s->cli.nfile; i++) {
		ctx_buf_adds(&words, i > 0 ? " " : "");
		ctx_buf_adds(&words, s->cli.file[i]);
	}
	f.how.words = ctx_buf_str(&words);
	if (f.how.words != NULL && store_open(s) == 0 &&
	    find_like(&f) != -1) {
		if (ctx_search_find(s->st, &f.how, print_hit, &f, &missing,
		    &err) == -1)
			store_report(s, NULL, &err);
		else if (f.hits == 0)
			s->cli.worst = CLI_NO;
		if (missing > 0 && !f.how.substring)
			cli_warn(&s->cli, "%lld messages are not indexed: run "
			    "ctx-store reindex", (long long)missing);
	}
	helper_done(&f.by.helper);
	ctx_rank_done(&f.like);
	ctx_buf_done(&words);
}

static const struct cli_opt reindex_opts[] = {
	{ OPT_ALL, "all", NULL, "everything anew" },
	STORE_COMMON
};

static void
reindex_run(struct store *s)
{
	struct ctx_err err = { 0 };
	int64_t n;
	int all = 0;

	while (store_getopt(s) != -1)
		all = 1;
	store_operands(s, 0, 0, "");
	if (store_open(s) == -1)
		return;
	if (ctx_index_all(s->st, all, &n, &err) == -1)
		store_report(s, NULL, &err);
	else
		cli_warn(&s->cli, "indexed %lld messages", (long long)n);
}

const struct store_cmd store_search_cmds[] = {
	{ "search", CTX_STORE_READ, search_run, { "ctx-store search",
	    "[OPTION ...] WORD ...",
	    "Find messages by words, Chinese and English alike.",
	    search_opts } },
	{ "reindex", CTX_STORE_WRITE, reindex_run, { "ctx-store reindex",
	    "[--all]", "Index messages that search does not find yet.",
	    reindex_opts } },
	{ 0 }
};
