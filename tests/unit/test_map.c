/* SPDX-License-Identifier: MIT */
/*
 * Maps of a small tree within budgets.  A token is 2.5 characters, rounded down,
 * so that what is counted line by line is less than the whole.
 */
#include "job/map.h"

#include <stdlib.h>

#include "check.h"

static const struct {
	const char *path, *text;
} tree[] = {
	{ "./README.md", "# Stores\n\n## Use\n" },
	{ "src/use.py", "from store import Store\n"
	    "def run_all(paths):\n    return [Store().put(p) for p in paths]\n"
	    "def run_once(path):\n    return run_all([path])\n" },
	{ "src/store.py", "class Store(Base):\n"
	    "    def put(self, key, value=None):\n        self.write(key)\n"
	    "    def write(self, key):\n        pass\n"
	    "def check(store):\n    return store.put\n" },
	{ "src/x/data.csv", "day,sold\n1,2\n" },
};

static const char all[] =
    "README.md (markdown, headings: Stores, Use)\n"
    "src/\n"
    " store.py\n"
    "  class Store(Base)\n"
    "   def put(self, key, value=None)\n"
    "   def write(self, key)\n"
    "  def check(store)\n"
    " use.py\n"
    "  def run_all(paths)\n"
    "  def run_once(path)\n"
    "src/x/\n"
    " data.csv (CSV, 1 row, columns: day, sold)\n";

static struct ctx_cost cost;
static struct ctx_digest digest;
static struct ctx_buf out;
static struct ctx_map_sums sums;
static const char *focus[2];
static int focused[2];

static void
open_cost(void)
{
	struct ctx_err err = { 0 };

	cost.choice.tok = ctx_tok_open("chars", &err);
	cost.choice.factor = (struct ctx_ratio){ 1, 1 };
	if (ctx_counter_init(&cost.counter, cost.choice.tok, &err) == -1)
		abort();
	cost.counter.factor = cost.choice.factor;
	cost.ready = 1;
}

/* Map the tree, its first or its last file first; what ctx_map_make returns. */
static int
make(uint64_t tokens, int backwards, size_t nfocus)
{
	struct ctx_map_opts opts = { .tokens = tokens, .width = 100,
	    .cost = &cost, .focus = focus, .nfocus = nfocus };
	size_t i, n = sizeof(tree) / sizeof(*tree), k;
	struct ctx_err err = { 0 };
	struct ctx_map *m = ctx_map_new(&opts, &err);
	int rc;

	ctx_buf_reset(&out);
	digest.symbols.code = ctx_map_code(m);
	for (i = 0; i < n; i++) {
		k = backwards ? n - 1 - i : i;
		CHECK_INT(ctx_digest_make(&digest, tree[k].path, tree[k].text,
		    strlen(tree[k].text), NULL, &err), 0);
		CHECK_INT(ctx_map_add(m, &digest, &err), 0);
	}
	rc = ctx_map_make(m, &out, &err);
	sums = *ctx_map_figures(m);
	for (i = 0; i < nfocus; i++)
		focused[i] = ctx_map_focused(m, i);
	ctx_map_free(m);
	return rc;
}

static void
test_all(void)
{
	CHECK_INT(make(1000, 0, 0), 1);
	CHECK_STR(ctx_buf_str(&out), all);
	CHECK_INT(sums.files, 4);
	CHECK_INT(sums.shown, 4);
	CHECK_INT(sums.definitions, 6);
	CHECK_INT(sums.signatures, 6);
	CHECK_INT(sums.names, 0);
	CHECK_INT(make(1000, 1, 0), 1);
	CHECK_STR(ctx_buf_str(&out), all);
}

/* "… +4 files" and the newline are 11 characters, 4 tokens. */
static void
test_least(void)
{
	CHECK_INT(make(3, 0, 0), 0);
	CHECK_INT(out.len, 0);
	CHECK_INT(make(4, 0, 0), 1);
	CHECK_STR(ctx_buf_str(&out), "… +4 files\n");
}

/* No budget is exceeded, and all is shown when it fits. */
static void
test_budgets(void)
{
	struct ctx_err err = { 0 };
	uint64_t n, tokens;

	for (n = 1; n <= 500; n++) {
		CHECK_INT(make(n, 0, 0), n >= 4);
		CHECK_INT(ctx_cost_text(&cost, out.data, out.len, &tokens,
		    &err), 0);
		CHECK(tokens <= n);
		CHECK_INT(sums.tokens, tokens);
		CHECK(n < 200 || out.len == sizeof(all) - 1);
		CHECK(sums.signatures + sums.names <= sums.definitions);
	}
}

/* What is in focus comes first; what nothing matches is known. */
static void
test_focus(void)
{
	focus[0] = "src/use.py";
	focus[1] = "nowhere";
	CHECK_INT(make(40, 0, 2), 1);
	CHECK(strstr(ctx_buf_str(&out), "use.py\n") != NULL);
	CHECK_INT(focused[0], 1);
	CHECK_INT(focused[1], 0);
	focus[0] = "write";
	CHECK_INT(make(40, 0, 1), 1);
	CHECK(strstr(ctx_buf_str(&out), "write") != NULL);
	CHECK_INT(focused[0], 1);
}

int
main(void)
{
	open_cost();
	RUN(test_all());
	RUN(test_least());
	RUN(test_budgets());
	RUN(test_focus());
	digest.symbols.code = NULL;
	ctx_digest_done(&digest);
	ctx_buf_done(&out);
	ctx_cost_done(&cost);
	return CHECK_DONE("map");
}
