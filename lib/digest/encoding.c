/* SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <errno.h>
#include <iconv.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "digest/encoding.h"
#include "digest/encoding_data.inc"
#include "digest/encoding_western.h"

#define CHUNK		((size_t)64 << 10)
#define SAMPLE_MAX	((size_t)16 << 10)	/* bytes that are judged */
#define DECLARED_MAX	1024	/* where an encoding is declared */
#define NAME_MAX_LEN	40

enum verdict { NO, YES, NOMEM };

const char ctx_encoding_unknown[] = "unknown";

struct encoding {
	const char *aliases;	/* in lower case, without - _ and : */
	const char *code;	/* as iconv knows it */
	const char *name;
	const char *common;	/* frequent characters; NULL: not guessed */
};

/* What Windows adds to an encoding is read too. */
static const struct encoding encodings[] = {
	{ " gbk gb18030 gb2312 cp936 euccn chinese ", "GB18030", "GBK", hans },
	{ " big5 big5hkscs cp950 big5tw cnbig5 ", "BIG5-HKSCS", "Big5", hant },
	{ " shiftjis sjis cp932 windows31j xsjis mskanji ", "CP932",
	    "Shift_JIS", kanji },
	{ " eucjp xeucjp ujis japanese ", "EUC-JP", "EUC-JP", kanji },
	{ " euckr cp949 uhc windows949 ksc5601 ", "CP949", "EUC-KR", hangul },
	{ " windows1252 cp1252 ", "CP1252", "Windows-1252", NULL },
	{ " iso88591 latin1 isolatin1 l1 88591 ", "ISO-8859-1", "ISO-8859-1",
	    NULL },
	{ " iso88592 latin2 isolatin2 ", "ISO-8859-2", "ISO-8859-2", NULL },
	{ " iso88595 ", "ISO-8859-5", "ISO-8859-5", NULL },
	{ " iso88597 greek ", "ISO-8859-7", "ISO-8859-7", NULL },
	{ " iso88599 latin5 ", "ISO-8859-9", "ISO-8859-9", NULL },
	{ " iso885915 latin9 ", "ISO-8859-15", "ISO-8859-15", NULL },
	{ " windows1250 cp1250 ", "CP1250", "Windows-1250", NULL },
	{ " windows1251 cp1251 ", "CP1251", "Windows-1251", NULL },
	{ " koi8r ", "KOI8-R", "KOI8-R", NULL },
	{ " koi8u ", "KOI8-U", "KOI8-U", NULL },
};

#define NENCODINGS	(sizeof(encodings) / sizeof(encodings[0]))

/*
 * iconv_open, which may say EINVAL if memory was too short to load its table;
 * then it is tried again.
 */
static int
open_table(iconv_t *cd, const char *code)
{
	void *some;
	int again;

	for (again = 0; again < 2; again++) {
		if ((*cd = iconv_open("UTF-8", code)) != (iconv_t)-1)
			return YES;
		if (errno == ENOMEM || (some = malloc(CHUNK)) == NULL)
			return NOMEM;
		free(some);
	}
	/* musl knows it by this name only */
	return strcmp(code, "CP932") == 0 ? open_table(cd, "SHIFT_JIS") : NO;
}

/*
 * Append data as UTF-8.  A last character that is cut is left out; another
 * fault means that the text is not in this encoding, unless unit, the length
 * of a code unit, is set: then U+FFFD stands for it.
 */
static int
convert(struct ctx_buf *out, const char *code, const char *data, size_t len,
    size_t unit)
{
	iconv_t cd;
	char *in = (char *)(uintptr_t)data, *to;
	size_t room, rc;
	int good = open_table(&cd, code);

	if (good != YES)
		return good;
	while (len > 0 && good == YES) {
		if (ctx_buf_reserve(out, CHUNK) == -1) {
			good = NOMEM;
			break;
		}
		to = out->data + out->len;
		room = CHUNK;
		rc = iconv(cd, &in, &len, &to, &room);
		out->len += CHUNK - room;
		if (rc != (size_t)-1 || errno == E2BIG)
			continue;
		if (errno == EINVAL)
			break;
		if (unit == 0 || len < unit)
			good = NO;
		else {
			ctx_buf_adds(out, "\xef\xbf\xbd");
			in += unit;
			len -= unit;
		}
	}
	iconv_close(cd);
	return out->failed ? NOMEM : good;
}

/* --- Unicode ----------------------------------------------------------- */

/* Is the unit one that texts have, in a script that is widely used? */
static int
is_usual(unsigned u)
{
	return (u >= 0x20 && u < 0x7f) || u == '\t' || u == '\n' ||
	    u == '\r' || (u >= 0xa0 && u < 0x700) ||
	    (u >= 0x900 && u < 0x1000) || (u >= 0x2010 && u < 0x2300) ||
	    (u >= 0x3000 && u < 0x3130) || (u >= 0x4e00 && u < 0xa000) ||
	    (u >= 0xac00 && u < 0xd7a4) || (u >= 0xff00 && u < 0xfff0);
}

/*
 * Is it UTF-16 without a mark, of this order?  Then nearly all its units are
 * usual, and some are the ASCII that every text has: with a zero byte.
 */
static int
is_utf16(const unsigned char *p, size_t len, int big)
{
	size_t i, usual = 0, ascii = 0, n;
	unsigned u;

	if (len > SAMPLE_MAX)
		len = SAMPLE_MAX;
	n = len / 2;
	for (i = 0; i + 1 < len; i += 2) {
		u = (unsigned)p[i + big] | (unsigned)p[i + !big] << 8;
		if (u == 0)
			return 0;
		usual += is_usual(u);
		ascii += u == '\n' || u == ' ' || u == ',' || u == '\t' ||
		    (u >= 'a' && u <= 'z');
	}
	return n >= 4 && usual * 100 >= n * 98 && ascii * 50 >= n;
}

static const char *
unicode_name(const char *data, size_t len)
{
	static const struct { const char *mark; size_t n; const char *name; }
	    marks[] = {
		{ "\xff\xfe\0\0", 4, "UTF-32LE" },
		{ "\0\0\xfe\xff", 4, "UTF-32BE" },
		{ "\xff\xfe", 2, "UTF-16LE" }, { "\xfe\xff", 2, "UTF-16BE" } };
	const unsigned char *p = (const unsigned char *)data;
	size_t i;

	for (i = 0; i < sizeof(marks) / sizeof(marks[0]); i++)
		if (len >= marks[i].n &&
		    memcmp(data, marks[i].mark, marks[i].n) == 0)
			return marks[i].name;
	if (len % 2 != 0 || memchr(data, '\0', len < SAMPLE_MAX ? len :
	    SAMPLE_MAX) == NULL)
		return NULL;
	return is_utf16(p, len, 0) ? "UTF-16LE" : is_utf16(p, len, 1) ?
	    "UTF-16BE" : NULL;
}

/* --- what the text declares -------------------------------------------- */

static const struct encoding *
called(const char *p, size_t len)
{
	char key[NAME_MAX_LEN] = " ";
	size_t i, n = 1;

	for (i = 0; i < len && n < sizeof(key) - 2; i++)
		if (isalnum((unsigned char)p[i]))
			key[n++] = (char)tolower((unsigned char)p[i]);
		else if (strchr("-_:", p[i]) == NULL || p[i] == '\0')
			break;
	key[n++] = ' ';
	key[n] = '\0';
	for (i = 0; n > 2 && i < NENCODINGS; i++)
		if (strstr(encodings[i].aliases, key) != NULL)
			return &encodings[i];
	return NULL;
}

/*
 * The encoding in "coding: gbk", encoding="gbk", charset=gbk or @charset
 * "gbk", near the start of the text.
 */
static const struct encoding *
declared(const char *data, size_t len)
{
	static const char *const words[] = { "coding", "charset" };
	const struct encoding *e;
	const char *p, *end;
	size_t i;

	end = data + (len < DECLARED_MAX ? len : DECLARED_MAX);
	for (i = 0; i < 2; i++)
		for (p = data; (p = memmem(p, (size_t)(end - p), words[i],
		    strlen(words[i]))) != NULL; ) {
			p += strlen(words[i]);
			while (p < end && strchr(" =:\"'", *p) != NULL &&
			    *p != '\0')
				p++;
			if ((e = called(p, (size_t)(end - p))) != NULL)
				return e;
		}
	return NULL;
}

/* --- what the text looks like ------------------------------------------ */

/* Copy the lines that have more than ASCII, as far as they are judged. */
static int
take_sample(struct ctx_buf *out, const char *p, const char *end)
{
	const char *nl, *q;
	size_t n;

	for (; p < end && out->len < SAMPLE_MAX; p = nl + (nl < end)) {
		nl = memchr(p, '\n', (size_t)(end - p));
		nl = nl == NULL ? end : nl;
		for (q = p; q < nl && (unsigned char)*q < 0x80; q++)
			continue;
		if (q == nl)
			continue;
		n = (size_t)(nl - p);
		ctx_buf_add(out, p, n < SAMPLE_MAX ? n : SAMPLE_MAX);
		ctx_buf_addc(out, '\n');
	}
	return out->failed ? -1 : 0;
}

static int
is_letter(uint32_t cp)
{
	return (cp >= 0x80 && cp < 0x2000) || (cp >= 0x3041 && cp < 0x3100) ||
	    cp >= 0x3400;
}

static int
is_ascii_letter(char c)
{
	return (c | 32) >= 'a' && (c | 32) <= 'z';
}

/* Is the character at p[i .. i+n) alone in a word of ASCII, as by accident? */
static int
is_alone(const struct ctx_buf *text, size_t i, size_t n)
{
	return i > 0 && is_ascii_letter(text->data[i - 1]) &&
	    i + n < text->len && (signed char)text->data[i + n] >= 0;
}

/*
 * How many percent of the letters beyond ASCII in UTF-8 text are frequent ones
 * of the language; kana always are, where they may be.
 */
static unsigned
share(const struct ctx_buf *text, const char *common, size_t *letters)
{
	size_t i, n, all = 0, hit = 0;
	uint32_t cp;

	for (i = 0; i < text->len; i += n) {
		n = ctx_utf8_step(text->data + i, text->len - i, &cp);
		if (n == 0) {
			n = 1;
			continue;
		}
		if (cp < 0x20 && strchr("\t\r\n\f", (int)cp) == NULL)
			return 0;		/* no text has it */
		if (!is_letter(cp) || (cp >= 0xff00 && cp < 0xff61))
			continue;
		all++;
		if (is_alone(text, i, n))
			continue;
		hit += common == kanji && cp >= 0x3041 && cp < 0x3100 ? 1 :
		    memmem(common, strlen(common), text->data + i, n) != NULL;
	}
	*letters = all;
	return all == 0 ? 0 : (unsigned)(hit * 100 / all);
}

/*
 * The encoding whose language has most of the characters of the sample; it
 * must have many of them, and surely more than the next.
 */
static int
guess(const struct encoding **found, const struct ctx_buf *sample)
{
	struct ctx_buf text = { 0 };
	unsigned best = 0, next = 0, s;
	size_t i, n, letters = 0;
	int rc = NO;

	for (i = 0; i < NENCODINGS && encodings[i].common != NULL; i++) {
		ctx_buf_reset(&text);
		rc = convert(&text, encodings[i].code, sample->data,
		    sample->len, 0);
		if (rc == NOMEM)
			break;
		if (rc == NO)
			continue;
		s = share(&text, encodings[i].common, &n);
		if (s > best) {
			next = best;
			best = s;
			letters = n;
			*found = &encodings[i];
		} else if (s > next)
			next = s;
	}
	ctx_buf_done(&text);
	if (rc == NOMEM)
		return NOMEM;
	if (letters < 3 || best < (letters < 20 ? 60 : 40) ||
	    next * 3 > best * 2)
		*found = NULL;
	return *found != NULL;
}

/* Do more of the bytes make characters of UTF-8 than not? */
static int
is_broken_utf8(const char *p, size_t len)
{
	size_t i = 0, n, good = 0, bad = 0;

	for (; i < len; i += n) {
		n = ctx_utf8_step(p + i, len - i, NULL);
		good += n > 1;
		bad += n == 0;
		n += n == 0;
	}
	return good >= bad;
}

/* Set *found to the encoding of a text that declares none. */
static int
look(const struct encoding **found, const char *data, size_t len)
{
	struct ctx_buf sample = { 0 };
	int rc;

	*found = NULL;
	if (take_sample(&sample, data, data + len) == -1) {
		ctx_buf_done(&sample);
		return NOMEM;
	}
	rc = guess(found, &sample);
	if (rc == NO && !is_broken_utf8(sample.data, sample.len) &&
	    (*found = ctx_encoding_is_western(sample.data, sample.len) ?
	    called("latin1", 6) : NULL) != NULL)
		rc = YES;
	ctx_buf_done(&sample);
	return rc;
}

/* --- all together ------------------------------------------------------ */

/* The name that says most: what Windows, or a later standard, has added. */
static const char *
exact_name(const struct encoding *e, const char *data, size_t len)
{
	const unsigned char *p = (const unsigned char *)data;
	size_t i;

	if (strcmp(e->name, "GBK") != 0)
		return e->name;
	for (i = 0; i + 1 < len; i++)
		if (p[i] >= 0x80) {
			if (p[i + 1] >= '0' && p[i + 1] <= '9')
				return "GB18030";
			i++;
		}
	return e->name;
}

static int
open_encoding(struct ctx_buf *out, const char **name, const char *data,
    size_t len)
{
	const struct encoding *e;
	size_t mark;
	int rc;

	if ((*name = unicode_name(data, len)) != NULL) {
		mark = (*name)[3] == '3' ? 4 : 2;
		if ((*name)[3] == '1' && (unsigned char)*data < 0xfe)
			mark = 0;
		return convert(out, *name, data + mark, len - mark,
		    (*name)[3] == '3' ? 4 : 2);
	}
	if (memchr(data, '\0', len) != NULL)
		return NO;
	if ((e = declared(data, len)) != NULL &&
	    (rc = convert(out, e->code, data, len, 0)) != NO) {
		*name = exact_name(e, data, len);
		return rc;
	}
	ctx_buf_reset(out);
	if ((rc = look(&e, data, len)) != YES)
		return rc;
	*name = exact_name(e, data, len);
	if (e == called("latin1", 6) && ctx_encoding_is_windows(data, len)) {
		e = called("cp1252", 6);
		*name = e->name;
	}
	return convert(out, e->code, data, len, 0);
}

int
ctx_encoding_open(struct ctx_buf *out, const char **name, const char *data,
    size_t len, struct ctx_err *err)
{
	size_t look = len < SAMPLE_MAX ? len : SAMPLE_MAX, good;
	int rc, cut = 0;

	*name = NULL;
	ctx_buf_reset(out);
	if (len > CTX_ENCODING_MAX)
		return 0;
	if (memchr(data, '\0', look) == NULL) {
		good = ctx_utf8_check(data, len);
		if (good < len)
			ctx_utf8_bad(data + good, len - good, &cut);
		if (good == len || (cut && good > 0))
			return 0;
	}
	rc = open_encoding(out, name, data, len);
	if (rc == NOMEM)
		return ctx_fail_nomem(err);
	if (rc == NO) {
		*name = ctx_encoding_unknown;
		ctx_buf_reset(out);
	}
	return 0;
}
