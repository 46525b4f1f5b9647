/* SPDX-License-Identifier: MIT */
/* Notes: each in both languages, as it is written and recognized. */
#include "text/marker.h"

#include <stdlib.h>

#include "check.h"

#define H16 "0123456789abcdef"
#define H64 H16 H16 H16 H16

static const struct {
	enum ctx_marker id;
	struct ctx_marker_said said;
	const char *want[2];
} rows[] = {
	{ CTX_MARKER_BASE64, { .n = 216 }, {
	    "[base64: 216 characters left out]",
	    "[base64：已省略 216 个字符]" } },
	{ CTX_MARKER_BEGINNING, { 0 }, {
	    "[The beginning of this conversation is not included.]",
	    "[未包含此对话的开头。]" } },
	{ CTX_MARKER_CLEARED, { .n = 5321 }, {
	    "[tool result cleared: 5321 chars]",
	    "[工具结果已清除：5321 个字符]" } },
	{ CTX_MARKER_CLEARED_KEPT, { .n = 5321, .word = { H64, 64 } }, {
	    "[tool result cleared: 5321 chars, kept in a dir/é/" H64 "]",
	    "[工具结果已清除：5321 个字符，保存在 a dir/é/" H64 "]" } },
	{ CTX_MARKER_COPY, { .n = 1200, .word = { H16, 16 } }, {
	    "[same text as sent before: sha256:" H16 ", 1200 chars]",
	    "[与之前发送的文本相同：sha256:" H16 "，1200 个字符]" } },
	{ CTX_MARKER_CUT, { .n = 1 }, {
	    "... (truncated, 1 chars total)",
	    "... (已截断，共 1 个字符)" } },
	{ CTX_MARKER_CUT_TOKENS, { .n = 5321 }, {
	    "... (truncated, 5321 tokens total)",
	    "... (已截断，共 5321 个 token)" } },
	{ CTX_MARKER_CUT_KEPT, { .n = 999999999999999999,
	    .word = { H64, 64 } }, {
	    "... (truncated, 999999999999999999 chars total, sha256:" H64 ")",
	    "... (已截断，共 999999999999999999 个字符，sha256:" H64 ")" } },
	{ CTX_MARKER_CUT_TOKENS_KEPT, { .n = 20, .word = { H64, 64 } }, {
	    "... (truncated, 20 tokens total, sha256:" H64 ")",
	    "... (已截断，共 20 个 token，sha256:" H64 ")" } },
	{ CTX_MARKER_CUT_PATH, { .n = 5321, .word = { H64, 64 } }, {
	    "... (truncated, 5321 chars total, kept in a dir/é/" H64 ")",
	    "... (已截断，共 5321 个字符，保存在 a dir/é/" H64 ")" } },
	{ CTX_MARKER_CUT_TOKENS_PATH, { .n = 20, .word = { H64, 64 } }, {
	    "... (truncated, 20 tokens total, kept in a dir/é/" H64 ")",
	    "... (已截断，共 20 个 token，保存在 a dir/é/" H64 ")" } },
	{ CTX_MARKER_FILE, { 0 }, { "file", "文件" } },
	{ CTX_MARKER_GAP, { .n = 1 }, { "[... 1 line]", "[... 1 行]" } },
	{ CTX_MARKER_GAP, { .n = 41 }, { "[... 41 lines]", "[... 41 行]" } },
	{ CTX_MARKER_GAP_PATH, { .n = 6, .word = { H64, 64 } }, {
	    "[... 6 lines, all kept in a dir/é/" H64 "]",
	    "[... 6 行，全文保存在 a dir/é/" H64 "]" } },
	{ CTX_MARKER_GAP_SENT, { .n = 6 }, {
	    "[... 6 lines sent before]", "[... 6 行之前已发送]" } },
	{ CTX_MARKER_IMAGE, { .n = 70, .word = { "image/png", 9 } }, {
	    "[image/png, 70 bytes, left out]",
	    "[image/png，70 字节，已省略]" } },
	{ CTX_MARKER_LINES, { .n = 35 }, { "[35 lines: ", "[35 行：" } },
	{ CTX_MARKER_MISSING, { .n = 1 }, {
	    "[1 earlier message left out here]",
	    "[此处省略了较早的 1 条消息]" } },
	{ CTX_MARKER_MISSING, { .n = 12 }, {
	    "[12 earlier messages left out here]",
	    "[此处省略了较早的 12 条消息]" } },
	{ CTX_MARKER_MISSING_TOKENS, { .n = 1, .tokens = 30 }, {
	    "[1 earlier message (30 tokens) left out here]",
	    "[此处省略了较早的 1 条消息（30 个 token）]" } },
	{ CTX_MARKER_MISSING_TOKENS, { .n = 2, .tokens = 1 }, {
	    "[2 earlier messages (1 tokens) left out here]",
	    "[此处省略了较早的 2 条消息（1 个 token）]" } },
	{ CTX_MARKER_NO_RESULT, { 0 }, {
	    "[no result: the tool call was not completed]",
	    "[无结果：工具调用未完成]" } },
	{ CTX_MARKER_OMITTED, { 0 }, {
	    "[This content is not included.]", "[未包含此内容。]" } },
	{ CTX_MARKER_PART, { .n = 1 }, {
	    "[... 1 character left out]",
	    "[... 已省略 1 个字符]" } },
	{ CTX_MARKER_PART, { .n = 5321 }, {
	    "[... 5321 characters left out]",
	    "[... 已省略 5321 个字符]" } },
	{ CTX_MARKER_PICTURE, { 0 }, { "image", "图片" } },
	{ CTX_MARKER_REPEATED, { .n = 3 }, {
	    "... (previous line 3 more times)",
	    "... (上一行又重复了 3 次)" } },
	{ CTX_MARKER_TURN_END, { 0 }, {
	    "[The turn ended here.]", "[本轮到此结束。]" } },
};

static struct ctx_str
str(const char *text)
{
	return (struct ctx_str){ text, (uint32_t)strlen(text) };
}

static int
has_path(enum ctx_marker id)
{
	return id == CTX_MARKER_CLEARED_KEPT || id == CTX_MARKER_CUT_PATH ||
	    id == CTX_MARKER_CUT_TOKENS_PATH || id == CTX_MARKER_GAP_PATH;
}

static void
test_write(void)
{
	struct ctx_markers notes = { .lang = CTX_EN, .dir = "a dir/é" };
	struct ctx_buf out = { 0 };
	int seen[CTX_MARKER_N] = { 0 };
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		seen[rows[i].id] = 1;
		for (notes.lang = CTX_EN; notes.lang <= CTX_ZH; notes.lang++) {
			ctx_buf_reset(&out);
			CHECK_INT(ctx_marker_put(&out, &notes, rows[i].id,
			    &rows[i].said), 0);
			CHECK_MEM(out.data, out.len,
			    rows[i].want[notes.lang]);
		}
		ctx_buf_reset(&out);
		notes.lang = CTX_EN;
		ctx_marker_put(&out, has_path(rows[i].id) ? &notes : NULL,
		    rows[i].id, &rows[i].said);
		CHECK_MEM(out.data, out.len, rows[i].want[CTX_EN]);
	}
	for (i = 0; i < CTX_MARKER_N; i++)
		CHECK(seen[i]);
	ctx_buf_done(&out);
}

/* Spell all characters beyond ASCII as escapes, as other programs do. */
static void
spell(struct ctx_buf *out, const char *text)
{
	const unsigned char *p = (const unsigned char *)text;

	for (; *p != '\0'; p++) {
		if (*p < 0x80) {
			ctx_buf_addc(out, (char)*p);
			continue;
		}
		if (*p < 0xe0) {
			ctx_buf_addf(out, "\\u%04X", (unsigned)((p[0] & 31) <<
			    6 | (p[1] & 63)));
			p++;
			continue;
		}
		ctx_buf_addf(out, "\\u%04X", (unsigned)((p[0] & 15) << 12 |
		    (p[1] & 63) << 6 | (p[2] & 63)));
		p += 2;
	}
}

/* Is there such a note in the middle of a text? */
static void
recognize(size_t i, struct ctx_str note)
{
	struct ctx_marker_said said = { 0 };
	struct ctx_buf b = { 0 };

	ctx_buf_adds(&b, "ab");
	ctx_buf_add(&b, note.p, note.len);
	ctx_buf_adds(&b, "yz");
	CHECK_INT(ctx_marker_at(rows[i].id, ctx_str_of(&b), 2, &said),
	    note.len + 2);
	CHECK_INT(said.n, rows[i].said.n);
	CHECK(ctx_str_same(said.word, rows[i].said.word));
	/* one byte less is none */
	b.len = note.len + 1;
	CHECK_INT(ctx_marker_at(rows[i].id, ctx_str_of(&b), 2, &said), 0);
	CHECK_INT(ctx_marker_at(rows[i].id, ctx_str_of(&b), 3, &said), 0);
	ctx_buf_done(&b);
}

static void
test_recognize(void)
{
	struct ctx_buf b = { 0 };
	size_t i;
	int lang;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (rows[i].id < CTX_MARKER_CLEARED ||
		    rows[i].id > CTX_MARKER_CUT_TOKENS_PATH)
			continue;
		for (lang = CTX_EN; lang <= CTX_ZH; lang++) {
			recognize(i, str(rows[i].want[lang]));
			ctx_buf_reset(&b);
			spell(&b, rows[i].want[lang]);
			recognize(i, ctx_str_of(&b));
		}
	}
	ctx_buf_done(&b);
}

/* Is a text a note that clearing leaves alone? */
static void
test_begins(void)
{
	static const struct {
		const char *text;
		int cleared, own;	/* without and with a text of its own */
	} cases[] = {
		{ "[tool result cleared: 1 chars]", 1, 1 },
		{ "[tool result cleared: ", 1, 1 },
		{ "[tool result cleared:", 0, 0 },
		{ "[工具结果已清除：1 个字符]", 1, 1 },
		{ "[\\u5de5\\u5177\\u7ed3\\u679c\\u5df2\\u6e05\\u9664\\uff1a1",
		    1, 1 },
		{ "[\\u5de5\\u5177", 0, 0 },
		{ "[\\u5de5\\u51", 0, 0 },
		{ "gone: 12 é", 0, 1 },
		{ "gone: 1\\n... (truncated, 10 chars total)", 0, 1 },
		{ "gone: with the wind", 0, 0 },
		{ "gone: ", 0, 0 },
		{ "", 0, 0 },
	};
	struct ctx_markers notes = { .lang = CTX_ZH };
	size_t i;

	CHECK_INT(ctx_marker_own(&notes, "cleared=gone: {chars} é", NULL), 0);
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		CHECK_INT(ctx_marker_begins(CTX_MARKER_CLEARED, NULL,
		    str(cases[i].text)), cases[i].cleared);
		CHECK_INT(ctx_marker_begins(CTX_MARKER_CLEARED, &notes,
		    str(cases[i].text)), cases[i].own);
	}
	CHECK_INT(ctx_marker_begins(CTX_MARKER_CLEARED, &notes,
	    (struct ctx_str){ NULL, 0 }), 0);
}

/* Texts of the user's own: what is written, or which error. */
static void
test_own(void)
{
	static const char long_text[] = "base64=" H64 H64 H16 H16 "x";
	static const struct {
		const char *arg;
		enum ctx_marker id;
		const char *want, *error;
	} cases[] = {
		{ "base64=<{chars} of base64>", CTX_MARKER_BASE64,
		    "<7 of base64>", NULL },
		{ "base64=no number", CTX_MARKER_BASE64, "no number", NULL },
		{ "base64={chars}={chars}", CTX_MARKER_BASE64, "7=7", NULL },
		{ "cleared=[gone: {chars}]", CTX_MARKER_CLEARED, "[gone: 7]",
		    NULL },
		{ "image={bytes} {type}", CTX_MARKER_IMAGE, "7 word", NULL },
		{ "missing={messages}/{tokens}", CTX_MARKER_MISSING_TOKENS,
		    "7/9", NULL },
		{ "missing={messages}!", CTX_MARKER_MISSING, "7!", NULL },
		{ "no-result=none came", CTX_MARKER_NO_RESULT,
		    "none came", NULL },
		{ "part=…{chars}…", CTX_MARKER_PART, "…7…", NULL },
		{ "repeated=× {times}", CTX_MARKER_REPEATED, "× 7", NULL },
		{ "base64", 0, NULL, "NAME=TEXT is needed" },
		{ "base6=x", 0, NULL, "there is no note 'base6'; there are "
		    "base64, beginning, cleared, image, missing, "
		    "no-result, omitted, part, repeated, turn-end" },
		{ "=x", 0, NULL, "there is no note ''; there are base64, "
		    "beginning, cleared, image, missing, no-result, "
		    "omitted, part, repeated, turn-end" },
		{ "copy=x", 0, NULL, "the text of the note 'copy' is fixed, "
		    "because commands without this option read it" },
		{ "cut={chars}", 0, NULL, "the text of the note 'cut' is "
		    "fixed, because commands without this option read it" },
		{ "base64=", 0, NULL, "the text of the note 'base64' is "
		    "empty" },
		{ "part= ", 0, NULL, "the text of the note 'part' is empty" },
		{ "part=a\nb", 0, NULL,
		    "the text of a note is one line without \" and \\" },
		{ "part=a\"b", 0, NULL,
		    "the text of a note is one line without \" and \\" },
		{ "part=a\\b", 0, NULL,
		    "the text of a note is one line without \" and \\" },
		{ "part=\xff", 0, NULL,
		    "the text of the note 'part' is not UTF-8" },
		{ "part={bytes}", 0, NULL, "'{bytes}' is no placeholder of "
		    "the note 'part': '[... {chars} characters left out]'" },
		{ "part={", 0, NULL, "'{' is no placeholder of "
		    "the note 'part': '[... {chars} characters left out]'" },
		{ "cleared=[gone]", 0, NULL, "the text of the note 'cleared' "
		    "must have {chars} after at least 4 characters, by which "
		    "it is recognized" },
		{ "cleared=ab {chars}", 0, NULL, "the text of the note "
		    "'cleared' must have {chars} after at least 4 characters, "
		    "by which it is recognized" },
		{ long_text, 0, NULL,
		    "the text of a note can have at most 160 bytes, not 161" },
	};
	const struct ctx_marker_said said = { 7, 9, { "word", 4 } };
	struct ctx_markers notes;
	struct ctx_buf out = { 0 };
	struct ctx_err err;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		notes = (struct ctx_markers){ .lang = CTX_ZH };
		err = (struct ctx_err){ 0 };
		CHECK_INT(ctx_marker_own(&notes, cases[i].arg, &err),
		    cases[i].want != NULL ? 0 : -1);
		CHECK_STR(err.text,
		    cases[i].error != NULL ? cases[i].error : "");
		if (cases[i].want == NULL)
			continue;
		ctx_buf_reset(&out);
		ctx_marker_put(&out, &notes, cases[i].id, &said);
		CHECK_MEM(out.data, out.len, cases[i].want);
	}
	ctx_buf_done(&out);
}

int
main(void)
{
	RUN(test_write());
	RUN(test_recognize());
	RUN(test_begins());
	RUN(test_own());
	return CHECK_DONE("marker");
}
