/* SPDX-License-Identifier: MIT */
/*
 * What is done with the parts is what sentencepiece 0.1.97 and 0.2 do
 * (model_interface.cc, bpe_model.cc, unigram_model.cc).
 */
#include "token/spm.h"

#include <errno.h>
#include <fcntl.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/utf8.h"
#include "token/charsmap.h"
#include "token/norm.h"
#include "token/proto.h"
#include "token/spnorm.h"

#define FILE_MAX	((size_t)256 << 20)

enum { UNIGRAM = 1, BPE = 2 };
enum { NORMAL = 1, UNKNOWN = 2, CONTROL = 3, USER = 4, UNUSED = 5, BYTE = 6 };

struct piece {
	const uint8_t *text;
	size_t len;
	float score;
	uint64_t type;
};

struct reader {
	struct ctx_vocab *v;
	struct ctx_buf file;
	struct piece *piece;
	size_t n, cap;
	/* TrainerSpec and NormalizerSpec, with their defaults. */
	uint64_t model;
	int bytes, suffix, prefix, trim, escape;
	struct ctx_proto_field unknown;	/* what an unknown token is shown as */
	struct ctx_proto_field map;
	struct ctx_buf text;		/* for one piece */
};

int
ctx_spm_is(const void *head, size_t n)
{
	const uint8_t *p = head;
	size_t i;

	/* The first field is a piece, a message with its length before it. */
	if (n < 2 || p[0] != '\n')
		return 0;
	for (i = 1; i < n; i++)
		if (p[i] < '\t' || (p[i] > '\r' && p[i] < ' ') || p[i] >= 0x7f)
			return 1;
	return 0;
}

static int
read_file(struct reader *r, const char *path, struct ctx_err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), rc, error;

	if (fd == -1)
		return ctx_fail_errno(err, errno, "%s", path);
	rc = ctx_fd_read(fd, FILE_MAX, &r->file);
	error = errno;
	close(fd);
	if (ctx_buf_fail(&r->file, err) == -1)
		return -1;
	if (rc == -1)
		return ctx_fail_errno(err, error, "%s", path);
	return rc == 1 ? 0 : ctx_fail(err, CTX_ESYSTEM,
	    "it is larger than 256 MB");
}

static struct ctx_proto
message(const struct ctx_proto_field *f)
{
	if (f->data == NULL)
		return (struct ctx_proto){ .bad = 1 };
	return (struct ctx_proto){ f->data, f->data + f->len, 0 };
}

static int
damaged(struct ctx_err *err)
{
	return ctx_fail(err, CTX_ESYSTEM, "the model is damaged");
}

static int
read_piece(struct reader *r, const struct ctx_proto_field *of,
    struct ctx_err *err)
{
	struct ctx_proto m = message(of);
	struct piece x = { .type = NORMAL };
	struct ctx_proto_field f;

	while (ctx_proto_next(&m, &f))
		if (f.number == 1 && f.data != NULL) {
			x.text = f.data;
			x.len = f.len;
		} else if (f.number == 2)
			x.score = ctx_proto_float(&f);
		else if (f.number == 3)
			x.type = f.value;
	if (m.bad || x.len == 0 || x.type < NORMAL || x.type > BYTE ||
	    !isfinite(x.score) || ctx_utf8_check((const char *)x.text, x.len) <
	    x.len)
		return ctx_fail(err, CTX_ESYSTEM, "piece %zu is not valid",
		    r->n);
	if (r->n >= CTX_ID_MAX - 1)
		return ctx_fail(err, CTX_ESYSTEM, "it has too many pieces");
	if (CTX_ROOM(r->piece, r->n, &r->cap) == -1)
		return ctx_fail_nomem(err);
	r->piece[r->n++] = x;
	return 0;
}

static int
read_trainer(struct reader *r, const struct ctx_proto_field *of)
{
	struct ctx_proto m = message(of);
	struct ctx_proto_field f;

	while (ctx_proto_next(&m, &f))
		switch (f.number) {
		case 3:
			r->model = f.value;
			break;
		case 24:
			r->suffix = f.value != 0;
			break;
		case 35:
			r->bytes = f.value != 0;
			break;
		case 44:
			r->unknown = f;
			break;
		}
	return m.bad ? -1 : 0;
}

static int
read_normalizer(struct reader *r, const struct ctx_proto_field *of)
{
	struct ctx_proto m = message(of);
	struct ctx_proto_field f;

	while (ctx_proto_next(&m, &f))
		switch (f.number) {
		case 2:
			r->map = f;
			break;
		case 3:
			r->prefix = f.value != 0;
			break;
		case 4:
			r->trim = f.value != 0;
			break;
		case 5:
			r->escape = f.value != 0;
			break;
		}
	return m.bad ? -1 : 0;
}

static int
read_model(struct reader *r, struct ctx_err *err)
{
	struct ctx_proto m = { (const uint8_t *)r->file.data,
	    (const uint8_t *)r->file.data + r->file.len, 0 };
	struct ctx_proto_field f;

	while (ctx_proto_next(&m, &f)) {
		if (f.number == 1 && read_piece(r, &f, err) == -1)
			return -1;
		if ((f.number == 2 && read_trainer(r, &f) == -1) ||
		    (f.number == 3 && read_normalizer(r, &f) == -1))
			return damaged(err);
	}
	return m.bad || r->n == 0 ? damaged(err) : 0;
}

/*
 * Set r->text to the piece's text with spaces.  Returns 0 if no text contains
 * it, because a space was not written as U+2581.
 */
static int
spaced(struct reader *r, const struct piece *x, struct ctx_err *err)
{
	size_t n = x->len;

	ctx_buf_reset(&r->text);
	if (ctx_norm_append(r->escape ? CTX_NORM_SPACE : 0, &r->text, x->text,
	    &n, 1, err) == -1)
		return -1;
	return !(r->escape && memchr(x->text, ' ', x->len) != NULL);
}

/* The byte that "<0x0A>" stands for; -1 if it is none. */
static int
spelled_byte(const struct piece *x)
{
	static const char digit[] = "0123456789ABCDEF";
	const char *a, *b;

	if (x->len != 6 || memcmp(x->text, "<0x", 3) != 0 || x->text[5] != '>')
		return -1;
	a = memchr(digit, x->text[3], 16);
	b = memchr(digit, x->text[4], 16);
	return a == NULL || b == NULL ? -1 : (int)((a - digit) << 4 |
	    (b - digit));
}

static int
add_unknown(struct reader *r, uint32_t id, struct ctx_err *err)
{
	static const char shown[] = " \xe2\x81\x87 ";

	if (r->v->unknown != CTX_ID_MAX)
		return ctx_fail(err, CTX_ESYSTEM,
		    "it has two pieces for what is unknown");
	r->v->unknown = id;
	if (r->unknown.len > 0)
		return ctx_vocab_add(r->v, id, r->unknown.data, r->unknown.len,
		    CTX_TOKEN_OUTSIDE, err);
	return ctx_vocab_add(r->v, id, shown, sizeof(shown) - 1,
	    CTX_TOKEN_OUTSIDE, err);
}

/* Add a token that texts are searched for before all others. */
static int
add_user(struct reader *r, uint32_t id, const struct piece *x,
    struct ctx_err *err)
{
	r->v->user[r->v->nuser++] = (struct ctx_trie_key){ x->text, x->len,
	    id };
	if (r->model == UNIGRAM)
		return ctx_vocab_add(r->v, id, r->text.data, r->text.len, 0,
		    err);
	if (ctx_vocab_add(r->v, id, r->text.data, r->text.len,
	    CTX_TOKEN_OUTSIDE, err) == -1)
		return -1;
	return ctx_vocab_add_special(r->v, id, r->text.data, r->text.len,
	    CTX_SPECIAL_ALWAYS | CTX_SPECIAL_NORMAL, err);
}

static int
add_piece(struct reader *r, uint32_t id, struct ctx_err *err)
{
	const struct piece *x = &r->piece[id];
	int can = spaced(r, x, err), byte = spelled_byte(x);
	char c = (char)byte;

	if (can == -1)
		return -1;
	switch (x->type) {
	case UNKNOWN:
		return add_unknown(r, id, err);
	case CONTROL:
		if (ctx_vocab_reach(r->v, id, err) == -1)
			return -1;
		return ctx_vocab_add_special(r->v, id, x->text, x->len, 0, err);
	case BYTE:
		if (byte == -1 || !r->bytes)
			return ctx_fail(err, CTX_ESYSTEM,
			    "piece %u is not a byte", id);
		return ctx_vocab_add(r->v, id, &c, 1, CTX_TOKEN_BYTE, err);
	case UNUSED:
		if (r->model == BPE)
			return ctx_fail(err, CTX_ESYSTEM, "it has pieces that "
			    "are not used, which is not supported");
		can = 0;
		break;
	case USER:
		if (can)
			return add_user(r, id, x, err);
	}
	return ctx_vocab_add(r->v, id, r->text.data, r->text.len,
	    can ? 0 : CTX_TOKEN_OUTSIDE, err);
}

/* Add the scores; those of user-defined pieces are higher than all others. */
static int
add_scores(struct reader *r, struct ctx_err *err)
{
	float least = FLT_MAX, most = FLT_MIN;
	const struct piece *x;
	size_t i;

	r->v->score = calloc(r->n + 1, sizeof(*r->v->score));
	if (r->v->score == NULL)
		return ctx_fail_nomem(err);
	for (i = 0; i < r->n; i++) {
		x = &r->piece[i];
		if (x->type == NORMAL && x->score < least)
			least = x->score;
		if (x->type == NORMAL && x->score > most)
			most = x->score;
	}
	for (i = 0; i < r->n; i++) {
		x = &r->piece[i];
		r->v->score[i] = x->type != USER ? x->score :
		    (double)(float)((float)x->len * most) - 0.1;
	}
	r->v->score[r->n] = (float)(least - 10.0f);
	return 0;
}

/* A piece in the order in which pairs merge: by score, the highest first. */
struct turn {
	float score;
	uint32_t id;
};

static int
by_score(const void *a, const void *b)
{
	const struct turn *x = a, *y = b;

	if (x->score != y->score)
		return x->score > y->score ? -1 : 1;
	return x->id < y->id ? -1 : x->id > y->id;
}

/* Has the piece more than one character, so that merging makes it? */
static int
is_merged(const struct piece *x)
{
	return x->type == NORMAL &&
	    ctx_utf8_count((const char *)x->text, x->len) > 1;
}

/*
 * Set the order of merging.  Of pairs with the same score the leftmost merges
 * first, which our tables can express only if they make the same piece.
 */
static int
add_order(struct reader *r, struct ctx_err *err)
{
	struct turn *turn = calloc(r->n, sizeof(*turn));
	size_t i, n = 0;
	int rc = 0;

	r->v->order = calloc(r->n, sizeof(*r->v->order));
	if (turn == NULL || r->v->order == NULL) {
		free(turn);
		return ctx_fail_nomem(err);
	}
	for (i = 0; i < r->n; i++)
		if (is_merged(&r->piece[i]))
			turn[n++] = (struct turn){ r->piece[i].score,
			    (uint32_t)i };
	qsort(turn, n, sizeof(*turn), by_score);
	for (i = 0; i < n; i++) {
		if (i > 0 && turn[i].score == turn[i - 1].score)
			rc = ctx_fail(err, CTX_ESYSTEM, "pieces %u and %u have "
			    "the same score, which is not supported; use the "
			    "model's tokenizer.json", turn[i - 1].id,
			    turn[i].id);
		r->v->order[i] = turn[i].id;
	}
	r->v->norder = n;
	free(turn);
	return rc;
}

static int
by_text(const void *a, const void *b)
{
	const struct ctx_trie_key *x = a, *y = b;

	return x->len != y->len ? (x->len < y->len ? -1 : 1) :
	    memcmp(x->text, y->text, x->len);
}

/* Is every character of the piece in one[0 .. n)? */
static int
is_spelled(const struct piece *x, const struct ctx_trie_key *one, size_t n)
{
	struct ctx_trie_key key;
	uint32_t cp;
	size_t i, k;

	for (i = 0; i < x->len; i += k) {
		k = ctx_utf8_step((const char *)x->text + i, x->len - i, &cp);
		key = (struct ctx_trie_key){ x->text + i, k, 0 };
		if (k == 0 || bsearch(&key, one, n, sizeof(*one), by_text) ==
		    NULL)
			return 0;
	}
	return 1;
}

/*
 * Without bytes, each character that is no piece is unknown, so the others must
 * be made of those that are.
 */
static int
check_spelling(const struct reader *r, struct ctx_err *err)
{
	struct ctx_trie_key *one = calloc(r->n, sizeof(*one));
	const struct piece *x;
	size_t i, n = 0;
	int rc = 0;

	if (one == NULL)
		return ctx_fail_nomem(err);
	for (i = 0; i < r->n; i++) {
		x = &r->piece[i];
		if ((x->type == NORMAL || x->type == USER) && !is_merged(x) &&
		    ctx_utf8_count((const char *)x->text, x->len) == 1)
			one[n++] = (struct ctx_trie_key){ x->text, x->len, 0 };
	}
	qsort(one, n, sizeof(*one), by_text);
	for (i = 0; i < r->n && rc == 0; i++) {
		x = &r->piece[i];
		if ((x->type == NORMAL || x->type == USER) &&
		    !is_spelled(x, one, n))
			rc = ctx_fail(err, CTX_ESYSTEM, "piece %zu has a "
			    "character that is no piece, which is not "
			    "supported", i);
	}
	free(one);
	return rc;
}

/* Are all bytes pieces, if any, and is a space a piece? */
static int
check_pieces(const struct reader *r, struct ctx_err *err)
{
	const char *space = r->escape ? "\xe2\x96\x81" : " ";
	const struct piece *x;
	size_t i, bytes = 0;
	int spaces = 0;
	uint8_t have[256] = { 0 };

	for (i = 0; i < r->n; i++) {
		x = &r->piece[i];
		if (x->type == BYTE && spelled_byte(x) != -1)
			bytes += !have[spelled_byte(x)]++;
		spaces |= (x->type == NORMAL || x->type == USER) &&
		    x->len == strlen(space) &&
		    memcmp(x->text, space, x->len) == 0;
	}
	if (r->bytes && bytes < 256)
		return ctx_fail(err, CTX_ESYSTEM,
		    "not all bytes are pieces of it");
	if (!spaces && (r->bytes || r->model == BPE))
		return ctx_fail(err, CTX_ESYSTEM, "it has no piece for a "
		    "space, which is not supported");
	return r->model == BPE && !r->bytes ? check_spelling(r, err) : 0;
}

static int
check_model(const struct reader *r, struct ctx_err *err)
{
	struct ctx_charsmap map;

	if (r->model != BPE && r->model != UNIGRAM)
		return ctx_fail(err, CTX_ESYSTEM, "its model is of type %llu, "
		    "but only 1 (Unigram) and 2 (BPE) are supported",
		    (unsigned long long)r->model);
	if (r->suffix)
		return ctx_fail(err, CTX_ESYSTEM, "its spaces come after words "
		    "('treat_whitespace_as_suffix'), which is not supported");
	if (!ctx_charsmap_open(&map, r->map.data, r->map.len))
		return damaged(err);
	return check_pieces(r, err);
}

/*
 * Set what is done with a text.  Where nothing is replaced and no space
 * removed, it is what is done for a tokenizer.json, which is faster.
 */
static int
set_norm(struct reader *r, struct ctx_err *err)
{
	struct ctx_vocab *v = r->v;

	v->flags = r->model == BPE ? CTX_TABLE_CHARS : CTX_TABLE_UNIGRAM;
	if (r->model == UNIGRAM && r->bytes)
		v->flags |= CTX_TABLE_BYTES;
	v->norm = (r->escape ? CTX_NORM_SPACE : 0) |
	    (r->prefix ? CTX_NORM_PREPEND : 0) |
	    (r->trim ? CTX_NORM_TRIM | CTX_NORM_PIECE : 0) |
	    (r->map.len > 0 || r->model == UNIGRAM || !r->bytes ?
	    CTX_NORM_PIECE : 0) |
	    (r->prefix || r->trim ? CTX_NORM_STRIP : 0);
	ctx_buf_add(&v->charsmap, r->map.data, r->map.len);
	if (r->model == UNIGRAM || r->bytes)
		return ctx_buf_fail(&v->charsmap, err);
	v->norm |= CTX_NORM_UNKNOWN;
	if (ctx_vocab_add_special(v, v->unknown, CTX_SPNORM_UNKNOWN,
	    sizeof(CTX_SPNORM_UNKNOWN) - 1, CTX_SPECIAL_ALWAYS |
	    CTX_SPECIAL_NORMAL, err) == -1)
		return -1;
	return ctx_buf_fail(&v->charsmap, err);
}

static int
read_all(struct reader *r, const char *path, struct ctx_err *err)
{
	uint32_t id;

	if (read_file(r, path, err) == -1 || read_model(r, err) == -1 ||
	    check_model(r, err) == -1)
		return -1;
	r->v->user = calloc(r->n, sizeof(*r->v->user));
	if (r->v->user == NULL)
		return ctx_fail_nomem(err);
	for (id = 0; id < r->n; id++)
		if (add_piece(r, id, err) == -1)
			return -1;
	if (r->v->unknown == CTX_ID_MAX)
		return ctx_fail(err, CTX_ESYSTEM,
		    "it has no piece for what is unknown");
	if ((r->model == BPE ? add_order(r, err) : add_scores(r, err)) == -1)
		return -1;
	return set_norm(r, err);
}

int
ctx_spm_read(struct ctx_vocab *v, const char *path, struct ctx_err *err)
{
	struct reader r = {
		.v = v, .model = UNIGRAM, .prefix = 1, .trim = 1, .escape = 1
	};
	struct ctx_err e = { 0 };
	int rc = read_all(&r, path, &e);

	free(r.piece);
	ctx_buf_done(&r.text);
	/* The texts of user-defined pieces are in the file. */
	v->file = r.file;
	return rc == 0 ? 0 : ctx_fail(err, e.code, "%s: %s", path, e.text);
}
