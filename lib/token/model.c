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

#define NAME_MAX_LEN	256

struct ctx_models {
	struct ctx_model *model;	/* the user's rules, then ours */
	size_t nuser;
	size_t n;
	size_t cap;
	char *text;			/* the user's file, split into words */
};

static int
add_model(struct ctx_models *m, const struct ctx_model *model,
    struct ctx_err *err)
{
	if (CTX_ROOM(m->model, m->n, &m->cap) == -1)
		return ctx_fail_nomem(err);
	m->model[m->n++] = *model;
	return 0;
}

/* "NAME*FACTOR": cut the name there and read the factor. */
static int
parse_factor(char *encoding, struct ctx_model *model, struct ctx_err *err)
{
	char *star = strrchr(encoding, '*');

	if (star == NULL)
		return 0;
	*star = '\0';
	if (ctx_decimal_parse(star + 1, &model->factor, NULL) == -1 ||
	    model->factor.num == 0 ||
	    model->factor.num / model->factor.den > 99)
		return ctx_fail(err, CTX_EUSAGE, "'%s' is not a factor",
		    star + 1);
	model->level = CTX_ESTIMATE;
	return 0;
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

/* Parse the words of a line that are not KEY=VALUE. */
static int
parse_words(struct ctx_model *model, char *word[4], int n,
    struct ctx_err *err)
{
	if (n < 2)
		return ctx_fail(err, CTX_EUSAGE, "expected: prefix encoding "
		    "[window [output]] [KEY=VALUE ...]");
	if (parse_factor(word[1], model, err) == -1 ||
	    (n > 2 && ctx_num_parse(word[2], &model->window, err) == -1) ||
	    (n > 3 && ctx_num_parse(word[3], &model->output, err) == -1))
		return -1;
	model->prefix = word[0];
	model->encoding = word[1];
	if (strcmp(model->encoding, "chars") == 0)
		model->level = CTX_ESTIMATE;
	return 0;
}

/* Parse one terminated line of the user's file; its words are kept. */
static int
parse_line(struct ctx_models *m, char *line, struct ctx_err *err)
{
	struct ctx_model model = {
		.provider = "user", .level = CTX_EXACT, .factor = { 1, 1 },
		.source = "CTX_MODELS"
	};
	char *save = NULL, *word[4] = { NULL }, *p;
	int n = 0, rc = 0;

	line[strcspn(line, "#")] = '\0';
	for (p = strtok_r(line, " \t\r", &save); p != NULL && rc == 0;
	    p = strtok_r(NULL, " \t\r", &save))
		if (n >= 2 && strchr(p, '=') != NULL)
			rc = parse_key(&model, p, err);
		else if (n < 4)
			word[n++] = p;
		else
			rc = ctx_fail(err, CTX_EUSAGE, "expected: prefix "
			    "encoding [window [output]] [KEY=VALUE ...]");
	if (rc == -1 || n == 0)
		return rc;
	return parse_words(&model, word, n, err) == -1 ? -1 :
	    add_model(m, &model, err);
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

/* Skip "us.anthropic.": regions and makers that clouds put before a name. */
static const char *
skip_cloud(const char *name)
{
	static const char *const word[] = {
		"us.", "eu.", "apac.", "jp.", "au.", "ca.", "global.",
		"us-gov.", "anthropic.", "meta.", "mistral.", "deepseek.",
		"qwen.", "openai.", "google.", "cohere.", "amazon.",
		"moonshotai.", "moonshot.", "minimax.", "zai.", "xai."
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

/* Copy the name to out in lower case and without its prefixes. */
static const char *
plain_name(const char *name, char out[NAME_MAX_LEN])
{
	const char *slash = strrchr(name, '/');
	size_t i;

	if (slash != NULL)
		name = slash + 1;
	for (i = 0; name[i] != '\0' && i < NAME_MAX_LEN - 1; i++)
		out[i] = (char)tolower((unsigned char)name[i]);
	out[i] = '\0';
	if (strncmp(out, "ft:", 3) == 0)
		out += 3;
	return skip_cloud(out);
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
	char buf[NAME_MAX_LEN];

	return match(prefix, plain_name(name, buf));
}

/* The longest matching rule among from .. to. */
static const struct ctx_model *
find_among(const struct ctx_models *m, size_t from, size_t to,
    const char *name)
{
	const struct ctx_model *best = NULL;
	size_t i, n, longest = 0;

	for (i = from; i < to; i++) {
		n = match(m->model[i].prefix, name);
		if (n > longest) {
			longest = n;
			best = &m->model[i];
		}
	}
	return best;
}

const struct ctx_model *
ctx_model_find(const struct ctx_models *m, const char *name)
{
	const struct ctx_model *model;
	char buf[NAME_MAX_LEN];
	const char *plain = plain_name(name, buf);

	model = find_among(m, 0, m->nuser, plain);
	return model != NULL ? model : find_among(m, m->nuser, m->n, plain);
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
