/* SPDX-License-Identifier: MIT */
/*
 * Jobs that run out of memory: whichever request fails, the job either says so,
 * or its result is that of a run with enough memory.
 */
#include "check.h"
#include "jobs.h"
#include "nomem.h"

#include "base/sha256.h"
#include "job/clean.h"
#include "job/convert_job.h"
#include "job/cut.h"
#include "job/digest_job.h"
#include "job/document.h"
#include "job/fold_job.h"
#include "job/plain.h"
#include "job/response.h"
#include "job/tally.h"

/* --- inputs; ' is written for " ---------------------------------------- */

#define USER(key, text) "{" key "'role':'user','content':'" text "'}"
#define ANSWER(key, text) "{" key "'role':'assistant','content':'" text "'}"
#define CALL(key, id, name, args) "{" key "'role':'assistant','content':null," \
	"'tool_calls':[{'id':'" id "','type':'function','function':{'name':'" \
	name "','arguments':'" args "'}}]}"
#define RESULT(key, id, text) "{" key "'role':'tool','tool_call_id':'" id \
	"','content':'" text "'}"
#define CODE "# Loads the rows of a file, and takes out those that are empty." \
	"\\ndef load():\\n    return 1\\n\\ndef clean(rows):\\n    return 2\\n"
#define LONG "Room 12 has 24 seats. Room 14 has 30 seats, and a \\u00e9cran. " \
	"Deploy with make deploy on Friday."
#define HISTORY(key, sep) \
	USER(key, LONG) sep CALL(key, "c1", "read_file", \
	"{\\\"path\\\":\\\"a.py\\\"}") sep RESULT(key, "c1", CODE) sep \
	ANSWER(key, "b") sep USER(key, "x.png is AKIAIOSFODNN7EXAMPLQ") sep \
	CALL(key, "c1", "write_file", "{\\\"path\\\":\\\"a.py\\\"," \
	"\\\"content\\\":\\\"def f():\\\\n    return 1\\\\n\\\\ndef g():\\\\n" \
	"    return 2\\\\n\\\"}") sep RESULT(key, "c1", "ok") sep \
	ANSWER(key, LONG) sep USER(key, "and now?")
#define LINES		HISTORY("", "\n") "\n"
#define WHOLE		"{'model':'m','messages':[" HISTORY("", ",") "]}\n"
#define K(k, more)	"'k':" #k "," more
#define TURNS(k)	USER(K(k,), LONG) "\n" ANSWER(K(k,), "b " LONG) "\n"
#define MIXED		TURNS(1) TURNS(2) TURNS(1) "{'meta':1}\n" TURNS(2) \
			TURNS(1) "\n" TURNS(2)
#define SAYS(role, text) "{'role':'" role "','content':'" text "','c':9000}"
#define SUMMARY "{'role':'user','content':'[Context: Summary of earlier " \
	"conversation (2 turns)]:\\nso far'}"
#define COSTLY	SUMMARY "\n" SAYS("user", "a") "\n" SAYS("assistant", "b") \
	"\n" SAYS("user", "c") "\n" SAYS("assistant", "d") "\n"
#define COSTLY_LIST SUMMARY "," SAYS("user", "a") "," SAYS("assistant", \
	"b") "," SAYS("user", "c") "," SAYS("assistant", "d")
/* Pydantic AI's: a system prompt and another in one message. */
#define PYDANTIC "{'kind':'request','parts':[{'part_kind':'system-prompt'," \
	"'content':'s'},{'part_kind':'user-prompt','content':'" LONG LONG \
	LONG "'}]}\n{'kind':'response','parts':[{'part_kind':'text'," \
	"'content':'" LONG "'}]}\n{'kind':'request','parts':[{'part_kind':" \
	"'user-prompt','content':'c'}]}\n{'kind':'response','parts':[{" \
	"'part_kind':'text','content':'d'}]}\n"
#define FAULTY "[" USER("", "a") "," CALL("", "c1", "f", "{}") "," \
	CALL("", "c2", "g", "{}") "," RESULT("", "c9", "x") "," \
	ANSWER("", "b") "," RESULT("", "c2", "y") ",1," USER("", "c") "," \
	USER("", "d") "]\n"
#define BLOCKS "{'role':'user','content':[{'type':'text','text':''}," \
	"{'type':'image','source':{'type':'base64','media_type':'image/png'," \
	"'data':'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ'}}]}\n" \
	"{'role':'assistant','content':[{'type':'thinking','thinking':'t'," \
	"'signature':'s'},{'type':'text','text':'b'},{'type':'tool_use'," \
	"'id':'t1','name':'f','input':{'a':1.10}}]}\n" \
	"{'role':'user','content':[{'type':'text','text':'w'}," \
	"{'type':'tool_result','tool_use_id':'t1','content':[{'type':'text'," \
	"'text':'" LONG "'}]}]}\n{'role':'assistant','content':'d'}\n" \
	"{'role':'user','content':'e'}\n"

/* --- jobs -------------------------------------------------------------- */

/*
 * A copy is made for each run.  With special tokens, a text that is longer than
 * those before takes memory to be counted.
 */
static struct ctx_cost tokens, cost;
static struct ctx_redact *redact;
static struct ctx_tools tools;

static struct ctx_job *
cleaner(int how, struct ctx_err *err)
{
	struct ctx_clean_opts opts = { .links.unanswered = CTX_REPAIR };

	if (how == 1)
		opts.check = 1;
	if (how == 2) {
		opts.report = opts.merge = 1;
		opts.cost = &cost;
		opts.lean.redact = redact;
		opts.lean.result.max = 20;
		opts.lean.keep = 1;
		opts.lean.squeeze = 1;
		opts.images.how = CTX_IMAGES_NOTE;
	}
	if (how == 3) {
		opts.report = 1;
		opts.cost = &cost;
		opts.lean.message.max = 10;
		opts.lean.message.tokens = 1;
		opts.lean.thinking = CTX_THINKING_DROP;
		opts.lean.dedupe = 5;
		opts.images.how = CTX_IMAGES_OUT;
		opts.images.url = "file:d";
		opts.links.unanswered = CTX_DROP;
	}
	return ctx_clean_new(&opts, err);
}

static struct ctx_job *
cutter(int how, struct ctx_err *err)
{
	struct ctx_cut_opts opts = { .put_aside = 1, .note = 1,
	    .start = CTX_CUT_AUTO, .win = { .last = 2 } };

	if (how > 0) {
		opts.counting = 1;
		opts.cost = &cost;
		opts.win = (struct ctx_win_opts){ .has_tokens = 1,
		    .tokens = 150, .results_first = how == 2 };
		opts.partial = how == 1;
	}
	return ctx_cut_new(&opts, err);
}

static struct ctx_job *
converter(int how, struct ctx_err *err)
{
	static const char *const to[] = { "anthropic", "gemini", "sharegpt",
	    "openai-responses", "text", "langchain", "pydantic-ai", "ai-sdk",
	    "openai" };
	struct ctx_convert_job_opts opts = { .report = how % 2,
	    .to = ctx_target_find(to[how]) };

	if (how == 0) {
		opts.request = 1;
		opts.model = "claude-x";
		opts.max_output = 100;
		opts.tools = &tools;
	}
	if (how == 2)
		opts.strict = 1;
	if (how == 4) {
		opts.cost = &cost;
		opts.budget = 50;
	}
	return ctx_convert_job_new(&opts, err);
}

static struct ctx_job *
digester(int how, struct ctx_err *err)
{
	struct ctx_digest_job_opts opts = { .width = 240, .keep = how,
	    .reads.writes = 1 };

	return ctx_digest_job_new(&opts, err);
}

/* Nothing before was as long as the answer. */
static int
answer(void *arg, struct ctx_fold_question *q, struct ctx_err *err)
{
	size_t i;

	(void)arg;
	for (i = 0; i < 100; i++)
		ctx_buf_adds(q->answer, "an answer that is long ");
	for (i = 0; i < q->nsaid; i++)
		ctx_buf_add(q->answer, q->said[i].text, q->said[i].len);
	return ctx_buf_fail(q->answer, err);
}

static int
recall(void *arg, struct ctx_fold_memo *m)
{
	static const char first[] = "{\"role\":\"user\",\"content\":\"a\","
	    "\"c\":9000}\n";
	static char hex[CTX_SHA256_HEX];

	(void)arg;
	ctx_sha256_hex(first, sizeof(first) - 1, hex);
	m->summary = "what was said before";
	m->summarylen = strlen(m->summary);
	m->turns = m->upto = 1;
	m->sha256 = hex;
	return 1;
}

static int
remember(void *arg, const struct ctx_fold_memo *m, struct ctx_err *err)
{
	(void)arg;
	(void)m;
	(void)err;
	return 0;
}

static struct ctx_job *
folder(int how, struct ctx_err *err)
{
	static const enum ctx_fold_job_as as[] = { CTX_FOLD_AS_PAIR,
	    CTX_FOLD_AS_USER, CTX_FOLD_AS_SYSTEM };
	struct ctx_fold_job_opts opts = { .fold = { .last = 2, .min_fold = 1,
	    .budget = 10, .trigger = { 8, 10 }, .target = { 4, 10 } },
	    .max_tokens = 1000, .cost = &cost, .put_aside = 1,
	    .as = as[how % 3], .to = how == 3 ? CTX_FOLD_TO_TEXT :
	    CTX_FOLD_TO_STREAM };

	if (how == 6)
		opts.fold.last = 12;
	if (how == 4 || how == 5) {
		cost.key = "c";
		opts.ask = answer;
		opts.recall = recall;
		opts.remember = remember;
	}
	return ctx_fold_job_new(&opts, err);
}

static struct ctx_job *
counter(int how, struct ctx_err *err)
{
	static const enum ctx_tally_by by[] = { CTX_TALLY_FILE, CTX_TALLY_ROLE,
	    CTX_TALLY_TOOL, CTX_TALLY_SIZE, CTX_TALLY_MESSAGE,
	    CTX_TALLY_CONVERSATION, CTX_TALLY_PREFIX };
	struct ctx_tally_opts opts = { .by = by[how % 7], .cost = &cost,
	    .tools = how < 3 ? &tools : NULL, .conversations = how == 4,
	    .annotate = how == 0 ? "t" : NULL };

	if (how > 6) {
		opts.tools = NULL;
		cost.key = "c";
	}
	return ctx_tally_new(&opts, err);
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
	return ctx_response(arg, r, line, err);
}

#define DOCUMENT "\n[" USER("", "a") ",\n" ANSWER("", "b") "]\n" WHOLE \
	"[\n" "{'messages':[" USER("", "c") "]},{'messages':[]}]\n"

static const struct {
	struct ctx_job *(*make)(int how, struct ctx_err *err);
	int how;
	const char *by, *in;
	int (*first)(void *arg, struct ctx_reader *r,
	    const struct ctx_line *line, struct ctx_err *err);
	int shared;		/* try it with a long input too */
} cases[] = {
	{ cleaner, 0, NULL, FAULTY LINES, NULL, 0 },
	{ cleaner, 1, NULL, FAULTY LINES, NULL, 0 },
	{ cleaner, 2, NULL, FAULTY BLOCKS, NULL, 0 },
	{ cleaner, 2, NULL, LINES, NULL, 0 },
	{ cleaner, 3, NULL, WHOLE BLOCKS, NULL, 0 },
	{ cleaner, 3, "k", MIXED, NULL, 1 },
	{ cutter, 0, NULL, LINES WHOLE, NULL, 0 },
	{ cutter, 0, "k", MIXED, NULL, 0 },
	{ cutter, 1, NULL, LINES WHOLE, NULL, 0 },
	{ cutter, 1, NULL, WHOLE, NULL, 0 },
	{ cutter, 0, NULL, PYDANTIC, NULL, 0 },
	{ cutter, 1, "k", MIXED, NULL, 0 },
	{ cutter, 2, NULL, WHOLE LINES, NULL, 0 },
	{ converter, 0, NULL, WHOLE LINES, NULL, 0 },
	{ converter, 1, NULL, WHOLE, NULL, 1 },
	{ converter, 1, NULL, WHOLE BLOCKS, NULL, 0 },
	{ converter, 2, NULL, WHOLE TURNS(1), NULL, 0 },
	{ converter, 3, NULL, LINES, NULL, 0 },
	{ converter, 4, "k", MIXED WHOLE, NULL, 0 },
	{ converter, 5, NULL, BLOCKS, NULL, 0 },
	{ converter, 6, NULL, BLOCKS, NULL, 0 },
	{ converter, 7, NULL, BLOCKS, NULL, 0 },
	{ converter, 8, NULL, BLOCKS, NULL, 0 },
	{ digester, 0, NULL, LINES, NULL, 0 },
	{ digester, 1, NULL, WHOLE, NULL, 0 },
	{ folder, 0, NULL, LINES, NULL, 0 },
	{ folder, 1, "k", MIXED, NULL, 0 },
	{ folder, 2, NULL, WHOLE, NULL, 1 },
	{ folder, 3, NULL, LINES, NULL, 0 },
	{ folder, 0, NULL, BLOCKS, NULL, 0 },
	{ folder, 0, NULL, PYDANTIC, NULL, 0 },
	{ folder, 6, NULL, LINES, NULL, 0 },
	{ folder, 6, NULL, LINES LINES, NULL, 0 },
	{ folder, 6, NULL, "{'messages':[" HISTORY("", ",") ","
	    HISTORY("", ",") "]}\n", NULL, 0 },
	{ folder, 4, NULL, SUMMARY "\n" SAYS("user", "A") "\n"
	    SAYS("assistant", "b") "\n" SAYS("user", "c") "\n"
	    SAYS("assistant", "d") "\n", NULL, 0 },
	{ folder, 4, NULL, SAYS("user", "a") "\n" SAYS("assistant", "b") "\n"
	    SAYS("user", "c") "\n" SAYS("assistant", "d") "\n", NULL, 0 },
	{ folder, 4, NULL, SAYS("user", "a") "\n" SAYS("user", "c") "\n"
	    SAYS("assistant", "d") "\n", NULL, 0 },
	{ folder, 4, NULL, COSTLY, NULL, 0 },
	{ folder, 5, NULL, "{'messages':[" COSTLY_LIST "]}\n", NULL, 0 },
	{ counter, 0, NULL, LINES WHOLE, NULL, 0 },
	{ counter, 1, "k", MIXED, NULL, 0 },
	{ counter, 2, NULL, WHOLE BLOCKS, NULL, 0 },
	{ counter, 1, NULL, "{'messages':[]}\n", NULL, 0 },
	{ counter, 2, NULL, "{'messages':[]}\n", NULL, 0 },
	{ counter, 9, NULL, COSTLY "{'role':'assistant','c':1,'content':null,"
	    "'tool_calls':[{'id':'c','type':'function','function':{'name':"
	    "'f','arguments':'" LONG "'}}]}\n", NULL, 0 },
	{ counter, 0, "k", CALL(K(1,), "c", "f", "{}") "\n" TURNS(2)
	    RESULT(K(1,), "c", "r") "\n" TURNS(1), NULL, 0 },
	{ counter, 3, NULL, LINES, NULL, 1 },
	{ counter, 4, NULL, LINES WHOLE, NULL, 0 },
	{ counter, 5, "k", MIXED, NULL, 0 },
	{ counter, 6, NULL, LINES, NULL, 0 },
	{ counter, 4, NULL, "Hi.\nUSER: a\nASSISTANT: b\n", plain, 0 },
	{ counter, 4, NULL, "[Earlier conversation summary (3 turns)]:\n"
	    "so far\nUSER: a\n", plain, 0 },
	{ counter, 5, NULL, DOCUMENT, document, 0 },
	{ counter, 4, NULL, "{'choices':[{'message':" ANSWER("", "b") "}]}",
	    response, 0 },
	{ counter, 4, NULL, "{'output':[" ANSWER("", "b") "]}", response, 0 },
};

/* --- the law ----------------------------------------------------------- */

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

/* A row with its numbers, except how long a summary took. */
static int
put_row(void *arg, const struct ctx_row *row, struct ctx_err *err)
{
	struct gave *g = arg;
	int i;

	for (i = 0; i < CTX_ROW_N; i++)
		if (i != CTX_FOLD_N_MS || row->what != CTX_FOLD_ROW_DONE)
			ctx_buf_addf(&g->rows, "%d ", (int)row->n[i]);
	return gave_row(g, row, err);
}

/* Run case i on the text.  Returns 0, or -1 with *err. */
static int
run(size_t i, const struct ctx_buf *in, unsigned threads, struct gave *g,
    struct ctx_err *err)
{
	struct ctx_run r = { .job = NULL, .threads = threads,
	    .on_error = CTX_BAD_STOP, .bad = gave_bad, .arg = g };
	int fd = file_of(in->data, in->len), rc = -1;

	if (ctx_cost_like(&cost, &tokens, err) == 0)
		r.job = cases[i].make(cases[i].how, err);
	if (r.job != NULL) {
		r.job->sink = (struct ctx_sink){ gave_bytes, put_row, g };
		r.job->turns.by = cases[i].by;
		if (cases[i].first != NULL) {
			r.first = cases[i].first;
			r.arg = r.job;
		}
		rc = ctx_run_fd(&r, fd, err);
		if (rc == 0 && cases[i].make == counter)
			put_sums(r.job, &g->rows);
	}
	ctx_run_done(&r);
	ctx_job_free(r.job);
	ctx_cost_done(&cost);
	close(fd);
	return rc;
}

static void
make_room(struct gave *g)
{
	ctx_buf_reserve(&g->out, 4000000);
	ctx_buf_reserve(&g->side, 4000000);
	ctx_buf_reserve(&g->rows, 4000000);
	ctx_buf_reserve(&g->bad, 1000);
}

/*
 * Let each request fail in turn; of many only some: the distance between two is
 * a step'th of those before.
 */
static void
test_case(size_t i, const struct ctx_buf *in, unsigned threads, long step)
{
	struct gave all = { 0 }, g = { 0 };
	struct ctx_err err = { 0 };
	int rc, failed = 1;
	long n;

	make_room(&all);
	make_room(&g);
	CHECK_INT(run(i, in, threads, &all, &err), 0);
	CHECK(all.out.len + all.rows.len > 0);
	for (n = 0; failed; n += 1 + n / step) {
		g.out.len = g.side.len = g.rows.len = g.bad.len = 0;
		ctx_err_clear(&err);
		nomem(n);
		rc = run(i, in, threads, &g, &err);
		failed = nomem_failed();
		if (rc == -1) {
			if (!CHECK_INT(err.code, CTX_ENOMEM))
				break;
			continue;
		}
		CHECK_SAME(&g.out, &all.out);
		CHECK_SAME(&g.side, &all.side);
		CHECK_SAME(&g.rows, &all.rows);
		CHECK_SAME(&g.bad, &all.bad);
	}
	gave_done(&all);
	gave_done(&g);
}

static void
begin(void)
{
	static const char json[] = "[{\"type\":\"function\",\"function\":{"
	    "\"name\":\"f\",\"description\":\"d.\",\"parameters\":{\"type\":"
	    "\"object\",\"properties\":{\"a\":{\"type\":\"string\",\"enum\":["
	    "\"x\",\"y\"]}}}}}]";
	static const struct ctx_redact_opts secrets = {
	    .rules = "aws-access-key-id" };
	static struct ctx_doc doc;
	struct ctx_err err = { 0 };

	tokens.overhead = 4;
	tokens.choice.tok = ctx_tok_open("o200k_base", &err);
	tokens.choice.factor = (struct ctx_ratio){ 1, 1 };
	if (tokens.choice.tok == NULL || ctx_counter_init(&tokens.counter,
	    tokens.choice.tok, &err) == -1)
		abort();
	tokens.counter.factor = tokens.choice.factor;
	tokens.counter.special = 1;
	tokens.ready = 1;
	redact = ctx_redact_new(&secrets, &err);
	if (redact == NULL || ctx_doc_scan(&doc, json, strlen(json),
	    &err) == -1 || ctx_tools_read(&tools, &doc, 0, &err) == -1)
		abort();
	ctx_doc_done(&doc);
}

static void
add_input(struct ctx_buf *in, size_t i)
{
	const char *p;

	for (p = cases[i].in; *p != '\0'; p++)
		ctx_buf_addc(in, *p == '\'' ? '"' : *p);
}

int
main(void)
{
	struct ctx_buf in = { 0 };
	size_t i;

	begin();
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		TEST("case %d", (int)i);
		ctx_buf_reset(&in);
		add_input(&in, i);
		test_case(i, &in, 1, 1000);
		test_case(i, &in, 3, 1000);
		if (!cases[i].shared)
			continue;
		/* enough for threads, and for a second batch */
		while (in.len < 900000)
			add_input(&in, i);
		test_case(i, &in, 3, 2);
	}
	ctx_buf_done(&in);
	ctx_tools_done(&tools);
	ctx_redact_free(redact);
	ctx_cost_done(&tokens);
	return CHECK_DONE("job_nomem");
}
