/* SPDX-License-Identifier: MIT */
/*
 * Sources.
 *
 * OpenAI: File inputs (the text and an image of each page); Managing costs of
 * the Realtime API (a token for 100 ms of a user's sound), 2026-11.
 * Anthropic: PDF support (the text, 1,500 to 3,000 tokens a page, and an image
 * of each page), 2026-07.
 * Google: Document, Audio and Video understanding, 2026-07 (258 a page; 32 a
 * second of sound; 258 a frame, 66 at low resolution, and a frame a second);
 * Media resolution, 2026-11 (Gemini 3 and 4: 560 a page, 70 a frame).
 *
 * Pages have been measured (Hugging Face, JOHNISKING/pdf-token-cost, 2026-10):
 * on Claude 4.5 and 5.5 a scanned page costs 1,592 and 1,600, one of text 2,098
 * to 2,481; on Gemini 3 a page 560; pasted, the texts cost 503 to 913 on
 * Claude, 461 and 629 on GPT.  So an image of a page is 1,568 on Claude, its
 * text 800, and on GPT 550; what a page of more text costs beyond that is not
 * known without reading it.
 */
#include "token/mediacost.h"

#include <string.h>

#include "base/duration.h"
#include "base/pages.h"

enum kind { KIND_OTHER, KIND_TEXT, KIND_PDF, KIND_AUDIO, KIND_VIDEO };

/* Tokens by provider and model; the longest prefix counts. */
static const struct {
	const char *provider, *prefix;
	struct ctx_rates rates;		/* page: beside the image, if set */
	unsigned video_low;
	int imaged;			/* an image of the page costs too */
} table[] = {
	{ "openai", "", { 550, 10, 0 }, 0, 1 },
	{ "anthropic", "", { 1568 + 800, 0, 0 }, 0, 0 },
	{ "google", "", { 560, 32, 70 + 32 }, 70 + 32, 0 },
	{ "google", "gemini-1.5", { 258, 32, 258 + 32 }, 66 + 32, 0 },
	{ "google", "gemini-2", { 258, 32, 258 + 32 }, 66 + 32, 0 },
};

#define NROWS	(sizeof(table) / sizeof(*table))

/* The row for a model; NROWS if there is none. */
static size_t
find_row(const char *provider, const char *name)
{
	size_t i, n, best = NROWS, longest = 0;

	for (i = 0; i < NROWS; i++) {
		if (strcmp(table[i].provider, provider) != 0)
			continue;
		n = ctx_model_match(table[i].prefix, name);
		if (n > longest || best == NROWS) {
			longest = n;
			best = i;
		}
	}
	return best;
}

static int
type_is(const struct ctx_medium *m, const char *begin)
{
	size_t n = strlen(begin);

	return m->type != NULL && m->typelen >= n &&
	    memcmp(m->type, begin, n) == 0;
}

static int
data_is(const struct ctx_medium *m, size_t at, const char *magic, size_t n)
{
	return m->data != NULL && m->len >= at + n &&
	    memcmp(m->data + at, magic, n) == 0;
}

/* A film has pictures, but MP4 and Ogg may be either: the type says it. */
static enum kind
kind_of(const struct ctx_medium *m)
{
	static const char *const texts[] = { "text/", "application/json",
	    "application/xml", "application/yaml", "application/x-yaml",
	    "application/javascript", "application/x-ndjson" };
	size_t i;

	if (data_is(m, 0, "%PDF-", 5) || type_is(m, "application/pdf"))
		return KIND_PDF;
	if (type_is(m, "video/"))
		return KIND_VIDEO;
	if (type_is(m, "audio/") || data_is(m, 8, "WAVE", 4) ||
	    data_is(m, 0, "ID3", 3) || data_is(m, 0, "fLaC", 4) ||
	    data_is(m, 0, "OggS", 4) || data_is(m, 8, "M4A ", 4))
		return KIND_AUDIO;
	if (data_is(m, 4, "ftyp", 4))
		return KIND_VIDEO;
	for (i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		if (type_is(m, texts[i]))
			return KIND_TEXT;
	return KIND_OTHER;
}

int
ctx_mediacost_is_text(const struct ctx_medium *m)
{
	return kind_of(m) == KIND_TEXT;
}

/* A page of 8.5 by 11 inches, as wide as an image of unknown size. */
static uint64_t
page_image(const char *provider, const char *name)
{
	return ctx_image_tokens(ctx_image_rule(provider, name),
	    (struct ctx_pixels){ 1024, 1325 }, CTX_DETAIL_HIGH);
}

static uint64_t
pages(const struct ctx_medium *m)
{
	struct ctx_pages found = { 0 };
	uint64_t n;

	ctx_pages_read(&found, m->data, m->len);
	n = ctx_pages_number(&found);
	return n > 0 ? n : ctx_pages_stated(m->data, m->len);
}

/* Tokens of ms milliseconds at so many a second, rounded up. */
static uint64_t
timed(uint64_t ms, unsigned rate)
{
	return ms > UINT64_MAX / 1000000 ? 0 : (ms * rate + 999) / 1000;
}

/* The tokens of a page, a second: the user's, else those of row. */
static uint64_t
rate_of(enum kind kind, const struct ctx_rates *r, size_t row,
    enum ctx_detail detail)
{
	unsigned mine = r == NULL ? 0 : kind == KIND_PDF ? r->page :
	    kind == KIND_AUDIO ? r->audio : r->video;

	if (mine != 0 || row == NROWS)
		return mine;
	if (kind == KIND_VIDEO && detail == CTX_DETAIL_LOW)
		return table[row].video_low;
	return kind == KIND_PDF ? table[row].rates.page :
	    kind == KIND_AUDIO ? table[row].rates.audio :
	    table[row].rates.video;
}

enum ctx_level
ctx_mediacost_tokens(const struct ctx_medium *m, const char *provider,
    const char *name, const struct ctx_rates *rates, uint64_t *n)
{
	enum kind kind = kind_of(m);
	size_t row = find_row(provider, name);
	uint64_t rate, ms = 0;

	*n = 0;
	if (kind == KIND_OTHER || kind == KIND_TEXT || m->data == NULL)
		return CTX_NOT_COUNTED;
	rate = rate_of(kind, rates, row, m->detail);
	if (kind == KIND_PDF) {
		if ((rates == NULL || rates->page == 0) && row != NROWS &&
		    table[row].imaged)
			rate += page_image(provider, name);
		*n = pages(m) * rate;
	} else if (ctx_duration_read(m->data, m->len, &ms) == 0)
		*n = timed(ms, (unsigned)rate);
	return *n > 0 ? CTX_ESTIMATE : CTX_NOT_COUNTED;
}
