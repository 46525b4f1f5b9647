/* SPDX-License-Identifier: MIT */
#include "token/model.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/fd.h"
#include "base/num.h"
#include "token/model_data.inc"

struct ctx_models {
	struct ctx_model *model;	/* the user's rules, then ours */
	size_t nuser;
	size_t n;
	size_t cap;
	char *text;			/* the user's file, split into words */
};

#define EXPECTED \
	"expected: prefix encoding [window [output]] [KEY=VALUE ...]"

static int
add_model(struct ctx_models *m, const struct ctx_model *model,
    struct ctx_err *err)
{
	if (CTX_ROOM(m->model, m->n, &m->cap) == -1)
		return ctx_fail_nomem(err);
	m->model[m->n++] = *model;
	return 0;
}

/*
 * Skip what clouds and libraries put before a name: regions, makers and hosts.
 * After "deepseek." Bedrock has only the rest of the name, "r1-v1:0".
 */
static const char *
skip_cloud(const char *name)
{
	static const char *const word[] = {
		"us.", "eu.", "apac.", "jp.", "au.", "ca.", "global.",
		"us-gov.", "anthropic.", "meta.", "mistral.",
		"qwen.", "openai.", "google.", "cohere.", "amazon.",
		"moonshotai.", "moonshot.", "minimax.", "zai.", "xai.",
		"databricks-", "zai-",
		"openai:", "openai-chat:", "openai-responses:", "azure:",
		"azure_openai:", "azure_ai:", "anthropic:", "google-gla:",
		"google-vertex:", "google_genai:", "google_vertexai:",
		"bedrock:", "bedrock_converse:", "groq:", "mistralai:",
		"deepseek:", "cohere:", "xai:", "together:", "fireworks:",
		"openrouter:", "ollama:", "moonshotai:", "huggingface:"
	};
	size_t i, n;

	for (i = 0; i < sizeof(word) / sizeof(*word); i++) {
		n = strlen(word[i]);
		if (strncmp(name, word[i], n) == 0) {
			name += n;
			i = (size_t)-1;
		}
	}
	return name;
}

/* Length of the version that p begins with, 4 or 3.5; 0 if there is none. */
static size_t
version_len(const char *p)
{
	const char *const digits = "0123456789";
	size_t n = strspn(p, digits), minor;

	if (n == 0 || n > 2)
		return 0;
	minor = p[n] == '.' || p[n] == '-' ? strspn(p + n + 1, digits) : 0;
	if (minor == 1 || minor == 2)	/* more is a date */
		n += 1 + minor;
	return isalnum((unsigned char)p[n]) ? 0 : n;
}

/* Exchange words of n and m bytes; n is at most 7. */
static void
exchange(char *p, size_t n, size_t m)
{
	char first[8];

	memcpy(first, p, n);
	memmove(p, p + n + 1, m);
	p[m] = '-';
	memcpy(p + m + 1, first, n);
}

/*
 * Put the version where Anthropic has it, last since Claude 4:
 * claude-4.5-sonnet is claude-sonnet-4.5, and claude-sonnet-3.7 is
 * claude-3.7-sonnet.  And claude-v2 is claude-2.
 */
static char *
order_claude(char *name)
{
	static const char *const family[] = { "opus", "sonnet", "haiku" };
	char *p = name + 7;
	size_t i, n, v;

	if (strncmp(name, "claude-", 7) != 0)
		return name;
	if (*p == 'v' && isdigit((unsigned char)p[1]))
		memmove(p, p + 1, strlen(p));
	for (i = 0; i < sizeof(family) / sizeof(*family); i++) {
		n = strlen(family[i]);
		if (strncmp(p, family[i], n) == 0 && p[n] == '-') {
			v = version_len(p + n + 1);
			if (v > 0 && atoi(p + n + 1) < 4)
				exchange(p, n, v);
			break;
		}
		v = version_len(p);
		if (v > 0 && p[v] == '-' && atoi(p) >= 4 &&
		    strncmp(p + v + 1, family[i], n) == 0 &&
		    !isalnum((unsigned char)p[v + 1 + n])) {
			exchange(p, v, n);
			break;
		}
	}
	return name;
}

/* The model's own name, with its version where it was. */
static char *
own_name(const char *name, char out[CTX_MODEL_NAME_MAX])
{
	const char *slash = strrchr(name, '/');
	size_t i;

	if (slash != NULL)
		name = slash + 1;
	for (i = 0; name[i] != '\0' && i < CTX_MODEL_NAME_MAX - 1; i++)
		out[i] = (char)tolower((unsigned char)name[i]);
	out[i] = '\0';
	if (strncmp(out, "ft:", 3) == 0)
		out += 3;
	return out + (skip_cloud(out) - out);
}

const char *
ctx_model_plain(const char *name, char out[CTX_MODEL_NAME_MAX])
{
	return order_claude(own_name(name, out));
}

/* Treat '.', '_' and '-' alike: claude-opus-4.1 is claude-opus-4-1. */
static char
fold(char c)
{
	return c == '.' || c == '_' ? '-' : (char)tolower((unsigned char)c);
}

/*
 * Length of the prefix if the rule matches, otherwise 0.  A number that is
 * spelled out is more than a %.
 */
static size_t
match(const char *prefix, const char *name)
{
	size_t n = 0;

	for (; *prefix != '\0'; prefix++, name++)
		if (*prefix == '%' && isdigit((unsigned char)*name))
			name += strspn(name, "0123456789") - 1;
		else if (fold(*prefix) == fold(*name))
			n++;
		else
			return 0;
	return isalnum((unsigned char)*name) ? 0 : n;
}

size_t
ctx_model_match(const char *prefix, const char *name)
{
	char buf[CTX_MODEL_NAME_MAX];

	return match(prefix, ctx_model_plain(name, buf));
}

/*
 * The longest matching rule of a list, the last one of those; NULL if there is
 * none.
 */
static const struct ctx_model *
find_among(const struct ctx_model *list, size_t len, const char *name)
{
	const struct ctx_model *best = NULL;
	size_t i, n, longest = 1;

	for (i = 0; i < len; i++) {
		n = match(list[i].prefix, name);
		if (n >= longest) {
			longest = n;
			best = &list[i];
		}
	}
	return best;
}

static int
parse_factor(const char *text, struct ctx_ratio *f, struct ctx_err *err)
{
	return ctx_decimal_parse(text, f, NULL) == -1 || f->num == 0 ||
	    f->num / f->den > 99 ?
	    ctx_fail(err, CTX_EUSAGE, "'%s' is not a factor", text) : 0;
}

/* "NAME*FACTOR": cut the name there and read the factor. */
static int
cut_factor(char *encoding, struct ctx_model *model, struct ctx_err *err)
{
	char *star = strrchr(encoding, '*');

	if (star == NULL)
		return 0;
	*star = '\0';
	model->level = CTX_ESTIMATE;
	return parse_factor(star + 1, &model->factor, err);
}

static int
set_image(struct ctx_model *model, const char *value, struct ctx_err *err)
{
	return ctx_image_parse(value, &model->image, err);
}

static int
set_rate(unsigned *rate, const char *value, struct ctx_err *err)
{
	uint64_t n;

	if (ctx_num_parse(value, &n, err) == -1)
		return -1;
	if (n == 0 || n > 1000000)
		return ctx_fail(err, CTX_EUSAGE, "'%s' is not a number of "
		    "tokens from 1 to 1000000", value);
	*rate = (unsigned)n;
	return 0;
}

static int
set_page(struct ctx_model *model, const char *value, struct ctx_err *err)
{
	return set_rate(&model->rates.page, value, err);
}

static int
set_audio(struct ctx_model *model, const char *value, struct ctx_err *err)
{
	return set_rate(&model->rates.audio, value, err);
}

static int
set_video(struct ctx_model *model, const char *value, struct ctx_err *err)
{
	return set_rate(&model->rates.video, value, err);
}

static int
set_factor(struct ctx_model *model, const char *value, struct ctx_err *err)
{
	return parse_factor(value, &model->fitted.factor, err);
}

/* Read "12", "+12" or "-12"; -1 if it is none or over most. */
static int
parse_signed(const char *text, int most, int *out)
{
	int sign = *text == '-' ? -1 : 1, n = 0;
	const char *p = text + (*text == '-' || *text == '+');

	if (*p == '\0')
		return -1;
	for (; *p != '\0'; p++)
		if (!isdigit((unsigned char)*p) ||
		    (n = n * 10 + (*p - '0')) > most)
			return -1;
	*out = sign * n;
	return 0;
}

static int
set_message(struct ctx_model *model, const char *value, struct ctx_err *err)
{
	return parse_signed(value, 100000, &model->fitted.message) == -1 ?
	    ctx_fail(err, CTX_EUSAGE, "'%s' is not a number of tokens from "
	    "-100000 to 100000", value) : 0;
}

static int
set_request(struct ctx_model *model, const char *value, struct ctx_err *err)
{
	if (ctx_num_parse(value, &model->fitted.request, err) == -1)
		return -1;
	return model->fitted.request > 1000000000 ? ctx_fail(err, CTX_EUSAGE,
	    "'%s' is not a number of tokens from 0 to 1000000000", value) : 0;
}

/* "-3..5": percent. */
static int
set_margin(struct ctx_model *model, const char *value, struct ctx_err *err)
{
	struct ctx_margin *m = &model->fitted.margin;
	const char *dots = strstr(value, "..");
	char low[16] = "";

	if (dots != NULL)
		snprintf(low, sizeof(low), "%.*s", (int)(dots - value), value);
	if (dots == NULL || parse_signed(low, 1000, &m->low) == -1 ||
	    parse_signed(dots + 2, 1000, &m->high) == -1 || m->low > m->high)
		return ctx_fail(err, CTX_EUSAGE, "'%s' is not a margin in "
		    "percent, LOW..HIGH", value);
	model->fitted.has_margin = 1;
	return 0;
}

/* The words KEY=VALUE of a line of the user's file. */
static const struct {
	const char *key;
	int (*set)(struct ctx_model *model, const char *value,
	    struct ctx_err *err);
} keys[] = {
	{ "image=", set_image },
	{ "page=", set_page },
	{ "audio=", set_audio },
	{ "video=", set_video },
	{ "factor=", set_factor },
	{ "message=", set_message },
	{ "request=", set_request },
	{ "margin=", set_margin },
};

static int
parse_key(struct ctx_model *model, const char *word, struct ctx_err *err)
{
	char quoted[64];
	size_t i, len;

	for (i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		len = strlen(keys[i].key);
		if (strncmp(word, keys[i].key, len) == 0)
			return keys[i].set(model, word + len, err);
	}
	return ctx_fail(err, CTX_EUSAGE, "unknown key '%s'",
	    ctx_err_quote(quoted, sizeof(quoted), word, strcspn(word, "=")));
}

/* A line's words: those of its columns, and those of its keys. */
struct words {
	char *column[4], *key[16];
	int ncolumn, nkey;
};

static int
split_line(char *line, struct words *w, struct ctx_err *err)
{
	char *save = NULL, *p;

	line[strcspn(line, "#")] = '\0';
	for (p = strtok_r(line, " \t\r", &save); p != NULL;
	    p = strtok_r(NULL, " \t\r", &save))
		if (w->ncolumn >= 2 && strchr(p, '=') != NULL &&
		    w->nkey < 16)
			w->key[w->nkey++] = p;
		else if (w->ncolumn < 4)
			w->column[w->ncolumn++] = p;
		else
			return ctx_fail(err, CTX_EUSAGE, EXPECTED);
	return w->ncolumn == 1 ? ctx_fail(err, CTX_EUSAGE, EXPECTED) : 0;
}

/* Take over the rule that counts for prefix without this line. */
static int
take_over(const struct ctx_models *m, const char *prefix,
    struct ctx_model *model, struct ctx_err *err)
{
	char buf[CTX_MODEL_NAME_MAX], quoted[64];
	const char *plain = ctx_model_plain(prefix, buf);
	const struct ctx_model *of = find_among(m->model, m->n, plain);

	if (of == NULL)
		of = find_among(model_data,
		    sizeof(model_data) / sizeof(*model_data), plain);
	if (of == NULL)
		return ctx_fail(err, CTX_EUSAGE, "no rule matches '%s', so it "
		    "needs an encoding instead of -", ctx_err_quote(quoted,
		    sizeof(quoted), prefix, strlen(prefix)));
	*model = *of;
	model->like = of->like != NULL ? of->like : of->prefix;
	model->source = "CTX_MODELS";
	memset(&model->fitted, 0, sizeof(model->fitted));
	return 0;
}

static int
set_columns(const struct ctx_models *m, struct ctx_model *model,
    const struct words *w, struct ctx_err *err)
{
	char *encoding = w->column[1];

	if (strcmp(encoding, "-") == 0) {
		if (take_over(m, w->column[0], model, err) == -1)
			return -1;
	} else if (cut_factor(encoding, model, err) == -1)
		return -1;
	else
		model->encoding = encoding;
	if (strcmp(model->encoding, "chars") == 0)
		model->level = CTX_ESTIMATE;
	model->prefix = w->column[0];
	return (w->ncolumn > 2 && ctx_num_parse(w->column[2], &model->window,
	    err) == -1) || (w->ncolumn > 3 && ctx_num_parse(w->column[3],
	    &model->output, err) == -1) ? -1 : 0;
}

/* Parse one terminated line of the user's file; its words are kept. */
static int
parse_line(struct ctx_models *m, char *line, struct ctx_err *err)
{
	struct ctx_model model = {
		.provider = "user", .level = CTX_EXACT, .factor = { 1, 1 },
		.source = "CTX_MODELS"
	};
	struct words w = { 0 };
	int i;

	if (split_line(line, &w, err) == -1)
		return -1;
	if (w.ncolumn == 0)
		return 0;
	if (set_columns(m, &model, &w, err) == -1)
		return -1;
	for (i = 0; i < w.nkey; i++)
		if (parse_key(&model, w.key[i], err) == -1)
			return -1;
	return add_model(m, &model, err);
}

/* Read the whole file as a string. */
static char *
read_file(const char *path, struct ctx_err *err)
{
	struct ctx_buf b = { 0 };
	int fd = open(path, O_RDONLY | O_CLOEXEC), rc = -1;

	if (fd == -1) {
		ctx_fail_errno(err, errno, "%s", path);
		return NULL;
	}
	rc = ctx_fd_read(fd, 1 << 20, &b);
	close(fd);
	if (rc == -1 || ctx_buf_str(&b) == NULL) {
		ctx_fail(err, CTX_ESYSTEM, "%s: cannot read the file", path);
		ctx_buf_done(&b);
		return NULL;
	}
	return b.data;
}

static int
read_user(struct ctx_models *m, const char *path, struct ctx_err *err)
{
	struct ctx_err e = { 0 };
	unsigned long n = 0;
	char *line, *next;

	m->text = read_file(path, err);
	if (m->text == NULL)
		return -1;
	for (line = m->text; line != NULL; line = next) {
		n++;
		next = strchr(line, '\n');
		if (next != NULL)
			*next++ = '\0';
		if (parse_line(m, line, &e) == -1)
			return ctx_fail(err, e.code, "%s:%lu: %s", path, n,
			    e.text);
	}
	return 0;
}

struct ctx_models *
ctx_models_new(struct ctx_err *err)
{
	const char *path = getenv("CTX_MODELS");
	struct ctx_models *m = calloc(1, sizeof(*m));
	size_t i;
	int rc = 0;

	if (m == NULL) {
		ctx_fail_nomem(err);
		return NULL;
	}
	if (path != NULL && *path != '\0')
		rc = read_user(m, path, err);
	m->nuser = m->n;
	for (i = 0; rc == 0 && i < sizeof(model_data) / sizeof(*model_data);
	    i++)
		rc = add_model(m, &model_data[i], err);
	if (rc == -1) {
		ctx_models_free(m);
		return NULL;
	}
	return m;
}

void
ctx_models_free(struct ctx_models *m)
{
	if (m == NULL)
		return;
	free(m->model);
	free(m->text);
	free(m);
}

const struct ctx_model *
ctx_models_at(const struct ctx_models *m, size_t i)
{
	return i < m->n ? &m->model[i] : NULL;
}

const struct ctx_model *
ctx_model_find(const struct ctx_models *m, const char *name)
{
	const struct ctx_model *model;
	char buf[CTX_MODEL_NAME_MAX], *own = own_name(name, buf);

	/* a user's rule may be of either name */
	model = find_among(m->model, m->nuser, own);
	if (model == NULL)
		model = find_among(m->model, m->nuser, order_claude(own));
	return model != NULL ? model : find_among(m->model + m->nuser,
	    m->n - m->nuser, own);
}

/* Open one vocabulary; -1 with *err set on failure. */
static int
open_way(const struct ctx_way *way, struct ctx_choice *out,
    struct ctx_err *err)
{
	out->level = way->level;
	out->factor = way->factor;
	out->by_script = way->by_script;
	out->tok = ctx_tok_open(way->encoding, err);
	return out->tok == NULL ? -1 : 0;
}

/* Open the first of a list that is at hand; -1 with *err set if none is. */
static int
open_first(const struct ctx_way *way, struct ctx_choice *out,
    struct ctx_err *err)
{
	for (; way->encoding != NULL; way++) {
		ctx_err_clear(err);
		if (open_way(way, out, err) == 0 || err->code == CTX_ENOMEM)
			break;
	}
	return out->tok == NULL ? -1 : 0;
}

static int
open_own(const struct ctx_model *m, struct ctx_choice *out,
    struct ctx_err *err)
{
	struct ctx_way own = { m->encoding, m->level, m->factor, 0 };

	if (open_way(&own, out, err) == 0)
		return 0;
	if (err->code != CTX_ENOMEM && ctx_model_table(m) != NULL)
		out->missing = m->encoding;
	return -1;
}

int
ctx_model_open(const struct ctx_models *m, const char *name,
    struct ctx_choice *out, struct ctx_err *err)
{
	static const struct ctx_way unknown[] = {
		{ "cl100k_base", CTX_APPROX, { 1, 1 }, 0 },
		{ "chars", CTX_ESTIMATE, { 1, 1 }, 0 },
		{ NULL, 0, { 1, 1 }, 0 }
	};
	const struct ctx_model *model = ctx_model_find(m, name);
	struct ctx_err e = { 0 };

	memset(out, 0, sizeof(*out));
	out->model = model;
	if (model != NULL && open_own(model, out, &e) == 0)
		return 0;
	if (e.code == CTX_ENOMEM || (model != NULL &&
	    strcmp(model->provider, "user") == 0))
		return ctx_fail(err, e.code, "%s", e.text);
	if (model != NULL && model->instead != NULL &&
	    open_first(model->instead, out, &e) == 0)
		return 0;
	if (e.code != CTX_ENOMEM && open_first(unknown, out, &e) == 0)
		return 0;
	return ctx_fail(err, e.code, "%s", e.text);
}

const char *
ctx_model_table(const struct ctx_model *model)
{
	return strpbrk(model->encoding, "/.") == NULL &&
	    !ctx_tok_is_known(model->encoding) ? model->encoding : NULL;
}

const char *
ctx_level_name(enum ctx_level level)
{
	static const char *const names[] = {
		[CTX_EXACT] = "exact", [CTX_APPROX] = "approximate",
		[CTX_ESTIMATE] = "estimate", [CTX_NOT_COUNTED] = "not counted"
	};

	return names[level];
}
