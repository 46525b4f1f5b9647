/* SPDX-License-Identifier: MIT */
/* The data of an image or file, and the names of media types. */
#include "view/media.h"

#include "base/buf.h"
#include "check.h"
#include "quotes.h"
#include "view/dialect.h"

#define D16	"AAAAAAAAAAAAAAAA"
#define IMAGE(url) "{'role':'user','content':[{'type':'image_url'," \
	"'image_url':{'url':'" url "'}}]}"
#define SOURCE(data) "{'role':'user','content':[{'type':'image','source':" \
	"{'type':'base64','media_type':'image/gif','data':'" data "'}}]}"

/* For the first part: the form, the media type, the data. */
static const struct {
	const char *line;
	enum ctx_media_form form;
	const char *type, *data;
} media[] = {
	{ IMAGE("data:image/png;base64,AAAA"), CTX_MEDIA_URL, "image/png",
	    "AAAA" },
	{ IMAGE("data:;base64,AA"), CTX_MEDIA_URL, "", "AA" },
	{ IMAGE("data:image/png,AAAA"), CTX_MEDIA_NONE, NULL, NULL },
	{ IMAGE("data:base64,AAAA"), CTX_MEDIA_NONE, NULL, NULL },
	{ IMAGE("DATA:image/png;base64,AAAA"), CTX_MEDIA_NONE, NULL, NULL },
	{ IMAGE("https://x/y.png"), CTX_MEDIA_NONE, NULL, NULL },
	{ IMAGE("file:///a/b.png"), CTX_MEDIA_LINK, NULL, "file:///a/b.png" },
	{ IMAGE("file://a"), CTX_MEDIA_LINK, NULL, "file://a" },
	{ IMAGE("file://"), CTX_MEDIA_NONE, NULL, NULL },
	{ SOURCE(D16), CTX_MEDIA_SOURCE, "image/gif", D16 },
	/* escapes that PHP and .NET write */
	{ IMAGE("data:image\\/png;base64,A\\/\\u002B\\u003D"), CTX_MEDIA_URL,
	    "image/png", "A/+=" },
	{ SOURCE("\\u0041AAAAAAAAAAAAAAA"), CTX_MEDIA_SOURCE, "image/gif",
	    D16 },
	{ SOURCE("AAAAAAAAAAAAAAA"), CTX_MEDIA_NONE, NULL, NULL },
	{ "{'role':'user','content':[{'type':'image','source':{'type':'url',"
	    "'url':'https://x'}}]}", CTX_MEDIA_NONE, NULL, NULL },
	{ "{'role':'user','content':[{'type':'image','source':{'type':'url',"
	    "'url':'file://x'}}]}", CTX_MEDIA_LINK, NULL, "file://x" },
	{ "{'role':'user','parts':[{'inlineData':{'mimeType':'image/png',"
	    "'data':'" D16 "'}}]}", CTX_MEDIA_BESIDE, "image/png", D16 },
	{ "{'role':'user','parts':[{'inline_data':{'mime_type':'image/png',"
	    "'data':'" D16 "'}}]}", CTX_MEDIA_BESIDE, "image/png", D16 },
	{ "{'role':'user','content':[{'type':'image','image':'" D16 "',"
	    "'mediaType':'image/png'}]}", CTX_MEDIA_BESIDE, "image/png", D16 },
	{ "{'role':'user','content':[{'type':'image','image':'" D16 "'}]}",
	    CTX_MEDIA_NONE, NULL, NULL },
	{ "{'role':'user','content':'no part'}", CTX_MEDIA_NONE, NULL, NULL },
};

static void
check_media(const struct ctx_media *m, size_t i)
{
	CHECK_INT(m->form, media[i].form);
	if (m->form == CTX_MEDIA_NONE)
		return;
	CHECK((m->type.p != NULL) == (media[i].type != NULL));
	if (m->type.p != NULL)
		CHECK_MEM(m->type.p, m->type.len, media[i].type);
	CHECK_MEM(m->data.p, m->data.len, media[i].data);
}

static void
test_media(void)
{
	struct ctx_convo c = { 0 };
	struct ctx_buf raw = { 0 };
	struct ctx_respelled plain = { 0 };
	struct ctx_media m;
	struct ctx_rec *r;
	struct ctx_doc doc;
	size_t i;

	for (i = 0; i < sizeof(media) / sizeof(media[0]); i++) {
		ctx_buf_reset(&raw);
		ctx_buf_adds(&raw, media[i].line);
		quotes(raw.data, raw.len, '\'', '"');
		ctx_convo_reset(&c);
		r = ctx_convo_add_rec(&c);
		r->raw = raw.data;
		r->len = raw.len;
		r->root = 0;
		CHECK_INT(ctx_doc_scan(&c.doc, raw.data, raw.len, NULL), 0);
		CHECK_INT(ctx_dialect_view(&c, NULL, 0, NULL), 0);
		CHECK_INT(ctx_media_find(&c, 0, &m, &plain), 0);
		check_media(&m, i);
		/* the string itself; for a source, the object around it */
		doc = ctx_convo_doc(&c, 0);
		if (m.form != CTX_MEDIA_NONE)
			CHECK_INT(ctx_node_type(&doc, m.node),
			    m.form == CTX_MEDIA_SOURCE ? '{' : '"');
	}
	ctx_respelled_done(&plain);
	ctx_convo_done(&c);
	ctx_buf_done(&raw);
}

static void
test_endings(void)
{
	static const char *const pairs[][2] = {
		{ "image/png", "png" }, { "image/jpeg", "jpg" },
		{ "image/svg+xml", "svg" }, { "application/pdf", "pdf" },
		{ "audio/mpeg", "mp3" }, { "application/octet-stream", "bin" }
	};
	struct ctx_str s = { NULL, 0 };
	size_t i;

	CHECK(ctx_media_ending(s) == NULL);
	for (i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		s.p = pairs[i][0];
		s.len = (uint32_t)strlen(s.p);
		CHECK_STR(ctx_media_ending(s), pairs[i][1]);
		CHECK_STR(ctx_media_type(pairs[i][1], strlen(pairs[i][1])),
		    pairs[i][0]);
		s.len--;
		CHECK(ctx_media_ending(s) == NULL);
		CHECK(ctx_media_type(pairs[i][1],
		    strlen(pairs[i][1]) - 1) == NULL);
	}
	/* a type can be spelled with escapes */
	s.p = "image\\/png";
	s.len = 10;
	CHECK_STR(ctx_media_ending(s), "png");
	CHECK(ctx_media_type("PNG", 3) == NULL);
}

int
main(void)
{
	RUN(test_media());
	RUN(test_endings());
	return CHECK_DONE("media");
}
