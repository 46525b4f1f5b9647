/* SPDX-License-Identifier: MIT */
/*
 * Put parts into a zip file and digest it as a document, which the first letter
 * selects.  A line that begins with "== " names the part that follows it; one
 * whose name ends with "*" is compressed.  The digest is one line of UTF-8.
 */
#include "fuzz.h"

#include <zlib.h>

#include "base/utf8.h"
#include "digest/digest_line.h"

#define PARTS	64

static const char *const names[] = { "x.xlsx", "x.docx", "x.pptx", "x.odt",
    "x.ods", "x.odp", "x.epub", "x.zip", "x.jar", "x" };

struct zip {
	struct ctx_buf out, directory;
	unsigned n;
};

static void
put(struct ctx_buf *b, uint32_t v, int bytes)
{
	for (; bytes > 0; bytes--, v >>= 8)
		ctx_buf_addc(b, (char)(v & 0xff));
}

/* Compress, without a header. */
static void
deflated(const char *p, size_t len, struct ctx_buf *out)
{
	z_stream z = { 0 };

	MUST(deflateInit2(&z, 1, Z_DEFLATED, -15, 8, 0) == Z_OK);
	MUST(ctx_buf_reserve(out, deflateBound(&z, len) + 1) == 0);
	z.next_in = (Bytef *)(uintptr_t)p;
	z.avail_in = (uInt)len;
	z.next_out = (Bytef *)out->data;
	z.avail_out = (uInt)out->cap;
	MUST(deflate(&z, Z_FINISH) == Z_STREAM_END);
	out->len = z.total_out;
	deflateEnd(&z);
}

/* What the header of a part and the directory have in common. */
static void
put_head(struct ctx_buf *b, int packed, size_t size, size_t len, size_t name)
{
	put(b, 20, 2);
	put(b, 0, 2);
	put(b, packed ? 8 : 0, 2);
	put(b, 0, 4);
	put(b, 0, 4);
	put(b, (uint32_t)size, 4);
	put(b, (uint32_t)len, 4);
	put(b, (uint32_t)name, 2);
	put(b, 0, 2);
}

static void
add(struct zip *z, const char *name, size_t namelen, const char *p, size_t len)
{
	int packed = namelen > 0 && name[namelen - 1] == '*';
	struct ctx_buf text = { 0 };
	size_t off = z->out.len;

	namelen -= (size_t)packed;
	if (packed)
		deflated(p, len, &text);
	else
		ctx_buf_add(&text, p, len);
	put(&z->out, 0x04034b50, 4);
	put_head(&z->out, packed, text.len, len, namelen);
	ctx_buf_add(&z->out, name, namelen);
	ctx_buf_add(&z->out, text.data, text.len);
	put(&z->directory, 0x02014b50, 4);
	put(&z->directory, 20, 2);
	put_head(&z->directory, packed, text.len, len, namelen);
	put(&z->directory, 0, 10);
	put(&z->directory, (uint32_t)off, 4);
	ctx_buf_add(&z->directory, name, namelen);
	z->n++;
	ctx_buf_done(&text);
}

static void
finish(struct zip *z)
{
	size_t off = z->out.len;

	ctx_buf_add(&z->out, z->directory.data, z->directory.len);
	put(&z->out, 0x06054b50, 4);
	put(&z->out, 0, 4);
	put(&z->out, z->n, 2);
	put(&z->out, z->n, 2);
	put(&z->out, (uint32_t)z->directory.len, 4);
	put(&z->out, (uint32_t)off, 4);
	put(&z->out, 0, 2);
	MUST(!z->out.failed && !z->directory.failed);
}

/* The end of the part that begins at p: the next line that names one. */
static const char *
part_end(const char *p, const char *end)
{
	const char *at;

	if (end - p >= 3 && memcmp(p, "== ", 3) == 0)
		return p;
	at = memmem(p, (size_t)(end - p), "\n== ", 4);
	return at != NULL ? at + 1 : end;
}

static void
pack(struct zip *z, const char *p, const char *end)
{
	const char *name, *text;

	for (p = part_end(p, end); p < end && z->n < PARTS; p = text) {
		name = p + 3;
		text = memchr(name, '\n', (size_t)(end - name));
		if (text == NULL || text - name > 200)
			break;
		p = text + 1;
		text = part_end(p, end);
		add(z, name, (size_t)(p - 1 - name), p, (size_t)(text - p));
	}
	finish(z);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	static struct ctx_digest d;
	struct ctx_digest_opts o = { 0 };
	struct ctx_buf out = { 0 };
	struct zip z = { 0 };
	const char *name;

	if (len < 2 || len > 1 << 20)
		return 0;
	name = names[(uint8_t)(data[0] - 'a') %
	    (sizeof(names) / sizeof(names[0]))];
	pack(&z, (const char *)data + 2, (const char *)data + len);
	MUST(ctx_digest_make(&d, name, z.out.data, z.out.len, &o, NULL) == 0);
	MUST(ctx_digest_line(&d, CTX_EN, 0, &out) == 0);
	MUST(ctx_utf8_check(out.data, out.len) == out.len);
	MUST(memchr(out.data, '\n', out.len) == NULL);
	ctx_buf_reset(&out);
	MUST(ctx_digest_json(&d, &out) == 0);
	MUST(ctx_utf8_check(out.data, out.len) == out.len);
	ctx_buf_done(&out);
	ctx_buf_done(&z.out);
	ctx_buf_done(&z.directory);
	return 0;
}
