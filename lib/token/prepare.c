/* SPDX-License-Identifier: MIT */
#include "token/prepare.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/sha256.h"
#include "token/hf.h"
#include "token/onig.h"
#include "token/pattern.h"
#include "token/rankdir.h"
#include "token/spm.h"
#include "token/table.h"
#include "token/tekken.h"
#include "token/vocab.h"
#include "token/wordlist.h"

/* Read the first bytes of the file; returns their number, or -1 on failure. */
static int
first_bytes(const char *path, char *out, size_t size)
{
	FILE *f = fopen(path, "rb");
	size_t n;

	if (f == NULL)
		return -1;
	n = fread(out, 1, size, f);
	fclose(f);
	return (int)n;
}

int
ctx_prepare_is_done(const char *path)
{
	char head[8];
	int n = first_bytes(path, head, sizeof(head));

	return n == -1 || (n == 8 && memcmp(head, "ctxvocab", 8) == 0);
}

static const char *
base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash == NULL ? path : slash + 1;
}

/* tokenization_kimi.py of moonshotai/Kimi-K2-Instruct; Rust's && in PCRE2. */
#define HAN "\\x{2e80}-\\x{2e99}\\x{2e9b}-\\x{2ef3}\\x{2f00}-\\x{2fd5}" \
	"\\x{3005}\\x{3007}\\x{3021}-\\x{3029}\\x{3038}-\\x{303b}" \
	"\\x{3400}-\\x{4dbf}\\x{4e00}-\\x{9fff}\\x{f900}-\\x{fa6d}" \
	"\\x{fa70}-\\x{fad9}\\x{16fe2}\\x{16fe3}\\x{16ff0}\\x{16ff1}" \
	"\\x{20000}-\\x{2a6df}\\x{2a700}-\\x{2b739}\\x{2b740}-\\x{2b81d}" \
	"\\x{2b820}-\\x{2cea1}\\x{2ceb0}-\\x{2ebe0}\\x{2ebf0}-\\x{2ee5d}" \
	"\\x{2f800}-\\x{2fa1d}\\x{30000}-\\x{3134a}\\x{31350}-\\x{323af}"
#define UPPER "(?:(?![" HAN "])[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}])"
#define LOWER "(?:(?![" HAN "])[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}])"
#define TAIL  "(?i:'s|'t|'re|'ve|'m|'ll|'d)?|"
#define KIMI  "[" HAN "]+|" \
	"[^\\r\\n\\p{L}\\p{N}]?" UPPER "*" LOWER "+" TAIL \
	"[^\\r\\n\\p{L}\\p{N}]?" UPPER "+" LOWER "*" TAIL \
	"\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|" \
	"\\s+(?!\\S)|\\s+"

/* The same as that file has it. */
#define KIMI_NOT	"\\p{Lm}\\p{Lo}\\p{M}&&[^\\p{Han}]]"
#define KIMI_RUST	"[\\p{Han}]+|" \
	"[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}" KIMI_NOT "*[\\p{Ll}" \
	KIMI_NOT "+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|" \
	"[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}" KIMI_NOT "+[\\p{Ll}" \
	KIMI_NOT "*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|" \
	"\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|" \
	"\\s+(?!\\S)|\\s+"

/* The splits that have a name. */
static const struct {
	const char *name;
	enum ctx_split_kind kind;
	const char *pattern;	/* of CTX_SPLIT_PATTERN */
} splits[] = {
	{ "r50k", CTX_SPLIT_R50K, NULL },
	{ "cl100k", CTX_SPLIT_CL100K, NULL },
	{ "o200k", CTX_SPLIT_O200K, NULL },
	{ "qwen", CTX_SPLIT_QWEN, NULL },
	{ "deepseek", CTX_SPLIT_DEEPSEEK, NULL },
	{ "kimi", CTX_SPLIT_PATTERN, KIMI },
};

#define NSPLITS	(sizeof(splits) / sizeof(*splits))

/*
 * Rank files by their SHA-256: OpenAI's as in tiktoken_ext/openai_public.py,
 * Meta's tokenizer.model of Llama 3, 3.1, 3.2 and 3.3, and Moonshot's
 * tiktoken.model of Kimi K2 and K3.
 */
static const struct {
	const char *sha256;
	const char *split;
} published[] = {
	{ "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
	    "o200k" },
	{ "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
	    "cl100k" },
	{ "94b5ca7dff4d00767bc256fdd1b27e5b17361d7b8a5f968547f9f23eb70d2069",
	    "r50k" },
	{ "306cd27f03c1a714eca7108e03d66b7dc042abe8c258b44c199a7ed9838dd930",
	    "r50k" },
	{ "82e9d31979e92ab929cd544440f129d9ecd797b69e327f80f17e1c50d5551b55",
	    "cl100k" },
	{ "b6c497a7469b33ced9c38afb1ad6e47f03f5e5dc05f15930799210ec050c5103",
	    "kimi" },
};

/* The split of a published file; NULL if it is none of them. */
static const char *
published_split(const char *path)
{
	struct ctx_sha256 sum;
	unsigned char digest[CTX_SHA256_LEN];
	char buf[8192], hex[CTX_SHA256_HEX];
	FILE *f = fopen(path, "rb");
	size_t n, i;

	if (f == NULL)
		return NULL;
	ctx_sha256_init(&sum);
	while ((n = fread(buf, 1, sizeof(buf), f)) > 0)
		ctx_sha256_update(&sum, buf, n);
	fclose(f);
	ctx_sha256_final(&sum, digest);
	ctx_sha256_text(digest, hex);
	for (i = 0; i < sizeof(published) / sizeof(*published); i++)
		if (strcmp(published[i].sha256, hex) == 0)
			return published[i].split;
	return NULL;
}

/* Set how v's text is split: by a name or a pattern. */
static int
set_split(struct ctx_vocab *v, const char *split, struct ctx_err *err)
{
	size_t i;

	for (i = 0; i < NSPLITS && strcmp(splits[i].name, split) != 0; i++)
		;
	v->split = i < NSPLITS ? splits[i].kind : ctx_pattern_split(split);
	if (v->split != CTX_SPLIT_PATTERN)
		return 0;
	if (ctx_onig_to_pcre(i < NSPLITS ? splits[i].pattern : split,
	    &v->pattern, err) == -1)
		return -1;
	ctx_buf_addc(&v->pattern, '\0');
	return ctx_buf_fail(&v->pattern, err);
}

/* Is the pattern one that can be compiled? */
static int
check_split(const struct ctx_vocab *v, struct ctx_err *err)
{
	struct ctx_pattern *pat;

	if (v->split != CTX_SPLIT_PATTERN)
		return 0;
	pat = ctx_pattern_new(v->pattern.data, v->pattern.len, err);
	ctx_pattern_free(pat);
	return pat == NULL ? -1 : 0;
}

/*
 * Set how v's text is split by a pattern of tiktoken's, whose language is
 * Rust's: its $ is the end of the text only, and it has an && in classes.
 */
static int
set_rust_split(struct ctx_vocab *v, const char *pattern, struct ctx_err *err)
{
	const char *p;
	int class = 0;

	if (strcmp(pattern, KIMI_RUST) == 0)
		pattern = "kimi";
	else if (ctx_pattern_split(pattern) == CTX_SPLIT_PATTERN)
		for (p = pattern; *p != '\0'; p++) {
			if (*p == '\\' && p[1] != '\0')
				p++;
			else if (*p == '[' || *p == ']')
				class = *p == '[';
			else if (!class && (*p == '$' || *p == '^'))
				return ctx_fail(err, CTX_ESYSTEM, "its split "
				    "pattern has '%c', which is not "
				    "supported", *p);
		}
	return set_split(v, pattern, err) == -1 ? -1 : check_split(v, err);
}

/* How the files beside the rank file say that it splits text. */
static int
split_by_files(struct ctx_vocab *v, const char *in, const char *pattern,
    struct ctx_err *err)
{
	struct ctx_err e = { 0 };

	if (*pattern == '\0')
		return ctx_fail(err, CTX_ESYSTEM, "%s: how it splits text is "
		    "not known; put it beside the tokenizer_config.json and "
		    "the Python module of its model, or prepare it with "
		    "--split o200k, cl100k, r50k, qwen, deepseek, kimi or a "
		    "pattern", in);
	if (set_rust_split(v, pattern, &e) == 0)
		return 0;
	return ctx_fail(err, e.code, "%s: %s, from the Python module beside "
	    "it; prepare it with --split", in, e.text);
}

static int
read_ranks(struct ctx_vocab *v, const char *in, const char *split,
    struct ctx_err *err)
{
	struct ctx_buf pattern = { 0 };
	int rc;

	v->flags = CTX_TABLE_WHOLE;
	if (ctx_vocab_read_ranks(v, in, err) == -1)
		return -1;
	rc = ctx_rankdir_read(v, in, &pattern, err);
	if (split == NULL)
		split = published_split(in);
	if (rc == 0 && split != NULL)
		rc = set_split(v, split, err) == -1 ? -1 : check_split(v, err);
	else if (rc == 0)
		rc = ctx_buf_str(&pattern) == NULL ? ctx_fail_nomem(err) :
		    split_by_files(v, in, pattern.data, err);
	ctx_buf_done(&pattern);
	return rc;
}

/*
 * Read a JSON file.  A NUL in a string is an error, except in a tekken.json,
 * which has the texts of its tokens too.  Returns NULL with *err set.
 */
static json_t *
read_json(const char *path, struct ctx_err *err)
{
	struct ctx_json_text text = { .path = path };
	json_error_t why, nul;
	json_t *root = ctx_json_read(&text, &why);

	if (root == NULL && !ctx_json_starved()) {
		nul = why;
		text.flags = JSON_ALLOW_NUL;
		root = ctx_json_read(&text, &why);
		if (root != NULL && !ctx_tekken_is(root)) {
			json_decref(root);
			root = NULL;
			why = nul;
		}
	}
	if (root == NULL && ctx_json_starved())
		ctx_fail_nomem(err);
	else if (root == NULL)
		ctx_fail(err, CTX_ESYSTEM, "%s: %s", path, why.text);
	return root;
}

static int
read_json_form(struct ctx_vocab *v, const char *in, struct ctx_err *err)
{
	json_t *root = read_json(in, err);
	const char *pattern;
	struct ctx_err e = { 0 };
	int rc;

	if (root == NULL)
		return -1;
	if (!ctx_tekken_is(root))
		rc = ctx_hf_read(v, root, &e);
	else if ((rc = ctx_tekken_read(v, root, &pattern, &e)) == 0)
		rc = set_rust_split(v, pattern, &e);
	json_decref(root);
	return rc == 0 ? 0 : ctx_fail(err, e.code, "%s: %s", in, e.text);
}

/* Is a file called base named like that of any other model? */
static int
is_common_name(const char *base)
{
	static const char *const name[] = {
		"tokenizer.", "tekken.json", "tiktoken.model", "spiece.model",
		"sentencepiece.", "vocab.txt"
	};
	size_t i;

	for (i = 0; i < sizeof(name) / sizeof(*name); i++)
		if (strncmp(base, name[i], strlen(name[i])) == 0)
			return 1;
	return 0;
}

/*
 * A table is named after its file or, if those are all called the same, after
 * its directory, without anything after a dot.
 */
static void
table_name(const char *path, char *out, size_t size)
{
	const char *base = base_name(path), *end = base + strlen(base);
	size_t i;

	if (is_common_name(base) && base > path + 1) {
		end = base - 1;
		for (base = end; base > path && base[-1] != '/'; base--)
			;
	}
	for (i = 0; i + 1 < size && base + i < end && base[i] != '.'; i++)
		out[i] = isprint((unsigned char)base[i]) ? base[i] : '_';
	out[i] = '\0';
}

/* Does the file begin with a token alone on its line, as a vocab.txt does? */
static int
is_words(const char *head, int n)
{
	const char *end = n > 0 ? memchr(head, '\n', (size_t)n) : NULL;

	return end != NULL && end > head && *head != '{' &&
	    memchr(head, ' ', (size_t)(end - head)) == NULL;
}

/* Read a vocabulary in one of the forms. */
static int
read_any(struct ctx_vocab *v, const char *in,
    const struct ctx_prepare_how *how, struct ctx_err *err)
{
	char head[64];
	int n = first_bytes(in, head, sizeof(head)), i = 0, piece, words;

	if (n == -1)
		return ctx_fail_errno(err, errno, "%s", in);
	while (i < n && isspace((unsigned char)head[i]))
		i++;
	piece = ctx_spm_is(head, (size_t)n);
	words = !piece && is_words(head, n);
	if (!piece && !words && (i == n || head[i] != '{'))
		return read_ranks(v, in, how->split, err);
	if (how->split != NULL)
		return ctx_fail(err, CTX_EUSAGE, "%s: only a rank file does "
		    "not say how text is split; leave --split out", in);
	if (piece || words)
		return piece ? ctx_spm_read(v, in, err) :
		    ctx_wordlist_read(v, in, err);
	return read_json_form(v, in, err);
}

int
ctx_prepare(const char *in, const char *out, const struct ctx_prepare_how *how,
    struct ctx_err *err)
{
	static const struct ctx_prepare_how unknown = { NULL, NULL };
	struct ctx_vocab v;
	char name[32];
	int rc;

	if (how == NULL)
		how = &unknown;
	if (how->name != NULL)
		snprintf(name, sizeof(name), "%s", how->name);
	else
		table_name(in, name, sizeof(name));
	ctx_vocab_init(&v, name);
	rc = read_any(&v, in, how, err);
	if (rc == 0)
		rc = ctx_vocab_write(&v, out, err);
	ctx_vocab_done(&v);
	return rc;
}
