/* SPDX-License-Identifier: MIT */
/* protobuf.dev, "Encoding". */
#include "token/proto.h"

#include <string.h>

/* Read a number in units of 7 bits; 0 if it does not end. */
static int
varint(struct ctx_proto *m, uint64_t *n)
{
	unsigned shift;

	*n = 0;
	for (shift = 0; shift < 64 && m->p < m->end; shift += 7) {
		*n |= (uint64_t)(*m->p & 0x7f) << shift;
		if (!(*m->p++ & 0x80))
			return 1;
	}
	return 0;
}

/* Read a number of so many bytes, the lowest first. */
static int
fixed(struct ctx_proto *m, unsigned bytes, uint64_t *n)
{
	unsigned i;

	if ((size_t)(m->end - m->p) < bytes)
		return 0;
	*n = 0;
	for (i = 0; i < bytes; i++)
		*n |= (uint64_t)*m->p++ << 8 * i;
	return 1;
}

static int
bytes(struct ctx_proto *m, struct ctx_proto_field *f)
{
	uint64_t n;

	if (!varint(m, &n) || n > (uint64_t)(m->end - m->p))
		return 0;
	f->data = m->p;
	f->len = (size_t)n;
	m->p += n;
	return 1;
}

int
ctx_proto_next(struct ctx_proto *m, struct ctx_proto_field *f)
{
	uint64_t key;
	int ok;

	memset(f, 0, sizeof(*f));
	if (m->p == m->end || m->bad)
		return 0;
	ok = varint(m, &key) && key >> 3 != 0 && key >> 3 < 1u << 29;
	f->number = (uint32_t)(key >> 3);
	switch (ok ? key & 7 : 7) {
	case 0:
		ok = varint(m, &f->value);
		break;
	case 1:
		ok = fixed(m, 8, &f->value);
		break;
	case 2:
		ok = bytes(m, f);
		break;
	case 5:
		ok = fixed(m, 4, &f->value);
		break;
	default:		/* groups are of the past */
		ok = 0;
	}
	m->bad = !ok;
	return ok;
}

float
ctx_proto_float(const struct ctx_proto_field *f)
{
	uint32_t bits = (uint32_t)f->value;
	float x;

	memcpy(&x, &bits, sizeof(x));
	return x;
}
