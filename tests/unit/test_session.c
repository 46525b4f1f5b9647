/* SPDX-License-Identifier: MIT */
/*
 * Where conversations meet the store: from lines to a log, from answers to code
 * and back, uploads, what a question needs, the messages of a tool, and
 * vectors.  Every test has a store in a folder that is removed with it.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "edit/retext.h"
#include "session/coderef.h"
#include "session/intake.h"
#include "session/relevant.h"
#include "session/toolhit.h"
#include "session/upload.h"
#include "store/search/embedder.h"

#include "check.h"
#include "jobs.h"
#include "stores.h"

static const struct ctx_where S = { "S", NULL };

/* --- texts --------------------------------------------------------------- */

static void
test_retext(void)
{
	/* decoded: a, e acute (2 bytes), newline, an emoji (4), b */
	static const char raw[] = "a\\u00e9\\n\\ud83d\\ude00b";
	struct ctx_patch p = { 0 };
	struct ctx_buf out = { 0 };
	struct ctx_err err = { 0 };

	CHECK(ctx_retext_apply(&p, raw, strlen(raw), &out, &err) == 0);
	CHECK_BUF(&out, raw);
	CHECK(ctx_patch_add(&p, 1, 2, "\"", 1, &err) == 0);
	CHECK(ctx_patch_add(&p, 8, 0, "\n", 1, &err) == 0);
	ctx_buf_reset(&out);
	CHECK(ctx_retext_apply(&p, raw, strlen(raw), &out, &err) == 0);
	CHECK_BUF(&out, "a\\\"\\n\\ud83d\\ude00\\nb");
	ctx_patch_done(&p);
	ctx_buf_done(&out);
}

/* --- from lines to a log ------------------------------------------------- */

/* Add a line, which has the number no in the input. */
static int
take(struct ctx_intake *in, const char *text, uint64_t no, struct ctx_err *err)
{
	struct ctx_line line = { text, strlen(text), no, NULL, 0, 0 };

	return ctx_intake_line(in, &line, err);
}

/* Print "role seq:line" for a message. */
static int
list_message(const struct ctx_message *m, void *arg, struct ctx_err *err)
{
	(void)err;
	ctx_buf_addf(arg, "%d %s:%.*s", (int)m->seq, m->role, (int)m->len,
	    m->raw);
	return 0;
}

static void
check_log(struct ctx_store *st, const char *want)
{
	struct ctx_range all = CTX_RANGE_ALL;
	struct ctx_buf log = { 0 };
	struct ctx_err err = { 0 };

	CHECK(ctx_log_read(st, &S, &all, list_message, &log, &err) == 0);
	CHECK_BUF(&log, want);
	ctx_buf_done(&log);
}

static struct ctx_intake
intake_of(struct ctx_store *st)
{
	return (struct ctx_intake){ .st = st, .how = { .where = S,
	    .make = { .parent_seq = -1 } } };
}

/* Add all lines, in one batch. */
static void
append(struct ctx_store *st, const char *const *line)
{
	struct ctx_intake in = intake_of(st);
	struct ctx_err err = { 0 };
	size_t done, n;

	for (n = 0; line[n] != NULL; n++)
		CHECK(take(&in, line[n], n + 1, &err) == 0);
	CHECK(ctx_intake_commit(&in, &done, &err) == 0);
	CHECK_INT(done, n);
	ctx_intake_done(&in);
}

static void
test_intake(void)
{
	struct ctx_store *st = new_store();
	struct ctx_intake in = intake_of(st);
	struct ctx_err err = { 0 };
	size_t done;

	in.cost = "c";
	in.max_chars = 4;
	CHECK(take(&in, "\xef\xbb\xbf", 1, &err) == 0);
	CHECK(take(&in, " \t\r\n", 2, &err) == 0);
	CHECK_INT(in.n, 0);
	/* shortened, with the given cost; a role that only dialects know */
	CHECK(take(&in, "{\"role\":\"user\",\"content\":\"abcdefgh\","
	    "\"c\":3}\n", 3, &err) == 0);
	CHECK(take(&in, "{\"parts\":[{\"text\":\"hi\"}],\"role\":\"model\","
	    "\"c\":4}\n", 4, &err) == 0);
	CHECK_INT(in.n, 2);
	CHECK(!ctx_intake_full(&in));
	CHECK(take(&in, "{oops", 5, &err) == -1);
	CHECK_INT(err.code, CTX_EINPUT);
	CHECK_INT(err.line, 5);
	CHECK(strstr(err.text, " (cut off)") != NULL);
	CHECK_INT(in.n, 2);
	ctx_err_clear(&err);
	CHECK(ctx_intake_commit(&in, &done, &err) == 0);
	CHECK_INT(done, 2);
	CHECK_INT(in.n, 0);
	CHECK_INT(in.stored, 2);
	CHECK_INT(in.tokens, 7);
	check_log(st, "1 user:{\"role\":\"user\",\"content\":\"abcd\\n... "
	    "(truncated, 8 chars total)\",\"c\":3}\n"
	    "2 assistant:{\"parts\":[{\"text\":\"hi\"}],\"role\":\"model\","
	    "\"c\":4}\n");
	ctx_intake_done(&in);
	ctx_store_close(st, NULL);
}

/* A number that is not the next one ends the batch, with its input line. */
static void
test_intake_expects(void)
{
	static const char line[] = "{\"id\":\"a\",\"role\":\"user\","
	    "\"content\":\"a\"}\n", other[] = "{\"id\":\"a\","
	    "\"role\":\"user\",\"content\":\"b\"}\n";
	struct ctx_store *st = new_store();
	struct ctx_intake in = intake_of(st);
	struct ctx_err err = { 0 };
	size_t done, i;

	in.how.expect_seq = 1;
	CHECK(take(&in, line, 10, &err) == 0);
	CHECK(ctx_intake_commit(&in, &done, &err) == 0);
	CHECK_INT(in.how.expect_seq, 2);
	CHECK(take(&in, line, 11, &err) == 0);
	CHECK(take(&in, other, 12, &err) == 0);
	CHECK(ctx_intake_commit(&in, &done, &err) == -1);
	CHECK_INT(err.line, 12);
	CHECK_INT(in.stored, 1);
	ctx_err_clear(&err);
	for (i = 0; i < 1000; i++)
		CHECK(take(&in, line, i, &err) == 0);
	CHECK(ctx_intake_full(&in));
	in.how.atomic = 1;
	CHECK(!ctx_intake_full(&in));
	ctx_intake_forget(&in);
	CHECK_INT(in.n, 0);
	ctx_intake_done(&in);
	ctx_store_close(st, NULL);
}

static void
test_intake_split(void)
{
	struct ctx_store *st = new_store();
	struct ctx_intake in = intake_of(st);
	struct ctx_err err = { 0 };
	size_t done;

	in.split = 1;
	CHECK(take(&in, "{\"systemInstruction\":{\"parts\":[{\"text\":\"s\"}]},"
	    "\"contents\":[{\"role\":\"user\",\"parts\":[{\"text\":\"u\"}]},"
	    "{\"x\":1}]}\n", 1, &err) == 0);
	CHECK_INT(in.n, 3);
	CHECK(take(&in, "{\"role\":\"user\",\"content\":\"x\"}\n", 2,
	    &err) == 0);
	CHECK(ctx_intake_commit(&in, &done, &err) == 0);
	check_log(st, "1 system:{\"role\":\"system\",\"content\":[{\"type\":"
	    "\"text\",\"text\":\"s\"}]}\n"
	    "2 user:{\"role\":\"user\",\"parts\":[{\"text\":\"u\"}]}\n"
	    "3 :{\"x\":1}\n4 user:{\"role\":\"user\",\"content\":\"x\"}\n");
	ctx_intake_done(&in);
	ctx_store_close(st, NULL);
}

/* --- code ---------------------------------------------------------------- */

#define ANSWER(text)	"{\"role\":\"assistant\",\"content\":\"" text "\"}\n"

static void
run_code(struct ctx_job *j, const char *in, const char *out, const char *rows)
{
	struct gave g = { 0 };

	if (!CHECK(j != NULL))
		return;
	run_times(j, &g, in, 1, 1);
	CHECK_BUF(&g.out, out);
	CHECK_BUF(&g.rows, rows);
	gave_done(&g);
}

static void
test_code(void)
{
	static const char in[] =
	    ANSWER("a\\n```py\\nx = 1\\n```\\nb \\u00e9") "7\n"
	    ANSWER("{\\\"code_blocks\\\":[{\\\"code_id\\\":\\\"k\\\","
	    "\\\"language\\\":\\\"sql\\\",\\\"code\\\":\\\"1\\\"}]}")
	    "{\"role\":\"user\",\"content\":\"```py\\nno\\n```\"}\n",
	    refs[] =
	    /* printf 'py\0x = 1\n' | sha256sum */
	    ANSWER("a\\n<code_ref>code_2a8ea82969e65f52</code_ref>\\nb "
	    "\\u00e9") "7\n"
	    ANSWER("{\\\"code_blocks\\\":[{\\\"code_id\\\":\\\"k\\\","
	    "\\\"language\\\":\\\"sql\\\",\\\"code\\\":\\\"<code_ref>k"
	    "</code_ref>\\\"}]}")
	    "{\"role\":\"user\",\"content\":\"```py\\nno\\n```\"}\n";
	struct ctx_coderef_opts o = { .st = new_store(), .where = S,
	    .replace = 1, .place = { .out = folder } };
	struct ctx_err err = { 0 };
	struct ctx_job *j;
	char path[80];

	j = ctx_coderef_keep_new(&o, &err);
	run_code(j, in, refs, "");
	CHECK(ctx_coderef_end(j, &err) == 0);
	CHECK_INT(ctx_coderef_count(j), 2);
	ctx_job_free(j);
	snprintf(path, sizeof(path), "%s/data/k.sql", folder);
	CHECK(access(path, R_OK) == 0);

	j = ctx_coderef_expand_new(&o, &err);
	run_code(j, refs, in, "");
	run_code(j, ANSWER("<code_ref>k@2</code_ref>"),
	    ANSWER("<code_ref>k@2</code_ref>"), "- 0 k@2 \n");
	CHECK_INT(ctx_coderef_count(j), 2);
	ctx_job_free(j);
	ctx_store_close(o.st, NULL);
}

/* Without replace there is no output, and rows follow the commit. */
static void
test_code_rows(void)
{
	struct ctx_coderef_opts o = { .st = new_store(), .where = S,
	    .any = 1 };
	struct ctx_err err = { 0 };
	struct gave g = { 0 };
	struct ctx_job *j = ctx_coderef_keep_new(&o, &err);

	run_times(j, &g, ANSWER("```zz x\\n1\\n```\\n```\\nopen")
	    "{\"role\":\"assistant\",\"content\":null,\"code_blocks\":["
	    "{\"code_id\":\"../k\",\"code\":\"1\"},"
	    "{\"code_id\":\"k\",\"code\":\"# Two.\\n2\\n\"}]}\n", 1, 1);
	CHECK_INT(g.out.len, 0);
	/* an unknown language, an open fence, an id that is a path */
	CHECK_BUF(&g.rows, "- 0 zz \n- 0  \n- 0 ../k \n");
	ctx_buf_reset(&g.rows);
	CHECK(ctx_coderef_end(j, &err) == 0);
	/* printf 'python\0001\n' | sha256sum */
	CHECK_BUF(&g.rows, "- 0  {\"marker\":\"CODE_SAVED\",\"code_id\":"
	    "\"code_043de75d8ac416c5\",\"language\":\"python\","
	    "\"description\":\"x\",\"version\":1}\n"
	    "{\"marker\":\"CODE_SAVED\",\"code_id\":\"k\",\"language\":"
	    "\"python\",\"description\":\"Two.\",\"version\":1}\n\n");
	CHECK_INT(ctx_coderef_count(j), 2);
	ctx_job_free(j);
	gave_done(&g);
	ctx_store_close(o.st, NULL);
}

/* --- uploads ------------------------------------------------------------- */

static void
test_upload(void)
{
	struct ctx_upload u = { .st = new_store(), .where = S };
	struct ctx_err err = { 0 };
	const char *digest;
	char *copy = NULL;
	size_t len;

	CHECK(!ctx_upload_name_ok("") && !ctx_upload_name_ok("..") &&
	    !ctx_upload_name_ok("a/b") && !ctx_upload_name_ok("\xff"));
	CHECK(ctx_upload_name_ok(".a") && ctx_upload_name_ok("\xc3\xa9"));
	CHECK(ctx_upload_put(&u, "a.csv", "x,y\n1,2\n", 8, &err) == 0);
	CHECK_INT(u.file.version, 1);
	CHECK_INT(u.file.lines, 2);
	CHECK_STR(u.file.lang, "CSV");
	digest = ctx_upload_digest(&u.file, CTX_EN, &len);
	CHECK_MEM(digest, len, "a.csv (CSV, 1 row, columns: x, y)");
	if (CHECK(u.path != NULL))
		CHECK((copy = strdup(u.path)) != NULL &&
		    access(copy, R_OK) == 0);
	/* the same file is no new version; binary data has no lines */
	CHECK(ctx_upload_put(&u, "a.csv", "x,y\n1,2\n", 8, &err) == 0);
	CHECK_INT(u.file.version, 1);
	CHECK(ctx_upload_put(&u, "a.csv", "\0\1", 2, &err) == 0);
	CHECK_INT(u.file.version, 2);
	CHECK_INT(u.file.lines, -1);
	CHECK(ctx_upload_remove(u.st, &S, "a.csv", &err) == 0);
	CHECK(copy != NULL && access(copy, F_OK) == -1);
	CHECK(ctx_upload_remove(u.st, &S, "a.csv", &err) == -1);
	CHECK_INT(err.code, CTX_ENO);
	free(copy);
	ctx_store_close(u.st, NULL);
	ctx_upload_done(&u);
}

/* --- search -------------------------------------------------------------- */

#define CALL(id, name)	"{\"role\":\"assistant\",\"content\":null," \
	"\"tool_calls\":[{\"id\":\"" id "\",\"type\":\"function\"," \
	"\"function\":{\"name\":\"" name "\",\"arguments\":\"{}\"}}]}\n"
#define RESULT(id, text) "{\"role\":\"tool\",\"tool_call_id\":\"" id \
	"\",\"content\":\"" text "\"}\n"

static int
list_hit(const struct ctx_hit *h, void *arg, struct ctx_err *err)
{
	(void)err;
	ctx_buf_addf(arg, "%d ", (int)h->message.seq);
	return 0;
}

static void
test_toolhit(void)
{
	static const char *const lines[] = { CALL("1", "grep"),
	    RESULT("1", "kite"), CALL("2", "sed"), RESULT("2", "kite"),
	    "{\"role\":\"user\",\"content\":\"grep kite\"}\n", NULL };
	struct ctx_store *st = new_store();
	struct ctx_toolhit *t = ctx_toolhit_new(st, "grep");
	struct ctx_search how = { .words = "kite", .since = INT64_MIN,
	    .limit = 9, .in = CTX_IN_MESSAGES, .accept = ctx_toolhit_accept,
	    .accept_arg = t };
	struct ctx_buf hits = { 0 };
	struct ctx_err err = { 0 };
	int64_t missing;

	append(st, lines);
	CHECK(ctx_search_find(st, &how, list_hit, &hits, &missing, &err) == 0);
	CHECK_BUF(&hits, "2 ");
	ctx_buf_done(&hits);
	ctx_toolhit_free(t);
	ctx_store_close(st, NULL);
}

/* Every message costs 1; a call and its result are one unit. */
static void
test_relevant(void)
{
	static const char *const lines[] = {
	    "{\"role\":\"system\",\"content\":\"s\",\"c\":1}\n",
	    "{\"role\":\"user\",\"content\":\"a\",\"c\":1}\n",
	    "{\"role\":\"assistant\",\"content\":null,\"c\":1,\"tool_calls\":["
	    "{\"id\":\"1\",\"type\":\"function\",\"function\":{\"name\":\"f\","
	    "\"arguments\":\"{}\"}}]}\n",
	    "{\"role\":\"tool\",\"tool_call_id\":\"1\",\"content\":\"kite\","
	    "\"c\":1}\n",
	    "{\"role\":\"user\",\"content\":\"b\",\"c\":1}\n",
	    "{\"role\":\"user\",\"content\":\"c\",\"c\":1}\n", NULL };
	struct ctx_cost cost = { .key = "c", .ready = 1 };
	struct ctx_where where = S;
	struct ctx_relevant r = { .st = new_store(), .where = &where,
	    .nwhere = 1, .cost = &cost, .choose.opts = { .tokens = 4 } };
	struct ctx_buf out = { 0 };
	struct ctx_rank hits = { 0 };
	struct ctx_err err = { 0 };
	const struct ctx_rank_hit hit = { .seq = 4, .score = 1 };

	append(r.st, lines);
	CHECK(ctx_rank_add(&hits, &hit, &err) == 0);
	CHECK(ctx_relevant_read(&r, &err) == 0);
	CHECK_INT(r.nrow, 6);
	CHECK(ctx_relevant_write(&r, &hits, list_message, &out, &err) == 0);
	CHECK_INT(r.kept, 4);
	CHECK(out.len > 0 && out.data[0] == '1' &&
	    memmem(out.data, out.len, "\n3 assistant", 12) != NULL &&
	    memmem(out.data, out.len, "\n4 tool", 7) != NULL &&
	    memmem(out.data, out.len, "\n6 user", 7) != NULL);
	ctx_buf_done(&out);
	ctx_rank_done(&hits);
	ctx_relevant_done(&r);
	ctx_store_close(r.st, NULL);
}

/* --- vectors ------------------------------------------------------------- */

/* Use a script in place of ctx-embed. */
static void
embedder_is(const char *script)
{
	char path[80];
	int fd;

	snprintf(path, sizeof(path), "%s/ctx-embed", folder);
	unlink(path);
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0700);
	CHECK(fd != -1 && write(fd, script, strlen(script)) ==
	    (ssize_t)strlen(script) && close(fd) == 0);
	setenv("CTX_LIBEXEC", folder, 1);
	snprintf(path, sizeof(path), "%s/", folder);
	setenv("CTX_LIBEXEC", path, 1);
}

static void
test_embedder(void)
{
	static char name[] = "ctx-embed";
	char *argv[] = { name, NULL };
	const struct ctx_str text[] = { { "a\"b", 3 }, { "", 0 } };
	struct ctx_embedder e = { .argv = argv, .model = "m" };
	struct ctx_err err = { 0 };
	float *v = NULL;
	size_t dim = 0;

	/* 32-bit floats, lowest byte first: 1 and 2 */
	embedder_is("#!/bin/sh\nread -r a\n[ \"$a\" = '[\"a\\\"b\"]' ] || "
	    "exit 3\necho AACAPwAAAEA=\nread -r a\nexit 5\n");
	CHECK(ctx_embedder_ask(&e, text, 2, &v, &dim, &err) == 0);
	CHECK_INT(dim, 2);
	CHECK(v != NULL && v[0] == 1 && v[1] == 2);
	free(v);
	/* it exits without an answer and has printed why */
	CHECK(ctx_embedder_ask(&e, text, 2, &v, &dim, &err) == -1);
	CHECK_INT(err.code, CTX_OK);
	CHECK_INT(e.exit, 5);
	embedder_is("#!/bin/sh\nkill -9 $$\n");
	CHECK(ctx_embedder_ask(&e, text, 1, &v, &dim, &err) == -1);
	CHECK_INT(e.exit, -1);
	ctx_embedder_done(&e);
}

int
main(void)
{
	if (mkdtemp(folder) == NULL)
		return 1;
	setenv("CTX_WORKSPACES", folder, 1);
	signal(SIGPIPE, SIG_IGN);
	RUN(test_retext());
	RUN(test_intake());
	RUN(test_intake_expects());
	RUN(test_intake_split());
	RUN(test_code());
	RUN(test_code_rows());
	RUN(test_upload());
	RUN(test_toolhit());
	RUN(test_relevant());
	RUN(test_embedder());
	remove_folder();
	return CHECK_DONE("session");
}
