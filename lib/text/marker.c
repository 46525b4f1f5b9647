/* SPDX-License-Identifier: MIT */
/* The texts of notes; see marker.h. */
#include "text/marker.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

#define DIGITS	18		/* of a number that is recognized */
#define HEAD	4		/* the fewest characters by which a text of
				   one's own is recognized */

/*
 * A text of one's own may have the placeholders of the English one.  Notes of
 * one name share it.
 */
static const struct row {
	const char *name;	/* NULL: a user cannot name it */
	const char *text[2];
	const char *one;	/* in English for 1; NULL: the same */
	int fixed;		/* it is read by runs that know no text of the
				   user's own */
} rows[CTX_MARKER_N] = {
	[CTX_MARKER_BASE64] = { "base64", {
	    "[base64: {chars} characters left out]",
	    "[base64：已省略 {chars} 个字符]" }, NULL, 0 },
	[CTX_MARKER_BEGINNING] = { "beginning", {
	    "[The beginning of this conversation is not included.]",
	    "[未包含此对话的开头。]" }, NULL, 0 },
	[CTX_MARKER_CLEARED] = { "cleared", {
	    "[tool result cleared: {chars} chars]",
	    "[工具结果已清除：{chars} 个字符]" }, NULL, 0 },
	[CTX_MARKER_CLEARED_KEPT] = { "cleared", {
	    "[tool result cleared: {chars} chars, kept in {path}]",
	    "[工具结果已清除：{chars} 个字符，保存在 {path}]" }, NULL, 0 },
	[CTX_MARKER_COPY] = { "copy", {
	    "[same text as sent before: sha256:{hash16}, {chars} chars]",
	    "[与之前发送的文本相同：sha256:{hash16}，{chars} 个字符]" },
	    NULL, 1 },
	[CTX_MARKER_CUT] = { "cut", {
	    "... (truncated, {chars} chars total)",
	    "... (已截断，共 {chars} 个字符)" }, NULL, 1 },
	[CTX_MARKER_CUT_TOKENS] = { "cut", {
	    "... (truncated, {chars} tokens total)",
	    "... (已截断，共 {chars} 个 token)" }, NULL, 1 },
	[CTX_MARKER_CUT_KEPT] = { "cut", {
	    "... (truncated, {chars} chars total, sha256:{hash64})",
	    "... (已截断，共 {chars} 个字符，sha256:{hash64})" }, NULL, 1 },
	[CTX_MARKER_CUT_TOKENS_KEPT] = { "cut", {
	    "... (truncated, {chars} tokens total, sha256:{hash64})",
	    "... (已截断，共 {chars} 个 token，sha256:{hash64})" },
	    NULL, 1 },
	[CTX_MARKER_CUT_PATH] = { "cut", {
	    "... (truncated, {chars} chars total, kept in {path})",
	    "... (已截断，共 {chars} 个字符，保存在 {path})" }, NULL, 1 },
	[CTX_MARKER_CUT_TOKENS_PATH] = { "cut", {
	    "... (truncated, {chars} tokens total, kept in {path})",
	    "... (已截断，共 {chars} 个 token，保存在 {path})" }, NULL, 1 },
	[CTX_MARKER_FILE] = { NULL, { "file", "文件" }, NULL, 0 },
	[CTX_MARKER_GAP] = { "gap", {
	    "[... {lines} lines]", "[... {lines} 行]" },
	    "[... {lines} line]", 1 },
	[CTX_MARKER_GAP_PATH] = { "gap", {
	    "[... {lines} lines, all kept in {path}]",
	    "[... {lines} 行，全文保存在 {path}]" }, NULL, 1 },
	[CTX_MARKER_GAP_SENT] = { "gap", {
	    "[... {lines} lines sent before]",
	    "[... {lines} 行之前已发送]" }, NULL, 1 },
	[CTX_MARKER_IMAGE] = { "image", {
	    "[{type}, {bytes} bytes, left out]",
	    "[{type}，{bytes} 字节，已省略]" }, NULL, 0 },
	[CTX_MARKER_LINES] = { NULL, {
	    "[{lines} lines: ",
	    "[{lines} 行：" }, NULL, 0 },
	[CTX_MARKER_MISSING] = { "missing", {
	    "[{messages} earlier messages left out here]",
	    "[此处省略了较早的 {messages} 条消息]" },
	    "[{messages} earlier message left out here]", 0 },
	[CTX_MARKER_MISSING_TOKENS] = { "missing", {
	    "[{messages} earlier messages ({tokens} tokens) left out here]",
	    "[此处省略了较早的 {messages} 条消息（{tokens} 个 token）]" },
	    "[{messages} earlier message ({tokens} tokens) left out here]", 0 },
	[CTX_MARKER_NO_RESULT] = { "no-result", {
	    "[no result: the tool call was not completed]",
	    "[无结果：工具调用未完成]" }, NULL, 0 },
	[CTX_MARKER_OMITTED] = { "omitted", {
	    "[This content is not included.]",
	    "[未包含此内容。]" }, NULL, 0 },
	[CTX_MARKER_PART] = { "part", {
	    "[... {chars} characters left out]",
	    "[... 已省略 {chars} 个字符]" },
	    "[... {chars} character left out]", 0 },
	[CTX_MARKER_PICTURE] = { NULL, { "image", "图片" }, NULL, 0 },
	[CTX_MARKER_REPEATED] = { "repeated", {
	    "... (previous line {times} more times)",
	    "... (上一行又重复了 {times} 次)" }, NULL, 0 },
	[CTX_MARKER_TURN_END] = { "turn-end", {
	    "[The turn ended here.]",
	    "[本轮到此结束。]" }, NULL, 0 },
};

enum place { P_NONE, P_NUMBER, P_TOKENS, P_TYPE, P_HASH16, P_HASH64,
	P_PATH };

/* The placeholder that t begins with, which has *len bytes. */
static enum place
place_at(const char *t, size_t *len)
{
	static const struct {
		const char *text;
		enum place place;
	} places[] = {
		{ "{bytes}", P_NUMBER }, { "{chars}", P_NUMBER },
		{ "{lines}", P_NUMBER }, { "{messages}", P_NUMBER },
		{ "{times}", P_NUMBER }, { "{tokens}", P_TOKENS },
		{ "{type}", P_TYPE },
		{ "{hash16}", P_HASH16 }, { "{hash64}", P_HASH64 },
		{ "{path}", P_PATH },
	};
	size_t i;

	for (i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		*len = strlen(places[i].text);
		if (strncmp(t, places[i].text, *len) == 0)
			return places[i].place;
	}
	return P_NONE;
}

/* --- writing ------------------------------------------------------------ */

static const char *
text_of(const struct ctx_markers *notes, enum ctx_marker id, uint64_t n)
{
	const struct row *r = &rows[id];

	if (notes != NULL && notes->own[id] != NULL)
		return notes->own[id];
	if (notes != NULL && notes->lang != CTX_EN)
		return r->text[notes->lang];
	return n == 1 && r->one != NULL ? r->one : r->text[CTX_EN];
}

struct ctx_str
ctx_marker_text(const struct ctx_markers *notes, enum ctx_marker id)
{
	const char *text = text_of(notes, id, 0);

	return (struct ctx_str){ text, (uint32_t)strlen(text) };
}

size_t
ctx_marker_margin(const struct ctx_markers *notes, enum ctx_marker id)
{
	struct ctx_str is = ctx_marker_text(notes, id);
	size_t n = ctx_utf8_count(is.p, is.len), most = n, other;
	const char *text;
	int lang;

	for (lang = CTX_EN; lang <= CTX_ZH; lang++) {
		text = rows[id].text[lang];
		other = ctx_utf8_count(text, strlen(text));
		if (other > most)
			most = other;
	}
	return most - n;
}

/* Nothing, if no file was kept. */
static void
put_path(struct ctx_buf *out, const struct ctx_markers *notes,
    struct ctx_str name)
{
	const char *dir = notes != NULL ? notes->dir : NULL;
	size_t len;

	if (dir == NULL || name.len == 0)
		return;
	len = strlen(dir);
	ctx_buf_add(out, dir, len);
	if (dir[len - 1] != '/')
		ctx_buf_addc(out, '/');
	ctx_buf_add(out, name.p, name.len);
}

int
ctx_marker_put(struct ctx_buf *out, const struct ctx_markers *notes,
    enum ctx_marker id, const struct ctx_marker_said *said)
{
	const char *t = text_of(notes, id, said->n);
	size_t n;

	for (; *t != '\0'; t += n) {
		n = strcspn(t, "{");
		ctx_buf_add(out, t, n);
		t += n;
		switch (place_at(t, &n)) {
		case P_NONE:
			n = *t != '\0';
			ctx_buf_add(out, t, n);
			break;
		case P_NUMBER:
			ctx_buf_addf(out, "%" PRIu64, said->n);
			break;
		case P_TOKENS:
			ctx_buf_addf(out, "%" PRIu64, said->tokens);
			break;
		case P_PATH:
			put_path(out, notes, said->word);
			break;
		default:
			ctx_buf_add(out, said->word.p, said->word.len);
		}
	}
	return out->failed ? -1 : 0;
}

/* --- recognizing -------------------------------------------------------- */

/* Skip n bytes of text, which s may spell with escapes.  0: not there. */
static int
skip(struct ctx_str *s, const char *text, size_t n)
{
	size_t used, one;
	char c[4];

	if (s->len >= n && memcmp(s->p, text, n) == 0) {
		s->p += n;
		s->len -= (uint32_t)n;
		return 1;
	}
	for (; n > 0; n -= one, text += one) {
		if (s->len == 0)
			return 0;
		used = one = 1;
		if (*s->p == '\\') {
			used = ctx_str_escape(s->p, s->len, c, &one);
			if (one > n || memcmp(c, text, one) != 0)
				return 0;
		} else if (*s->p != *text)
			return 0;
		s->p += used;
		s->len -= (uint32_t)used;
	}
	return 1;
}

static int
skip_number(struct ctx_str *s, uint64_t *n)
{
	int i;

	*n = 0;
	for (i = 0; i < DIGITS && s->len > 0 && *s->p >= '0' && *s->p <= '9';
	    i++) {
		*n = *n * 10 + (uint64_t)(*s->p - '0');
		s->p++;
		s->len--;
	}
	return i > 0;
}

static int
is_hash(struct ctx_str word)
{
	uint32_t i = 0;

	while (i < word.len && memchr("0123456789abcdef", word.p[i], 16) != NULL)
		i++;
	return i == 64;
}

static int
skip_word(struct ctx_str *s, size_t len, struct ctx_str *word)
{
	if (s->len < len)
		return 0;
	*word = (struct ctx_str){ s->p, (uint32_t)len };
	s->p += len;
	s->len -= (uint32_t)len;
	return 1;
}

/*
 * Skip a path that ends in the 64 digits of a hash, the word.  A slash may be
 * spelled with a backslash, and other characters as \uXXXX.
 */
static int
skip_path(struct ctx_str *s, struct ctx_str *word)
{
	uint32_t i;

	for (i = 0; i < s->len; i++) {
		if (s->p[i] == '\\' && (++i == s->len ||
		    (s->p[i] != '/' && s->p[i] != 'u')))
			return 0;
		if (s->p[i] != '/' || s->len - i < 65)
			continue;
		*word = (struct ctx_str){ s->p + i + 1, 64 };
		if (is_hash(*word)) {
			s->p += i + 65;
			s->len -= i + 65;
			return 1;
		}
	}
	return 0;
}

static int
skip_place(enum place place, struct ctx_str *s, struct ctx_marker_said *said)
{
	switch (place) {
	case P_NUMBER:
		return skip_number(s, &said->n);
	case P_PATH:
		return skip_path(s, &said->word);
	default:
		return skip_word(s, place == P_HASH16 ? 16 : 64, &said->word);
	}
}

/* Skip a note that has the text t. */
static int
skip_note(struct ctx_str *s, const char *t, struct ctx_marker_said *said)
{
	enum place place;
	size_t n;

	for (;;) {
		n = strcspn(t, "{");
		if (!skip(s, t, n))
			return 0;
		t += n;
		if (*t == '\0')
			return 1;
		place = place_at(t, &n);
		t += n;
		if (!skip_place(place, s, said))
			return 0;
	}
}

/* Does s begin with another byte than the note t?  Nearly all texts do. */
static int
begins_otherwise(struct ctx_str s, const char *t)
{
	return s.len == 0 ||
	    (*s.p != *t && *s.p != '\\' && *t != '{' && *t != '\0');
}

size_t
ctx_marker_at(enum ctx_marker id, struct ctx_str s, size_t at,
    struct ctx_marker_said *said)
{
	struct ctx_str rest;
	int lang;

	for (lang = CTX_EN; lang <= CTX_ZH; lang++) {
		rest = (struct ctx_str){ s.p + at, s.len - (uint32_t)at };
		if (begins_otherwise(rest, rows[id].text[lang]))
			continue;
		if (skip_note(&rest, rows[id].text[lang], said))
			return s.len - rest.len;
	}
	rest = (struct ctx_str){ s.p + at, s.len - (uint32_t)at };
	return rows[id].one != NULL && skip_note(&rest, rows[id].one, said) ?
	    s.len - rest.len : 0;
}

int
ctx_marker_begins(enum ctx_marker id, const struct ctx_markers *notes,
    struct ctx_str s)
{
	const char *own = notes != NULL ? notes->own[id] : NULL, *t;
	struct ctx_str rest;
	int lang;

	for (lang = CTX_EN; lang <= CTX_ZH; lang++) {
		rest = s;
		t = rows[id].text[lang];
		if (skip(&rest, t, strcspn(t, "{")))
			return 1;
	}
	return own != NULL && skip(&s, own, strcspn(own, "{")) && s.len > 0 &&
	    *s.p >= '0' && *s.p <= '9';
}

int
ctx_marker_has(const struct ctx_markers *notes, enum ctx_marker id,
    const char *place)
{
	return notes->own[id] != NULL && strstr(notes->own[id], place) != NULL;
}

/* Is text one line that is spelled the same in a JSON string? */
static int
is_plain(const char *text)
{
	for (; *text != '\0'; text++)
		if ((unsigned char)*text < ' ' || *text == '"' ||
		    *text == '\\' || *text == 0x7f)
			return 0;
	return 1;
}

int
ctx_marker_dir(const char *dir, struct ctx_err *err)
{
	size_t len = strlen(dir);

	if (!is_plain(dir) || ctx_utf8_check(dir, len) < len)
		return ctx_fail(err, CTX_EUSAGE, "the name of a folder that "
		    "notes name is UTF-8 without line ends, \" and \\");
	return 0;
}

/* --- texts of the user's own -------------------------------------------- */

/* Does the English text of r, for a user, have the placeholder at t? */
static int
may_have(const struct row *r, const char *t, size_t len)
{
	const char *p = r->text[CTX_EN];

	while ((p = strchr(p, '{')) != NULL && strncmp(p, t, len) != 0)
		p++;
	return p != NULL;
}

/* Do the placeholders in a text belong to the note? */
static int
check_places(const struct row *r, const char *text, struct ctx_err *err)
{
	const char *t;
	size_t n;

	for (t = text; (t = strchr(t, '{')) != NULL; t += n)
		if (place_at(t, &n) == P_NONE || !may_have(r, t, n))
			return ctx_fail(err, CTX_EUSAGE, "'%.*s' is no "
			    "placeholder of the note '%s': '%s'",
			    (int)strcspn(t, "}") + (strchr(t, '}') != NULL), t,
			    r->name, r->text[CTX_EN]);
	return 0;
}

static int
check_text(enum ctx_marker id, const char *text, struct ctx_err *err)
{
	const struct row *r = &rows[id];
	size_t len = strlen(text), head = strcspn(text, "{");

	if (len > CTX_MARKER_MAX)
		return ctx_fail(err, CTX_EUSAGE, "the text of a note can have "
		    "at most %d bytes, not %zu", CTX_MARKER_MAX, len);
	if (ctx_str_blank((struct ctx_str){ text, (uint32_t)len }))
		return ctx_fail(err, CTX_EUSAGE,
		    "the text of the note '%s' is empty", r->name);
	if (ctx_utf8_check(text, len) < len)
		return ctx_fail(err, CTX_EUSAGE,
		    "the text of the note '%s' is not UTF-8", r->name);
	if (!is_plain(text))
		return ctx_fail(err, CTX_EUSAGE, "the text of a note "
		    "is one line without \" and \\");
	/* what a run has cleared, it must not clear again */
	if (id == CTX_MARKER_CLEARED_KEPT && (strncmp(text + head, "{chars}",
	    7) != 0 || ctx_utf8_count(text, head) < HEAD))
		return ctx_fail(err, CTX_EUSAGE, "the text of the note "
		    "'cleared' must have {chars} after at least %d characters, "
		    "by which it is recognized", HEAD);
	return check_places(r, text, err);
}

/* The error for a name that no note has. */
static int
no_note(const char *name, size_t len, struct ctx_err *err)
{
	char names[200] = "";
	const char *last = "";
	enum ctx_marker id;
	size_t n = 0;

	for (id = 0; id < CTX_MARKER_N; id++) {
		if (rows[id].name == NULL || rows[id].fixed ||
		    strcmp(rows[id].name, last) == 0)
			continue;
		n += (size_t)snprintf(names + n, sizeof(names) - n, "%s%s",
		    *last != '\0' ? ", " : "", rows[id].name);
		last = rows[id].name;
	}
	return ctx_fail(err, CTX_EUSAGE,
	    "there is no note '%.*s'; there are %s",
	    len > 40 ? 40 : (int)len, name, names);
}

int
ctx_marker_own(struct ctx_markers *notes, const char *arg, struct ctx_err *err)
{
	size_t len = strcspn(arg, "=");
	const struct row *r;
	enum ctx_marker id, found = CTX_MARKER_N;

	if (arg[len] == '\0')
		return ctx_fail(err, CTX_EUSAGE, "NAME=TEXT is needed");
	for (id = 0; id < CTX_MARKER_N; id++) {
		r = &rows[id];
		if (r->name == NULL || strlen(r->name) != len ||
		    strncmp(r->name, arg, len) != 0)
			continue;
		if (r->fixed)
			return ctx_fail(err, CTX_EUSAGE, "the text of the note "
			    "'%s' is fixed, because commands without this "
			    "option read it", r->name);
		found = id;
		notes->own[id] = arg + len + 1;
	}
	/* of several, the last has all placeholders */
	return found == CTX_MARKER_N ? no_note(arg, len, err) :
	    check_text(found, arg + len + 1, err);
}
