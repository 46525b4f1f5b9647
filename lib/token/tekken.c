/* SPDX-License-Identifier: MIT */
/*
 * As mistral_common/tokens/tokenizers/tekken.py reads it.  A text is never
 * searched for special tokens there; we do so only on request.
 */
#include "token/tekken.h"

#include <stdio.h>
#include <string.h>

#include "base/base64.h"
#include "token/hf.h"

/* The special tokens of files that have none, which are older than v7. */
static const char *const old_special[] = {
	"<unk>", "<s>", "</s>", "[INST]", "[/INST]", "[AVAILABLE_TOOLS]",
	"[/AVAILABLE_TOOLS]", "[TOOL_RESULTS]", "[/TOOL_RESULTS]",
	"[TOOL_CALLS]", "[IMG]", "<pad>", "[IMG_BREAK]", "[IMG_END]",
	"[PREFIX]", "[MIDDLE]", "[SUFFIX]", "[SYSTEM_PROMPT]",
	"[/SYSTEM_PROMPT]", "[TOOL_CONTENT]"
};

#define NOLD	(sizeof(old_special) / sizeof(*old_special))

int
ctx_tekken_is(const json_t *root)
{
	const json_t *config = json_object_get(root, "config");

	return json_is_array(json_object_get(root, "vocab")) &&
	    json_object_get(config, "default_num_special_tokens") != NULL;
}

/* Add the first n tokens of the list; their ids begin at from. */
static int
read_tokens(struct ctx_vocab *v, const json_t *list, json_int_t n,
    json_int_t from, struct ctx_err *err)
{
	struct ctx_buf bytes = { 0 };
	const json_t *item;
	const char *text;
	json_int_t i;
	int rc = 0;

	for (i = 0; i < n && rc == 0; i++) {
		item = json_array_get(list, (size_t)i);
		text = ctx_hf_string(item, "token_bytes");
		ctx_buf_reset(&bytes);
		if (ctx_base64_decode(&bytes, text, strlen(text)) == -1)
			rc = bytes.failed ? ctx_fail_nomem(err) :
			    ctx_fail(err, CTX_ESYSTEM, "token %lld has no "
			    "bytes in base64", (long long)i);
		else if (json_integer_value(json_object_get(item, "rank")) != i)
			rc = ctx_fail(err, CTX_ESYSTEM, "token %lld is not in "
			    "the order of its rank", (long long)i);
		else
			rc = ctx_vocab_add(v, (uint32_t)(from + i), bytes.data,
			    bytes.len, 0, err);
	}
	ctx_buf_done(&bytes);
	return rc;
}

/* The text of special token i; NULL if it is not valid. */
static const char *
special_text(const json_t *list, json_int_t i, char *room, size_t size)
{
	const json_t *item = json_array_get(list, (size_t)i);
	const char *text;

	if (list == NULL && i < (json_int_t)NOLD)
		return old_special[i];
	if (item == NULL) {
		snprintf(room, size, "<SPECIAL_%lld>", (long long)i);
		return room;
	}
	text = ctx_hf_string(item, "token_str");
	return *text != '\0' &&
	    json_integer_value(json_object_get(item, "rank")) == i ? text :
	    NULL;
}

static int
read_special(struct ctx_vocab *v, const json_t *list, json_int_t n,
    struct ctx_err *err)
{
	const char *text;
	char room[40];
	json_int_t i;

	for (i = 0; i < n; i++) {
		text = special_text(list, i, room, sizeof(room));
		if (text == NULL)
			return ctx_fail(err, CTX_ESYSTEM, "special token %lld "
			    "has no text, or is not in the order of its rank",
			    (long long)i);
		if (ctx_vocab_add_special(v, (uint32_t)i, text, strlen(text),
		    0, err) == -1)
			return -1;
	}
	return 0;
}

int
ctx_tekken_read(struct ctx_vocab *v, const json_t *root, const char **pattern,
    struct ctx_err *err)
{
	const json_t *config = json_object_get(root, "config");
	const json_t *list = json_object_get(root, "vocab");
	const json_t *special = json_object_get(root, "special_tokens");
	json_int_t size = json_integer_value(json_object_get(config,
	    "default_vocab_size"));
	json_int_t nspecial = json_integer_value(json_object_get(config,
	    "default_num_special_tokens"));

	*pattern = ctx_hf_string(config, "pattern");
	if (**pattern == '\0')
		return ctx_fail(err, CTX_ESYSTEM, "it has no pattern");
	if (nspecial < 0 || size <= nspecial || size >= CTX_ID_MAX ||
	    (size_t)(size - nspecial) > json_array_size(list))
		return ctx_fail(err, CTX_ESYSTEM, "its number of tokens, "
		    "%lld, does not fit its list", (long long)size);
	if (!json_is_array(special))
		special = NULL;
	if (special != NULL && json_array_size(special) > (size_t)nspecial)
		return ctx_fail(err, CTX_ESYSTEM, "it has more than %lld "
		    "special tokens", (long long)nspecial);
	v->flags = CTX_TABLE_WHOLE;
	if (read_special(v, special, nspecial, err) == -1)
		return -1;
	return read_tokens(v, list, size - nspecial, nspecial, err);
}
