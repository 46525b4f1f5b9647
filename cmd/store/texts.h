/* SPDX-License-Identifier: MIT */
/*
 * Texts of a stream, decoded, and patches of them that are put back into the
 * stream's bytes: what no patch touches stays as it was spelled.
 */
#ifndef CTX_CMD_STORE_TEXTS_H
#define CTX_CMD_STORE_TEXTS_H

#include "cli_stream.h"
#include "edit/edit.h"
#include "cmd/store/cmd.h"

struct store_texts {
	struct ctx_plan plan;
	struct ctx_edit edit;
	struct ctx_patch patch;		/* of the text in hand */
	struct ctx_buf text, raw;
	int only_read;			/* set by the caller: patches of texts
					   are not for the plan */
};

void	store_texts_done(struct store_texts *t);

/*
 * A stream command: the store is opened, the operands behind the thread, or
 * standard input, go through the stream.
 */
int	store_texts_stream(struct store *s, struct cli_stream *stream,
	    struct ctx_err *err);

/* What a text, or JSON in it, is to become: patches of p[0 .. len). */
typedef int store_text_fn(const char *p, size_t len, struct ctx_patch *patch,
	    void *arg, struct ctx_err *err);

/*
 * Hand the text of part i, decoded, to fn; what fn asks for goes into the plan,
 * unless texts are only read.
 */
int	store_texts_part(struct store_texts *t, const struct ctx_convo *c,
	    uint32_t i, store_text_fn *fn, void *arg, struct ctx_err *err);

/*
 * Append string contents raw[0 .. len), escaped, to out with patches of the
 * decoded text, whose own texts are not escaped.
 */
int	store_texts_apply(const struct ctx_patch *patch, const char *raw,
	    size_t len, struct ctx_buf *out, struct ctx_err *err);

/* Is message m in the same object as the one before it? */
int	store_texts_repeats(const struct ctx_convo *c, uint32_t m);

/* The plan is made: write the turn. */
int	store_texts_turn(struct store_texts *t, struct cli_stream *stream,
	    const struct ctx_convo *c, struct ctx_err *err);

/*
 * Members "code_blocks" of the objects in nodes [from .. to) of doc: fn gets
 * each element that is an object with a text "code", and that node.
 */
typedef int store_block_fn(const struct ctx_doc *doc, uint32_t block,
	    uint32_t code, void *arg, struct ctx_err *err);
int	store_texts_blocks(const struct ctx_doc *doc, uint32_t from,
	    uint32_t to, store_block_fn *fn, void *arg, struct ctx_err *err);

/* Is p[0 .. len) a JSON object?  1 with doc scanned, 0, -1 out of memory. */
int	store_texts_object(struct ctx_doc *doc, const char *p, size_t len,
	    struct ctx_err *err);

#endif
