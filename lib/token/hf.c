/* SPDX-License-Identifier: MIT */
/*
 * Hugging Face tokenizer.json: byte-level BPE (GPT-2's family, Llama 3, Qwen,
 * DeepSeek ...).  What it says that we could not do exactly is an error, never
 * left out silently.
 */
#include <jansson.h>
#include <string.h>

#include "base/utf8.h"
#include "token/table.h"
#include "token/vocab.h"

struct reader {
	struct ctx_vocab *v;
	json_t *vocab;			/* borrowed */
	int16_t byte_of[0x180];		/* code point -> byte, -1: none */
};

/*
 * Byte-level tokens are spelled with one character a byte: printable ones stand
 * for themselves, the others are counted up from U+0100.
 */
static void
byte_alphabet(struct reader *r)
{
	int c, next = 0x100;

	memset(r->byte_of, 0xff, sizeof(r->byte_of));
	for (c = 0; c < 256; c++) {
		if ((c >= '!' && c <= '~') || (c >= 0xa1 && c <= 0xac) ||
		    c >= 0xae)
			r->byte_of[c] = (int16_t)c;
		else
			r->byte_of[next++] = (int16_t)c;
	}
}

/* The bytes a token's spelling stands for; -1: it is none of this alphabet. */
static int
token_bytes(const struct reader *r, const char *text, size_t len,
    struct ctx_buf *out)
{
	uint32_t cp;
	size_t n;

	ctx_buf_reset(out);
	for (; len > 0; text += n, len -= n) {
		n = ctx_utf8_step(text, len, &cp);
		if (n == 0 || cp >= 0x180 || r->byte_of[cp] == -1)
			return -1;
		ctx_buf_addc(out, (char)r->byte_of[cp]);
	}
	return 0;
}

static const char *
str(const json_t *object, const char *key)
{
	const char *s = json_string_value(json_object_get(object, key));

	return s == NULL ? "" : s;
}

/* Tokens that text is searched for before anything else. */
static int
read_added(struct reader *r, const json_t *list, struct ctx_err *err)
{
	json_int_t id;
	const char *text;
	json_t *item;
	size_t i;

	json_array_foreach(list, i, item) {
		id = json_integer_value(json_object_get(item, "id"));
		text = str(item, "content");
		if (id < 0 || id >= CTX_ID_MAX || *text == '\0')
			return ctx_fail(err, CTX_ESYSTEM,
			    "added token %zu is not one", i);
		if (ctx_vocab_add(r->v, (uint32_t)id, text, strlen(text),
		    json_is_true(json_object_get(item, "special")) ?
		    CTX_TOKEN_SPECIAL : CTX_TOKEN_ADDED, err) == -1)
			return -1;
	}
	return 0;
}

static int
read_vocab(struct reader *r, struct ctx_err *err)
{
	struct ctx_buf bytes = { 0 };
	const char *text;
	json_t *value;
	json_int_t id;
	int rc = 0;

	json_object_foreach(r->vocab, text, value) {
		id = json_integer_value(value);
		if (!json_is_integer(value) || id < 0 || id >= CTX_ID_MAX) {
			rc = ctx_fail(err, CTX_ESYSTEM, "a token has no id");
			break;
		}
		/* Added tokens may stand here too; they are there already. */
		if ((uint32_t)id < r->v->size && r->v->token[id].len != 0)
			continue;
		if (token_bytes(r, text, strlen(text), &bytes) == -1 ||
		    bytes.len == 0) {
			rc = ctx_fail(err, CTX_ESYSTEM, "token %d is not "
			    "spelled in bytes: not a byte-level tokenizer",
			    (int)id);
			break;
		}
		rc = ctx_vocab_add(r->v, (uint32_t)id, bytes.data, bytes.len,
		    0, err);
		if (rc == -1)
			break;
	}
	ctx_buf_done(&bytes);
	return rc;
}

/* A merge is "left right" or ["left", "right"]. */
static int
read_merge(struct reader *r, const json_t *item, struct ctx_buf *text,
    struct ctx_err *err)
{
	const char *left, *right;
	json_t *id[3];
	size_t n;

	ctx_buf_reset(text);
	if (json_is_array(item)) {
		left = json_string_value(json_array_get(item, 0));
		right = json_string_value(json_array_get(item, 1));
		n = left == NULL ? 0 : strlen(left);
	} else {
		left = json_string_value(item);
		right = left == NULL ? NULL : strchr(left, ' ');
		n = right == NULL ? 0 : (size_t)(right++ - left);
	}
	if (n == 0 || right == NULL)
		return ctx_fail(err, CTX_ESYSTEM, "a merge is not one");
	ctx_buf_add(text, left, n);
	ctx_buf_adds(text, right);
	if (ctx_buf_fail(text, err) == -1)
		return -1;
	id[0] = json_object_getn(r->vocab, text->data, n);
	id[1] = json_object_get(r->vocab, right);
	id[2] = json_object_getn(r->vocab, text->data, text->len);
	if (id[0] == NULL || id[1] == NULL || id[2] == NULL)
		return ctx_fail(err, CTX_ESYSTEM,
		    "a merge has a part that is no token");
	return ctx_vocab_add_merge(r->v, (uint32_t)json_integer_value(id[0]),
	    (uint32_t)json_integer_value(id[1]),
	    (uint32_t)json_integer_value(id[2]), err);
}

static int
read_model(struct reader *r, const json_t *model, struct ctx_err *err)
{
	struct ctx_buf text = { 0 };
	json_t *merges = json_object_get(model, "merges"), *item;
	int rc = 0;
	size_t i;

	r->vocab = json_object_get(model, "vocab");
	if (strcmp(str(model, "type"), "BPE") != 0 ||
	    !json_is_object(r->vocab) || !json_is_array(merges))
		return ctx_fail(err, CTX_ESYSTEM,
		    "its model is '%s', only BPE is known", str(model, "type"));
	if (*str(model, "continuing_subword_prefix") != '\0' ||
	    *str(model, "end_of_word_suffix") != '\0')
		return ctx_fail(err, CTX_ESYSTEM,
		    "its model has subword marks, which are not known");
	if (json_is_true(json_object_get(model, "ignore_merges")))
		r->v->flags |= CTX_TABLE_WHOLE;
	if (read_vocab(r, err) == -1)
		return -1;
	json_array_foreach(merges, i, item)
		if ((rc = read_merge(r, item, &text, err)) == -1)
			break;
	ctx_buf_done(&text);
	return rc;
}

static int
read_normalizer(struct reader *r, const json_t *n, struct ctx_err *err)
{
	const char *type = str(n, "type");
	json_t *item;
	size_t i;

	if (!json_is_object(n))
		return 0;
	if (strcmp(type, "NFC") == 0) {
		r->v->flags |= CTX_TABLE_NFC;
		return 0;
	}
	if (strcmp(type, "Sequence") != 0)
		return ctx_fail(err, CTX_ESYSTEM,
		    "its normalizer '%s' is not known", type);
	json_array_foreach(json_object_get(n, "normalizers"), i, item)
		if (read_normalizer(r, item, err) == -1)
			return -1;
	return 0;
}

/* A pattern that is one of ours takes our splitter. */
static enum ctx_split_kind
known_pattern(const char *pattern)
{
#define TAIL	"| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"
#define HEAD	"(?i:'s|'t|'re|'ve|'m|'ll|'d)"
#define UPPER	"[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]"
#define LOWER	"[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]"
#define LEAD	"[^\\r\\n\\p{L}\\p{N}]?"
	static const struct {
		const char *text;
		enum ctx_split_kind kind;
	} known[] = {
		{ HEAD "|" LEAD "\\p{L}+|\\p{N}{1,3}" TAIL, CTX_SPLIT_CL100K },
		{ HEAD "|" LEAD "\\p{L}+|\\p{N}" TAIL, CTX_SPLIT_QWEN },
		{ LEAD UPPER "*" LOWER "+" HEAD "?|" LEAD UPPER "+" LOWER "*"
		    HEAD "?|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*|"
		    "\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+", CTX_SPLIT_O200K },
	};
	size_t i;

	for (i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (strcmp(pattern, known[i].text) == 0)
			return known[i].kind;
	return CTX_SPLIT_PATTERN;
}

/*
 * One step of the pre-tokenizer.  Several Splits are kept as several patterns,
 * each of which divides further what the ones before it left.
 */
static int
read_split(struct reader *r, const json_t *p, struct ctx_err *err)
{
	struct ctx_vocab *v = r->v;
	const char *pattern = str(json_object_get(p, "pattern"), "Regex");
	const char *behavior = str(p, "behavior");
	int invert = json_is_true(json_object_get(p, "invert"));
	enum ctx_split_kind kind;

	kind = known_pattern(pattern);
	/*
	 * "Removed" and inverted: what does not match is dropped.  Our own
	 * patterns match everything, so there it is the same.
	 */
	if (*pattern == '\0' || !((strcmp(behavior, "Isolated") == 0 &&
	    !invert) || (strcmp(behavior, "Removed") == 0 && invert &&
	    kind != CTX_SPLIT_PATTERN)))
		return ctx_fail(err, CTX_ESYSTEM,
		    "its pre-tokenizer has a Split that is not known");
	v->split = v->pattern.len == 0 ? kind : CTX_SPLIT_PATTERN;
	return ctx_buf_add(&v->pattern, pattern, strlen(pattern) + 1) == -1 ?
	    ctx_fail_nomem(err) : 0;
}

static int
read_pre(struct reader *r, const json_t *p, struct ctx_err *err)
{
	const char *type = str(p, "type");
	json_t *item;
	size_t i;

	if (!json_is_object(p))
		return 0;
	if (strcmp(type, "Sequence") == 0) {
		json_array_foreach(json_object_get(p, "pretokenizers"), i, item)
			if (read_pre(r, item, err) == -1)
				return -1;
		return 0;
	}
	if (strcmp(type, "Split") == 0)
		return read_split(r, p, err);
	if (strcmp(type, "ByteLevel") != 0)
		return ctx_fail(err, CTX_ESYSTEM,
		    "its pre-tokenizer '%s' is not known", type);
	if (json_is_true(json_object_get(p, "add_prefix_space")))
		return ctx_fail(err, CTX_ESYSTEM,
		    "its pre-tokenizer adds a space, which is not known");
	if (r->v->pattern.len == 0 &&
	    !json_is_false(json_object_get(p, "use_regex")))
		r->v->split = CTX_SPLIT_R50K;
	return 0;
}

int
ctx_vocab_read_hf(struct ctx_vocab *v, const char *path, struct ctx_err *err)
{
	struct reader r = { .v = v };
	struct ctx_err e = { 0 };
	json_error_t why;
	json_t *root = json_load_file(path, 0, &why);
	int rc;

	if (root == NULL)
		return ctx_fail(err, CTX_ESYSTEM, "%s: %s", path, why.text);
	byte_alphabet(&r);
	rc = read_added(&r, json_object_get(root, "added_tokens"), &e);
	if (rc == 0)
		rc = read_normalizer(&r, json_object_get(root, "normalizer"),
		    &e);
	if (rc == 0)
		rc = read_pre(&r, json_object_get(root, "pre_tokenizer"), &e);
	if (rc == 0)
		rc = read_model(&r, json_object_get(root, "model"), &e);
	/* The pattern's text is needed only where none of ours does it. */
	if (v->split != CTX_SPLIT_PATTERN)
		ctx_buf_done(&v->pattern);
	json_decref(root);
	return rc == 0 ? 0 : ctx_fail(err, e.code, "%s: %s", path, e.text);
}
