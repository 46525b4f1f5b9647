/* SPDX-License-Identifier: MIT */
/* Convert MessagePack to JSON; see msgpack.h. */
#include "store/port/msgpack.h"

#include <math.h>
#include <string.h>

#include "base/base64.h"
#include "base/utf8.h"
#include "read/span.h"

#define DEPTH_MAX	200
#define KEYS_MAX	4	/* each key in a key doubles the escapes */

/*
 * Extensions of langgraph.checkpoint.serde: an object is given by its
 * constructor.
 */
enum { EXT_ARG = 0, EXT_ARGS = 1, EXT_KWARGS = 2, EXT_METHOD = 3,
    EXT_PYDANTIC_V1 = 4, EXT_PYDANTIC_V2 = 5, EXT_NUMPY = 6 };

struct unpack {
	const unsigned char *p, *end;
	struct ctx_buf *out;
	struct ctx_err *err;
	int keys;		/* what is read is in so many keys */
};

static int	value(struct unpack *u, int depth);

static int
bad(struct unpack *u)
{
	return ctx_fail(u->err, CTX_EINPUT, "not MessagePack");
}

/* Read n bytes, big-endian. */
static int
number(struct unpack *u, int n, uint64_t *v)
{
	*v = 0;
	if (u->end - u->p < n)
		return bad(u);
	for (; n > 0; n--)
		*v = *v << 8 | *u->p++;
	return 0;
}

static int
bytes(struct unpack *u, uint64_t n, const char **p)
{
	*p = NULL;
	if ((uint64_t)(u->end - u->p) < n)
		return bad(u);
	*p = (const char *)u->p;
	u->p += n;
	return 0;
}

static int
text(struct unpack *u, uint64_t n)
{
	const char *p;

	if (bytes(u, n, &p) == -1)
		return -1;
	if (ctx_utf8_check(p, n) != n)
		return ctx_fail(u->err, CTX_EINPUT,
		    "a text in MessagePack is not UTF-8");
	ctx_buf_addc(u->out, '"');
	if (ctx_str_encode(u->out, p, n) == -1)
		u->out->failed = 1;
	ctx_buf_addc(u->out, '"');
	return 0;
}

static int
binary(struct unpack *u, uint64_t n)
{
	const char *p;

	if (bytes(u, n, &p) == -1)
		return -1;
	ctx_buf_addc(u->out, '"');
	ctx_base64_encode(u->out, p, n);
	ctx_buf_addc(u->out, '"');
	return 0;
}

static int
list(struct unpack *u, uint64_t n, int depth)
{
	uint64_t i;

	ctx_buf_addc(u->out, '[');
	for (i = 0; i < n; i++) {
		if (i > 0)
			ctx_buf_addc(u->out, ',');
		if (value(u, depth) == -1)
			return -1;
	}
	ctx_buf_addc(u->out, ']');
	return 0;
}

/* Keys that are not strings are quoted. */
static int
key(struct unpack *u, int depth)
{
	size_t start = u->out->len;
	struct ctx_buf copy = { 0 };
	int rc;

	if (u->keys == KEYS_MAX)
		return ctx_fail(u->err, CTX_EINPUT,
		    "keys in MessagePack are nested deeper than %d", KEYS_MAX);
	u->keys++;
	rc = value(u, depth);
	u->keys--;
	if (rc == -1)
		return -1;
	if (u->out->failed || u->out->data[start] == '"')
		return 0;
	ctx_buf_add(&copy, u->out->data + start, u->out->len - start);
	u->out->len = start;
	ctx_buf_addc(u->out, '"');
	if (copy.failed || ctx_str_encode(u->out, copy.data, copy.len) == -1)
		u->out->failed = 1;
	ctx_buf_addc(u->out, '"');
	ctx_buf_done(&copy);
	return 0;
}

static int
map(struct unpack *u, uint64_t n, int depth)
{
	uint64_t i;

	ctx_buf_addc(u->out, '{');
	for (i = 0; i < n; i++) {
		if (i > 0)
			ctx_buf_addc(u->out, ',');
		if (key(u, depth) == -1)
			return -1;
		ctx_buf_addc(u->out, ':');
		if (value(u, depth) == -1)
			return -1;
	}
	ctx_buf_addc(u->out, '}');
	return 0;
}

/* [module, class, arguments, ...]: convert the arguments. */
static int
object(struct unpack *u, const char *p, uint64_t n, int depth)
{
	struct ctx_buf skip = { 0 };
	struct unpack in = { (const unsigned char *)p,
	    (const unsigned char *)p + n, &skip, u->err, u->keys };
	int rc;

	if (n == 0 || (*p & 0xf0) != 0x90 || (*p & 0x0f) < 3)
		return bad(u);
	in.p++;
	rc = value(&in, depth) == -1 || value(&in, depth) == -1 ? -1 : 0;
	ctx_buf_done(&skip);
	in.out = u->out;
	return rc == -1 ? -1 : value(&in, depth);
}

static int
extension(struct unpack *u, uint64_t n, int depth)
{
	uint64_t type;
	const char *p;

	if (number(u, 1, &type) == -1)
		return -1;
	if (type > EXT_PYDANTIC_V2) {
		ctx_buf_addf(u->out, "{\"ext\":%u,\"data\":", (unsigned)type);
		if (binary(u, n) == -1)
			return -1;
		ctx_buf_addc(u->out, '}');
		return 0;
	}
	return bytes(u, n, &p) == -1 ? -1 : object(u, p, n, depth);
}

static int
real(struct unpack *u, int size)
{
	uint64_t v;
	uint32_t v32;
	double d;
	float f;

	if (number(u, size, &v) == -1)
		return -1;
	if (size == 4) {
		v32 = (uint32_t)v;
		memcpy(&f, &v32, sizeof(f));
		d = (double)f;
	} else
		memcpy(&d, &v, sizeof(d));
	/* JSON cannot represent NaN and infinities. */
	return isfinite(d) ? ctx_buf_addf(u->out, "%.17g", d) :
	    ctx_buf_adds(u->out, "null");
}

static int
integer(struct unpack *u, int size, int negative)
{
	uint64_t v;

	if (number(u, size, &v) == -1)
		return -1;
	if (!negative)
		return ctx_buf_addf(u->out, "%llu", (unsigned long long)v);
	return ctx_buf_addf(u->out, "%lld", (long long)(size == 1 ?
	    (int8_t)v : size == 2 ? (int16_t)v : size == 4 ? (int32_t)v :
	    (int64_t)v));
}

static int
sized(struct unpack *u, int width, int (*fn)(struct unpack *, uint64_t))
{
	uint64_t n;

	return number(u, width, &n) == -1 ? -1 : fn(u, n);
}

static int
sized_deep(struct unpack *u, int width, int depth,
    int (*fn)(struct unpack *, uint64_t, int))
{
	uint64_t n;

	return number(u, width, &n) == -1 ? -1 : fn(u, n, depth);
}

/* Convert a value whose first byte, c, has only its type. */
static int
typed(struct unpack *u, unsigned char c, int depth)
{
	switch (c) {
	case 0xc0:
		return ctx_buf_adds(u->out, "null");
	case 0xc2:
		return ctx_buf_adds(u->out, "false");
	case 0xc3:
		return ctx_buf_adds(u->out, "true");
	case 0xc4: case 0xc5: case 0xc6:
		return sized(u, 1 << (c - 0xc4), binary);
	case 0xc7: case 0xc8: case 0xc9:
		return sized_deep(u, 1 << (c - 0xc7), depth, extension);
	case 0xca:
		return real(u, 4);
	case 0xcb:
		return real(u, 8);
	case 0xcc: case 0xcd: case 0xce: case 0xcf:
		return integer(u, 1 << (c - 0xcc), 0);
	case 0xd0: case 0xd1: case 0xd2: case 0xd3:
		return integer(u, 1 << (c - 0xd0), 1);
	case 0xd4: case 0xd5: case 0xd6: case 0xd7: case 0xd8:
		return extension(u, UINT64_C(1) << (c - 0xd4), depth);
	case 0xd9: case 0xda: case 0xdb:
		return sized(u, 1 << (c - 0xd9), text);
	case 0xdc: case 0xdd:
		return sized_deep(u, 2 << (c - 0xdc), depth, list);
	case 0xde: case 0xdf:
		return sized_deep(u, 2 << (c - 0xde), depth, map);
	default:
		return bad(u);
	}
}

static int
value(struct unpack *u, int depth)
{
	unsigned char c;

	if (u->p == u->end)
		return bad(u);
	if (depth == DEPTH_MAX)
		return ctx_fail(u->err, CTX_EINPUT,
		    "MessagePack is nested deeper than %d", DEPTH_MAX);
	c = *u->p++;
	depth++;
	if (c < 0x80)
		return ctx_buf_addf(u->out, "%u", c);
	if (c >= 0xe0)
		return ctx_buf_addf(u->out, "%d", (int8_t)c);
	if (c < 0x90)
		return map(u, c & 0x0f, depth);
	if (c < 0xa0)
		return list(u, c & 0x0f, depth);
	if (c < 0xc0)
		return text(u, c & 0x1f);
	return typed(u, c, depth);
}

int
ctx_msgpack_json(const unsigned char *p, size_t len, struct ctx_buf *out,
    struct ctx_err *err)
{
	struct unpack u = { p, p + len, out, err, 0 };

	if (value(&u, 0) == -1)
		return -1;
	if (u.p != u.end)
		return bad(&u);
	return ctx_buf_fail(out, err);
}
