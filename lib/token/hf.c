/* SPDX-License-Identifier: MIT */
/*
 * Hugging Face tokenizer.json: BPE over bytes (GPT-2's family, Llama 3, Qwen,
 * DeepSeek and others) or over characters with bytes for those that are not
 * tokens (SentencePiece's: Llama 2, Gemma and others), WordPiece, and Unigram
 * (hf_unigram.c).  A part that we could not reproduce exactly is an error;
 * nothing is ignored silently.
 */
#include "token/hf.h"

#include <string.h>

#include "base/utf8.h"
#include "token/bert.h"
#include "token/norm.h"
#include "token/steps.h"
#include "token/table.h"
#include "token/wordlist.h"

struct reader {
	struct ctx_vocab *v;
	json_t *vocab;			/* borrowed */
	json_t *index;			/* the same of Unigram, owned */
	int chars;			/* not spelled as bytes */
	unsigned norm;			/* what the normalizer alone does */
	int16_t byte_of[0x180];		/* code point -> byte, or -1 */
};

/*
 * Byte-level tokens are spelled with one character for each byte: printable
 * bytes are spelled as themselves, the others are numbered from U+0100 on.
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

/* Value of an upper-case hexadecimal digit; -1 if it is not one. */
static int
hex_value(char c)
{
	return c >= '0' && c <= '9' ? c - '0' :
	    c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* The byte that "<0x0A>" spells, -1 if text is not of that form. */
static int
spelled_byte(const char *text, size_t len)
{
	if (len != 6 || memcmp(text, "<0x", 3) != 0 || text[5] != '>' ||
	    hex_value(text[3]) == -1 || hex_value(text[4]) == -1)
		return -1;
	return hex_value(text[3]) << 4 | hex_value(text[4]);
}

unsigned
ctx_hf_chars(const struct ctx_vocab *v, const char *text, size_t len,
    int bytes, struct ctx_buf *out)
{
	int byte = bytes ? spelled_byte(text, len) : -1, whole = 1;

	ctx_buf_reset(out);
	if (byte != -1) {
		ctx_buf_addc(out, (char)byte);
		return CTX_TOKEN_BYTE;
	}
	if (ctx_norm_append(v->norm & CTX_NORM_SPACE, out,
	    (const uint8_t *)text, &len, whole, NULL) == -1)
		out->failed = 1;
	/* No text contains a space that was not written as U+2581. */
	return v->norm & CTX_NORM_SPACE && memchr(text, ' ', len) != NULL ?
	    CTX_TOKEN_OUTSIDE : 0;
}

/*
 * The bytes that a token's spelling represents; -1 if it is not in this
 * alphabet.
 */
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

/*
 * The same for a token; if its spelling is not in the alphabet, it is its
 * text.
 */
static unsigned
token_of_bytes(const struct reader *r, const char *text, struct ctx_buf *out)
{
	if (token_bytes(r, text, strlen(text), out) == 0)
		return 0;
	ctx_buf_reset(out);
	ctx_buf_adds(out, text);
	return CTX_TOKEN_OUTSIDE;
}

const char *
ctx_hf_string(const json_t *object, const char *key)
{
	const char *s = json_string_value(json_object_get(object, key));

	return s == NULL ? "" : s;
}

/* Add a vocabulary of WordPiece. */
static int
read_words(struct reader *r, const json_t *model, struct ctx_err *err)
{
	const json_t *most = json_object_get(model,
	    "max_input_chars_per_word");
	const json_t *unk;
	const char *text;
	json_t *value;
	json_int_t id;

	r->vocab = json_object_get(model, "vocab");
	unk = json_object_get(r->vocab, ctx_hf_string(model, "unk_token"));
	if (r->v->split != CTX_SPLIT_BERT)
		return ctx_fail(err, CTX_ESYSTEM, "its model is 'WordPiece', "
		    "which is supported only with 'BertPreTokenizer'");
	if (strcmp(ctx_hf_string(model, "continuing_subword_prefix"),
	    CTX_WORDLIST_MARK) != 0 || !json_is_integer(unk) ||
	    json_integer_value(most) <= 0 ||
	    json_integer_value(most) > UINT16_MAX)
		return ctx_fail(err, CTX_ESYSTEM, "its model has another mark "
		    "than '##', no limit on a word, or no unknown token");
	r->v->flags = CTX_TABLE_WORDS;
	r->v->norm |= CTX_NORM_STRIP;
	r->v->longest_word = (uint32_t)json_integer_value(most);
	json_object_foreach(r->vocab, text, value) {
		id = json_integer_value(value);
		if (!json_is_integer(value) || id < 0 || id >= CTX_ID_MAX)
			return ctx_fail(err, CTX_ESYSTEM, "a token has no id");
		if (ctx_wordlist_add(r->v, (uint32_t)id, text, strlen(text),
		    err) == -1)
			return -1;
	}
	r->v->unknown = (uint32_t)json_integer_value(unk);
	return 0;
}

static int
normalize_steps(struct reader *r, const char *text, size_t len,
    struct ctx_buf *out, struct ctx_err *err)
{
	struct ctx_steps steps;
	struct ctx_steps_text x = { .steps = &steps };
	int rc;

	if (!ctx_steps_open(&steps, r->v->steps.data, r->v->steps.len,
	    r->v->charsmap.data, r->v->charsmap.len))
		return ctx_fail(err, CTX_ESYSTEM,
		    "its normalizer is not supported");
	rc = ctx_steps_append(&x, out, (const uint8_t *)text, &len, 1, err);
	ctx_steps_done(&x);
	if (rc == 0 && out->len == 0)
		rc = ctx_fail(err, CTX_ESYSTEM, "its added token '%s' is "
		    "nothing after normalizing, which is not supported", text);
	return rc;
}

/*
 * Bring the text of an added token into the form in which it is searched for.
 */
static int
normalize_added(struct reader *r, const char *text, struct ctx_buf *out,
    struct ctx_err *err)
{
	size_t len = strlen(text);

	/* Text is searched before Metaspace, but our search comes after it. */
	if ((r->v->norm & ~r->norm & CTX_NORM_SPACE) && (strchr(text, ' ') !=
	    NULL || strstr(text, "\xe2\x96\x81") != NULL))
		return ctx_fail(err, CTX_ESYSTEM, "its added token '%s', "
		    "normalized and with a space, is not supported", text);
	if (r->norm & CTX_NORM_STEPS)
		return normalize_steps(r, text, len, out, err);
	if (r->norm & CTX_NORM_BERT)
		return ctx_bert_append(r->norm, out, (const uint8_t *)text,
		    &len, 1, err);
	if (r->norm & CTX_NORM_PREPEND)
		ctx_buf_addc(out, ' ');
	return ctx_norm_append(r->norm, out, (const uint8_t *)text, &len, 1,
	    err);
}

/* Add an added token, which is found by its text. */
static int
add_added(struct reader *r, uint32_t id, const char *text, int own,
    unsigned flags, struct ctx_err *err)
{
	struct ctx_buf found = { 0 }, bytes = { 0 };
	int rc;

	if (flags & CTX_SPECIAL_NORMAL)
		rc = normalize_added(r, text, &found, err);
	else
		rc = ctx_buf_adds(&found, text);
	text = ctx_buf_str(&found);
	if (rc == 0 && text != NULL)
		rc = ctx_vocab_add_special(r->v, id, text, found.len, flags,
		    err);
	if (rc == 0 && text != NULL && !own) {
		if (r->chars)
			ctx_hf_chars(r->v, text, found.len, 1, &bytes);
		else
			token_of_bytes(r, text, &bytes);
		rc = ctx_vocab_add(r->v, id, bytes.data, bytes.len,
		    CTX_TOKEN_OUTSIDE, err);
	}
	if (ctx_buf_fail(&found, err) == -1 || ctx_buf_fail(&bytes, err) == -1)
		rc = -1;
	ctx_buf_done(&found);
	ctx_buf_done(&bytes);
	return rc;
}

static int
read_added(struct reader *r, const json_t *item, struct ctx_err *err)
{
	static const struct {
		const char *key;
		unsigned flag;
	} known[] = {
		{ "lstrip", CTX_SPECIAL_LSTRIP },
		{ "rstrip", CTX_SPECIAL_RSTRIP },
		{ "single_word", CTX_SPECIAL_WORD },
		{ "normalized", CTX_SPECIAL_NORMAL },
	};
	json_int_t id = json_integer_value(json_object_get(item, "id"));
	const char *text = ctx_hf_string(item, "content");
	const json_t *own;
	unsigned flags = 0;
	size_t i;

	if (id < 0 || id >= CTX_ID_MAX || *text == '\0')
		return ctx_fail(err, CTX_ESYSTEM,
		    "an added token is not valid");
	for (i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (json_is_true(json_object_get(item, known[i].key)))
			flags |= known[i].flag;
	if (!json_is_true(json_object_get(item, "special")))
		flags |= CTX_SPECIAL_ALWAYS;
	/* It may be one of the model's own tokens. */
	own = json_object_get(r->vocab, text);
	if (own != NULL && json_integer_value(own) != id)
		return ctx_fail(err, CTX_ESYSTEM,
		    "added token '%s' has two ids", text);
	return add_added(r, (uint32_t)id, text, own != NULL, flags, err);
}

static int
read_vocab(struct reader *r, struct ctx_err *err)
{
	struct ctx_buf bytes = { 0 };
	const char *text;
	json_t *value;
	json_int_t id;
	unsigned flags = 0;
	int rc = 0;

	json_object_foreach(r->vocab, text, value) {
		id = json_integer_value(value);
		if (!json_is_integer(value) || id < 0 || id >= CTX_ID_MAX) {
			rc = ctx_fail(err, CTX_ESYSTEM, "a token has no id");
			break;
		}
		if (r->chars)
			flags = ctx_hf_chars(r->v, text, strlen(text), 1,
			    &bytes);
		else
			flags = token_of_bytes(r, text, &bytes);
		if ((rc = ctx_buf_fail(&bytes, err)) == -1)
			break;
		rc = ctx_vocab_add(r->v, (uint32_t)id, bytes.data, bytes.len,
		    flags, err);
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
		return ctx_fail(err, CTX_ESYSTEM, "a merge is not valid");
	ctx_buf_add(text, left, n);
	ctx_buf_adds(text, right);
	if (ctx_buf_fail(text, err) == -1)
		return -1;
	id[0] = json_object_getn(r->vocab, text->data, n);
	id[1] = json_object_get(r->vocab, right);
	id[2] = json_object_getn(r->vocab, text->data, text->len);
	if (id[0] == NULL || id[1] == NULL || id[2] == NULL)
		return ctx_fail(err, CTX_ESYSTEM,
		    "a part of a merge is not a token");
	return ctx_vocab_add_merge(r->v, (uint32_t)json_integer_value(id[0]),
	    (uint32_t)json_integer_value(id[1]),
	    (uint32_t)json_integer_value(id[2]), err);
}

int
ctx_hf_all_bytes(const struct ctx_vocab *v, struct ctx_err *err)
{
	uint8_t have[256] = { 0 }, byte;
	uint32_t id;
	unsigned c;

	for (id = 0; id < v->size; id++) {
		byte = (uint8_t)v->bytes.data[v->token[id].off];
		if (v->token[id].len == 1 &&
		    !(v->token[id].flags & CTX_TOKEN_OUTSIDE))
			have[byte] = 1;
	}
	for (c = 0; c < 256; c++)
		if (!have[c] && c != 0xc0 && c != 0xc1 && c < 0xf5)
			return ctx_fail(err, CTX_ESYSTEM,
			    "it has no token for byte 0x%02X", c);
	return 0;
}

/* Check for parts of a model that we do not support. */
static int
check_model(const struct reader *r, const json_t *model, struct ctx_err *err)
{
	const char *type = ctx_hf_string(model, "type");
	int fallback = json_is_true(json_object_get(model, "byte_fallback"));

	if (strcmp(type, "BPE") != 0)
		return ctx_fail(err, CTX_ESYSTEM,
		    "its model is '%s', but only BPE, Unigram and WordPiece "
		    "are supported", type);
	if (r->v->split == CTX_SPLIT_BERT || r->v->norm & CTX_NORM_BERT)
		return ctx_fail(err, CTX_ESYSTEM, "its model is 'BPE', which "
		    "is not supported with BERT's other steps");
	if (r->v->norm & CTX_NORM_WORDS)
		return ctx_fail(err, CTX_ESYSTEM, "its model is 'BPE', which "
		    "is not supported with 'WhitespaceSplit'");
	if (*ctx_hf_string(model, "continuing_subword_prefix") != '\0' ||
	    *ctx_hf_string(model, "end_of_word_suffix") != '\0')
		return ctx_fail(err, CTX_ESYSTEM,
		    "its model has subword marks, which are not supported");
	if (json_number_value(json_object_get(model, "dropout")) != 0)
		return ctx_fail(err, CTX_ESYSTEM,
		    "its model has a dropout, so counts would be random");
	if (r->chars && !fallback)
		return ctx_fail(err, CTX_ESYSTEM, "its model has neither bytes "
		    "('ByteLevel') nor 'byte_fallback'");
	return 0;
}

static int
read_model(struct reader *r, const json_t *model, struct ctx_err *err)
{
	struct ctx_buf text = { 0 };
	json_t *merges = json_object_get(model, "merges"), *item;
	int rc = 0;
	size_t i;

	r->vocab = json_object_get(model, "vocab");
	if (check_model(r, model, err) == -1)
		return -1;
	if (!json_is_object(r->vocab) || !json_is_array(merges))
		return ctx_fail(err, CTX_ESYSTEM,
		    "its model has no vocabulary or no merges");
	if (json_is_true(json_object_get(model, "ignore_merges")))
		r->v->flags |= CTX_TABLE_WHOLE;
	if (r->chars)
		r->v->flags |= CTX_TABLE_CHARS;
	if (read_vocab(r, err) == -1 ||
	    (r->chars && ctx_hf_all_bytes(r->v, err) == -1))
		return -1;
	json_array_foreach(merges, i, item)
		if ((rc = read_merge(r, item, &text, err)) == -1)
			break;
	ctx_buf_done(&text);
	return rc;
}

/* Read the model; early files do not name Unigram. */
static int
read_tokens(struct reader *r, const json_t *model, struct ctx_err *err)
{
	const char *type = ctx_hf_string(model, "type");

	if (strcmp(type, "WordPiece") == 0)
		return read_words(r, model, err);
	if (strcmp(type, "Unigram") != 0 && (*type != '\0' ||
	    !json_is_array(json_object_get(model, "vocab"))))
		return read_model(r, model, err);
	if (ctx_hf_unigram(r->v, model, &r->index, err) == -1)
		return -1;
	r->vocab = r->index;
	return 0;
}

static int
read_all(struct reader *r, const json_t *root, struct ctx_err *err)
{
	int bytes = 0;
	const json_t *model = json_object_get(root, "model");
	json_t *item;
	size_t i;

	if (ctx_hf_steps(r->v, root, &r->norm, &bytes, err) == -1)
		return -1;
	r->chars = !bytes;
	byte_alphabet(r);
	if (read_tokens(r, model, err) == -1)
		return -1;
	json_array_foreach(json_object_get(root, "added_tokens"), i, item)
		if (read_added(r, item, err) == -1)
			return -1;
	return r->v->flags & CTX_TABLE_UNIGRAM ?
	    ctx_hf_unigram_end(r->v, model, err) : 0;
}

int
ctx_hf_read(struct ctx_vocab *v, const json_t *root, struct ctx_err *err)
{
	struct reader r = { .v = v };
	int rc = read_all(&r, root, err);

	json_decref(r.index);
	return rc;
}
