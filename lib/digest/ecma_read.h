/* SPDX-License-Identifier: MIT */
/*
 * Reading a script token by token, for the sources of ecma.h.  Places are
 * indexes of tokens; a function that reads something takes where it begins,
 * and the end of what it is in, and returns the place after it.
 *
 * Names: ecma.
 */
#ifndef CTX_DIGEST_ECMA_READ_H
#define CTX_DIGEST_ECMA_READ_H

#include "digest/ecma_impl.h"

struct ecma {
	const struct ctx_ecma *tokens;
	const char *src;
	struct ctx_names *names;
	size_t budget;		/* tokens that may yet be read of types */
	int quiet;		/* reading ahead: names are not added */
	int depth;
	int failed;		/* out of memory */
};

/* The kind of a token; a space past the last one. */
static inline int
ecma_kind(const struct ecma *e, size_t i)
{
	return i < e->tokens->n ? e->tokens->token[i].kind : ' ';
}

static inline uint32_t
ecma_line(const struct ecma *e, size_t i)
{
	return e->tokens->token[i].line;
}

/* Is token i one of the words in " a b c "? */
static inline int
ecma_word(const struct ecma *e, size_t i, const char *words)
{
	return i < e->tokens->n &&
	    ctx_ecma_among(e->src, &e->tokens->token[i], words);
}

/* May a value begin at i, so that what was before it needs one? */
static inline int
ecma_value_stands(const struct ecma *e, size_t i)
{
	return ctx_ecma_value_may_stand(e->tokens, e->src, i, 0);
}

static inline size_t
ecma_min(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* The place of the bracket that closes the one at i, at most end. */
static inline size_t
ecma_close(const struct ecma *e, size_t i, size_t end)
{
	return ecma_min(e->tokens->token[i].match, end);
}

/* One level deeper; 0 if that is too deep.  Each needs ecma_leave. */
static inline int
ecma_enter(struct ecma *e)
{
	if (e->depth >= ECMA_LEVELS)
		return 0;
	e->depth++;
	return 1;
}

static inline void
ecma_leave(struct ecma *e)
{
	e->depth--;
}

/* In ecma.c: parameters in (...), and members in {...}. */
size_t	ctx_ecma_parameters(struct ecma *e, size_t open, size_t end);
size_t	ctx_ecma_members(struct ecma *e, size_t open, size_t end,
	    int is_type);

/*
 * In ecma_type.c.  ctx_ecma_add: token i is the name of something.
 */
void	ctx_ecma_add(struct ecma *e, enum ctx_list list, size_t i);
size_t	ctx_ecma_type(struct ecma *e, size_t i, size_t end);
/* <...>, at its sign; 0 if that is something else. */
size_t	ctx_ecma_angle(struct ecma *e, size_t i, size_t end);
/* Is the type at i that of a function? */
int	ctx_ecma_is_function_type(struct ecma *e, size_t i, size_t end);
/* Is the value at i a function (1) or a class (2), and nothing more? */
int	ctx_ecma_value(struct ecma *e, size_t i, size_t end);

#endif
