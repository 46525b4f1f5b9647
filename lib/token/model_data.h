/* SPDX-License-Identifier: MIT */
/*
 * The model table.  Included by model.c alone.
 *
 * Vocabularies: OpenAI's as in tiktoken (tiktoken/model.py).  Open models have
 * their own, which are exact where a prepared table of that name is at hand
 * (llama3.ctxv ...); without it cl100k_base stands in.
 *
 * Windows and outputs: makers' model pages, compared with litellm's
 * model_prices_and_context_window.json of 2026-07.  A window is what a request
 * and its answer share, where a maker counts so.
 *
 * Estimates.  Anthropic publishes no table for Claude 3 and later.  npm
 * ai-tokenizer 1.0.6, which was fitted to Anthropic's own counts, takes the
 * table of Claude 2 times 1.1; on English, code, JSON and Chinese that is 1.23,
 * 1.32, 1.19 and 1.09 times cl100k_base.  Since Claude Opus 4.7 a newer
 * tokenizer makes up to 1.35 times as many (Anthropic's migration guide), so
 * 1.62 is an upper estimate.  Gemini: ai-tokenizer takes 1.08 times o200k_base.
 */
#ifndef CTX_TOKEN_MODEL_DATA_H
#define CTX_TOKEN_MODEL_DATA_H

#include "token/model.h"

#define OPENAI(prefix, encoding, window, output) \
	{ prefix, "openai", encoding, CTX_EXACT, { 1, 1 }, window, output, \
	    "platform.openai.com/docs/models" }
#define CLAUDE(prefix, factor, window, output) \
	{ prefix, "anthropic", "cl100k_base", CTX_ESTIMATE, { factor, 100 }, \
	    window, output, "docs.claude.com models; factor: npm ai-tokenizer 1.0.6" }
#define GEMINI(prefix, window, output) \
	{ prefix, "google", "o200k_base", CTX_ESTIMATE, { 108, 100 }, window, \
	    output, "ai.google.dev models; factor: npm ai-tokenizer 1.0.6" }
#define OPEN(prefix, provider, encoding, window, output) \
	{ prefix, provider, encoding, CTX_EXACT, { 1, 1 }, window, output, \
	    "the maker's model card" }
#define OTHER(prefix, provider, window, output) \
	{ prefix, provider, "cl100k_base", CTX_APPROX, { 1, 1 }, window, \
	    output, \
	    "the maker's model page" }

static const struct ctx_model model_data[] = {
	OPENAI("gpt-5.6", "o200k_base", 1050000, 128000),
	OPENAI("gpt-5.6-sol", "o200k_base", 400000, 128000),
	OPENAI("gpt-5.6-terra", "o200k_base", 400000, 128000),
	OPENAI("gpt-5.6-luna", "o200k_base", 400000, 128000),
	OPENAI("gpt-5.5", "o200k_base", 1050000, 128000),
	OPENAI("gpt-5.4", "o200k_base", 1050000, 128000),
	OPENAI("gpt-5.4-mini", "o200k_base", 400000, 128000),
	OPENAI("gpt-5.4-nano", "o200k_base", 400000, 128000),
	OPENAI("gpt-5.3-chat", "o200k_base", 128000, 16384),
	OPENAI("gpt-5.2-chat", "o200k_base", 128000, 16384),
	OPENAI("gpt-5.1-chat", "o200k_base", 128000, 16384),
	OPENAI("gpt-5-chat", "o200k_base", 128000, 16384),
	OPENAI("gpt-5", "o200k_base", 400000, 128000),
	OPENAI("gpt-4.1", "o200k_base", 1047576, 32768),
	OPENAI("gpt-4.5", "o200k_base", 128000, 16384),
	OPENAI("gpt-4o", "o200k_base", 128000, 16384),
	OPENAI("gpt-4o-2024-05-13", "o200k_base", 128000, 4096),
	OPENAI("chatgpt-4o", "o200k_base", 128000, 16384),
	OPENAI("o4-mini", "o200k_base", 200000, 100000),
	OPENAI("o3", "o200k_base", 200000, 100000),
	OPENAI("o1", "o200k_base", 200000, 100000),
	OPENAI("o1-preview", "o200k_base", 128000, 32768),
	OPENAI("o1-mini", "o200k_base", 128000, 65536),
	OPENAI("codex-mini", "o200k_base", 200000, 100000),
	OPENAI("gpt-oss", "o200k_harmony", 131072, 131072),
	OPENAI("gpt-4-turbo", "cl100k_base", 128000, 4096),
	OPENAI("gpt-4-1106", "cl100k_base", 128000, 4096),
	OPENAI("gpt-4-0125", "cl100k_base", 128000, 4096),
	OPENAI("gpt-4-32k", "cl100k_base", 32768, 4096),
	OPENAI("gpt-4", "cl100k_base", 8192, 4096),
	OPENAI("gpt-3.5-turbo", "cl100k_base", 16385, 4096),
	OPENAI("gpt-3.5-turbo-instruct", "cl100k_base", 4096, 4096),
	OPENAI("gpt-35-turbo", "cl100k_base", 16385, 4096),
	OPENAI("davinci-002", "cl100k_base", 16384, 4096),
	OPENAI("babbage-002", "cl100k_base", 16384, 4096),
	OPENAI("text-embedding-3", "cl100k_base", 8191, 0),
	OPENAI("text-embedding-ada-002", "cl100k_base", 8191, 0),
	OPENAI("text-davinci-003", "p50k_base", 4097, 4096),
	OPENAI("text-davinci-002", "p50k_base", 4097, 4096),
	OPENAI("text-davinci-edit", "p50k_edit", 4097, 4096),
	OPENAI("code-davinci", "p50k_base", 8001, 4096),
	OPENAI("davinci", "r50k_base", 2049, 2049),
	OPENAI("gpt2", "gpt2", 1024, 1024),

	CLAUDE("claude", 120, 200000, 4096),
	CLAUDE("claude-2", 110, 200000, 4096),
	CLAUDE("claude-3", 120, 200000, 4096),
	CLAUDE("claude-3-5", 120, 200000, 8192),
	CLAUDE("claude-3-7", 120, 200000, 64000),
	CLAUDE("claude-opus-4", 120, 200000, 32000),
	CLAUDE("claude-sonnet-4", 120, 200000, 64000),
	CLAUDE("claude-haiku-4", 120, 200000, 64000),
	CLAUDE("claude-opus-4-5", 120, 200000, 64000),
	CLAUDE("claude-opus-4-6", 120, 1000000, 128000),
	CLAUDE("claude-sonnet-4-6", 120, 1000000, 64000),
	CLAUDE("claude-opus-4-7", 162, 1000000, 128000),
	CLAUDE("claude-opus-4-8", 162, 1000000, 128000),
	CLAUDE("claude-opus-5", 162, 1000000, 128000),
	CLAUDE("claude-sonnet-5", 162, 1000000, 128000),
	CLAUDE("claude-fable-5", 162, 1000000, 128000),
	CLAUDE("claude-mythos-5", 162, 1000000, 128000),

	GEMINI("gemini", 1048576, 65536),
	GEMINI("gemini-1.5", 1048576, 8192),
	GEMINI("gemini-1.5-pro", 2097152, 8192),
	GEMINI("gemini-2.0", 1048576, 8192),

	OPEN("gemma-3", "google", "gemma3", 131072, 8192),
	OPEN("gemma3", "google", "gemma3", 131072, 8192),
	OPEN("llama-3", "meta", "llama3", 8192, 8192),
	OPEN("llama3", "meta", "llama3", 8192, 8192),
	OPEN("meta-llama-3", "meta", "llama3", 8192, 8192),
	OPEN("llama-3.1", "meta", "llama3", 131072, 8192),
	OPEN("llama3.1", "meta", "llama3", 131072, 8192),
	OPEN("meta-llama-3.1", "meta", "llama3", 131072, 8192),
	OPEN("llama-3.2", "meta", "llama3", 131072, 8192),
	OPEN("llama3.2", "meta", "llama3", 131072, 8192),
	OPEN("llama-3.3", "meta", "llama3", 131072, 8192),
	OPEN("llama3.3", "meta", "llama3", 131072, 8192),
	OPEN("llama-4", "meta", "llama4", 1048576, 16384),
	OPEN("llama4", "meta", "llama4", 1048576, 16384),
	OPEN("qwen2.5", "alibaba", "qwen2", 131072, 8192),
	OPEN("qwen2", "alibaba", "qwen2", 131072, 8192),
	OPEN("qwen-2.5", "alibaba", "qwen2", 131072, 8192),
	OPEN("qwen3", "alibaba", "qwen3", 131072, 32768),
	OPEN("qwen3-max", "alibaba", "qwen3", 262144, 32768),
	OPEN("qwen3-coder", "alibaba", "qwen3", 262144, 65536),
	OPEN("qwq", "alibaba", "qwen2", 131072, 32768),
	OPEN("deepseek-chat", "deepseek", "deepseek_v3", 131072, 8192),
	OPEN("deepseek-reasoner", "deepseek", "deepseek_v3", 131072, 65536),
	OPEN("deepseek-v3", "deepseek", "deepseek_v3", 131072, 8192),
	OPEN("deepseek-r1", "deepseek", "deepseek_v3", 131072, 65536),
	OPEN("deepseek-v4", "deepseek", "deepseek_v4", 1000000, 8192),
	OPEN("mistral-nemo", "mistral", "tekken", 131072, 131072),
	OPEN("ministral", "mistral", "tekken", 131072, 131072),
	OPEN("pixtral", "mistral", "tekken", 131072, 131072),

	OTHER("mistral", "mistral", 131072, 131072),
	OTHER("mistral-7b", "mistral", 32768, 32768),
	OTHER("mixtral", "mistral", 32768, 32768),
	OTHER("mixtral-8x22b", "mistral", 65536, 65536),
	OTHER("codestral", "mistral", 262144, 262144),
	OTHER("devstral", "mistral", 262144, 262144),
	OTHER("magistral", "mistral", 131072, 131072),
	OTHER("qwen", "alibaba", 131072, 8192),
	OTHER("deepseek", "deepseek", 131072, 8192),
	OTHER("llama", "meta", 4096, 4096),
	OTHER("grok", "xai", 131072, 131072),
	OTHER("grok-4", "xai", 256000, 256000),
	OTHER("grok-4-fast", "xai", 2000000, 256000),
	OTHER("kimi-k2", "moonshot", 262144, 131072),
	OTHER("glm-4", "zai", 131072, 98304),
	OTHER("command-r", "cohere", 128000, 4096),
	OTHER("command-a", "cohere", 256000, 8192),
	OTHER("phi-4", "microsoft", 16384, 16384),
	OTHER("minimax-m", "minimax", 1000000, 80000),
};

#undef OPENAI
#undef CLAUDE
#undef GEMINI
#undef OPEN
#undef OTHER

#endif
