/* SPDX-License-Identifier: MIT */
/*
 * Telephone numbers; see personal.h.  A number counts if it is international,
 * or written as one of the forms of a country, or after a word such as Tel.
 */
#include <string.h>

#include "redact/personal_impl.h"

#define MOST	15	/* digits, ITU-T E.164 */
#define LEAST	9	/* with the country's code */

/* Words that announce a number, in several languages. */
static const char *const words[] = { "tel", "phone", "telephone", "telefon",
	"telefono", "t\xc3\xa9l", "mobile", "mobil", "fax", "whatsapp", "sms",
	"celular", "phones", "phonenumber", "telefonnummer", "rufnummer",
	"\xe7\x94\xb5\xe8\xaf\x9d", "\xe9\x9b\xbb\xe8\xa9\xb1",
	"\xe6\x89\x8b\xe6\x9c\xba", "\xe6\x89\x8b\xe6\xa9\x9f",
	"\xe8\x81\x94\xe7\xb3\xbb", "\xe6\x90\xba\xe5\xb8\xaf", NULL };

/* Words after which eleven digits are something else. */
static const char *const counts[] = { "id", "timestamp", "time", "size",
	"bytes", "offset", "seed", "count", "total", "number", NULL };

/*
 * National forms: d is a digit, N is 2 to 9, - is a hyphen or a full stop, ~
 * one of these or a space, always the same one; the rest stands for itself.
 * Those that are only digits are of China, whose prefixes are checked.
 */
static const char *const forms[] = {
	"(Ndd) Ndd-dddd", "(Ndd)Ndd-dddd", "Ndd-Ndd-dddd",	/* NANP */
	"1-Ndd-Ndd-dddd",
	"1dddddddddd", "1dd~dddd~dddd",		/* China, mobile */
	"0dd-dddddddd", "0ddd-ddddddd", "0ddd-dddddddd",
	"0d0-dddd-dddd",			/* Japan, mobile */
	"01d-dddd-dddd", "01d-ddd-dddd",	/* Korea, mobile */
	"07ddd dddddd", "07ddd ddd ddd", "02d dddd dddd",	/* UK */
	"0d dd dd dd dd", "0d.dd.dd.dd.dd",	/* France */
	"(dd) 9dddd-dddd", "(dd) dddd-dddd",	/* Brazil */
	NULL
};

/* Does s begin with the form? */
static int
fits(const char *s, const char *form)
{
	char sign = '\0';
	size_t i;

	for (i = 0; form[i] != '\0'; i++) {
		if (form[i] == 'd' || form[i] == 'N') {
			if (!personal_is_digit(s[i]) ||
			    (form[i] == 'N' && s[i] < '2'))
				return 0;
		} else if (form[i] == '-' || form[i] == '~') {
			if ((s[i] != '-' && s[i] != '.' &&
			    (form[i] == '-' || s[i] != ' ')) ||
			    (sign != '\0' && s[i] != sign))
				return 0;
			sign = s[i];
		} else if (s[i] != form[i])
			return 0;
	}
	return 1;
}

/*
 * Pairs of digits may be bytes: five of many, or all small.  s has the form "0d
 * dd dd dd dd".
 */
static int
is_dump(const char *text, size_t len, size_t off, const char *s)
{
	const size_t n = 14;

	if (s[1] == '0' || (s[3] == '0' && s[6] == '0' && s[9] == '0' &&
	    s[12] == '0'))
		return 1;
	return (off > 2 && text[off - 1] == s[2] &&
	    personal_is_hex(text[off - 2]) && personal_is_hex(text[off - 3])) ||
	    (off + n + 2 < len && text[off + n] == s[2] &&
	    personal_is_hex(text[off + n + 1]));
}

/* The prefixes of mobile numbers that China's ministry has assigned. */
static int
is_chinese_mobile(const char *s)
{
	static const char *const third[10] = { "", "", "", "0123456789",
	    "456789", "012356789", "24567", "012345678", "0123456789",
	    "0123456789" };

	return personal_is_digit(s[1]) && personal_is_digit(s[2]) &&
	    strchr(third[s[1] - '0'], s[2]) != NULL;
}

/* 555-0100 to 555-0199 are reserved for fiction, NANP. */
static int
is_fiction(const char *digits, size_t n)
{
	return n >= 10 && memcmp(digits + n - 7, "55501", 5) == 0;
}

static size_t
digits_of(const char *s, size_t len, char *out, size_t max)
{
	size_t n = 0, i;

	for (i = 0; i < len && n < max; i++)
		if (personal_is_digit(s[i]))
			out[n++] = s[i];
	return n;
}

/* The length of the first national form that fits, or 0. */
static size_t
national(const char *text, size_t len, size_t off)
{
	const char *s = text + off, *f;
	char digits[MOST];
	size_t i, n;

	for (i = 0; forms[i] != NULL; i++) {
		f = forms[i];
		n = strlen(f);
		if (n > len - off || !fits(s, f) ||
		    !personal_ends(text, len, off + n) ||
		    (f[0] == '1' && f[1] == 'd' && (!is_chinese_mobile(s) ||
		    (f[3] == 'd' && ctx_personal_after(text, off, counts)))) ||
		    (f[0] == '0' && n == 14 && f[3] == 'd' &&
		    is_dump(text, len, off, s)))
			continue;
		return is_fiction(digits, digits_of(s, n, digits, MOST)) ? 0 :
		    n;
	}
	return 0;
}

/* Is s[0 .. n) a number with a fraction? */
static int
is_decimal(const char *s, size_t n)
{
	size_t dots = 0, others = 0, i;

	for (i = 0; i < n; i++) {
		dots += s[i] == '.';
		others += s[i] != '.' && !personal_is_digit(s[i]);
	}
	return dots == 1 && others == 0;
}

/*
 * The length of a number of digits in groups, with single separators between
 * them and one pair of parentheses; *n is the number of digits.
 */
static size_t
grouped(const char *s, size_t len, char digits[MOST], size_t *n)
{
	size_t i, end = 0, open = 0;

	for (*n = i = 0; i < len; i++) {
		if (personal_is_digit(s[i])) {
			if (*n == MOST)
				return 0;
			digits[(*n)++] = s[i];
			end = i + 1;
		} else if (s[i] == '(' && open == 0 && i + 1 < len &&
		    personal_is_digit(s[i + 1]))
			open = i + 1;
		else if (s[i] == ')' && open > 0 && i - open <= 5 && i == end)
			continue;
		else if (s[i] == '\0' || strchr(" -./", s[i]) == NULL ||
		    (i != end && s[i - 1] != ')' &&
		    (i < 1 || s[i] != ' ' || s[i - 1] == ' ')))
			break;
	}
	return end;
}

/* Is it a country code, ITU-T E.164, with a plausible number of digits? */
static int
is_international(const char *d, size_t n)
{
	/* codes of three digits; all others that begin like these have two */
	static const char *const three[] = { "21", "22", "23", "24", "25",
	    "26", "29", "35", "37", "38", "42", "50", "59", "67", "68", "69",
	    "80", "85", "87", "88", "96", "97", "99", NULL };
	static const char unused[] = "28 83 84 89 ";
	size_t i;

	if (n < LEAST || d[0] == '0')
		return 0;
	if (d[0] == '1')
		return n == 11 && d[1] >= '2' && d[4] >= '2';
	if (d[0] == '7')
		return n == 11;
	if (memcmp(d, "86", 2) == 0)
		return d[2] == '1' ? n == 13 || n == 12 : n >= 11 && n <= 13;
	for (i = 0; three[i] != NULL; i++)
		if (memcmp(d, three[i], 2) == 0)
			return n >= 9 && n <= MOST;
	for (i = 0; unused[i] != '\0'; i += 3)
		if (memcmp(d, unused + i, 2) == 0 && d[0] != '8')
			return 0;
	return n >= 10 || memcmp(d, "49", 2) == 0 || memcmp(d, "43", 2) == 0;
}

size_t
ctx_personal_phone(const char *text, size_t len, size_t off)
{
	const char *s = text + off;
	int plus = s[0] == '+';
	char digits[MOST];
	size_t n, used, form;

	used = grouped(s + plus, len - off - (size_t)plus, digits, &n);
	if (is_decimal(s + plus, used))
		return 0;
	if (plus) {
		used++;
		return n > 0 && personal_is_digit(s[1]) &&
		    personal_ends(text, len, off + used) &&
		    is_international(digits, n) && !is_fiction(digits, n) ?
		    used : 0;
	}
	if ((form = national(text, len, off)) > 0)
		return form;
	return n >= 7 && personal_ends(text, len, off + used) &&
	    !is_fiction(digits, n) && ctx_personal_after(text, off, words) ?
	    used : 0;
}
