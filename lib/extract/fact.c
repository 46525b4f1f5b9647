/* SPDX-License-Identifier: MIT */
/* Facts of a text; see fact.h. */
#include "extract/fact.h"

#include <string.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "extract/words.h"

/* In characters. */
#define UNIT_MAX 2	/* unit after a number, part of the fact */
#define LEFT_MAX 18	/* shown before a number */
#define OF_MAX 6	/* before a 是 that is before it */
#define RIGHT_MAX 4	/* shown after its unit */
#define NAME_MIN 4	/* Han characters, unless it ends as places do */
#define NAME_MAX 16
#define QUOTE_MIN 2
#define QUOTE_MAX 40
#define PAREN_MAX 16	/* in parentheses after a name */
#define CODE_MAX 6	/* capitals */
#define HAN_LEN 3	/* bytes of a common Han character */
#define FILLER_MAX 10	/* a word without content */
#define GATE_MAX 3	/* letters and digits: B口 */

/* In percent. */
#define SHARE_ID 200
#define SHARE_CODE 60	/* three capitals and less */
#define SHARE_NUMBER 70	/* just a number */
#define SHARE_BARE 40	/* of one or two digits */

struct scan {
	struct ctx_facts *facts;
	const struct ctx_han_set *border;
	const char *text;
	size_t len;
	uint32_t at;
	struct ctx_err *err;
};

int
ctx_facts_add(struct ctx_facts *f, const struct ctx_fact *fact,
    struct ctx_err *err)
{
	if (CTX_ROOM(f->v, f->n, &f->cap) == -1)
		return ctx_fail_nomem(err);
	f->v[f->n++] = *fact;
	return 0;
}

/* What a fact's characters are. */
struct made_of {
	size_t digits, capitals, letters, joiners, marks;
	int ascii;
};

static struct made_of
made_of(const char *p, size_t len)
{
	struct made_of m = { .ascii = 1 };
	size_t i;

	for (i = 0; i < len; i++) {
		m.ascii &= (unsigned char)p[i] < 0x80;
		m.digits += p[i] >= '0' && p[i] <= '9';
		m.capitals += p[i] >= 'A' && p[i] <= 'Z';
		m.letters += (p[i] | 32) >= 'a' && (p[i] | 32) <= 'z';
		m.joiners += p[i] == '_';
		m.marks += p[i] == '@' || p[i] == '/' || p[i] == '#';
	}
	return m;
}

int
ctx_fact_is_id(const char *key, size_t len)
{
	struct made_of m = made_of(key, len);

	return m.digits >= 6 || (m.digits > 0 && m.joiners + m.marks > 0) ||
	    (m.digits > 0 && m.letters > 0 && len >= 5) ||
	    (m.marks > 0 && len > 6);
}

unsigned
ctx_fact_share(const char *key, size_t len)
{
	struct made_of m = made_of(key, len);

	if (ctx_fact_is_id(key, len))
		return SHARE_ID;
	if (m.digits == len && len <= 2)
		return SHARE_BARE;
	if (m.capitals == len && len <= 3)
		return SHARE_CODE;
	if (m.digits > 0 && m.letters == 0 && m.ascii)
		return SHARE_NUMBER;
	return 100;
}

static int
add(struct scan *s, size_t key, size_t keyend, size_t show, size_t showend,
    int name)
{
	struct ctx_fact fact = {
		.key = s->text + key, .keylen = (uint32_t)(keyend - key),
		.show = s->text + show, .showlen = (uint32_t)(showend - show),
		.at = s->at, .name = (uint8_t)name
	};

	return ctx_facts_add(s->facts, &fact, s->err);
}

static int
is_word(unsigned char c)
{
	return (c >= '0' && c <= '9') || c == '_' ||
	    ((c | 32) >= 'a' && (c | 32) <= 'z');
}

static int
is_digit(unsigned char c)
{
	return c >= '0' && c <= '9';
}

/* The length of a Han character at i that a name can contain, else 0. */
static size_t
han_at(const struct scan *s, size_t i)
{
	enum ctx_glyph class;
	uint32_t cp;
	size_t n;

	if (i >= s->len || (unsigned char)s->text[i] < 0x80)
		return 0;
	n = ctx_glyph_step(s->text + i, s->len - i, &cp, &class);
	return class == CTX_GLYPH_HAN && !ctx_han_set_has(s->border, cp) ?
	    n : 0;
}

/*
 * The end of the Han characters from i on; i if there are more than max, since
 * a half of a word says something else.
 */
static size_t
han_right(const struct scan *s, size_t i, int max)
{
	size_t n, e = i;

	while ((n = han_at(s, e)) > 0 && max-- > 0)
		e += n;
	return n > 0 ? i : e;
}

/* Their start before i, but never before from; i if there are more. */
static size_t
han_left(const struct scan *s, size_t i, size_t from, int max)
{
	size_t j, b = i;

	for (; b > from; b = j) {
		for (j = b - 1; j > from && ((unsigned char)s->text[j] & 0xc0)
		    == 0x80; j--)
			;
		if (han_at(s, j) != b - j)
			break;
		if (max-- == 0)
			return i;
	}
	return b;
}

/* The length of the first of the words that is at i, else 0. */
static size_t
word_at(const struct scan *s, size_t i, const char *const *word, size_t n)
{
	size_t k, len;

	for (k = 0; k < n; k++) {
		len = strlen(word[k]);
		if (s->len - i >= len && memcmp(s->text + i, word[k], len) == 0)
			return len;
	}
	return 0;
}

#define WORD_AT(s, i, words) \
	word_at(s, i, words, sizeof(words) / sizeof((words)[0]))

/* The end of the unit of a number that ends at i, with 以上 and the like. */
static size_t
unit_end(const struct scan *s, size_t i)
{
	/* the longest first, because they are tried in order */
	static const char *const unit[] = {
		"平方米", "个小时", "号楼", "号院", "个月", "小时", "分钟", "公里", "千米", "厘米",
		"毫米", "公斤", "千克", "万元", "美元", "欧元", "块钱", "星级", "号线",
		"年", "月", "日", "天", "周", "时", "点", "分", "秒", "元", "块", "角",
		"号", "楼", "层", "室", "栋", "座", "间", "人", "位", "岁", "米", "克",
		"斤", "吨", "升", "度", "折", "倍", "次", "个", "张", "份", "件", "条",
		"页", "章", "星", "级", "路", "台", "万", "亿", "晚", "种", "家", "名"
	};
	static const char *const more[] = {
		"以上", "以下", "以内", "之内", "左右", "上下", "之间", "起"
	};
	size_t n;

	if (i == s->len || (unsigned char)s->text[i] < 0x80)
		return i;
	n = s->text[i - 1] == '%' ? 0 : WORD_AT(s, i, unit);
	i = n > 0 ? i + n : han_right(s, i, UNIT_MAX);
	return i + WORD_AT(s, i, more);
}

/* The length of what joins two numbers at i, as in 2小时 - 3小时, else 0. */
static size_t
range_at(const struct scan *s, size_t i)
{
	static const char *const to[] = {
		"-", "~", "～", "—", "–", "至", "到"
	};
	size_t b = i, n;

	while (i < s->len && s->text[i] == ' ')
		i++;
	if (i == s->len || (n = WORD_AT(s, i, to)) == 0)
		return 0;
	for (i += n; i < s->len && s->text[i] == ' '; i++)
		;
	return i < s->len && is_digit((unsigned char)s->text[i]) ? i - b : 0;
}

/* The end of a URL that begins at i. */
static size_t
url_end(const struct scan *s, size_t i)
{
	enum ctx_glyph class;
	uint32_t cp;
	size_t n;

	for (; i < s->len; i += n) {
		n = ctx_glyph_step(s->text + i, s->len - i, &cp, &class);
		if (class == CTX_GLYPH_SPACE || class == CTX_GLYPH_HAN ||
		    cp > 0x3000 || strchr("\"'<>)]`", (int)(cp & 127)) != NULL)
			break;
	}
	return i;
}

/* Does the comma at i stand before three digits, and not between cells? */
static int
is_thousands(const struct scan *s, size_t i)
{
	size_t n = 0;

	if (i == 0 || !is_digit((unsigned char)s->text[i - 1]))
		return 0;
	while (++i < s->len && is_word((unsigned char)s->text[i]))
		n += is_digit((unsigned char)s->text[i]) ? 1 : 4;
	return n == 3;
}

/* The end of words joined by - . / : , @ +, and of a % after them. */
static size_t
token_end(const struct scan *s, size_t i)
{
	const char *t = s->text;

	for (;;) {
		while (i < s->len && is_word((unsigned char)t[i]))
			i++;
		if (i + 1 >= s->len || t[i] == '\0' ||
		    strchr("-./:,@+", t[i]) == NULL ||
		    !is_word((unsigned char)t[i + 1]) ||
		    (t[i] == ',' && !is_thousands(s, i)))
			break;
		i++;
	}
	if (i < s->len && t[i] == '%')
		i++;
	return i;
}

static int
is_upper(unsigned char c)
{
	return c >= 'A' && c <= 'Z';
}

/* Is t[b .. e) a code such as JFK rather than a SHOUTED word? */
static int
is_code(const struct scan *s, size_t b, size_t e)
{
	const unsigned char *t = (const unsigned char *)s->text;
	char low[CODE_MAX];
	size_t i;

	if (e - b < 2 || e - b > CODE_MAX)
		return 0;
	for (i = b; i < e; i++) {
		if (!is_upper(t[i]))
			return 0;
		low[i - b] = (char)(t[i] | 32);
	}
	/* in shouted text its neighbours would be capitals too */
	if ((b > 2 && t[b - 1] == ' ' && is_upper(t[b - 2]) &&
	    is_upper(t[b - 3])) || (e + 2 < s->len && t[e] == ' ' &&
	    is_upper(t[e + 1]) && is_upper(t[e + 2])))
		return 0;
	return !ctx_word_is(CTX_WORD_STOP, low, e - b);
}

/*
 * Does the token look like data rather than prose: does it have a digit, or a
 * joiner of identifiers and paths?
 */
static int
is_hard(const char *p, size_t len)
{
	size_t i;

	if (p[0] == '#')	/* ### is a heading, or a mark of a data set */
		return len > 1 && p[1] != '#';
	for (i = 0; i < len; i++)
		if (is_digit((unsigned char)p[i]) || p[i] == '_' ||
		    p[i] == '@' || p[i] == '/')
			return 1;
	return 0;
}

/* Is it a word without content, in any case? */
static int
is_filler(const char *p, size_t len)
{
	char low[FILLER_MAX];
	size_t i;

	if (len > sizeof(low))
		return 0;
	for (i = 0; i < len; i++)
		low[i] = (char)(p[i] | 32);
	return ctx_word_is(CTX_WORD_STOP, low, len) ||
	    ctx_word_is(CTX_WORD_OPENER, low, len);
}

/* Is it yes/no, and/or, he/she? */
static int
is_either(const char *p, size_t len)
{
	const char *q = memchr(p, '/', len);

	return q != NULL && is_filler(p, (size_t)(q - p)) &&
	    is_filler(q + 1, len - (size_t)(q - p) - 1);
}

/* The start of a currency sign before i, else i. */
static size_t
currency(const struct scan *s, size_t i)
{
	static const char *const signs[] = { "¥", "￥", "€", "£" };
	size_t k, n;

	for (k = 0; k < sizeof(signs) / sizeof(signs[0]); k++) {
		n = strlen(signs[k]);
		if (i >= n && memcmp(s->text + i - n, signs[k], n) == 0)
			return i - n;
	}
	return i;
}

/*
 * Does the number from b to end, with its unit, continue the one before it, as
 * in 58号3楼 or 2小时30分钟?  Then that becomes longer.
 */
static int
extends_last(const struct scan *s, size_t b, size_t end)
{
	struct ctx_fact *f = s->facts->n > 0 ?
	    &s->facts->v[s->facts->n - 1] : NULL;
	size_t more;

	if (f == NULL || f->at != s->at || f->name ||
	    f->key + f->keylen != s->text + b ||
	    (unsigned char)s->text[b - 1] < 0x80)
		return 0;
	more = han_right(s, end, RIGHT_MAX);
	f->keylen = (uint32_t)(s->text + end - f->key);
	f->showlen = (uint32_t)(s->text + more - f->show);
	return 1;
}

/* Where what is shown of a number at b begins: 评分4.5分, 时间是2小时. */
static size_t
shown_from(const struct scan *s, size_t b, size_t from)
{
	static const char *const is[] = { "是", "为" };
	size_t show = han_left(s, b, from, LEFT_MAX), n = HAN_LEN;

	if (show < b || b < from + n || WORD_AT(s, b - n, is) == 0)
		return show;
	show = han_left(s, b - n, from, OF_MAX);
	return show < b - n ? show : b;
}

/* In 12:word, which a listing with line numbers has, the word; else b. */
static size_t
after_line(const struct scan *s, size_t b, size_t e)
{
	size_t i = b;

	while (i < e && is_digit((unsigned char)s->text[i]))
		i++;
	return i > b && i + 1 < e && s->text[i] == ':' &&
	    !is_digit((unsigned char)s->text[i + 1]) ? i + 1 : b;
}

/* Find the token at i, if there is one; sets *end to its end. */
static int
token(struct scan *s, size_t i, size_t from, size_t *end)
{
	const char *t = s->text;
	size_t b = i, e, key, show, n;

	while (i < s->len && t[i] != '\0' && strchr("$#~./", t[i]) != NULL)
		i++;
	if (i == s->len || !is_word((unsigned char)t[i])) {
		*end = i > b ? i : b + 1;
		return 0;
	}
	if (s->len - i > 8 && (memcmp(t + i, "http://", 7) == 0 ||
	    memcmp(t + i, "https://", 8) == 0))
		e = url_end(s, i);
	else
		e = token_end(s, i);
	*end = e;
	b = after_line(s, b, e);
	while (t[b] == '.' && b + 1 < e && t[b + 1] != '/' && t[b + 1] != '.')
		b++;
	while (e > b && strchr(".,:", t[e - 1]) != NULL)
		e--;
	/* </p> is not a path */
	if (!is_code(s, b, e) && (!is_hard(t + b, e - b) ||
	    is_either(t + b, e - b) || (t[b] == '/' && b > 0 && t[b - 1] == '<')))
		return 0;
	if (!is_digit((unsigned char)t[e - 1]) && t[e - 1] != '%')
		return add(s, b, e, b, e, 0);
	b = currency(s, b);
	key = unit_end(s, e);
	/* a range needs a unit, unlike 3 - 2 */
	if (key > e && (n = range_at(s, key)) > 0)
		key = unit_end(s, token_end(s, key + n));
	*end = key;
	if (key > e && extends_last(s, b, key))
		return 0;
	show = shown_from(s, b, from);
	return add(s, b, key, show, han_right(s, key, RIGHT_MAX), 0);
}

/* Find a quoted string that opens at i; sets *end only if there is one. */
static int
quoted(struct scan *s, size_t i, size_t *end)
{
	static const char *const pair[][2] = {
		{ "\"", "\"" }, { "`", "`" }, { "“", "”" }, { "《", "》" },
		{ "「", "」" }
	};
	size_t k, j, n, on, cn, chars = 0;
	uint32_t cp;

	for (k = 0; k < sizeof(pair) / sizeof(pair[0]); k++) {
		on = strlen(pair[k][0]);
		if (s->len - i > on && memcmp(s->text + i, pair[k][0], on) == 0)
			break;
	}
	if (k == sizeof(pair) / sizeof(pair[0]))
		return 0;
	cn = strlen(pair[k][1]);
	for (j = i + on; j + cn <= s->len && chars <= QUOTE_MAX; j += n) {
		if (memcmp(s->text + j, pair[k][1], cn) == 0) {
			if (chars < QUOTE_MIN)
				return 0;
			*end = j + cn;
			return add(s, i + on, j, i + on, j, 0);
		}
		if (s->text[j] == '\n')
			return 0;
		if ((n = ctx_utf8_step(s->text + j, s->len - j, &cp)) == 0)
			n = 1;
		chars++;
	}
	return 0;
}

/* The end of a parenthesis that belongs to the name before it, else i. */
static size_t
paren_end(const struct scan *s, size_t i)
{
	uint32_t cp;
	size_t n, chars = 0, b = i;

	if (i >= s->len ||
	    (n = ctx_utf8_step(s->text + i, s->len - i, &cp)) == 0 ||
	    (cp != '(' && cp != 0xff08))
		return b;
	for (i += n; i < s->len && chars <= PAREN_MAX; i += n, chars++) {
		n = ctx_utf8_step(s->text + i, s->len - i, &cp);
		if (n == 0 || cp == '\n' || cp == '(' || cp == 0xff08)
			return b;
		if (cp == ')' || cp == 0xff09)
			return chars > 0 ? i + n : b;
	}
	return b;
}

/* Does it end as names of places, houses and institutions do? */
static int
is_place(const char *p, size_t len, int few)
{
#define ENDS "宫园山寺坛府海湖塔桥岛庙陵城馆店寨峡"
	/* the others need more characters before them */
	static const char ends[] = ENDS
	    "站路街号口楼院苑场村镇河区厅社校局台庄巷居吧所学";
	const char *at;

	for (at = ends; at + HAN_LEN < ends + sizeof(ends); at += HAN_LEN)
		if (len >= HAN_LEN &&
		    memcmp(at, p + len - HAN_LEN, HAN_LEN) == 0)
			return !few || at < ends + strlen(ENDS);
	return 0;
}

/* Does it only say what kind of place: 酒店, 附近酒店? */
static int
is_kind(const struct scan *s, size_t i, size_t end)
{
	static const char *const place[] = {
		"酒店", "饭店", "宾馆", "旅馆", "餐馆", "餐厅", "饭馆", "公园", "地铁站",
		"车站", "机场", "医院", "学校", "商店", "商场", "超市", "景点", "大学",
		"地址", "电话", "站", "店", "馆"
	};
	static const char *const which[] = {
		"附近", "周边", "周围", "旁边", "一家", "几家", "哪家", "这家", "那家",
		"一", "几", "哪", "啥", "家", "此", "该", "别", "其", "另", "外", "小",
		"大", "老", "总", "分", "各", "每"
	};
	size_t n;

	while (i < end && (n = WORD_AT(s, i, which)) > 0)
		i += n;
	while (i < end && (n = WORD_AT(s, i, place)) > 0)
		i += n;
	return i >= end;
}

/* The end of B口 after 地铁站 that ends at i, else i. */
static size_t
gate_end(const struct scan *s, size_t i)
{
	static const char *const gate[] = { "口", "座", "栋", "楼", "馆", "区",
		"号" };
	size_t e = i, n;

	if (i == s->len || is_digit((unsigned char)s->text[i]))
		return i;
	while (e < s->len && e - i < GATE_MAX && is_word((unsigned char)
	    s->text[e]))
		e++;
	n = e > i && e < s->len ? WORD_AT(s, e, gate) : 0;
	return n > 0 ? e + n : i;
}

/* Take the Han characters from i to the next border, which may be a name. */
static int
han_name(struct scan *s, size_t i, size_t *end)
{
	size_t e = i, n, chars = 0, p;
	int place;

	while ((n = han_at(s, e)) > 0) {
		e += n;
		chars++;
	}
	*end = e;
	if ((p = gate_end(s, e)) == e)
		p = paren_end(s, e);
	/* with a number behind it, a street is shown with the number */
	place = p > e || ((e == s->len || !is_digit((unsigned char)
	    s->text[e])) && is_place(s->text + i, e - i, chars < NAME_MIN));
	if ((chars >= NAME_MIN || (chars >= 2 && place)) && chars <= NAME_MAX &&
	    (p > e || !is_kind(s, i, e))) {
		*end = p;
		return add(s, i, p, i, p, place ? CTX_FACT_PLACE :
		    CTX_FACT_NAME);
	}
	return 0;
}

/* Find capitalized words from i on, in mid-sentence; sets *end to their end. */
static int
capital_name(struct scan *s, size_t i, size_t *end)
{
	const char *t = s->text;
	size_t e = i, b;

	if (i < 2 || t[i - 1] != ' ' || !((t[i - 2] >= 'a' && t[i - 2] <= 'z')
	    || t[i - 2] == ',' || t[i - 2] == ';'))
		return 0;
	for (;;) {
		for (b = e++; e < s->len && t[e] >= 'a' && t[e] <= 'z'; e++)
			;
		if (e == b + 1) {	/* "I" is not a name */
			if (b == i)
				return 0;
			e = b - 1;
			break;
		}
		if (e + 1 >= s->len || t[e] != ' ' || t[e + 1] < 'A' ||
		    t[e + 1] > 'Z')
			break;
		e++;
	}
	*end = e;
	return is_filler(t + i, e - i) ? 0 :
	    add(s, i, e, i, e, CTX_FACT_NAME);
}

int
ctx_facts_scan(struct ctx_facts *facts, const struct ctx_han_set *border,
    const char *text, size_t len, uint32_t at, struct ctx_err *err)
{
	struct scan s = { facts, border, text, len, at, err };
	enum ctx_glyph class;
	uint32_t cp;
	size_t i = 0, n, end, from = 0, quote = 0, named = 0, had;

	while (i < len) {
		n = ctx_glyph_step(text + i, len - i, &cp, &class);
		end = i + n;
		if (class == CTX_GLYPH_HAN) {
			if (han_at(&s, i) > 0 && han_name(&s, i, &end) == -1)
				return -1;
		} else if (class == CTX_GLYPH_MARK && cp != '/' && cp != '.' &&
		    cp != '~' && cp != '$' && cp != '#' && cp != '_') {
			if (i >= quote && quoted(&s, i, &quote) == -1)
				return -1;
		} else if (cp < 0x80 && class != CTX_GLYPH_SPACE) {
			had = facts->n;
			if (token(&s, i, from, &end) == -1)
				return -1;
			if (facts->n == had && i >= named &&
			    cp >= 'A' && cp <= 'Z' &&
			    capital_name(&s, i, &named) == -1)
				return -1;
			from = end;
		}
		i = end;
	}
	return 0;
}
