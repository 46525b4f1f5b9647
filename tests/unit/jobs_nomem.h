/* SPDX-License-Identifier: MIT */
/*
 * Jobs that run out of memory: whichever request fails, the job either says so,
 * or its result is that of a run with enough memory.
 */
#ifndef CTX_TESTS_JOBS_NOMEM_H
#define CTX_TESTS_JOBS_NOMEM_H

#include "check.h"
#include "jobs.h"
#include "nomem.h"

#include "edit/tools.h"
#include "job/cost.h"
#include "job/fold_job.h"

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

/* --- cases --------------------------------------------------------------- */

struct nomem_case {
	struct ctx_job *(*make)(int how, struct ctx_err *err);
	int how;
	const char *by, *in;
	int (*first)(void *arg, struct ctx_reader *r,
	    const struct ctx_line *line, struct ctx_err *err);
	int shared;		/* try it with a long input too */
	/* adds what was counted to the rows; or NULL */
	void (*sums)(struct ctx_job *j, struct ctx_buf *rows);
};

/*
 * A copy is made for each run.  With special tokens, a text that is longer than
 * those before takes memory to be counted.
 */
static struct ctx_cost tokens, cost;
static struct ctx_tools tools;

/* A row with its numbers, except how long a summary took. */
static inline int
nomem_row(void *arg, const struct ctx_row *row, struct ctx_err *err)
{
	struct gave *g = arg;
	int i;

	for (i = 0; i < CTX_ROW_N; i++)
		if (i != CTX_FOLD_N_MS || row->what != CTX_FOLD_ROW_DONE)
			ctx_buf_addf(&g->rows, "%d ", (int)row->n[i]);
	return gave_row(g, row, err);
}

/* Run a case on the text.  Returns 0, or -1 with *err. */
static inline int
nomem_run(const struct nomem_case *of, const struct ctx_buf *in,
    unsigned threads, struct gave *g, struct ctx_err *err)
{
	struct ctx_run r = { .job = NULL, .threads = threads,
	    .on_error = CTX_BAD_STOP, .bad = gave_bad, .arg = g };
	int fd = file_of(in->data, in->len), rc = -1;

	if (ctx_cost_like(&cost, &tokens, err) == 0)
		r.job = of->make(of->how, err);
	if (r.job != NULL) {
		r.job->sink = (struct ctx_sink){ gave_bytes, nomem_row, g };
		r.job->turns.by = of->by;
		if (of->first != NULL) {
			r.first = of->first;
			r.arg = r.job;
		}
		rc = ctx_run_fd(&r, fd, err);
		if (rc == 0 && of->sums != NULL)
			of->sums(r.job, &g->rows);
	}
	ctx_run_done(&r);
	ctx_job_free(r.job);
	ctx_cost_done(&cost);
	close(fd);
	return rc;
}

static inline void
nomem_room(struct gave *g)
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
static inline void
nomem_case(const struct nomem_case *of, const struct ctx_buf *in,
    unsigned threads, long step)
{
	struct gave all = { 0 }, g = { 0 };
	struct ctx_err err = { 0 };
	int rc, failed = 1;
	long n;

	nomem_room(&all);
	nomem_room(&g);
	CHECK_INT(nomem_run(of, in, threads, &all, &err), 0);
	CHECK(all.out.len + all.rows.len > 0);
	for (n = 0; failed; n += 1 + n / step) {
		g.out.len = g.side.len = g.rows.len = g.bad.len = 0;
		ctx_err_clear(&err);
		nomem(n);
		rc = nomem_run(of, in, threads, &g, &err);
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

static inline void
nomem_begin(void)
{
	static const char json[] = "[{\"type\":\"function\",\"function\":{"
	    "\"name\":\"f\",\"description\":\"d.\",\"parameters\":{\"type\":"
	    "\"object\",\"properties\":{\"a\":{\"type\":\"string\",\"enum\":["
	    "\"x\",\"y\"]}}}}}]";
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
	if (ctx_doc_scan(&doc, json, strlen(json),
	    &err) == -1 || ctx_tools_read(&tools, &doc, 0, &err) == -1)
		abort();
	ctx_doc_done(&doc);
}

static inline void
nomem_input(struct ctx_buf *in, const char *p)
{
	for (; *p != '\0'; p++)
		ctx_buf_addc(in, *p == '\'' ? '"' : *p);
}

/* All cases, with one thread and with three. */
static inline void
nomem_cases(const struct nomem_case *cases, size_t n)
{
	struct ctx_buf in = { 0 };
	size_t i;

	nomem_begin();
	for (i = 0; i < n; i++) {
		TEST("case %d", (int)i);
		ctx_buf_reset(&in);
		nomem_input(&in, cases[i].in);
		nomem_case(&cases[i], &in, 1, 1000);
		nomem_case(&cases[i], &in, 3, 1000);
		if (!cases[i].shared)
			continue;
		/* enough for threads, and for a second batch */
		while (in.len < 900000)
			nomem_input(&in, cases[i].in);
		nomem_case(&cases[i], &in, 3, 2);
	}
	ctx_buf_done(&in);
	ctx_tools_done(&tools);
	ctx_cost_done(&tokens);
}

#define NOMEM_CASES(cases) \
	nomem_cases((cases), sizeof(cases) / sizeof((cases)[0]))

#endif
