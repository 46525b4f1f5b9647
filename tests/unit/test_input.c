/* SPDX-License-Identifier: MIT */
/* Input that is not lines: documents, text, and responses of APIs. */
#include "job/document.h"
#include "job/plain.h"
#include "job/response.h"

#include "check.h"
#include "jobs.h"
#include "nomem.h"

/* A job that prints each record: "line|bytes\n", but no newline at its end. */
static int
print_turn(const struct ctx_turn *turn, void *job, struct ctx_err *err)
{
	const struct ctx_rec *r = turn->convo->rec;
	struct ctx_buf b = { 0 };
	uint32_t i;
	size_t len;
	int rc = 0;

	for (i = 0; i < turn->convo->nrec && rc == 0; i++) {
		len = r[i].len;
		while (len > 0 && r[i].raw[len - 1] == '\n')
			len--;
		ctx_buf_reset(&b);
		ctx_buf_addf(&b, "%d|%.*s\n", (int)r[i].line, (int)len,
		    r[i].raw);
		rc = ctx_buf_fail(&b, err);
		if (rc == 0)
			rc = ctx_job_put(job, CTX_TO_OUT, b.data, b.len, NULL,
			    err);
	}
	ctx_buf_done(&b);
	return rc;
}

static const struct ctx_job_kind kind = { .turn = print_turn };

enum how { DOCUMENT, PLAIN, AS_USER, RESPONSE };

/* What is to be read, and with whose function. */
struct source {
	struct ctx_job *job;
	enum how how;
};

/* Its messages and, unless that is ordinary, how it ended: "end|reason\n". */
static int
response(struct ctx_job *j, struct ctx_reader *r, const struct ctx_line *line,
    struct ctx_err *err)
{
	struct ctx_response x = { 0 };
	struct ctx_buf b = { 0 };
	int rc = ctx_response_read(&x, j, r, line, err);

	if (rc == 1 && x.end != CTX_RESPONSE_DONE) {
		ctx_buf_addf(&b, "%d|%.*s\n", (int)x.end, (int)x.reason.len,
		    x.reason.len > 0 ? x.reason.data : "");
		if (ctx_buf_fail(&b, err) == -1 || ctx_job_put(j, CTX_TO_OUT,
		    b.data, b.len, NULL, err) == -1)
			rc = -1;
	}
	ctx_buf_done(&b);
	ctx_response_done(&x);
	return rc;
}

static int
first(void *arg, struct ctx_reader *r, const struct ctx_line *line,
    struct ctx_err *err)
{
	const struct source *s = arg;

	switch (s->how) {
	case DOCUMENT:
		return ctx_documents(s->job, r, line, err);
	case PLAIN:
		return ctx_plain(s->job, NULL, r, line, err);
	case AS_USER:
		return ctx_plain(s->job, "user", r, line, err);
	default:
		return response(s->job, r, line, err);
	}
}

static void
no_bad(void *arg, const struct ctx_line *line, const struct ctx_err *bad)
{
	(void)arg;
	(void)line;
	(void)bad;
}

static int
run(enum how how, const char *text, size_t len, struct gave *g,
    struct ctx_err *err)
{
	struct ctx_job j;
	struct source s = { &j, how };
	struct ctx_run r = { .job = &j, .on_error = CTX_BAD_SKIP,
	    .first = first, .bad = no_bad, .arg = &s,
	    .texts = how == RESPONSE };
	int fd = file_of(text, len), rc;

	ctx_job_init(&j, &kind);
	j.sink = (struct ctx_sink){ gave_bytes, gave_row, g };
	rc = ctx_run_fd(&r, fd, err);
	ctx_job_done(&j);
	close(fd);
	return rc;
}

#define A	"{'role':'user','content':'a'}"
#define B	"{'role':'user','content':'b'}"
#define LINES(list) "{'messages':[" list "]}"
#define HEAD	"[Context: Summary of earlier conversation ("
#define REPLY	"{'role':'assistant','content':'Understood. I have the " \
		"context from our earlier conversation.'}"

/* ' is written for ".  Messages made of text have no lines: they say 1. */
static const struct {
	enum how how;
	const char *in;
	const char *out;	/* or the error, after an exclamation mark */
} cases[] = {
	/* lines are not documents */
	{ DOCUMENT, A "\n" B "\n", "1|" A "\n2|" B "\n" },
	{ DOCUMENT, "\n \t" A "\n", "1|\n2| \t" A "\n" },
	{ DOCUMENT, A, "1|" A "\n" },
	{ DOCUMENT, "{oops}\n" A "\n", "2|" A "\n" },
	{ DOCUMENT, "oops\n" A "\n", "2|" A "\n" },
	/* a list: of messages, or of conversations */
	{ DOCUMENT, "[" A "," B "]\n", "1|[" A "," B "]\n" },
	{ DOCUMENT, "[" A ",\n" B "]", "1|[" A ",\n" B "]\n" },
	{ DOCUMENT, "[]", "1|[]\n" },
	{ DOCUMENT, "[\n]\n", "1|[\n]\n" },
	{ DOCUMENT, "[" LINES(A) "," LINES(B) "]",
	    "1|" LINES(A) "\n1|" LINES(B) "\n" },
	{ DOCUMENT, "\n \t[\n" LINES(A) ",\n\n" LINES(B) "\n]\n",
	    "1|\n2|" LINES(A) "\n2|" LINES(B) "\n" },
	{ DOCUMENT, "[[" LINES(A) "]]", "1|[[" LINES(A) "]]\n" },
	/* objects on several lines, and what follows */
	{ DOCUMENT, "{'role':'user',\n'content':'a'}",
	    "1|{'role':'user',\n'content':'a'}\n" },
	{ DOCUMENT, "  {\n'messages':[\n" A "]}\n\n\t" B "\r\n" A,
	    "1|  {\n'messages':[\n" A "]}\n4|\n5|\t" B "\r\n6|" A "\n" },
	{ DOCUMENT, "[" LINES(A) "]\n" B "\n[" LINES(B) "]\n",
	    "1|" LINES(A) "\n2|" B "\n3|" LINES(B) "\n" },
	/* brackets in strings, and quotes */
	{ DOCUMENT, "{'role':'user',\n'content':'}]\\'}\\\\'}\n" B,
	    "1|{'role':'user',\n'content':'}]\\'}\\\\'}\n3|" B "\n" },
	{ DOCUMENT, "{'role':'user',\n'content':[{'type':'text','text':'a'}]}"
	    "\n[" A "]", "1|{'role':'user',\n'content':[{'type':'text','text':"
	    "'a'}]}\n3|[" A "]\n" },
	/* neither is a broken first line a document, nor two values on a line */
	{ DOCUMENT, "{'role':'user',\n" A "\n" B "\n",
	    "2|" A "\n3|" B "\n" },
	{ DOCUMENT, "{'role':'user','content':'a\n" A "\n", "2|" A "\n" },
	{ DOCUMENT, "{'role':'user',\n'content':'a'}" A "\n" B "\n",
	    "3|" B "\n" },
	{ DOCUMENT, "x\n", "!" },
	{ DOCUMENT, "{'role':'user',\n'content':'a'", "!" },
	{ DOCUMENT, "[" A "\n", "!" },
	{ DOCUMENT, "[" LINES(A) ",\n", "!" },
	{ DOCUMENT, "", "" },
	{ DOCUMENT, " \n", "1| \n" },
	/* text with speakers */
	{ PLAIN, "USER: a\nASSISTANT: b\nSYSTEM: c\n",
	    "1|" A "\n1|{'role':'assistant','content':'b'}\n"
	    "1|{'role':'system','content':'c'}\n" },
	{ PLAIN, "USER:a\r\n\r\nUSER:  b\n\n\nc\nUSER",
	    "1|" A "\n1|{'role':'user','content':' b\\n\\n\\nc\\nUSER'}\n" },
	{ PLAIN, "USER:\nUSER: \nUSER:",
	    "1|{'role':'user','content':''}\n1|{'role':'user','content':''}\n"
	    "1|{'role':'user','content':''}\n" },
	{ PLAIN, " USER: a\nuser: b USER: c\n",
	    "1|{'role':'user','content':'USER: a\\nuser: b USER: c'}\n" },
	{ PLAIN, "\n\t \r\n a\nUSER: b",
	    "1|\n2|\t \r\n1|" A "\n1|" B "\n" },
	{ PLAIN, "a\nUSER: b", "1|" A "\n1|" B "\n" },
	{ PLAIN, "a", "1|" A "\n" },
	{ PLAIN, "'\\\n", "1|{'role':'user','content':'\\'\\\\'}\n" },
	{ PLAIN, "\xff\n", "!is not UTF-8 text" },
	/* a summary before them */
	{ PLAIN, "[Earlier conversation summary (3 turns)]:\nso far\n\n"
	    "USER: a", "1|{'role':'user','content':'" HEAD "3 turns)]:\\nso "
	    "far'}\n1|" REPLY "\n1|" A "\n" },
	{ PLAIN, "[Earlier conversation summary (",
	    "1|{'role':'user','content':'" "[Earlier conversation summary ("
	    "'}\n" },
	{ PLAIN, "[Earlier conversation summary (\n",
	    "1|{'role':'user','content':'" HEAD "'}\n1|" REPLY "\n" },
	{ PLAIN, "[Earlier conversation summary of a\n",
	    "1|{'role':'user','content':'[Earlier conversation summary of "
	    "a'}\n" },
	/* text as one message */
	{ AS_USER, "USER: a\n\n b\n\r\n",
	    "1|{'role':'user','content':'USER: a\\n\\n b'}\n" },
	{ AS_USER, "a", "1|" A "\n" },
	/* responses */
	{ RESPONSE, "{'choices':[{'message':" A "},{'message':" B "}]}",
	    "1|" A "\n" },
	{ RESPONSE, "{'choices':[\n{'index':0,\n'message':" A "}]}\n",
	    "1|" A "\n" },
	{ RESPONSE, "{'candidates':[{'content':{'role':'model','parts':["
	    "{'text':'a'}]}},{'content':1}]}",
	    "1|{'role':'model','parts':[{'text':'a'}]}\n" },
	{ RESPONSE, "{'output':[" A "," B "]}", "1|" A "\n1|" B "\n" },
	{ RESPONSE, "{'output':[]}", "" },
	{ RESPONSE, A, "1|" A "\n" },
	{ RESPONSE, "{'error':null,'output':[" A "]}", "1|" A "\n" },
	{ RESPONSE, "{'error':{'message':'no\\nway'},'role':'user'}",
	    "3|no\nway\n" },
	{ RESPONSE, "{'error':{'code':1},'output':[" A "]}",
	    "1|" A "\n3|\n" },
	{ RESPONSE, "{'choices':[]}", "!not a response of a known API" },
	{ RESPONSE, "{'choices':[1]}", "!not a response of a known API" },
	{ RESPONSE, "{'choices':{}}", "!not a response of a known API" },
	{ RESPONSE, "{'choices':[{'message':'a'}]}",
	    "!not a response of a known API" },
	{ RESPONSE, "{'a':1}", "!not a response of a known API" },
	{ RESPONSE, "[" A "]", "!not a response of a known API" },
	{ RESPONSE, "{'output':1,'choices':[{'message':" A "}]}",
	    "1|" A "\n" },
	{ RESPONSE, "{", "4|\n" },
	{ RESPONSE, "{x}", "!not JSON" },
	{ RESPONSE, "{'error':'no'}", "3|no\n" },
	{ RESPONSE, "{'choices':[{'message':" A ",'finish_reason':'length'}]}",
	    "1|" A "\n1|length\n" },
	{ RESPONSE, "{'candidates':[{'finishReason':'SPII'}]}", "2|SPII\n" },
	{ RESPONSE, ": a\n\ndata: {'choices':[{'delta':{'role':'',"
	    "'content':'a'}}]}\n\ndata: [DONE]\n\n",
	    "1|{'role':'assistant','content':'a'}\n" },
	{ RESPONSE, "data: {'choices':[{'delta':{'content':'a'}}]}\n\ndata",
	    "1|{'role':'assistant','content':'a'}\n4|\n" },
	{ RESPONSE, "[{'candidates':[{'content':{'parts':[{'text':'a'}]}}]},\n"
	    "{'candidates':[{'content':{'parts':[{'text':'}]\\'b'}]},"
	    "'finishReason':'STOP'}]}]",
	    "1|{'parts':[{'text':'a}]\\'b'}]}\n" },
	{ RESPONSE, "{'message':{'content':'a'},'done':false}\n"
	    "{'message':{'content':'b'},'done':true}\n",
	    "1|{'role':'assistant','content':'ab'}\n" },
};

static void
unquote(struct ctx_buf *b, const char *text)
{
	for (; *text != '\0'; text++)
		ctx_buf_addc(b, *text == '\'' ? '"' : *text);
	ctx_buf_str(b);
}

static void
test_case(size_t i)
{
	struct ctx_buf in = { 0 }, want = { 0 };
	struct ctx_err err = { 0 };
	struct gave g = { 0 };
	int rc, failed, fails = cases[i].out[0] == '!';
	long n;

	unquote(&in, cases[i].in);
	unquote(&want, cases[i].out);
	rc = run(cases[i].how, in.data, in.len, &g, &err);
	if (fails && err.code != CTX_OK) {
		CHECK_INT(rc, -1);
		CHECK_INT(err.code, CTX_EINPUT);
		CHECK(strstr(err.text, want.data + 1) != NULL);
	} else {
		CHECK_INT(rc, 0);
		CHECK_BUF(&g.out, fails ? "" : want.data);
	}
	for (n = 0, failed = !fails; failed; n++) {
		g.out.len = 0;
		ctx_err_clear(&err);
		nomem(n);
		rc = run(cases[i].how, in.data, in.len, &g, &err);
		failed = nomem_failed();
		if (rc == -1)
			CHECK_INT(err.code, CTX_ENOMEM);
		else
			CHECK_BUF(&g.out, want.data);
	}
	ctx_buf_done(&in);
	ctx_buf_done(&want);
	gave_done(&g);
}

int
main(void)
{
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		TEST("%d: %.70s", (int)cases[i].how, cases[i].in);
		test_case(i);
	}
	return CHECK_DONE("input");
}
