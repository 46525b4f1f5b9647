/* SPDX-License-Identifier: MIT */
/* Numbers with check digits, and US social security numbers; see personal.h. */
#include <string.h>

#include "redact/personal_impl.h"

#define DIGITS	34	/* the most of any number here: an IBAN's characters */

/*
 * Copy a number to out without the single spaces or hyphens in it, at most max
 * characters that is takes.  Returns its length in the text; *n is that of out.
 */
static size_t
squeeze(const char *s, size_t len, size_t max, int letters, char *out,
    size_t *n)
{
	size_t i = 0, end = 0;

	for (*n = 0; i < len && *n < max; i++) {
		if (personal_is_digit(s[i]) ||
		    (letters && personal_is_upper(s[i]))) {
			out[(*n)++] = s[i];
			end = i + 1;
		} else if ((s[i] != ' ' && (s[i] != '-' || letters)) ||
		    i == 0 || end < i)
			break;
	}
	return end;
}

/* --- IBAN ---------------------------------------------------------------- */

/* The length of an IBAN by its country: SWIFT's IBAN registry, release 99. */
static const char iban_lengths[] =
    "AD24AE23AL28AT20AZ28BA20BE16BG22BH22BI27BR29BY28CH21CR22CY28CZ24DE22DJ27"
    "DK18DO28EE20EG29ES24FI18FK18FO18FR27GB22GE22GI23GL18GR27GT28HN28HR21HU28"
    "IE22IL23IQ23IS26IT27JO30KW30KZ20LB28LC32LI21LT20LU20LV21LY25MC27MD24ME22"
    "MK19MN20MR27MT31MU30NI28NL18NO15OM23PK24PL28PS29PT25QA29RO24RS22RU33SA24"
    "SC31SD18SE24SI19SK24SM27SO23ST25SV28TL23TN24TR26UA29VA22VG24XK20YE30";

static size_t
iban_length(const char *s)
{
	const char *p;

	for (p = iban_lengths; *p != '\0'; p += 4)
		if (memcmp(p, s, 2) == 0)
			return (size_t)((p[2] - '0') * 10 + p[3] - '0');
	return 0;
}

/* ISO 13616: the first four characters last, letters as 10 .. 35, modulo 97. */
static int
iban_is_valid(const char *s, size_t n)
{
	unsigned sum = 0;
	size_t i;
	char c;

	for (i = 0; i < n; i++) {
		c = s[(i + 4) % n];
		sum = personal_is_digit(c) ? sum * 10 + (unsigned)(c - '0') :
		    sum * 100 + (unsigned)(c - 'A' + 10);
		sum %= 97;
	}
	return sum == 1;
}

size_t
ctx_personal_iban(const char *text, size_t len, size_t off)
{
	char s[DIGITS];
	size_t want, n, used;

	if (len - off < 15 || !personal_is_digit(text[off + 3]) ||
	    (want = iban_length(text + off)) == 0)
		return 0;
	used = squeeze(text + off, len - off, want, 1, s, &n);
	return n == want && iban_is_valid(s, n) &&
	    (off + used >= len || !personal_is_alnum(text[off + used])) ?
	    used : 0;
}

/* --- payment cards ------------------------------------------------------- */

/* ISO/IEC 7812-1: the check digit of Luhn. */
static int
luhn_is_valid(const char *s, size_t n)
{
	unsigned sum = 0, d;
	size_t i;

	for (i = 0; i < n; i++) {
		d = (unsigned)(s[n - 1 - i] - '0');
		d <<= i & 1;
		sum += d > 9 ? d - 9 : d;
	}
	return sum % 10 == 0;
}

/* The first four digits that issuers have, and how many digits follow. */
static const struct {
	unsigned short from, to;
	unsigned char least, most;
} issuers[] = {
	{ 4000, 4999, 16, 16 },		/* Visa */
	{ 5100, 5599, 16, 16 }, { 2221, 2720, 16, 16 },	/* Mastercard */
	{ 3400, 3499, 15, 15 }, { 3700, 3799, 15, 15 },	/* American Express */
	{ 6011, 6011, 16, 19 }, { 6440, 6599, 16, 19 },	/* Discover */
	{ 3000, 3059, 14, 19 }, { 3095, 3095, 14, 19 },	/* Diners Club */
	{ 3600, 3699, 14, 19 }, { 3800, 3999, 16, 19 },
	{ 3528, 3589, 16, 19 },		/* JCB */
	{ 6200, 6299, 16, 19 },		/* UnionPay */
	{ 2200, 2204, 16, 19 },		/* Mir */
	{ 6759, 6763, 16, 19 }, { 5018, 5038, 16, 19 }	/* Maestro */
};

static int
is_issued(const char *s, size_t n)
{
	unsigned four = 0;
	size_t i;

	for (i = 0; i < 4; i++)
		four = four * 10 + (unsigned)(s[i] - '0');
	for (i = 0; i < sizeof(issuers) / sizeof(issuers[0]); i++)
		if (four >= issuers[i].from && four <= issuers[i].to &&
		    n >= issuers[i].least && n <= issuers[i].most)
			return 1;
	return 0;
}

/* 4242 4242 4242 4242 and 4111 1111 1111 1111 are for tests. */
static int
is_stand_in(const char *s, size_t n)
{
	unsigned seen = 0, kinds = 0;
	size_t i;

	for (i = 0; i < n; i++)
		seen |= 1u << (s[i] - '0');
	for (; seen != 0; seen &= seen - 1)
		kinds++;
	return kinds <= 2;
}

/* Groups are of four digits, or 4-6-5 and 4-6-4 as on some cards. */
static int
is_grouped(const char *s, size_t used)
{
	size_t group = 0, groups = 0, i;

	for (i = 0; i < used; i++)
		if (personal_is_digit(s[i]))
			group++;
		else if (group != 4 && (groups != 1 || group != 6))
			return 0;
		else {
			groups++;
			group = 0;
		}
	return groups == 0 || (group >= 2 && group <= 5);
}

size_t
ctx_personal_card(const char *text, size_t len, size_t off)
{
	char s[DIGITS];
	size_t n, used;

	if (text[off] < '2' || text[off] > '6')
		return 0;
	used = squeeze(text + off, len - off, 19, 0, s, &n);
	/* another group of digits may follow on the line: an expiry, a CVC */
	while (n > 16 && !personal_is_digit(text[off + 4]) && used > 19) {
		while (personal_is_digit(text[off + used - 1])) {
			used--;
			n--;
		}
		used--;
	}
	return n >= 14 && personal_ends(text, len, off + used) &&
	    is_issued(s, n) && luhn_is_valid(s, n) && !is_stand_in(s, n) &&
	    is_grouped(text + off, used) ? used : 0;
}

/* --- Chinese resident identity numbers ------------------------------------ */

static int
two(const char *s)
{
	return (s[0] - '0') * 10 + s[1] - '0';
}

/* GB 11643-1999: place, date of birth, order, and ISO 7064 MOD 11-2. */
size_t
ctx_personal_cn_id(const char *text, size_t len, size_t off)
{
	static const unsigned char weight[17] = { 7, 9, 10, 5, 8, 4, 2, 1, 6,
	    3, 7, 9, 10, 5, 8, 4, 2 };
	const char *s = text + off;
	unsigned sum = 0;
	size_t i;

	if (len - off < 18)
		return 0;
	for (i = 0; i < 17; i++) {
		if (!personal_is_digit(s[i]))
			return 0;
		sum += weight[i] * (unsigned)(s[i] - '0');
	}
	/* GB/T 2260: 11 Beijing to 65 Xinjiang, 71 Taiwan, 81 and 82 */
	if (two(s) < 11 || two(s) > 83 || two(s + 6) < 18 ||
	    two(s + 6) > 20 || two(s + 10) < 1 || two(s + 10) > 12 ||
	    two(s + 12) < 1 || two(s + 12) > 31)
		return 0;
	return (s[17] == "10X98765432"[sum % 11] ||
	    (s[17] == 'x' && sum % 11 == 2)) &&
	    personal_ends(text, len, off + 18) ? 18 : 0;
}

/* --- US social security numbers ------------------------------------------- */

/* 20 CFR 422.103: area, group and serial; SSA: which are never assigned. */
size_t
ctx_personal_ssn(const char *text, size_t len, size_t off)
{
	static const char *const words[] = { "ssn", "social security", NULL };
	const char *s = text + off;
	size_t i;

	if (len - off < 11 || (s[3] != '-' && s[3] != ' ') || s[6] != s[3])
		return 0;
	for (i = 0; i < 11; i++)
		if (i != 3 && i != 6 && !personal_is_digit(s[i]))
			return 0;
	/* 000 and 666 are not areas; 111-22-3333 is nobody's */
	if ((s[0] == s[1] && s[0] == s[2]) ||
	    s[0] == '9' || memcmp(s + 4, "00", 2) == 0 ||
	    memcmp(s + 7, "0000", 4) == 0 || memcmp(s, "078", 3) == 0 ||
	    memcmp(s, "123", 3) == 0 || !personal_ends(text, len, off + 11))
		return 0;
	return s[3] == '-' || ctx_personal_after(text, off, words) ? 11 : 0;
}
