/* SPDX-License-Identifier: MIT */
#include "token/tok.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/program.h"
#include "token/norm.h"
#include "token/prepare.h"
#include "token/tok_priv.h"

/*
 * Open dir/sub/name.ctxv.  Returns 1 if done, 0 if there is no such file, or
 * -1 if it is bad.
 */
static int
table_in(struct ctx_table *t, const char *dir, const char *sub,
    const char *name, struct ctx_err *err)
{
	struct ctx_buf path = { 0 };
	struct ctx_err e = { 0 };
	int missing = 0, rc;

	ctx_buf_addf(&path, "%s%s/%s.ctxv", dir, sub, name);
	if (ctx_buf_str(&path) == NULL)
		return ctx_fail_nomem(err);
	rc = ctx_table_open(t, path.data, &missing, &e);
	if (rc == -1 && !missing)
		ctx_fail(err, e.code, "%s", e.text);
	ctx_buf_done(&path);
	return rc == 0 ? 1 : missing ? 0 : -1;
}

/* The value of an environment variable; NULL if it is empty, too. */
static const char *
env(const char *name)
{
	const char *s = getenv(name);

	return s != NULL && *s != '\0' ? s : NULL;
}

/* Add the directory for tables of the user's own, unless there is none. */
static void
own_dir(struct ctx_buf *out)
{
	const char *data = env("XDG_DATA_HOME"), *home = env("HOME");

	if (data != NULL)
		ctx_buf_addf(out, "%s/ctx", data);
	else if (home != NULL)
		ctx_buf_addf(out, "%s/.local/share/ctx", home);
}

void
ctx_tok_user_dir(struct ctx_buf *out)
{
	if (env("CTX_VOCAB") != NULL)
		ctx_buf_adds(out, env("CTX_VOCAB"));
	else
		own_dir(out);
}

static int
table_in_own(struct ctx_table *t, const char *name, struct ctx_err *err)
{
	struct ctx_buf dir = { 0 };
	int rc = 0;

	own_dir(&dir);
	if (dir.failed)
		rc = ctx_fail_nomem(err);
	else if (dir.len > 0)
		rc = table_in(t, ctx_buf_str(&dir), "", name, err);
	ctx_buf_done(&dir);
	return rc;
}

/*
 * Search all places for a table, also in the user's own directory if own is
 * set.  Returns 1 if found, 0 if not, or -1 if it is bad.
 */
static int
table_search(struct ctx_table *t, const char *name, int own,
    struct ctx_err *err)
{
	char dir[4096];
	int rc = 0;

	if (env("CTX_VOCAB") != NULL)
		rc = table_in(t, env("CTX_VOCAB"), "", name, err);
	if (rc == 0 && own)
		rc = table_in_own(t, name, err);
	ctx_program_dir(dir, sizeof(dir));
	if (rc == 0 && *dir != '\0')
		rc = table_in(t, dir, "share/ctx", name, err);
	if (rc == 0 && *dir != '\0')
		rc = table_in(t, dir, "../share/ctx", name, err);
	if (rc == 0)
		rc = table_in(t, CTX_VOCABDIR, "", name, err);
	return rc;
}

/* Open the table for a name: one of ours, or one that a user prepared. */
static int
table_by_name(struct ctx_tok *tok, const char *name, struct ctx_err *err)
{
	char quoted[128];
	int rc = table_search(&tok->table, tok->known != NULL ?
	    tok->known->table : name, tok->known == NULL, err);

	if (rc != 0)
		return rc == 1 ? 0 : -1;
	if (tok->known != NULL)
		return ctx_fail(err, CTX_ESYSTEM, "no vocabulary table "
		    "%s.ctxv in %s; set CTX_VOCAB to its directory",
		    tok->known->table, CTX_VOCABDIR);
	return ctx_fail(err, CTX_EUSAGE, "unknown encoding '%s'",
	    ctx_err_quote(quoted, sizeof(quoted), name, strlen(name)));
}

static int
special_add(struct ctx_tok *tok, const char *text, size_t len, uint32_t id,
    unsigned flags, struct ctx_err *err)
{
	return ctx_specials_add(&tok->special[(flags & CTX_SPECIAL_NORMAL) !=
	    0], text, len, id, flags, err);
}

/* Add <|reserved_N|>; special_text already has room for the text. */
static int
special_add_reserved(struct ctx_tok *tok, struct ctx_err *err)
{
	const struct ctx_known *k = tok->known;
	struct ctx_buf *text = &tok->special_text;
	size_t from;
	uint32_t id;

	if (k->reserved_to == 0)
		return 0;
	if (ctx_buf_reserve(text, 32 * (k->reserved_to - k->reserved_from + 1))
	    == -1)
		return ctx_fail_nomem(err);
	for (id = k->reserved_from; id <= k->reserved_to; id++) {
		from = text->len;
		ctx_buf_addf(text, "<|reserved_%u|>", id);
		if (special_add(tok, text->data + from, text->len - from, id,
		    0, err) == -1)
			return -1;
	}
	return 0;
}

/* Add the special tokens of a table that is not one of ours. */
static int
add_table_specials(struct ctx_tok *tok, struct ctx_err *err)
{
	const struct ctx_table_header *h = tok->table.head;
	uint64_t room = h->section[CTX_SEC_SPECIAL_TEXT].len;
	const struct ctx_special *s = tok->table.special;
	uint32_t i;

	for (i = 0; i < h->nspecial; i++, s++)
		if (s->len > 0 && s->off < room && s->len <= room - s->off &&
		    s->id < h->size && special_add(tok,
		    tok->table.special_text + s->off, s->len, s->id, s->flags,
		    err) == -1)
			return -1;
	return 0;
}

static int
add_specials(struct ctx_tok *tok, struct ctx_err *err)
{
	const struct ctx_known_special *s;

	if (tok->known == NULL)
		return add_table_specials(tok, err);
	for (s = tok->known->special; s->text != NULL; s++)
		if (special_add(tok, s->text, strlen(s->text), s->id, 0, err)
		    == -1)
			return -1;
	return special_add_reserved(tok, err);
}

/*
 * Open a file: a table directly, anything else by way of a private temporary
 * table.
 */
static int
table_by_file(struct ctx_tok *tok, const char *path, struct ctx_err *err)
{
	const char *dir = getenv("TMPDIR");
	struct ctx_buf tmp = { 0 };
	char *name;
	int fd, rc;

	if (ctx_prepare_is_done(path))
		return ctx_table_open(&tok->table, path, NULL, err);
	ctx_buf_addf(&tmp, "%s/ctx-vocab.XXXXXX",
	    dir != NULL && *dir != '\0' ? dir : "/tmp");
	if ((name = ctx_buf_str(&tmp)) == NULL)
		return ctx_fail_nomem(err);
	if ((fd = mkstemp(name)) == -1) {
		rc = ctx_fail_errno(err, errno, "%s", name);
	} else {
		close(fd);
		rc = ctx_prepare(path, name, NULL, err);
		if (rc == 0)
			rc = ctx_table_open(&tok->table, name, NULL, err);
		unlink(name);
	}
	ctx_buf_done(&tmp);
	return rc;
}

/* Compile the table's own patterns. */
static int
load_pattern(struct ctx_tok *tok, struct ctx_err *err)
{
	const struct ctx_table_section *s =
	    &tok->table.head->section[CTX_SEC_PATTERN];

	if (tok->table.head->split != CTX_SPLIT_PATTERN)
		return 0;
	tok->pattern = ctx_pattern_new((const char *)tok->table.head + s->off,
	    (size_t)s->len, err);
	return tok->pattern == NULL ? -1 : 0;
}

/* Prepare for what the table's norm needs. */
static int
load_norm(struct ctx_tok *tok, struct ctx_err *err)
{
	const struct ctx_table_header *h = tok->table.head;
	const struct ctx_table_section *map = &h->section[CTX_SEC_CHARSMAP];

	if (h->norm & CTX_NORM_PIECE)
		return ctx_spnorm_open(&tok->spnorm, &tok->table, err);
	if (h->norm & CTX_NORM_STEPS && (tok->table.steps == NULL ||
	    !ctx_steps_open(&tok->steps, tok->table.steps,
	    (size_t)h->section[CTX_SEC_STEPS].len, (const char *)h + map->off,
	    (size_t)map->len)))
		return ctx_fail(err, CTX_ESYSTEM,
		    "vocabulary %s: its steps are damaged", h->name);
	return 0;
}

static int
tok_load(struct ctx_tok *tok, const char *name, struct ctx_err *err)
{
	int rc;

	tok->known = ctx_known_find(name);
	if (tok->known != NULL && tok->known->table == NULL)
		return 0;
	rc = strpbrk(name, "/.") == NULL ? table_by_name(tok, name, err) :
	    table_by_file(tok, name, err);
	if (rc == -1)
		return -1;
	tok->split = ctx_split_get(tok->table.head->split);
	if (load_pattern(tok, err) == -1 || add_specials(tok, err) == -1 ||
	    load_norm(tok, err) == -1)
		return -1;
	ctx_specials_ready(&tok->special[0]);
	ctx_specials_ready(&tok->special[1]);
	tok->staged = (tok->table.head->norm & CTX_NORM_TEXT) != 0 ||
	    tok->special[1].n > 0 || ctx_split_by_border(
	    tok->table.head->split);
	return 0;
}

struct ctx_tok *
ctx_tok_open(const char *name, struct ctx_err *err)
{
	struct ctx_tok *tok = calloc(1, sizeof(*tok));

	if (tok == NULL) {
		ctx_fail_nomem(err);
		return NULL;
	}
	tok->table.fd = -1;
	if (tok_load(tok, name, err) == -1) {
		ctx_tok_free(tok);
		return NULL;
	}
	return tok;
}

void
ctx_tok_free(struct ctx_tok *tok)
{
	if (tok == NULL)
		return;
	ctx_table_close(&tok->table);
	ctx_pattern_free(tok->pattern);
	ctx_specials_done(&tok->special[0]);
	ctx_specials_done(&tok->special[1]);
	ctx_buf_done(&tok->special_text);
	free(tok);
}

const char *
ctx_tok_name(const struct ctx_tok *tok)
{
	return tok->known != NULL ? tok->known->name : tok->table.head->name;
}

int
ctx_tok_is_estimate(const struct ctx_tok *tok)
{
	return tok->table.head == NULL;
}

int
ctx_tok_is_known(const char *name)
{
	return ctx_known_find(name) != NULL;
}

int
ctx_tok_at_hand(const char *name, struct ctx_err *err)
{
	const struct ctx_known *k = ctx_known_find(name);
	struct ctx_table t = { .fd = -1 };
	struct ctx_err e = { 0 };
	int rc;

	if (k != NULL && k->table == NULL)
		return 1;
	if (strpbrk(name, "/.") != NULL)
		return access(name, R_OK) == 0;
	rc = table_search(&t, k != NULL ? k->table : name, k == NULL, &e);
	ctx_table_close(&t);
	if (e.code == CTX_ENOMEM)
		return ctx_fail_nomem(err);
	return rc == 1;
}

const char *
ctx_tok_known(size_t i, const char **what)
{
	const struct ctx_known *k = &ctx_known_list[i];

	if (k->name != NULL && what != NULL)
		*what = k->what;
	return k->name;
}

static const struct ctx_tok_special *
special_of(const struct ctx_tok *tok, uint32_t id)
{
	size_t i, k;

	for (k = 0; k < 2; k++)
		for (i = 0; i < tok->special[k].n; i++)
			if (tok->special[k].list[i].id == id)
				return &tok->special[k].list[i];
	return NULL;
}

const char *
ctx_tok_bytes(const struct ctx_tok *tok, uint32_t id, size_t *len)
{
	const struct ctx_table *t = &tok->table;
	const struct ctx_tok_special *s;
	uint32_t a, b;

	if (t->head != NULL && id < t->head->size) {
		a = t->token[id];
		b = t->token[id + 1];
		if (a < b && b <= t->head->section[CTX_SEC_BYTES].len) {
			*len = b - a;
			return (const char *)t->bytes + a;
		}
	}
	if ((s = special_of(tok, id)) == NULL)
		return NULL;
	*len = s->len;
	return s->text;
}

/* Remove the spaces that the tokenizer puts in front of a text. */
static void
strip_prefix(unsigned norm, char *text, size_t first, size_t len,
    struct ctx_buf *out)
{
	size_t n = 0, i;

	if (len == 0)		/* and text may be NULL */
		return;
	if (norm & CTX_NORM_STRIP) {
		n = len > 0 && text[0] == ' ';
		memmove(text, text + n, len - n);
	} else if (norm & CTX_NORM_STRIP_FIRST) {
		for (i = 0; i < first; i++)
			if (text[i] == ' ')
				n++;
			else
				text[i - n] = text[i];
		memmove(text + first - n, text + first, len - first);
	}
	out->len -= n;
}

/*
 * Does SentencePiece's decoder drop the space that a token begins with?  It
 * does at the start of the text, of each token if spaces at the start are
 * removed, else of the first.
 */
static int
drops_space(const struct ctx_tok *tok, uint32_t id, size_t i, const char *text)
{
	const struct ctx_table_header *h = tok->table.head;

	return h != NULL && h->norm & CTX_NORM_PIECE &&
	    h->norm & CTX_NORM_STRIP && *text == ' ' && id != h->unknown &&
	    (i == 0 || h->norm & CTX_NORM_TRIM);
}

int
ctx_tok_decode(const struct ctx_tok *tok, const uint32_t *id, size_t n,
    struct ctx_buf *out, struct ctx_err *err)
{
	size_t i, len, from = out->len, first = 0;
	const char *text;
	int rc = 0;

	for (i = 0; i < n; i++) {
		text = ctx_tok_bytes(tok, id[i], &len);
		if (text == NULL) {
			rc = ctx_fail(err, CTX_EINPUT,
			    "%u is not a token of %s",
			    id[i], ctx_tok_name(tok));
			break;
		}
		if (out->len == from && len > 0 &&
		    drops_space(tok, id[i], i, text)) {
			text++;
			len--;
		}
		ctx_buf_add(out, text, len);
		if (i == 0)
			first = len;
	}
	if (ctx_buf_fail(out, err) == -1)
		return -1;
	if (tok->table.head != NULL && out->len > from &&
	    !(tok->table.head->norm & CTX_NORM_PIECE))
		strip_prefix(tok->table.head->norm, out->data + from, first,
		    out->len - from, out);
	return rc;
}

void
ctx_ids_done(struct ctx_ids *ids)
{
	free(ids->id);
	memset(ids, 0, sizeof(*ids));
}
