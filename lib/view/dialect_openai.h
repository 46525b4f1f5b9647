/* SPDX-License-Identifier: MIT */
/*
 * What servers that speak OpenAI's dialect with members of their own share with
 * it.  OpenAI's view reads these members too, so that nothing is lost where no
 * message says whose a history is.
 */
#ifndef CTX_VIEW_DIALECT_OPENAI_H
#define CTX_VIEW_DIALECT_OPENAI_H

#include "view/dialect.h"

/* Whose mark a message has that only one of them knows. */
enum ctx_openai_mark {
	CTX_OPENAI_PLAIN,	/* none */
	CTX_OPENAI_COHERE,	/* tool_plan, or a part with a document */
	CTX_OPENAI_OLLAMA,	/* thinking or images beside the content, or a
				   tool_name */
	CTX_OPENAI_MISTRAL	/* a part with a list of thinking, or a
				   document_url */
};

/* How a message matches the dialect with that mark. */
enum ctx_match ctx_dialect_openai_match(const struct ctx_shape *s,
	    const struct ctx_doc *doc, enum ctx_openai_mark own);
int	ctx_dialect_openai_view(struct ctx_convo *c, const struct ctx_doc *doc,
	    const struct ctx_shape *s, struct ctx_err *err) CTX_CHECKED;
/*
 * Add an answer that was spoken, member audio of object list: the sound, or its id, and
 * what it says.  Returns 0, or -1 if out of memory.
 */
int	ctx_dialect_openai_audio(struct ctx_convo *c, const struct ctx_doc *doc,
	    uint32_t list, uint32_t audio) CTX_CHECKED;
int	ctx_dialect_openai_emit(struct ctx_buf *out,
	    const struct ctx_new *what);

#endif
