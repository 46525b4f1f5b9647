/* SPDX-License-Identifier: MIT */
/*
 * Which messages of a tool are found store-wide: those that are found when every
 * message is looked at, for each tool that any dialect's fixtures name.
 */
#include <fcntl.h>
#include <glob.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/strmap.h"
#include "session/intake.h"
#include "session/toolhit.h"
#include "store/search/search.h"

#include "check.h"
#include "stores.h"

/* Note the names of a line's tools. */
static void
note_names(struct ctx_strmap *names, struct ctx_convo *one, const char *raw,
    size_t len)
{
	struct ctx_err err = { 0 };
	const struct ctx_part *p;
	struct ctx_buf name = { 0 };
	uint32_t i;

	if (ctx_dialect_line(one, one->dialect, raw, len, &err) == -1)
		return;
	for (i = 0; i < one->npart; i++) {
		p = &one->part[i];
		if ((p->kind != CTX_CALL && p->kind != CTX_RESULT) ||
		    p->name.p == NULL || p->name.len == 0)
			continue;
		ctx_buf_reset(&name);
		ctx_str_decode(&name, p->name.p, p->name.len);
		CHECK(ctx_strmap_add(names, name.data, name.len) !=
		    CTX_STRMAP_FULL);
	}
	ctx_buf_done(&name);
}

/* Add the lines of a file as a thread; those that no log takes are left out. */
static void
append_file(struct ctx_store *st, const char *path, int no_index,
    struct ctx_strmap *names)
{
	struct ctx_intake in = { .st = st, .how = { .where = { path, NULL },
	    .make = { .parent_seq = -1 }, .no_index = no_index } };
	int fd = open(path, O_RDONLY);
	struct ctx_convo one = { 0 };
	struct ctx_err err = { 0 };
	struct ctx_reader r;
	struct ctx_line line;
	size_t done;

	CHECK(fd != -1);
	ctx_reader_init(&r, fd);
	while (ctx_reader_next(&r, &line, &err) == 1) {
		if (ctx_intake_line(&in, &line, &err) == 0)
			note_names(names, &one, line.raw, line.len);
		ctx_err_clear(&err);
	}
	ctx_reader_done(&r);
	close(fd);
	CHECK(ctx_intake_commit(&in, &done, &err) == 0);
	ctx_intake_done(&in);
	ctx_convo_done(&one);
}

static int
list_hit(const struct ctx_hit *h, void *arg, struct ctx_err *err)
{
	(void)err;
	ctx_buf_addf(arg, "%s:%d\n", h->thread, (int)h->message.seq);
	return 0;
}

/* The messages of a tool with the text; fast with the list of called.h. */
static void
find(struct ctx_store *st, const char *text, const char *tool, int fast,
    struct ctx_buf *hits)
{
	struct ctx_toolhit *t = ctx_toolhit_new(st, tool);
	struct ctx_search how = { .words = text, .since = INT64_MIN,
	    .limit = 1000000, .in = CTX_IN_MESSAGES, .substring = 1,
	    .accept = ctx_toolhit_accept, .accept_arg = t,
	    .tool = fast ? tool : NULL };
	struct ctx_err err = { 0 };
	int64_t missing;

	ctx_buf_reset(hits);
	CHECK(ctx_search_find(st, &how, list_hit, hits, &missing, &err) == 0);
	ctx_toolhit_free(t);
}

/* Returns the number of messages found. */
static size_t
compare(struct ctx_store *st, const struct ctx_strmap *names)
{
	struct ctx_buf slow = { 0 }, fast = { 0 }, name = { 0 };
	size_t i, k, len, n = 0;
	const char *s;

	for (i = 0; i < names->n; i++) {
		s = ctx_strmap_at(names, i, &len);
		ctx_buf_reset(&name);
		ctx_buf_add(&name, s, len);
		find(st, "e", ctx_buf_str(&name), 0, &slow);
		find(st, "e", name.data, 1, &fast);
		if (!CHECK(slow.len == fast.len && (slow.len == 0 ||
		    memcmp(slow.data, fast.data, slow.len) == 0)))
			fprintf(stderr, "tool %s\n", name.data);
		for (k = 0; k < slow.len; k++)
			n += slow.data[k] == '\n';
	}
	ctx_buf_done(&slow);
	ctx_buf_done(&fast);
	ctx_buf_done(&name);
	return n;
}

/* Every left_out-th file is not in the index; 0: all are. */
static void
test_dialects(size_t left_out)
{
	struct ctx_store *st = new_store();
	struct ctx_strmap names = { 0 };
	glob_t g = { 0 };
	size_t i;

	CHECK(glob("tests/data/dialects/*.jsonl", 0, NULL, &g) == 0);
	CHECK(glob("tests/data/agents/*.jsonl", GLOB_APPEND, NULL, &g) == 0);
	CHECK(glob("tests/data/logs/mend.*.jsonl", GLOB_APPEND, NULL, &g) == 0);
	for (i = 0; i < g.gl_pathc; i++)
		append_file(st, g.gl_pathv[i], left_out > 0 &&
		    i % left_out == 0, &names);
	CHECK(names.n >= 10);
	CHECK(compare(st, &names) >= 400);
	globfree(&g);
	ctx_strmap_done(&names);
	ctx_store_close(st, NULL);
}

static void
append_text(struct ctx_store *st, const char *text, int no_index)
{
	struct ctx_intake in = { .st = st, .how = { .where = { "S", NULL },
	    .make = { .parent_seq = -1 }, .no_index = no_index } };
	struct ctx_line line = { text, strlen(text), 1, NULL, 0, 0 };
	struct ctx_err err = { 0 };
	size_t done;

	CHECK(ctx_intake_line(&in, &line, &err) == 0);
	CHECK(ctx_intake_commit(&in, &done, &err) == 0);
	ctx_intake_done(&in);
}

/* Messages that are asked about before the list is made. */
static void
append_others(struct ctx_store *st)
{
	int i;

	for (i = 0; i < 120; i++)
		append_text(st, "{\"role\":\"user\",\"content\":\"kite\"}\n", 0);
}

/* These are the hits of --tool look for "kite", whatever else there is. */
static void
test_list(void)
{
	struct ctx_store *st = new_store();
	struct ctx_buf hits = { 0 };

	/* 1: a call that is not in the index; 2, 3: its results */
	append_text(st, "{\"role\":\"assistant\",\"tool_calls\":["
	    "{\"id\":\"1\",\"type\":\"function\",\"function\":{\"name\":"
	    "\"look\",\"arguments\":\"kite\"}},{\"id\":\"2\",\"type\":"
	    "\"function\",\"function\":{\"name\":\"look\",\"arguments\":"
	    "\"\"}}]}\n", 1);
	append_text(st, "{\"role\":\"tool\",\"tool_call_id\":\"1\","
	    "\"content\":\"kite\"}\n", 0);
	append_text(st, "{\"role\":\"tool\",\"tool_call_id\":\"2\","
	    "\"content\":\"kite\"}\n", 0);
	/* 4: named by a type; 5: only the word */
	append_text(st, "{\"role\":\"assistant\",\"parts\":[{\"type\":"
	    "\"tool-look\",\"toolCallId\":\"3\",\"state\":"
	    "\"output-available\",\"input\":{},\"output\":\"kite\"}]}\n", 0);
	append_text(st, "{\"role\":\"user\",\"content\":\"look, a kite\"}\n",
	    0);
	append_others(st);
	find(st, "kite", "look", 1, &hits);
	CHECK_MEM(hits.data, hits.len, "S:4\nS:3\nS:2\nS:1\n");
	find(st, "kite", "none", 1, &hits);
	CHECK_INT(hits.len, 0);
	/* a name of several words, and one that is part of another */
	append_text(st, "{\"role\":\"assistant\",\"tool_calls\":["
	    "{\"id\":\"4\",\"type\":\"function\",\"function\":{\"name\":"
	    "\"look_up\",\"arguments\":\"kite\"}}]}\n", 0);
	append_others(st);
	find(st, "kite", "look_up", 1, &hits);
	CHECK_MEM(hits.data, hits.len, "S:126\n");
	find(st, "kite", "up", 1, &hits);
	CHECK_INT(hits.len, 0);
	ctx_buf_done(&hits);
	ctx_store_close(st, NULL);
}

int
main(void)
{
	if (mkdtemp(folder) == NULL)
		return 1;
	RUN(test_list());
	RUN(test_dialects(0));
	RUN(test_dialects(3));
	remove_folder();
	return CHECK_DONE("called");
}
