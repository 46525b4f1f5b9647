/* SPDX-License-Identifier: MIT */
#include <string.h>
#include <zlib.h>

#include "digest/inflate.h"

#define CHUNK	((size_t)64 << 10)

int
ctx_inflate(struct ctx_buf *out, const char *in, size_t len,
    enum ctx_deflated form, size_t max)
{
	static const int bits[] = { -15, 15, 31 };
	z_stream z;
	size_t n, room;
	int rc = Z_OK, all = 1;

	memset(&z, 0, sizeof(z));
	if (inflateInit2(&z, bits[form]) != Z_OK)
		return -1;
	z.next_in = (Bytef *)(uintptr_t)in;
	while (rc == Z_OK) {
		/* avail_in is narrower than size_t */
		if (z.avail_in == 0) {
			n = len > CHUNK ? CHUNK : len;
			z.avail_in = (uInt)n;
			len -= n;
		}
		/* one byte more tells whether there is more */
		room = max < CHUNK ? max + 1 : CHUNK;
		if (ctx_buf_reserve(out, room) == -1) {
			inflateEnd(&z);
			return -1;
		}
		z.next_out = (Bytef *)out->data + out->len;
		z.avail_out = (uInt)room;
		rc = inflate(&z, Z_NO_FLUSH);
		n = room - z.avail_out;
		all = n <= max;
		n = all ? n : max;
		out->len += n;
		max -= n;
		if (!all)
			break;
		if (rc == Z_STREAM_END && form == CTX_DEFLATE_GZIP &&
		    z.avail_in + len > 0 && *z.next_in == 0x1f)
			rc = inflateReset(&z);
		else if (n == 0 && z.avail_in == 0 && len == 0)
			break;
	}
	inflateEnd(&z);
	return rc == Z_MEM_ERROR ? -1 : all && rc == Z_STREAM_END;
}
