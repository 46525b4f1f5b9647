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
		enum ctx_detail detail;
		unsigned tokens;
	} t[] = {
		/* OpenAI's examples. */
		{ "openai", "gpt-4o", 1024, 1024, 0, 765 },
		{ "openai", "gpt-4o", 2048, 4096, 0, 1105 },
		{ "openai", "gpt-4o", 4096, 8192, CTX_DETAIL_LOW, 85 },
		{ "openai", "gpt-4o", 0, 0, 0, 765 },
		{ "openai", "openai/gpt-5", 1024, 1024, 0, 630 },
		{ "openai", "o4-mini", 1024, 1024, 0, 1762 },
		{ "openai", "gpt-4.1-mini", 1800, 2400, 0, 2353 },
		{ "openai", "gpt-4o-mini", 512, 512, 0, 8500 },
		{ "mistral", "pixtral", 1024, 1024, 0, 765 },
		{ "openai", "gpt-4.1", 1024, 1024, 0, 765 },
		{ "openai", "o3-pro", 1024, 1024, 0, 675 },
		{ "openai", "gpt-5.1", 1024, 1024, 0, 630 },
		{ "openai", "gpt-5.4-nano", 512, 512, 0, 630 },
		/* 512 x 512 are 256 patches; 16 x 16 of a larger one */
		{ "openai", "gpt-5.5", 4032, 4032, CTX_DETAIL_LOW, 308 },
		/* measured on GPT-5.5 and GPT-6 */
		{ "openai", "gpt-5.5", 256, 256, 0, 77 },
		{ "openai", "gpt-5.5", 1280, 720, 0, 1104 },
		{ "openai", "gpt-5.5", 2560, 1440, 0, 4320 },
		{ "openai", "gpt-5.5", 3840, 2160, 0, 9792 },
		{ "openai", "gpt-5.5", 4032, 3024, 0, 11868 },
		{ "openai", "gpt-6-astra", 768, 768, 0, 692 },
		{ "openai", "gpt-6-astra", 1920, 1080, 0, 2448 },
		{ "openai", "gpt-6-astra", 4032, 3024, 0, 14364 },
		{ "openai", "gpt-6-astra", 2560, 1440, CTX_DETAIL_HIGH, 2931 },
		{ "openai", "gpt-6-astra", 4032, 3024, CTX_DETAIL_HIGH, 2942 },
		{ "openai", "gpt-5.4", 4032, 3024, 0, 2942 },
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
		{ "anthropic", "claude-4-sonnet-20250514", 1075, 1520, 0,
		    1551 },
		{ "anthropic", "claude-v2:1", 1075, 1520, 0, 1551 },
		/* 1932 x 1932 */
		{ "anthropic", "claude-opus-4.7", 4000, 4000, 0, 4761 },
		/* 1270 x 952: a half is rounded to the even number */
		{ "anthropic", "claude-haiku-4-5", 4032, 3024, 0, 1564 },
		{ "anthropic", "claude-haiku-4-5", 100000, 1, 0, 56 },
		/* Google's examples. */
		{ "google", "gemini-2.5-pro", 384, 384, 0, 258 },
		{ "google", "gemini-2.5-pro", 960, 540, 0, 1548 },
		{ "google", "gemini-3-flash", 960, 540, 0, 1120 },
		{ "google", "gemini-3-flash", 9, 9, CTX_DETAIL_LOW, 280 },
		{ "google", "gemini-4-argon", 9, 9, CTX_DETAIL_MEDIUM, 560 },
		{ "google", "gemini-4-argon", 9, 9, CTX_DETAIL_ORIGINAL,
		    2240 },
	};
	struct ctx_pixels s;
	size_t i;

	for (i = 0; i < sizeof(t) / sizeof(*t); i++) {
		s.width = t[i].width;
		s.height = t[i].height;
		if (!CHECK_INT(ctx_image_tokens(ctx_image_rule(t[i].provider,
		    t[i].model), s, t[i].detail), t[i].tokens))
			fprintf(stderr, "%s\n", t[i].model);
	}
}

/* Rules that a user writes. */
static void
test_parse(void)
{
	static const struct {
		const char *text;
		enum ctx_detail detail;
		unsigned tokens;	/* of 1024 x 1024; 0: not a rule */
	} t[] = {
		{ "tiles:10,20", 0, 10 + 4 * 20 },
		{ "tiles:10,20", CTX_DETAIL_LOW, 10 },
		{ "patches:150", 0, 1536 }, { "patches:100,256", 0, 256 },
		{ "patches:100,0,64,256,256,0", CTX_DETAIL_LOW, 64 },
		{ "patches:100,0,64,256,256,0", CTX_DETAIL_ORIGINAL, 1024 },
		{ "grid:1568,1568", 0, 1369 }, { "grid:280,1000", 0, 100 },
		{ "crops:100", 0, 400 }, { "fixed:77", CTX_DETAIL_HIGH, 77 },
		{ "fixed:1,2,3,4,5", CTX_DETAIL_HIGH, 4 },
		{ "", 0, 0 }, { "tiles", 0, 0 }, { "tiles:", 0, 0 },
		{ "tiles:1", 0, 0 }, { "tiles:1,2,3", 0, 0 },
		{ "tiles:1,", 0, 0 }, { "tiles:-1,2", 0, 0 },
		{ "tiles:1,2x", 0, 0 }, { "patches:1,2,3", 0, 0 },
		{ "patches:1,2,3,4,5,6,7", 0, 0 }, { "fixed:1,2", 0, 0 },
		{ "crops:9999999", 0, 0 }, { "circles:1", 0, 0 },
	};
	struct ctx_pixels s = { 1024, 1024 };
	struct ctx_image_rule rule;
	struct ctx_err err;
	size_t i;

	for (i = 0; i < sizeof(t) / sizeof(*t); i++) {
		ctx_err_clear(&err);
		CHECK_INT(ctx_image_parse(t[i].text, &rule, &err),
		    t[i].tokens == 0 ? -1 : 0);
		if (t[i].tokens == 0)
			CHECK_INT(err.code, CTX_EUSAGE);
		else if (!CHECK_INT(ctx_image_tokens(&rule, s, t[i].detail),
		    t[i].tokens))
			fprintf(stderr, "%s\n", t[i].text);
	}
}

int
main(void)
{
	RUN(test_size());
	RUN(test_tokens());
	RUN(test_parse());
	return CHECK_DONE("image");
}
