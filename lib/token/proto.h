/* SPDX-License-Identifier: MIT */
/* Protocol buffers: the fields of a message, one after the other. */
#ifndef CTX_TOKEN_PROTO_H
#define CTX_TOKEN_PROTO_H

#include <stddef.h>
#include <stdint.h>

/* The rest of a message. */
struct ctx_proto {
	const uint8_t *p;
	const uint8_t *end;
	int bad;		/* it is not one */
};

struct ctx_proto_field {
	uint32_t number;
	uint64_t value;		/* a number, or the bits of one */
	const uint8_t *data;	/* NULL unless it is a string or a message */
	size_t len;
};

/* Read the next field; 0 at the end, or where the message is damaged. */
int	ctx_proto_next(struct ctx_proto *m, struct ctx_proto_field *f);

/* A field of the type float. */
float	ctx_proto_float(const struct ctx_proto_field *f);

#endif
