/* SPDX-License-Identifier: MIT */
#include "token/known.h"

#include <string.h>

/* Special tokens as tiktoken has them (tiktoken_ext/openai_public.py). */
static const struct ctx_known_special cl100k[] = {
	{ "<|endoftext|>", 100257 },
	{ "<|fim_prefix|>", 100258 },
	{ "<|fim_middle|>", 100259 },
	{ "<|fim_suffix|>", 100260 },
	{ "<|endofprompt|>", 100276 },
	{ NULL, 0 }
};

static const struct ctx_known_special o200k[] = {
	{ "<|endoftext|>", 199999 },
	{ "<|endofprompt|>", 200018 },
	{ NULL, 0 }
};

static const struct ctx_known_special harmony[] = {
	{ "<|startoftext|>", 199998 },
	{ "<|endoftext|>", 199999 },
	{ "<|reserved_200000|>", 200000 },
	{ "<|reserved_200001|>", 200001 },
	{ "<|return|>", 200002 },
	{ "<|constrain|>", 200003 },
	{ "<|reserved_200004|>", 200004 },
	{ "<|channel|>", 200005 },
	{ "<|start|>", 200006 },
	{ "<|end|>", 200007 },
	{ "<|message|>", 200008 },
	{ "<|reserved_200009|>", 200009 },
	{ "<|reserved_200010|>", 200010 },
	{ "<|reserved_200011|>", 200011 },
	{ "<|call|>", 200012 },
	{ "<|endofprompt|>", 200018 },
	{ NULL, 0 }
};

static const struct ctx_known_special r50k[] = {
	{ "<|endoftext|>", 50256 },
	{ NULL, 0 }
};

static const struct ctx_known_special p50k_edit[] = {
	{ "<|endoftext|>", 50256 },
	{ "<|fim_prefix|>", 50281 },
	{ "<|fim_middle|>", 50282 },
	{ "<|fim_suffix|>", 50283 },
	{ NULL, 0 }
};

const struct ctx_known ctx_known_list[] = {
	{ "o200k_base", "o200k_base", "GPT-4o and later, o1, o3, o4",
	    o200k, 0, 0 },
	{ "o200k_harmony", "o200k_base", "gpt-oss", harmony, 200013, 201087 },
	{ "cl100k_base", "cl100k_base", "GPT-4, GPT-3.5, embeddings",
	    cl100k, 0, 0 },
	{ "p50k_base", "p50k_base", "Codex, text-davinci-002 and 003",
	    r50k, 0, 0 },
	{ "p50k_edit", "p50k_base", "text-davinci-edit-001", p50k_edit, 0, 0 },
	{ "r50k_base", "r50k_base", "GPT-3", r50k, 0, 0 },
	{ "gpt2", "r50k_base", "GPT-2", r50k, 0, 0 },
	{ "chars", NULL, "estimate: characters / 2.5", NULL, 0, 0 },
	{ NULL, NULL, NULL, NULL, 0, 0 }
};

const struct ctx_known *
ctx_known_find(const char *name)
{
	const struct ctx_known *k;

	for (k = ctx_known_list; k->name != NULL; k++)
		if (strcmp(k->name, name) == 0)
			return k;
	return NULL;
}
