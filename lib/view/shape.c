/* SPDX-License-Identifier: MIT */
/* The members of an object by which dialects are told apart; see dialect.h. */
#include "view/dialect.h"

#include <string.h>

#include "read/word.h"

/* The longest of the keys. */
#define LONGEST	26
static const struct {
	const char *name;
	size_t len;
} keys[CTX_K_N] = {
#define KEY(k, s) [k] = { s, sizeof(s) - 1 }
	KEY(CTX_K_ROLE, "role"), KEY(CTX_K_CONTENT, "content"),
	KEY(CTX_K_TYPE, "type"), KEY(CTX_K_NAME, "name"), KEY(CTX_K_ID, "id"),
	KEY(CTX_K_TOOL_CALLS, "tool_calls"),
	KEY(CTX_K_TOOL_CALL_ID, "tool_call_id"),
	KEY(CTX_K_FUNCTION_CALL, "function_call"),
	KEY(CTX_K_REFUSAL, "refusal"),
	KEY(CTX_K_REASONING_CONTENT, "reasoning_content"),
	KEY(CTX_K_PARTS, "parts"), KEY(CTX_K_KIND, "kind"),
	KEY(CTX_K_MESSAGE, "message"), KEY(CTX_K_MESSAGES, "messages"),
	KEY(CTX_K_CONVERSATIONS, "conversations"),
	KEY(CTX_K_CONTENTS, "contents"), KEY(CTX_K_INPUT, "input"),
	KEY(CTX_K_SYSTEM, "system"),
	KEY(CTX_K_SYSTEM_INSTRUCTION, "systemInstruction"),
	KEY(CTX_K_SYSTEM_INSTRUCTION_SNAKE, "system_instruction"),
	KEY(CTX_K_UUID, "uuid"), KEY(CTX_K_PAYLOAD, "payload"),
	KEY(CTX_K_DATA, "data"), KEY(CTX_K_LC, "lc"),
	KEY(CTX_K_KWARGS, "kwargs"), KEY(CTX_K_FROM, "from"),
	KEY(CTX_K_VALUE, "value"), KEY(CTX_K_CALL_ID, "call_id"),
	KEY(CTX_K_OUTPUT, "output"), KEY(CTX_K_TIMESTAMP, "timestamp"),
	KEY(CTX_K_ARGUMENTS, "arguments"), KEY(CTX_K_SUMMARY, "summary"),
	KEY(CTX_K_INSTRUCTIONS, "instructions"),
	KEY(CTX_K_PREVIOUS_RESPONSE_ID, "previous_response_id"),
	KEY(CTX_K_CONVERSATION, "conversation"),
	KEY(CTX_K_SYSTEM_PROMPT, "system_prompt"),
	KEY(CTX_K_HISTORY, "history"),
	KEY(CTX_K_TOOL_PLAN, "tool_plan"), KEY(CTX_K_IMAGES, "images"),
	KEY(CTX_K_THINKING, "thinking"), KEY(CTX_K_TOOL_NAME, "tool_name"),
	KEY(CTX_K_MAPPING, "mapping"),
	KEY(CTX_K_CHAT_MESSAGES, "chat_messages"),
	KEY(CTX_K_INPUTS, "inputs"), KEY(CTX_K_OUTPUTS, "outputs"),
	KEY(CTX_K_GEN_AI_SYSTEM, "gen_ai.system_instructions"),
	KEY(CTX_K_GEN_AI_INPUT, "gen_ai.input.messages"),
	KEY(CTX_K_GEN_AI_OUTPUT, "gen_ai.output.messages"),
	KEY(CTX_K_AUDIO, "audio")
#undef KEY
};

/* The types of empty values that say something. */
enum { TEXT = 1, LIST = 2, OBJECT = 4, NOTHING = 8 };
static const unsigned char says[CTX_K_N] = {
	[CTX_K_CONTENT] = TEXT | LIST | NOTHING, [CTX_K_PARTS] = LIST,
	[CTX_K_TOOL_CALLS] = LIST,
	[CTX_K_TOOL_CALL_ID] = TEXT, [CTX_K_CALL_ID] = TEXT,
	[CTX_K_MESSAGES] = LIST, [CTX_K_CONVERSATIONS] = LIST,
	[CTX_K_CONTENTS] = LIST, [CTX_K_INPUT] = TEXT | LIST | OBJECT,
	[CTX_K_ARGUMENTS] = TEXT | LIST | OBJECT,
	[CTX_K_OUTPUT] = TEXT | LIST | OBJECT,
	[CTX_K_VALUE] = TEXT | LIST | OBJECT, [CTX_K_SUMMARY] = LIST,
	[CTX_K_HISTORY] = LIST, [CTX_K_GEN_AI_INPUT] = LIST
};

static const unsigned char types[256] = {
	['"'] = TEXT, ['['] = LIST, ['{'] = OBJECT, ['n'] = NOTHING
};

/*
 * The first and the last eight bytes of the keys, and their numbers by a hash of
 * the first and the length.  Which key comes next cannot be predicted, so a
 * look-up has few branches.
 */
#define SLOTS	256
static struct ends {
	uint64_t first, last;	/* of a shorter key both are all of it */
	uint64_t len;
} ends[CTX_K_N];
static unsigned char slots[SLOTS];	/* 1 + the number; 0: free */

/* The lowest bytes of a word that a key of that length fills. */
static const uint64_t fills[] = { 0, 0xff, 0xffff, 0xffffff, 0xffffffff,
	0xffffffffff, 0xffffffffffff, 0xffffffffffffff, UINT64_MAX };

/* Of s[0 .. len), after which eight more bytes can be read. */
static inline struct ends
ends_of(const char *s, size_t len)
{
	size_t n = len < 8 ? len : 8;

	return (struct ends){ word_load(s) & fills[n],
	    word_load(s + len - n) & fills[n], len };
}

static inline size_t
slot_of(const struct ends *e)
{
	/* a factor with which no two of the keys share a slot */
	return (size_t)((e->first ^ e->len) * 0x8f2f39495d09dd29u >> 56) %
	    SLOTS;
}

/* Runs at start-up, before there are threads. */
__attribute__((constructor)) static void
index_keys(void)
{
	char key[LONGEST + 8] = "";
	size_t k, at;

	for (k = 0; k < CTX_K_N; k++) {
		memcpy(key, keys[k].name, keys[k].len);
		ends[k] = ends_of(key, keys[k].len);
		at = slot_of(&ends[k]);
		while (slots[at] != 0)
			at = (at + 1) % SLOTS;
		slots[at] = (unsigned char)(k + 1);
	}
}

static inline int
same_ends(const struct ends *a, const struct ends *b)
{
	return ((a->first ^ b->first) | (a->last ^ b->last) |
	    (a->len ^ b->len)) == 0;
}

/* The number of the key that is s[0 .. len), spelled without escapes, or -1. */
static int
plain_number(const char *s, size_t len)
{
	char copy[LONGEST + 8] = "";
	struct ends e;
	size_t slot;
	int k;

	if (len > LONGEST)
		return -1;
	memcpy(copy, s, len);
	e = ends_of(copy, len);
	for (slot = slot_of(&e); (k = slots[slot]) != 0;
	    slot = (slot + 1) % SLOTS)
		if (same_ends(&ends[k - 1], &e) && (len <= 16 ||
		    memcmp(keys[k - 1].name, s, len) == 0))
			return k - 1;
	return -1;
}

/* The number of any key, or -1. */
__attribute__((noinline)) static int
any_number(const struct ctx_doc *doc, uint32_t node)
{
	const char *s = doc->raw + doc->node[node].off + 1;
	size_t len = doc->node[node].len - 2;
	int k = plain_number(s, len);

	if (k >= 0)
		return k;
	if (memchr(s, '\\', len) != NULL)
		for (k = 0; k < CTX_K_N; k++)
			if (ctx_doc_key_is(doc, node, keys[k].name,
			    keys[k].len))
				return k;
	return -1;
}

/* The same; nearly always it is in its own slot. */
static inline int
key_number(const struct ctx_doc *doc, uint32_t node)
{
	const size_t off = (size_t)doc->node[node].off + 1;
	const size_t len = doc->node[node].len - 2;
	struct ends e;
	int k;

	if (len <= 16 && off + len + 8 <= doc->len) {
		e = ends_of(doc->raw + off, len);
		k = slots[slot_of(&e)] - 1;
		if (k >= 0 && same_ends(&ends[k], &e))
			return k;
	}
	return any_number(doc, node);
}

int
ctx_shape_bare(const struct ctx_shape *s, const struct ctx_doc *doc)
{
	return (s->key[CTX_K_TYPE] == CTX_NONE ||
	    ctx_node_is(doc, s->key[CTX_K_TYPE], "message")) &&
	    !ctx_shape_filled(doc, s->key[CTX_K_CONTENT]) &&
	    !ctx_shape_filled(doc, s->key[CTX_K_PARTS]) &&
	    !ctx_shape_filled(doc, s->key[CTX_K_TOOL_CALLS]) &&
	    !ctx_shape_filled(doc, s->key[CTX_K_TOOL_CALL_ID]) &&
	    s->key[CTX_K_FUNCTION_CALL] == CTX_NONE &&
	    s->key[CTX_K_MESSAGES] == CTX_NONE &&
	    s->key[CTX_K_CONVERSATIONS] == CTX_NONE &&
	    s->key[CTX_K_CONTENTS] == CTX_NONE &&
	    s->key[CTX_K_INPUT] == CTX_NONE;
}

/* The node of a value as a shape has it: CTX_NONE if it says nothing. */
static inline uint32_t
said(const struct ctx_doc *doc, uint32_t node, int which)
{
	return ctx_shape_filled(doc, node) || says[which] &
	    types[(unsigned char)ctx_node_type(doc, node)] ? node : CTX_NONE;
}

/* Is node i that string, quotes included? */
#define IS(doc, i, s) ((doc)->node[i].len == sizeof(s) - 1 && \
	memcmp((doc)->raw + (doc)->node[i].off, (s), sizeof(s) - 1) == 0)

/*
 * Nearly all messages begin with a role and a content: find these two without a
 * look-up.  Returns the next key, which is the first one if they do not.
 */
static inline uint32_t
shape_begin(struct ctx_shape *s, const struct ctx_doc *doc, uint32_t k,
    uint32_t end)
{
	if (end - k < 4 || !IS(doc, k, "\"role\"") ||
	    doc->node[k + 1].next != k + 2 || !IS(doc, k + 2, "\"content\""))
		return k;
	s->key[CTX_K_ROLE] = said(doc, k + 1, CTX_K_ROLE);
	s->key[CTX_K_CONTENT] = said(doc, k + 3, CTX_K_CONTENT);
	return doc->node[k + 3].next;
}

void
ctx_shape_of(struct ctx_shape *s, const struct ctx_doc *doc, uint32_t node)
{
	uint32_t k, end;
	int which;

	s->node = node;
	memset(s->key, 0xff, sizeof(s->key));	/* sets each to CTX_NONE */
	if (ctx_node_type(doc, node) != '{')
		return;
	end = doc->node[node].next;
	for (k = shape_begin(s, doc, node + 1, end); k < end;
	    k = doc->node[k + 1].next)
		if ((which = key_number(doc, k)) >= 0)
			s->key[which] = said(doc, k + 1, which);
}

int
ctx_shape_union(const struct ctx_doc *doc, uint32_t e,
    const struct ctx_word *words, uint32_t *value)
{
	int could = 0, means;
	uint32_t k, v;

	*value = CTX_NONE;
	CTX_FOR_KEYS(doc, k, e) {
		v = ctx_node_given(doc, k + 1);
		means = v == CTX_NONE ? 0 : ctx_node_word(doc, k, words, 0);
		if (means == 0 || (could != 0 && (!ctx_shape_filled(doc, v) ||
		    (means != could && ctx_shape_filled(doc, *value)))))
			continue;
		*value = v;
		could = means;
	}
	return could;
}
