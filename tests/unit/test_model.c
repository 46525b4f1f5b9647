/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <unistd.h>

#include "check.h"
#include "token/model.h"
#include "token/vocab.h"

static const struct {
	const char *name;
	const char *encoding;	/* NULL: there is no rule */
	enum ctx_level level;
	unsigned window;
} cases[] = {
	{ "gpt-4o", "o200k_base", CTX_EXACT, 128000 },
	{ "gpt-4o-2024-08-06", "o200k_base", CTX_EXACT, 128000 },
	{ "openai/gpt-4o-mini", "o200k_base", CTX_EXACT, 128000 },
	{ "openrouter/openai/GPT-4o:free", "o200k_base", CTX_EXACT, 128000 },
	{ "ft:gpt-4o-2024-08-06:org::id", "o200k_base", CTX_EXACT, 128000 },
	{ "gpt-4.1-nano", "o200k_base", CTX_EXACT, 1047576 },
	{ "gpt-4-1106-preview", "cl100k_base", CTX_EXACT, 128000 },
	{ "gpt-4-0613", "cl100k_base", CTX_EXACT, 8192 },
	{ "azure/gpt-35-turbo", "cl100k_base", CTX_EXACT, 16385 },
	{ "gpt-5.1-codex", "o200k_base", CTX_EXACT, 400000 },
	{ "gpt-5-chat-latest", "o200k_base", CTX_EXACT, 128000 },
	{ "o3-mini", "o200k_base", CTX_EXACT, 200000 },
	{ "gpt-oss-120b", "o200k_harmony", CTX_EXACT, 131072 },
	{ "gpt-oss:20b", "o200k_harmony", CTX_EXACT, 131072 },
	{ "text-embedding-3-small", "cl100k_base", CTX_EXACT, 8191 },
	{ "claude-sonnet-4-5-20250929", "o200k_base", CTX_ESTIMATE, 200000 },
	{ "anthropic/claude-opus-4.6", "o200k_base", CTX_ESTIMATE, 1000000 },
	{ "us.anthropic.claude-haiku-4-5-20251001-v1:0", "o200k_base",
	    CTX_ESTIMATE, 200000 },
	{ "claude-opus-5-5", "o200k_base", CTX_ESTIMATE, 1000000 },
	{ "models/gemini-2.5-pro", "gemma3", CTX_EXACT, 1048576 },
	{ "gemini-2.0-flash-001", "gemma2", CTX_EXACT, 1048576 },
	{ "gemini-3-pro-preview", "gemma3", CTX_EXACT, 1048576 },
	{ "gemini-3.1-pro-preview", "gemma4", CTX_EXACT, 1048576 },
	{ "gemini-3.5-flash-lite", "gemma4", CTX_EXACT, 1048576 },
	{ "gemini-3.8-flash", "gemma4", CTX_APPROX, 1048576 },
	{ "gemini-4-argon", "gemma4", CTX_APPROX, 1048576 },
	{ "meta-llama/Llama-3.3-70B-Instruct", "llama3", CTX_EXACT, 131072 },
	{ "meta.llama3-1-70b-instruct-v1:0", "llama3", CTX_EXACT, 131072 },
	{ "Qwen/Qwen3-8B", "qwen3", CTX_EXACT, 131072 },
	{ "mistral-large-latest", "cl100k_base", CTX_APPROX, 262144 },
	/* names of a family with a number that is not listed */
	{ "gpt-6.2-astra", "o200k_base", CTX_APPROX, 1050000 },
	{ "gpt-7", "o200k_base", CTX_APPROX, 0 },
	{ "openai/gpt-11.5-mini-2027-01-01", "o200k_base", CTX_APPROX, 0 },
	{ "gpt-7o-mini", "o200k_base", CTX_APPROX, 0 },
	{ "o5-mini", "o200k_base", CTX_APPROX, 0 },
	{ "o3-mini", "o200k_base", CTX_EXACT, 200000 },
	{ "gpt-3.5", "cl100k_base", CTX_EXACT, 16385 },
	{ "minimax-m1", "minimax", CTX_EXACT, 1000000 },
	{ "MiniMaxAI/MiniMax-M2", "minimax", CTX_EXACT, 196608 },
	{ "minimax-m2.5", "minimax", CTX_EXACT, 204800 },
	{ "minimax-m4", "minimax", CTX_EXACT, 0 },
	{ "moonshotai/kimi-k2-thinking", "kimi", CTX_EXACT, 262144 },
	{ "kimi-k2.5", "kimi", CTX_EXACT, 262144 },
	{ "kimi-k3.1-pro", "kimi", CTX_EXACT, 1048576 },
	{ "kimi-k2p5", "kimi", CTX_EXACT, 0 },
	{ "glm-4.5-air", "glm4", CTX_EXACT, 131072 },
	{ "zai.glm-5.2", "glm5", CTX_EXACT, 200000 },
	{ "qwen3.6-plus", "qwen3_5", CTX_EXACT, 1000000 },
	/* as clouds, routers and libraries write them */
	{ "anthropic/claude-4.5-sonnet", "o200k_base", CTX_ESTIMATE, 200000 },
	{ "claude-4-opus-20250514", "o200k_base", CTX_ESTIMATE, 200000 },
	{ "claude-4.6-opus", "o200k_base", CTX_ESTIMATE, 1000000 },
	{ "claude-5-sonnets", "o200k_base", CTX_ESTIMATE, 200000 },
	{ "claude-sonnet-3.7", "o200k_base", CTX_ESTIMATE, 200000 },
	{ "anthropic/claude-3.7-sonnet:thinking", "o200k_base", CTX_ESTIMATE,
	    200000 },
	{ "claude-sonnet-3.7-thought", "o200k_base", CTX_ESTIMATE, 200000 },
	{ "claude-haiku-3.5", "o200k_base", CTX_ESTIMATE, 200000 },
	{ "claude-opus-3", "o200k_base", CTX_ESTIMATE, 200000 },
	{ "claude-sonnet-3-20240229", "o200k_base", CTX_ESTIMATE, 200000 },
	{ "claude-sonnet-30", "o200k_base", CTX_ESTIMATE, 1000000 },
	{ "claude-sonnet-3x", "o200k_base", CTX_ESTIMATE, 1000000 },
	{ "databricks-claude-3-7-sonnet", "o200k_base", CTX_ESTIMATE, 200000 },
	{ "openai:gpt-4o", "o200k_base", CTX_EXACT, 128000 },
	{ "anthropic:claude-opus-4-6", "o200k_base", CTX_ESTIMATE, 1000000 },
	{ "google-gla:gemini-2.5-pro", "gemma3", CTX_EXACT, 1048576 },
	{ "llama3:8b", "llama3", CTX_EXACT, 8192 },
	{ "us.deepseek.r1-v1:0", "deepseek_v3", CTX_EXACT, 131072 },
	{ "deepseek.v3-v1:0", "deepseek_v3", CTX_EXACT, 131072 },
	{ "qwen-3-coder-480b", "qwen3", CTX_EXACT, 262144 },
	{ "zai-glm-4.7", "glm4", CTX_EXACT, 204800 },
	{ "grok-4-1-fast-reasoning", "cl100k_base", CTX_APPROX, 2000000 },
	{ "command-r7b-12-2024", "cl100k_base", CTX_APPROX, 128000 },
	/* models whose vocabulary is not the one of their name */
	{ "deepseek-r1-distill-llama-70b", "llama3", CTX_EXACT, 131072 },
	{ "deepseek-ai/DeepSeek-R1-Distill-Qwen-32B", "qwen2", CTX_EXACT,
	    131072 },
	{ "deepseek-r1-0528", "deepseek_v3", CTX_EXACT, 131072 },
	{ "deepseek-r1:671b", "deepseek_v3", CTX_EXACT, 131072 },
	{ "deepseek-r1:1.5b", "qwen2", CTX_EXACT, 131072 },
	{ "ollama/deepseek-r1:7b", "qwen2", CTX_EXACT, 131072 },
	{ "deepseek-r1:8b", "qwen3", CTX_EXACT, 131072 },
	{ "deepseek-r1:8b-llama-distill-q4_K_M", "llama3", CTX_EXACT, 131072 },
	{ "deepseek-r1:14b-qwen-distill-q8_0", "qwen2", CTX_EXACT, 131072 },
	{ "deepseek-r1:32b", "qwen2", CTX_EXACT, 131072 },
	{ "deepseek-r1:70b", "llama3", CTX_EXACT, 131072 },
	{ "phi-4-mini-instruct", "o200k_base", CTX_APPROX, 131072 },
	{ "phi-4-multimodal-instruct", "o200k_base", CTX_APPROX, 131072 },
	{ "moonshotai/Kimi-Dev-72B", "qwen2", CTX_EXACT, 131072 },
	{ "gpt-4omni", NULL, 0, 0 },
	{ "gpt-neox", NULL, 0, 0 },
	{ "o200k_base", NULL, 0, 0 },
	{ "gpt-", NULL, 0, 0 },
	{ "o", NULL, 0, 0 },
	{ "no-such-model", NULL, 0, 0 },
	{ "", NULL, 0, 0 },
	{ "openai/", NULL, 0, 0 },
};

static void
test_find(const struct ctx_models *m)
{
	const struct ctx_model *found;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		found = ctx_model_find(m, cases[i].name);
		if (cases[i].encoding == NULL) {
			CHECK(found == NULL);
			continue;
		}
		if (!CHECK(found != NULL)) {
			fprintf(stderr, "%s\n", cases[i].name);
			continue;
		}
		CHECK_STR(found->encoding, cases[i].encoding);
		CHECK_INT(found->level, cases[i].level);
		CHECK_INT(found->window, cases[i].window);
	}
}

/* The prefix with 99 for each %. */
static const char *
numbered(const char *prefix)
{
	static char out[64];
	size_t n = 0;

	for (; *prefix != '\0' && n + 3 < sizeof(out); prefix++)
		if (*prefix == '%') {
			out[n++] = '9';
			out[n++] = '9';
		} else
			out[n++] = *prefix;
	out[n] = '\0';
	return out;
}

/* Each rule is found by its own name, so no rule hides another. */
static void
test_table(const struct ctx_models *m)
{
	const struct ctx_model *model;
	size_t i;

	for (i = 0; (model = ctx_models_at(m, i)) != NULL; i++) {
		CHECK(ctx_model_find(m, numbered(model->prefix)) == model);
		CHECK(model->factor.num == model->factor.den ||
		    model->level == CTX_ESTIMATE);
		CHECK(model->window >= model->output || model->window == 0);
		CHECK(strpbrk(model->source, "2") != NULL);
	}
	CHECK(i > 80);
}

/* One model has one name, wherever its version stands. */
static void
test_plain(void)
{
	static const char *const names[][2] = {
		{ "claude-sonnet-3.7", "claude-3.7-sonnet" },
		{ "claude-sonnet-3-5-20241022", "claude-3-5-sonnet-20241022" },
		{ "claude-opus-3-20240229", "claude-3-opus-20240229" },
		{ "claude-haiku-3.5:beta", "claude-3.5-haiku:beta" },
		{ "claude-4.5-haiku", "claude-haiku-4.5" },
		{ "claude-3.5-haiku", "claude-3.5-haiku" },
		{ "claude-haiku-4.5", "claude-haiku-4.5" },
		{ "claude-sonnet", "claude-sonnet" },
		{ "claude-sonnet-", "claude-sonnet-" },
		{ "claude-sonnets-3", "claude-sonnets-3" },
		{ "claude-v2.1", "claude-2.1" },
	};
	char out[CTX_MODEL_NAME_MAX];
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		CHECK_STR(ctx_model_plain(names[i][0], out), names[i][1]);
}

static void
test_open(const struct ctx_models *m)
{
	struct ctx_choice c;
	struct ctx_err err = { 0 };

	CHECK_INT(ctx_model_open(m, "gpt-4o", &c, &err), 0);
	CHECK_STR(ctx_tok_name(c.tok), "o200k_base");
	CHECK_STR(ctx_level_name(c.level), "exact");
	ctx_tok_free(c.tok);
	CHECK_INT(ctx_model_open(m, "nobody-knows", &c, &err), 0);
	CHECK_STR(ctx_tok_name(c.tok), "cl100k_base");
	CHECK_STR(ctx_level_name(c.level), "approximate");
	CHECK(c.model == NULL && c.factor.num == c.factor.den);
	ctx_tok_free(c.tok);
	CHECK_INT(ctx_model_open(m, "claude-3-5-sonnet-latest", &c, &err), 0);
	CHECK_STR(ctx_level_name(c.level), "estimate");
	CHECK_STR(ctx_tok_name(c.tok), "o200k_base");
	CHECK(c.factor.num == c.factor.den);
	ctx_tok_free(c.tok);
}

/*
 * Gemini counts with the first table that is at hand: its own, that of Gemma
 * 3, o200k_base.
 */
static void
test_instead(const struct ctx_models *m)
{
	char dir[] = "/tmp/test_model.XXXXXX", path[64];
	struct ctx_choice c;
	struct ctx_err err = { 0 };
	struct ctx_vocab v;

	if (!CHECK(mkdtemp(dir) != NULL))
		return;
	setenv("CTX_VOCAB", dir, 1);
	CHECK_INT(ctx_model_open(m, "gemini-3.5-flash", &c, &err), 0);
	CHECK_STR(ctx_tok_name(c.tok), "o200k_base");
	CHECK_STR(c.missing, "gemma4");
	CHECK_INT(c.level, CTX_ESTIMATE);
	CHECK_INT(c.factor.num, 103);
	CHECK(c.by_script);
	ctx_tok_free(c.tok);
	CHECK_INT(ctx_tok_at_hand("gemma3", &err), 0);

	snprintf(path, sizeof(path), "%s/gemma3.ctxv", dir);
	ctx_vocab_init(&v, "gemma3");
	CHECK_INT(ctx_vocab_add(&v, 0, "a", 1, 0, &err), 0);
	CHECK_INT(ctx_vocab_write(&v, path, &err), 0);
	ctx_vocab_done(&v);
	CHECK_INT(ctx_tok_at_hand("gemma3", &err), 1);
	CHECK_INT(ctx_model_open(m, "gemini-3.5-flash", &c, &err), 0);
	CHECK_STR(ctx_tok_name(c.tok), "gemma3");
	CHECK_STR(c.missing, "gemma4");
	CHECK_INT(c.level, CTX_APPROX);
	CHECK(c.factor.num == c.factor.den && !c.by_script);
	ctx_tok_free(c.tok);
	CHECK_INT(ctx_model_open(m, "gemini-2.5-flash", &c, &err), 0);
	CHECK(c.missing == NULL);
	CHECK_INT(c.level, CTX_EXACT);
	ctx_tok_free(c.tok);
	CHECK_INT(ctx_model_open(m, "gemini-2.0-flash", &c, &err), 0);
	CHECK_STR(ctx_tok_name(c.tok), "gemma3");
	CHECK_STR(c.missing, "gemma2");
	ctx_tok_free(c.tok);
	CHECK_INT(ctx_model_open(m, "kimi-k2", &c, &err), 0);
	CHECK_STR(ctx_tok_name(c.tok), "cl100k_base");
	CHECK_STR(c.missing, "kimi");
	CHECK_INT(c.level, CTX_APPROX);
	ctx_tok_free(c.tok);
	unlink(path);
	rmdir(dir);
	unsetenv("CTX_VOCAB");
}

static void
test_at_hand(const struct ctx_models *m)
{
	struct ctx_buf dir = { 0 };
	struct ctx_err err = { 0 };

	CHECK_STR(ctx_model_table(ctx_model_find(m, "gemini-2.5-pro")),
	    "gemma3");
	CHECK(ctx_model_table(ctx_model_find(m, "gpt-4o")) == NULL);
	CHECK(ctx_model_table(ctx_model_find(m, "claude-3-opus")) == NULL);
	CHECK_INT(ctx_tok_at_hand("o200k_harmony", &err), 1);
	CHECK_INT(ctx_tok_at_hand("chars", &err), 1);
	CHECK_INT(ctx_tok_at_hand("/nonexistent", &err), 0);
	setenv("XDG_DATA_HOME", "/data", 1);
	ctx_tok_user_dir(&dir);
	CHECK_STR(ctx_buf_str(&dir), "/data/ctx");
	ctx_buf_reset(&dir);
	setenv("XDG_DATA_HOME", "", 1);
	setenv("HOME", "/h", 1);
	ctx_tok_user_dir(&dir);
	CHECK_STR(ctx_buf_str(&dir), "/h/.local/share/ctx");
	ctx_buf_reset(&dir);
	unsetenv("HOME");
	ctx_tok_user_dir(&dir);
	CHECK_INT(dir.len, 0);
	setenv("CTX_VOCAB", "/v", 1);
	ctx_tok_user_dir(&dir);
	CHECK_STR(ctx_buf_str(&dir), "/v");
	unsetenv("CTX_VOCAB");
	ctx_buf_done(&dir);
}

/* Write the user's file; 0 if it cannot be written. */
static int
write_lines(const char *path, const char *lines)
{
	FILE *f = fopen(path, "w");

	return CHECK(f != NULL) && CHECK(fputs(lines, f) >= 0) &&
	    CHECK(fclose(f) == 0);
}

/* A file of one line is refused, for this reason. */
static void
bad_line(const char *path, const char *line, const char *why)
{
	struct ctx_err err = { 0 };

	if (!write_lines(path, line))
		return;
	CHECK(ctx_models_new(&err) == NULL);
	CHECK_INT(err.code, CTX_EUSAGE);
	if (!CHECK(strstr(err.text, ":1: ") != NULL &&
	    strstr(err.text, why) != NULL))
		fprintf(stderr, "%s\n", err.text);
}

static void
test_user(void)
{
	static const char text[] = "# mine\n"
	    "gpt-4o-mine r50k_base 8k 1k\n\n"
	    "big cl100k_base*1.5 1Mi # and so on\n"
	    "lost nonesuch\n"
	    "claude-4-opus r50k_base 7k\nclaude-sonnet-4 r50k_base 6k\n"
	    "seer o200k_base image=fixed:99 page=10\n"
	    "hearer o200k_base 4k image=tiles:1,2 1k audio=5 video=6 #\n";
	char path[] = "/tmp/test_model.XXXXXX";
	const struct ctx_model *model;
	struct ctx_models *m;
	struct ctx_choice c;
	struct ctx_err err = { 0 };
	int fd = mkstemp(path);

	if (!CHECK(fd != -1 && write(fd, text, sizeof(text) - 1) > 0))
		return;
	setenv("CTX_MODELS", path, 1);
	m = ctx_models_new(&err);
	if (!CHECK(m != NULL))
		return;
	model = ctx_model_find(m, "gpt-4o-mine-2");
	CHECK_STR(model->encoding, "r50k_base");
	CHECK_INT(model->window, 8000);
	CHECK_INT(model->output, 1000);
	CHECK_STR(ctx_model_find(m, "gpt-4o")->encoding, "o200k_base");
	model = ctx_model_find(m, "x/big:7b");
	CHECK_INT(model->window, 1 << 20);
	CHECK_INT(model->level, CTX_ESTIMATE);
	CHECK_INT(ctx_model_find(m, "claude-4-opus-2025")->window, 7000);
	CHECK_INT(ctx_model_find(m, "claude-4-sonnet-2025")->window, 6000);
	CHECK_INT(ctx_model_open(m, "lost", &c, &err), -1);
	CHECK_STR(err.text, "unknown encoding 'nonesuch'");
	model = ctx_model_find(m, "seer");
	CHECK_INT(model->image.kind, CTX_IMAGE_FIXED);
	CHECK_INT(model->image.at[CTX_DETAIL_LOW], 99);
	CHECK_INT(model->rates.page, 10);
	CHECK_INT(model->rates.audio, 0);
	model = ctx_model_find(m, "hearer");
	CHECK_INT(model->window, 4000);
	CHECK_INT(model->output, 1000);
	CHECK_INT(model->image.b, 2);
	CHECK_INT(model->rates.audio, 5);
	CHECK_INT(model->rates.video, 6);
	ctx_models_free(m);
	bad_line(path, "oops", "expected: prefix");
	bad_line(path, "a b 1 2 3", "expected: prefix");
	bad_line(path, "a b image=x", "'x' is not a rule for images");
	bad_line(path, "a b page=0", "'0' is not a number of tokens");
	bad_line(path, "a b page=many", "many");
	bad_line(path, "a b colour=red", "unknown key 'colour'");
	unlink(path);
	ctx_err_clear(&err);
	CHECK(ctx_models_new(&err) == NULL);
	CHECK_INT(err.code, CTX_ESYSTEM);
	close(fd);
	unsetenv("CTX_MODELS");
}

/* What a line adds to the rule before it, and to ours. */
static void
test_fitted(void)
{
	char path[] = "/tmp/test_model.XXXXXX";
	const struct ctx_model *model;
	struct ctx_models *m;
	int fd = mkstemp(path);

	if (!CHECK(fd != -1) || !write_lines(path,
	    "claude-sonnet-4.5 - factor=1.07 message=-2 request=14.2k "
	    "margin=-3..4\n"
	    "mine cl100k_base*1.5 8k page=7\n"
	    "mine - 9k message=+1\n"
	    "gpt-4o - factor=1\n"
	    "gpt-4o - factor=0.9 # the last one counts\n"))
		return;
	setenv("CTX_MODELS", path, 1);
	m = ctx_models_new(NULL);
	if (!CHECK(m != NULL))
		return;
	model = ctx_model_find(m, "claude-sonnet-4-5-20250929");
	CHECK_STR(model->provider, "anthropic");
	CHECK_STR(model->like, "claude-sonnet-4");
	CHECK_STR(model->encoding, "o200k_base");
	CHECK_INT(model->window, 200000);
	CHECK_INT(model->fitted.factor.num, 107);
	CHECK_INT(model->fitted.factor.den, 100);
	CHECK_INT(model->fitted.message, -2);
	CHECK_INT(model->fitted.request, 14200);
	CHECK_INT(model->fitted.has_margin, 1);
	CHECK_INT(model->fitted.margin.low, -3);
	CHECK_INT(model->fitted.margin.high, 4);
	model = ctx_model_find(m, "mine");
	CHECK_STR(model->provider, "user");
	CHECK_STR(model->encoding, "cl100k_base");
	CHECK_INT(model->factor.num, 15);
	CHECK_INT(model->window, 9000);
	CHECK_INT(model->rates.page, 7);
	CHECK_INT(model->fitted.factor.den, 0);
	CHECK_INT(model->fitted.message, 1);
	CHECK_INT(model->fitted.has_margin, 0);
	model = ctx_model_find(m, "gpt-4o");
	CHECK_INT(model->fitted.factor.num, 9);
	CHECK_INT(model->level, CTX_EXACT);
	ctx_models_free(m);
	bad_line(path, "nobody -", "no rule matches 'nobody'");
	bad_line(path, "gpt-4o - factor=0", "'0' is not a factor");
	bad_line(path, "gpt-4o - message=1.5", "'1.5' is not a number");
	bad_line(path, "gpt-4o - message=-", "'-' is not a number");
	bad_line(path, "gpt-4o - message=100001", "'100001' is not a number");
	bad_line(path, "gpt-4o - request=-1", "-1");
	bad_line(path, "gpt-4o - request=1001m", "'1001m' is not a number");
	bad_line(path, "gpt-4o - margin=3", "'3' is not a margin");
	bad_line(path, "gpt-4o - margin=4..3", "'4..3' is not a margin");
	bad_line(path, "gpt-4o - margin=..3", "'..3' is not a margin");
	bad_line(path, "gpt-4o - margin=1..1001", "is not a margin");
	unlink(path);
	close(fd);
	unsetenv("CTX_MODELS");
}

int
main(void)
{
	struct ctx_models *m = ctx_models_new(NULL);

	TEST("the table exists");
	if (CHECK(m != NULL)) {
		RUN(test_find(m));
		RUN(test_table(m));
		RUN(test_plain());
		RUN(test_open(m));
		RUN(test_instead(m));
		RUN(test_at_hand(m));
		RUN(test_user());
		RUN(test_fitted());
	}
	ctx_models_free(m);
	return CHECK_DONE("model");
}
