/* SPDX-License-Identifier: MIT */
/* Durations, pages, and what files cost by their providers' rules. */
#include <string.h>

#include "base/duration.h"
#include "base/pages.h"
#include "check.h"
#include "token/mediacost.h"

#define SET(text) text, sizeof(text) - 1

/* 16000 bytes a second, and 8000 of them: half a second. */
#define WAV_HEAD "RIFF\x64\x1f\0\0WAVE" "fmt \x10\0\0\0\1\0\1\0\x40\x1f\0\0" \
	"\x80\x3e\0\0\2\0\x10\0"
#define MOOV(mvhd) "\0\0\0\x10" "ftypisom\0\0\0\0" "\0\0\0\x2c" "moov" mvhd
/* a timescale of 1000 and 2500 units */
#define MVHD "\0\0\0\x24" "mvhd\0\0\0\0" "\0\0\0\0\0\0\0\0" "\0\0\3\xe8" \
	"\0\0\x09\xc4" "\0\1\0\0\0\0\0\0"
/* MPEG 1, layer III, 128 kbit/s, 44100 Hz, stereo */
#define FRAME	"\xff\xfb\x90\0"
#define ZEROS8	"\0\0\0\0\0\0\0\0"
#define ZEROS32	ZEROS8 ZEROS8 ZEROS8 ZEROS8

static const struct {
	const char *name;
	const char *data;
	size_t len;
	long long ms;		/* -1: unknown */
} sounds[] = {
	/* the size in the header is more than there is: 16 bytes are 1 ms */
	{ "wav", SET(WAV_HEAD "data\x40\x1f\0\0" ZEROS32), 2 },
	{ "wav with another chunk", SET(WAV_HEAD "LIST\4\0\0\0abcd"
	    "data\x20\0\0\0" ZEROS32), 2 },
	{ "wav without data", SET(WAV_HEAD), -1 },
	{ "wav with a chunk that is too long",
	    SET(WAV_HEAD "LIST\xff\xff\xff\xff" "ab"), -1 },
	{ "wav without a format", SET("RIFF\0\0\0\0WAVE" "data\4\0\0\0abcd"),
	    -1 },
	/* 44100 Hz: 0x0ac44 << 12; 22050 samples */
	{ "flac", SET("fLaC\0\0\0\x22" "\x10\0\x10\0\0\0\0\0\0\0" "\x0a\xc4\x42"
	    "\xf0\0\0\x56\x22"), 500 },
	{ "flac, cut", SET("fLaC\0\0\0\x22\x10\0\x10\0"), -1 },
	/* 48000 a second after 312 to be skipped: 48312 - 312 */
	{ "opus", SET("OggS\0\2\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1\x13"
	    "OpusHead\1\1\x38\1\x80\xbb\0\0\0\0\0" "OggS\0\4\xb8\xbc\0\0\0\0"
	    "\0\0\0\0\0\0"), 1000 },
	{ "vorbis", SET("OggS\0\2\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1\x1e"
	    "\1vorbis\0\0\0\0\1\x40\x1f\0\0\0\0\0\0\0\0\0\0" "OggS\0\4\x40\x1f"
	    "\0\0\0\0\0\0\0\0\0\0\0\0"), 1000 },
	{ "mp4", SET(MOOV(MVHD)), 2500 },
	{ "mp4 without moov", SET("\0\0\0\x10" "ftypisom\0\0\0\0" "\0\0\0\x09"
	    "mdatx"), -1 },
	{ "mp4 with a box that is too long", SET("\0\0\0\x10"
	    "ftypisom\0\0\0\0" "\0\0\xff\0" "moovx"), -1 },
	/* 32 bytes at 16000 a second */
	{ "mp3", SET(FRAME "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
	    "\0\0\0"), 2 },
	{ "mp3 after ID3", SET("ID3\4\0\0\0\0\0\2" "xx" FRAME "\0\0\0\0\0\0\0\0"
	    "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"), 2 },
	/* 100 frames of 1152 at 44100: 2612 ms */
	{ "mp3 with the number of frames", SET(FRAME ZEROS32 "Xing\0\0\0\1"
	    "\0\0\0\x64"), 2612 },
	{ "id3 that is too long", SET("ID3\4\0\0\x7f\x7f\x7f\x7f" "xx"), -1 },
	{ "text", SET("This is no sound at all."), -1 },
	{ "empty", SET(""), -1 },
};

static void
test_duration(void)
{
	uint64_t ms;
	size_t i, cut;
	int rc;

	for (i = 0; i < sizeof(sounds) / sizeof(*sounds); i++) {
		ms = 0;
		rc = ctx_duration_read(sounds[i].data, sounds[i].len, &ms);
		if (!CHECK_INT(rc, sounds[i].ms == -1 ? -1 : 0) ||
		    !CHECK_INT(ms, sounds[i].ms == -1 ? 0 : sounds[i].ms))
			fprintf(stderr, "%s\n", sounds[i].name);
		for (cut = 0; cut < sounds[i].len; cut++)
			if (ctx_duration_read(sounds[i].data, cut, &ms) > 0)
				CHECK(0);
	}
}

#define PAGE	"3 0 obj<</Type /Page/Parent 2 0 R>>endobj "
#define LINEAR	"%PDF-1.5\n1 0 obj<</Linearized 1/L 999/H[ 1 2]/O 3/E 4/N 7" \
	"/T 5>>endobj\n"

static uint64_t
pages_in(const char *p, size_t len)
{
	struct ctx_pages pages = { 0 };

	ctx_pages_read(&pages, p, len);
	return ctx_pages_number(&pages);
}

static void
test_pages(void)
{
	CHECK_INT(pages_in(SET("%PDF-1.4 " PAGE PAGE "<</Type\n/Page>>")), 3);
	CHECK_INT(pages_in(SET("/Type /Page")), 1);
	CHECK_INT(pages_in(SET("/Type /Pages /Typ")), 0);
	CHECK_INT(pages_in(SET("/Type /Pages /Count")), 0);
	/* the last root counts; a page is written again when it is signed */
	CHECK_INT(pages_in(SET("%PDF-1.4 " PAGE PAGE
	    "<</Type/Pages/Count 2>>" PAGE)), 2);
	CHECK_INT(pages_in(SET("<</Type/Pages/Kids[3 0 R]/Count 3>>" PAGE
	    "<</Count -5/Next<</Count 6>>>> <</Count 12/Resources"
	    "<</A<</Count 9>>>>/Type/Pages/B<</Count 8>>>> <</Count 7>>"
	    "<</Count 4/Type/Pages/Parent 2 0 R>>")), 12);
	CHECK_INT(ctx_pages_stated(SET(LINEAR)), 7);
	CHECK_INT(ctx_pages_stated(SET("%PDF-1.5 /N 7")), 0);
	CHECK_INT(ctx_pages_stated(SET("/Linearized 1 /N")), 0);
	CHECK_INT(ctx_pages_stated(SET("")), 0);
}

/* A second of sound. */
#define SECOND	"OggS\0\2\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1\x13" \
	"OpusHead\1\1\0\0\x80\xbb\0\0\0\0\0" "OggS\0\4\x80\xbb\0\0\0\0" \
	"\0\0\0\0\0\0"
#define PDF	"%PDF-1.4 " PAGE PAGE

static const struct {
	const char *provider, *name, *type, *data;
	size_t len;
	enum ctx_detail detail;
	long long tokens;	/* -1: not counted */
} files[] = {
	{ "anthropic", "claude-sonnet-4-5", "application/pdf", SET(PDF), 0,
	    2 * 2368 },
	{ "anthropic", "claude-sonnet-4-5", NULL, SET(PDF), 0, 2 * 2368 },
	{ "anthropic", "claude-opus-5-5", "application/pdf", SET(LINEAR), 0,
	    7 * 2368 },
	/* 768 x 994 is 2 x 2 tiles */
	{ "openai", "gpt-4o", "application/pdf", SET(PDF), 0,
	    2 * (550 + 85 + 4 * 170) },
	/* 32 x 42 patches times 1.2 is 1612.8 */
	{ "openai", "gpt-5.5", "application/pdf", SET(PDF), 0,
	    2 * (550 + 1613) },
	{ "google", "gemini-2.5-pro", "application/pdf", SET(PDF), 0, 2 * 258 },
	{ "google", "gemini-3-pro-preview", "application/pdf", SET(PDF), 0,
	    2 * 560 },
	{ "google", "models/gemini-4-argon", NULL, SET(PDF), 0, 2 * 560 },
	{ "mistral", "mistral-large", "application/pdf", SET(PDF), 0, -1 },
	{ "openai", "gpt-4o", "application/pdf", SET("%PDF-1.5 /ObjStm"), 0,
	    -1 },
	{ "openai", "gpt-audio", "audio/ogg", SET(SECOND), 0, 10 },
	{ "openai", "gpt-audio", NULL, SET(SECOND), 0, 10 },
	{ "google", "gemini-2.0-flash", "audio/ogg", SET(SECOND), 0, 32 },
	{ "google", "gemini-3.5-flash", "audio/ogg", SET(SECOND), 0, 32 },
	{ "anthropic", "claude-opus-5", "audio/ogg", SET(SECOND), 0, -1 },
	/* 2.5 seconds */
	{ "google", "gemini-2.5-flash", "video/mp4", SET(MOOV(MVHD)), 0, 725 },
	{ "google", "gemini-2.5-flash", "video/mp4", SET(MOOV(MVHD)),
	    CTX_DETAIL_LOW, 245 },
	{ "google", "gemini-3-flash", NULL, SET(MOOV(MVHD)), 0, 255 },
	{ "openai", "gpt-5", "video/mp4", SET(MOOV(MVHD)), 0, -1 },
	{ "google", "gemini-2.5-flash", "audio/mp4", SET(MOOV(MVHD)), 0, 80 },
	{ "google", "gemini-2.5-flash", "video/webm", SET("\x1a\x45\xdf\xa3"),
	    0, -1 },
	{ "google", "gemini-2.5-flash", "application/zip", SET("PK"), 0, -1 },
	{ "google", "gemini-2.5-flash", "application/pdf", NULL, 0, 0, -1 },
	{ "google", "gemini-2.5-flash", "text/plain", SET("text"), 0, -1 },
};

static void
test_files(void)
{
	struct ctx_medium m;
	enum ctx_level level;
	uint64_t n;
	size_t i;

	for (i = 0; i < sizeof(files) / sizeof(*files); i++) {
		m = (struct ctx_medium){ files[i].type, files[i].type == NULL ?
		    0 : strlen(files[i].type), files[i].data, files[i].len,
		    files[i].detail };
		level = ctx_mediacost_tokens(&m, files[i].provider,
		    files[i].name, NULL, &n);
		if (!CHECK_INT(level, files[i].tokens == -1 ? CTX_NOT_COUNTED :
		    CTX_ESTIMATE) ||
		    !CHECK_INT(n, files[i].tokens == -1 ? 0 : files[i].tokens))
			fprintf(stderr, "file %d\n", (int)i);
	}
}

/* What a user's rule says counts instead, also for other providers. */
static void
test_rates(void)
{
	const struct ctx_rates rates = { 100, 7, 9 };
	struct ctx_medium m = { NULL, 0, SET(PDF), CTX_DETAIL_AUTO };
	uint64_t n;

	ctx_mediacost_tokens(&m, "openai", "gpt-4o", &rates, &n);
	CHECK_INT(n, 200);
	ctx_mediacost_tokens(&m, "user", "mine", &rates, &n);
	CHECK_INT(n, 200);
	m.data = SECOND;
	m.len = sizeof(SECOND) - 1;
	CHECK_INT(ctx_mediacost_tokens(&m, "anthropic", "claude", &rates, &n),
	    CTX_ESTIMATE);
	CHECK_INT(n, 7);
}

static void
test_text(void)
{
	struct ctx_medium m = { "text/csv", 8, "a,b", 3, CTX_DETAIL_AUTO };

	CHECK(ctx_mediacost_is_text(&m));
	m.data = PDF;		/* its data says more than its type */
	m.len = sizeof(PDF) - 1;
	CHECK(!ctx_mediacost_is_text(&m));
	m.type = NULL;
	m.data = "a,b";
	m.len = 3;
	CHECK(!ctx_mediacost_is_text(&m));
}

int
main(void)
{
	RUN(test_duration());
	RUN(test_pages());
	RUN(test_files());
	RUN(test_rates());
	RUN(test_text());
	return CHECK_DONE("mediacost");
}
