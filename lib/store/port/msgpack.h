/* SPDX-License-Identifier: MIT */
/*
 * Convert MessagePack, as LangGraph for Python writes its checkpoints, to
 * JSON.  An extension that holds an object of a class (module, name,
 * arguments) becomes its arguments; bytes become base64 text.
 */
#ifndef CTX_STORE_PORT_MSGPACK_H
#define CTX_STORE_PORT_MSGPACK_H

#include "base/buf.h"

/*
 * Append p[0 .. len) as JSON to out.  Returns 0, or -1 with CTX_EINPUT
 * (truncated, malformed, or values or keys are nested too deeply) or
 * CTX_ENOMEM.
 */
int	ctx_msgpack_json(const unsigned char *p, size_t len,
	    struct ctx_buf *out, struct ctx_err *err);

#endif
