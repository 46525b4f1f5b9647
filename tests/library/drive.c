/* SPDX-License-Identifier: MIT */
/*
 * A program that uses the installed library, for library.bats.
 *
 *	drive clean|lean|redact|last|tokens|model|convert|request|count <HISTORY
 *	drive append|load STORE THREAD <HISTORY
 *	drive threads STORE <HISTORY
 *
 * Prints what the library gives, or "CODE LINE COL TEXT" of an error to
 * standard error, and exits with the code.
 */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ctx.h>

#define THREADS	4

struct history {
	char *data;
	size_t len;
};

static struct history
read_all(void)
{
	struct history h = { NULL, 0 };
	size_t n;

	do {
		if ((h.data = realloc(h.data, h.len + 65536)) == NULL)
			abort();
		n = fread(h.data + h.len, 1, 65536, stdin);
		h.len += n;
	} while (n > 0);
	return h;
}

/* Do what is asked with the history.  Returns 0, or -1 with *err. */
static int
filter(const char *what, struct history h, struct ctx_lib_text *out,
    struct ctx_lib_err *err)
{
	struct ctx_lib_truncate_opts tokens = { .tokens = 2000 };
	int rc;

	if (strcmp(what, "clean") == 0)
		return ctx_lib_clean(NULL, h.data, h.len, out, err);
	if (strcmp(what, "lean") == 0)
		return ctx_lib_clean(&(struct ctx_lib_clean_opts){
		    .lean = CTX_LIB_LEAN_STRONG, .clear_results = 1,
		    .unanswered = CTX_LIB_REPAIR }, h.data, h.len, out, err);
	if (strcmp(what, "redact") == 0)
		return ctx_lib_clean(&(struct ctx_lib_clean_opts){
		    .redact = 1, .redact_key = "0123456789abcdef" }, h.data,
		    h.len, out, err);
	if (strcmp(what, "last") == 0)
		return ctx_lib_truncate(&(struct ctx_lib_truncate_opts){
		    .last = 10, .note = 1 }, h.data, h.len, out, err);
	if (strcmp(what, "convert") == 0)
		return ctx_lib_convert(&(struct ctx_lib_convert_opts){
		    .to = "gemini" }, h.data, h.len, out, NULL, err);
	if (strcmp(what, "request") == 0)
		return ctx_lib_convert(&(struct ctx_lib_convert_opts){
		    .to = "anthropic", .request = 1,
		    .model = "claude-sonnet-4-5", .system = "Be brief.",
		    .tools = "[{\"name\":\"f\"}]", .max_output = 100 },
		    h.data, h.len, out, NULL, err);
	if ((tokens.counter = ctx_lib_counter_new("gpt-4o", NULL, err)) ==
	    NULL)
		return -1;
	if (strcmp(what, "model") == 0)
		tokens.tokens = 0;
	rc = ctx_lib_truncate(&tokens, h.data, h.len, out, err);
	ctx_lib_counter_free(tokens.counter);
	return rc;
}

static int
count(struct history h, struct ctx_lib_err *err)
{
	struct ctx_lib_counter *c = ctx_lib_counter_new("gpt-4o", NULL, err);
	struct ctx_lib_count n;
	uint64_t text;

	/* twice, since a counter may be used again */
	if (c == NULL || ctx_lib_count(c, h.data, h.len, &n, err) == -1 ||
	    ctx_lib_count(c, h.data, h.len, &n, err) == -1 ||
	    ctx_lib_count_text(c, h.data, h.len, &text, err) == -1) {
		ctx_lib_counter_free(c);
		return -1;
	}
	printf("%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %d\n", n.tokens,
	    n.messages, text, n.others, (int)n.level);
	ctx_lib_counter_free(c);
	return 0;
}

static int
session(char *argv[], struct history h, struct ctx_lib_err *err)
{
	int load = strcmp(argv[1], "load") == 0, rc = 0;
	struct ctx_lib_text out = { NULL, 0 };
	struct ctx_lib_store *st;
	int64_t n;

	st = ctx_lib_store_open(argv[2], load ? CTX_LIB_READ : CTX_LIB_CREATE,
	    err);
	if (st == NULL)
		return -1;
	if (load && (rc = ctx_lib_load(st, argv[3], NULL, &out, err)) == 0)
		fwrite(out.data, 1, out.len, stdout);
	else if (!load && (n = ctx_lib_append(st, argv[3], NULL, h.data, h.len,
	    err)) >= 0)
		printf("%" PRId64 "\n", n);
	else
		rc = -1;
	ctx_lib_free(out.data);
	ctx_lib_store_close(st);
	return rc;
}

/* --- threads ------------------------------------------------------------- */

struct work {
	pthread_t thread;
	struct history h;
	const char *store;
	char name[8];
	int ok;
};

static int
same(const char *what, struct history h)
{
	struct ctx_lib_text a, b;
	int rc;

	if (filter(what, h, &a, NULL) == -1)
		return 0;
	rc = filter(what, h, &b, NULL) == 0 && a.len == b.len &&
	    memcmp(a.data, b.data, a.len) == 0;
	ctx_lib_free(a.data);
	ctx_lib_free(b.data);
	return rc;
}

static void *
work(void *arg)
{
	struct work *w = arg;
	struct ctx_lib_text back = { NULL, 0 };
	struct ctx_lib_store *st = ctx_lib_store_open(w->store, CTX_LIB_CREATE,
	    NULL);

	w->ok = st != NULL && same("lean", w->h) && same("redact", w->h) &&
	    same("tokens", w->h) && same("convert", w->h) &&
	    ctx_lib_append(st, w->name, NULL, w->h.data, w->h.len, NULL) > 0 &&
	    ctx_lib_load(st, w->name, NULL, &back, NULL) == 0 &&
	    back.len == w->h.len &&
	    memcmp(back.data, w->h.data, back.len) == 0;
	ctx_lib_free(back.data);
	ctx_lib_store_close(st);
	return NULL;
}

static int
threads(const char *store, struct history h)
{
	struct work w[THREADS];
	int i, ok = 1;

	for (i = 0; i < THREADS; i++) {
		w[i].h = h;
		w[i].store = store;
		snprintf(w[i].name, sizeof(w[i].name), "t%d", i);
		if (pthread_create(&w[i].thread, NULL, work, &w[i]) != 0)
			abort();
	}
	for (i = 0; i < THREADS; i++) {
		pthread_join(w[i].thread, NULL);
		ok &= w[i].ok;
	}
	puts(ok ? "ok" : "differ");
	return 0;
}

int
main(int argc, char *argv[])
{
	struct ctx_lib_text out = { NULL, 0 };
	struct ctx_lib_err err;
	struct history h = read_all();
	int rc;

	if (argc == 4)
		rc = session(argv, h, &err);
	else if (argc == 3)
		rc = threads(argv[2], h);
	else if (strcmp(argv[1], "count") == 0)
		rc = count(h, &err);
	else if ((rc = filter(argv[1], h, &out, &err)) == 0)
		fwrite(out.data, 1, out.len, stdout);
	free(h.data);
	ctx_lib_free(out.data);
	if (rc == 0)
		return 0;
	fprintf(stderr, "%d %" PRIu64 " %" PRIu64 " %s\n", (int)err.code,
	    err.line, err.col, err.text);
	return (int)err.code;
}
