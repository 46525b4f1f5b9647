/* SPDX-License-Identifier: MIT */
/*
 * Errors that say that a request is longer than what the model reads, and the
 * numbers that they name; see remote.h.
 */
#include "net/remote.h"

#include <stdint.h>
#include <string.h>
#include <strings.h>

/*
 * What servers say, in any case: %F stands for the tokens that fit, %A for those
 * that were asked about, %N for another number.  A row without a number is only
 * a sign.  Read in November 2026.
 */
static const char *const says[] = {
	/* OpenAI: github.com/ChatGPTNextWeb/NextChat/issues/625; with an answer
	   of a given length, .../conghaonet/hao_chatgpt/issues/4; vLLM says the
	   same: .../vllm-project/vllm/issues/20409 */
	"maximum context length is %F", "your messages resulted in %A tokens",
	"tokens (%A in the messages",
	/* OpenAI since GPT-5: "Input tokens exceed the configured limit of
	   272000 tokens. Your messages resulted in 402740 tokens." */
	"exceed the configured limit of %F",
	"your input exceeds the context window",
	/* vLLM since 0.11 */
	"you passed %A input tokens", "context length is only %F",
	/* Anthropic: github.com/anthropics/claude-code/issues/62560; before
	   Claude 4.5 the answer counted too: .../strands-agents/sdk-python/
	   issues/152 */
	"prompt is too long: %A tokens > %F", "prompt is too long",
	"exceed context limit: %A + %N > %F",
	/* Gemini: github.com/google-gemini/gemini-cli/issues/6678 */
	"input token count (%A) exceeds the maximum",
	"maximum number of tokens allowed (%F)",
	/* llama.cpp: github.com/ggml-org/llama.cpp/pull/15780, issues/17284;
	   with numbers in the text since December 2025 */
	"request (%A tokens) exceeds the available context size (%F",
	"exceeds the available context size",
	/* Ollama: github.com/nano-step/nano-brain/issues/208; its cloud:
	   "prompt too long; exceeded max context length by 65590 tokens" */
	"input length exceeds the context length",
	"exceeded max context length by %N tokens"
};

/* The number at *p, which moves past it, or -1. */
static int64_t
number(const char **p)
{
	const char *s = *p;
	int64_t n = 0;

	while (*s >= '0' && *s <= '9' && n < INT32_MAX)
		n = n * 10 + (*s++ - '0');
	if (s == *p || n >= INT32_MAX)
		return -1;
	*p = s;
	return n;
}

/* Does p begin as the row says?  Its numbers, if so. */
static int
begins(const char *p, const char *row, int64_t *fits, int64_t *asked)
{
	int64_t n, f = -1, a = -1;

	for (; *row != '\0'; row++)
		if (*row == '%') {
			if ((n = number(&p)) == -1)
				return 0;
			if (*++row == 'F')
				f = n;
			else if (*row == 'A')
				a = n;
		} else if (strncasecmp(p++, row, 1) != 0)
			return 0;
	if (f > 0)
		*fits = f;
	if (a > 0)
		*asked = a;
	return 1;
}

/* Read what a message says. */
static int
read_text(const char *text, int64_t *fits, int64_t *asked)
{
	const char *p;
	int found = 0;
	size_t i;

	for (p = text; *p != '\0'; p++)
		for (i = 0; i < sizeof(says) / sizeof(says[0]); i++)
			found |= begins(p, says[i], fits, asked);
	return found;
}

/* Does member name have one of the codes that mean it? */
static int
is_code(const json_t *e, const char *name)
{
	const char *s = json_string_value(json_object_get(e, name));

	return s != NULL && (strcmp(s, "context_length_exceeded") == 0 ||
	    strcmp(s, "exceed_context_size_error") == 0);
}

/* Take a number of llama.cpp's error. */
static void
take(const json_t *e, const char *name, int64_t *out)
{
	json_int_t n = json_integer_value(json_object_get(e, name));

	if (n > 0 && n < INT32_MAX)
		*out = n;
}

int
ctx_remote_too_long(const json_t *root, int64_t *fits, int64_t *asked)
{
	const json_t *message = NULL, *e = ctx_remote_error(root, 1, &message);
	const char *text = json_string_value(message);
	int found = is_code(e, "code") | is_code(e, "type");

	*fits = *asked = -1;
	if (text != NULL)
		found |= read_text(text, fits, asked);
	if (found) {
		take(e, "n_ctx", fits);
		take(e, "n_prompt_tokens", asked);
	}
	return found;
}
