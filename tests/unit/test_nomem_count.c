/* SPDX-License-Identifier: MIT */
/* The job of ctx-count that runs out of memory; see jobs_nomem.h. */
#include "jobs_nomem.h"

#include "job/document.h"
#include "job/plain.h"
#include "job/response.h"
#include "job/tally.h"

static struct ctx_job *
counter(int how, struct ctx_err *err)
{
	static const enum ctx_tally_by by[] = { CTX_TALLY_FILE, CTX_TALLY_ROLE,
	    CTX_TALLY_TOOL, CTX_TALLY_SIZE, CTX_TALLY_MESSAGE,
	    CTX_TALLY_CONVERSATION, CTX_TALLY_PREFIX };
	static const struct ctx_along along = { .tools = &tools };
	struct ctx_tally_opts opts = { .by = by[how % 7], .cost = &cost,
	    .along = how < 3 ? &along : NULL, .conversations = how == 4,
	    .annotate = how == 0 ? "t" : NULL };

	if (how > 6) {
		opts.along = NULL;
		cost.key = "c";
	}
	return ctx_tally_new(&opts, err);
}

/* What was counted, as rows. */
static void
put_sums(struct ctx_job *j, struct ctx_buf *rows)
{
	const struct ctx_tally_table *t = ctx_tally_table(j);
	struct ctx_tally_sum sum = ctx_tally_take(j);
	const char *name;
	size_t i, len;

	ctx_buf_addf(rows, "%d %d %d\n", (int)sum.tokens, (int)sum.messages,
	    (int)sum.bytes);
	for (i = 0; i < t->names.n; i++) {
		name = ctx_strmap_at(&t->names, i, &len);
		ctx_buf_addf(rows, "%.*s %d %d\n", (int)len, name,
		    (int)t->entry[i].no, (int)t->entry[i].sum.tokens);
	}
	for (i = 0; i < 65; i++)
		ctx_buf_addf(rows, "%d ", (int)ctx_tally_sizes(j)[i]);
}

/* How a file begins that is not lines. */
static int
plain(void *arg, struct ctx_reader *r, const struct ctx_line *line,
    struct ctx_err *err)
{
	return ctx_plain(arg, NULL, r, line, err);
}

static int
document(void *arg, struct ctx_reader *r, const struct ctx_line *line,
    struct ctx_err *err)
{
	return ctx_documents(arg, r, line, err);
}

static int
response(void *arg, struct ctx_reader *r, const struct ctx_line *line,
    struct ctx_err *err)
{
	struct ctx_response x = { 0 };
	int rc = ctx_response_read(&x, arg, r, line, err);

	ctx_response_done(&x);
	return rc;
}

#define DOCUMENT "\n[" USER("", "a") ",\n" ANSWER("", "b") "]\n" WHOLE \
	"[\n" "{'messages':[" USER("", "c") "]},{'messages':[]}]\n"

static const struct nomem_case cases[] = {
	{ counter, 0, NULL, LINES WHOLE, NULL, 0, put_sums },
	{ counter, 1, "k", MIXED, NULL, 0, put_sums },
	{ counter, 2, NULL, WHOLE BLOCKS, NULL, 0, put_sums },
	{ counter, 1, NULL, "{'messages':[]}\n", NULL, 0, put_sums },
	{ counter, 2, NULL, "{'messages':[]}\n", NULL, 0, put_sums },
	{ counter, 9, NULL, COSTLY "{'role':'assistant','c':1,'content':null,"
	    "'tool_calls':[{'id':'c','type':'function','function':{'name':"
	    "'f','arguments':'" LONG "'}}]}\n", NULL, 0, put_sums },
	{ counter, 0, "k", CALL(K(1,), "c", "f", "{}") "\n" TURNS(2)
	    RESULT(K(1,), "c", "r") "\n" TURNS(1), NULL, 0, put_sums },
	{ counter, 3, NULL, LINES, NULL, 1, put_sums },
	{ counter, 4, NULL, LINES WHOLE, NULL, 0, put_sums },
	{ counter, 5, "k", MIXED, NULL, 0, put_sums },
	{ counter, 6, NULL, LINES, NULL, 0, put_sums },
	{ counter, 4, NULL, "Hi.\nUSER: a\nASSISTANT: b\n", plain, 0,
	    put_sums },
	{ counter, 4, NULL, "[Earlier conversation summary (3 turns)]:\n"
	    "so far\nUSER: a\n", plain, 0, put_sums },
	{ counter, 5, NULL, DOCUMENT, document, 0, put_sums },
	{ counter, 4, NULL, "{'choices':[{'message':" ANSWER("", "b") "}]}",
	    response, 0, put_sums },
	{ counter, 4, NULL, "{'output':[" ANSWER("", "b") "]}", response, 0,
	    put_sums },
};

int
main(void)
{
	NOMEM_CASES(cases);
	return CHECK_DONE("nomem_count");
}
