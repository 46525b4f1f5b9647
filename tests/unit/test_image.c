/* SPDX-License-Identifier: MIT */
/* Sizes from headers made by hand; costs from the providers' pages. */
#include "check.h"
#include "token/image.h"

static const struct {
	const char *name;
	const char *data;
	size_t len;
	uint32_t width, height;	/* 0: unknown */
} heads[] = {
	{ "png", "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\4\0\0\0\3\0", 24, 1024,
	    768 },
	{ "gif", "GIF89a\x40\1\xf0\0", 10, 320, 240 },
	{ "jpeg", "\xff\xd8\xff\xe0\0\4ab\xff\xc2\0\x11\x08\1\xe0\2\x80\3", 19,
	    640, 480 },
	{ "jpeg with a table first", "\xff\xd8\xff\xc4\0\4ab\xff\xff\xc0\0\x11"
	    "\x08\0\1\0\2\3", 20, 2, 1 },
	{ "webp lossy", "RIFF\0\0\0\0WEBPVP8 \0\0\0\0\0\0\0\x9d\1\x2a\x20\3"
	    "\x58\2", 30, 800, 600 },
	{ "webp lossless", "RIFF\0\0\0\0WEBPVP8L\0\0\0\0\x2f\xff\xc0\x31\0\0"
	    "\0\0\0\0", 30, 256, 200 },
	{ "webp extended", "RIFF\0\0\0\0WEBPVP8X\0\0\0\0\0\0\0\0\x9f\1\0\x2b"
	    "\1\0", 30, 416, 300 },
	{ "cut", "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0", 18, 0, 0 },
	{ "empty", "", 0, 0, 0 },
	{ "text", "hello, this is no image at all", 30, 0, 0 },
	{ "jpeg without frame", "\xff\xd8\xff\xe0\0\0ab\xff\xc2\0\x11", 12, 0,
	    0 },
	{ "no pixels", "GIF89a\0\0\xf0\0", 10, 0, 0 },
};

static void
test_size(void)
{
	struct ctx_pixels s;
	size_t i;
	int rc;

	for (i = 0; i < sizeof(heads) / sizeof(*heads); i++) {
		rc = ctx_pixels_read(heads[i].data, heads[i].len, &s);
		if (!CHECK_INT(rc, heads[i].width == 0 ? -1 : 0)) {
			fprintf(stderr, "%s\n", heads[i].name);
			continue;
		}
		if (rc == 0) {
			CHECK_INT(s.width, heads[i].width);
			CHECK_INT(s.height, heads[i].height);
		}
	}
	CHECK_INT(ctx_pixels_base64("R0lGODlhQAHw\r\nAA==", 18, &s), 0);
	CHECK_INT(s.width, 320);
	CHECK_INT(s.height, 240);
	CHECK_INT(ctx_pixels_base64("aGVsbG8=", 8, &s), -1);
}

static void
test_tokens(void)
{
	static const struct {
		const char *provider, *model;
		uint32_t width, height;
		int low;
		unsigned tokens;
	} t[] = {
		/* OpenAI's examples. */
		{ "openai", "gpt-4o", 1024, 1024, 0, 765 },
		{ "openai", "gpt-4o", 2048, 4096, 0, 1105 },
		{ "openai", "gpt-4o", 4096, 8192, 1, 85 },
		{ "openai", "gpt-4o", 0, 0, 0, 765 },
		{ "openai", "openai/gpt-5", 1024, 1024, 0, 630 },
		{ "openai", "o4-mini", 1024, 1024, 0, 1762 },
		{ "openai", "gpt-4.1-mini", 1800, 2400, 0, 2353 },
		{ "openai", "gpt-4o-mini", 512, 512, 0, 8500 },
		/* Anthropic's table, and its other examples. */
		{ "anthropic", "claude-sonnet-4-6", 200, 200, 0, 64 },
		{ "anthropic", "claude-sonnet-4-6", 1000, 1000, 0, 1296 },
		{ "anthropic", "claude-sonnet-4-6", 1920, 1080, 0, 1560 },
		{ "anthropic", "claude-sonnet-4-6", 3840, 2160, 0, 1560 },
		{ "anthropic", "claude-opus-4-7", 200, 200, 0, 64 },
		{ "anthropic", "claude-opus-4-8", 1000, 1000, 0, 1296 },
		{ "anthropic", "claude-opus-5", 1920, 1080, 0, 2691 },
		{ "anthropic", "claude-sonnet-5", 3840, 2160, 0, 4784 },
		{ "anthropic", "claude", 3840, 2160, 0, 4784 },
		/* 924 x 1307, which is 33 by 47 patches */
		{ "anthropic", "claude-3-5-sonnet-20241022", 1075, 1520, 0,
		    1551 },
		{ "anthropic", "us.anthropic.claude-opus-4-20250514-v1:0",
		    1075, 1520, 0, 1551 },
		/* 1932 x 1932 */
		{ "anthropic", "claude-opus-4.7", 4000, 4000, 0, 4761 },
		/* 1270 x 952: a half is rounded to the even number */
		{ "anthropic", "claude-haiku-4-5", 4032, 3024, 0, 1564 },
		{ "anthropic", "claude-haiku-4-5", 100000, 1, 0, 56 },
		/* Google's examples. */
		{ "google", "gemini-2.5-pro", 384, 384, 0, 258 },
		{ "google", "gemini-2.5-pro", 960, 540, 0, 1548 },
	};
	struct ctx_pixels s;
	size_t i;

	for (i = 0; i < sizeof(t) / sizeof(*t); i++) {
		s.width = t[i].width;
		s.height = t[i].height;
		CHECK_INT(ctx_image_tokens(t[i].provider, t[i].model, s,
		    t[i].low), t[i].tokens);
	}
}

int
main(void)
{
	RUN(test_size());
	RUN(test_tokens());
	return CHECK_DONE("image");
}
