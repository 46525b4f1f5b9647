/* SPDX-License-Identifier: MIT */
/* What patterns cannot check about a secret; see redact_rules.h. */
#include <stdint.h>
#include <string.h>

#include "base/base64.h"
#include "base/utf8.h"
#include "redact/redact_rules.h"

#define LOWER	"abcdefghijklmnopqrstuvwxyz"
#define UPPER	"ABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define DIGIT	"0123456789"

static int
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static int
is_alpha(char c)
{
	c |= 0x20;
	return c >= 'a' && c <= 'z';
}

static char
lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

static int
is_hex(char c)
{
	return is_digit(c) || (lower(c) >= 'a' && lower(c) <= 'f');
}

/* Does s[0 .. n) contain word, ignoring case?  word is in lower case. */
static int
contains(const char *s, size_t n, const char *word)
{
	size_t len = strlen(word), i, k;

	for (i = 0; i + len <= n; i++) {
		for (k = 0; k < len && lower(s[i + k]) == word[k]; k++)
			;
		if (k == len)
			return 1;
	}
	return 0;
}

static int
contains_any(const char *s, size_t n, const char *const words[])
{
	for (; *words != NULL; words++)
		if (contains(s, n, *words))
			return 1;
	return 0;
}

static int
equals_any(const char *s, size_t n, const char *const words[])
{
	for (; *words != NULL; words++)
		if (strlen(*words) == n && contains(s, n, *words))
			return 1;
	return 0;
}

/*
 * log2(n), n >= 1, to the last bits of a double.  log2() would link libm, which
 * takes ctx-clean 0.05 ms of 0.7 at each start.
 */
static double
log2_of(size_t n)
{
	/* of the series for atanh, the highest first */
	static const double odd[] = {
		1. / 33, 1. / 31, 1. / 29, 1. / 27, 1. / 25, 1. / 23, 1. / 21,
		1. / 19, 1. / 17, 1. / 15, 1. / 13, 1. / 11, 1. / 9, 1. / 7,
		1. / 5, 1. / 3, 1
	};
	double m = (double)n, whole = 0, sum = 0, t;
	size_t i;

	for (; m >= 2; m /= 2)
		whole++;
	t = (m - 1) / (m + 1);		/* less than 1/3 */
	for (i = 0; i < sizeof(odd) / sizeof(*odd); i++)
		sum = sum * t * t + odd[i];
	return whole + 2 / 0.69314718055994530942 * t * sum;	/* ln 2 */
}

double
ctx_redact_entropy(const char *s, size_t n)
{
	size_t count[256] = { 0 }, i;
	double sum = 0;

	if (n == 0)
		return 0;
	for (i = 0; i < n; i++)
		count[(unsigned char)s[i]]++;
	for (i = 0; i < 256; i++)
		if (count[i] > 1)
			sum += (double)count[i] * log2_of(count[i]);
	return log2_of(n) - sum / (double)n;
}

/* Is there a run like xxxxx, 0000000 or abcdefgh, which no key has? */
static int
has_run(const char *s, size_t n)
{
	size_t same = 1, up = 1, i;

	for (i = 1; i < n; i++) {
		same = s[i] == s[i - 1] ? same + 1 : 1;
		up = s[i] == s[i - 1] + 1 ? up + 1 : 1;
		if (up >= 8 || (same >= 5 && strchr("xX*.?#", s[i])) ||
		    (same >= 7 && s[i] != 'A' && s[i] != ' '))
			return 1;
	}
	return 0;
}

int
ctx_redact_check_any(const char *s, size_t n)
{
	/* none is short enough to occur in random letters */
	static const char *const words[] = {
		"example", "your-", "your_", "changeme", "change-me",
		"change_me", "placeholder", "redacted", "dummy", "sample",
		NULL
	};

	return !has_run(s, n) && !contains_any(s, n, words);
}

static uint32_t
crc32_of(const char *s, size_t n)
{
	uint32_t crc = 0xffffffff;
	size_t i;
	int k;

	for (i = 0; i < n; i++) {
		crc ^= (unsigned char)s[i];
		for (k = 0; k < 8; k++)
			crc = crc >> 1 ^ (0xedb88320 & (0u - (crc & 1)));
	}
	return ~crc;
}

/* Check that the last six letters are the CRC-32 of the rest, in base 62. */
int
ctx_redact_check_crc(const char *s, size_t n)
{
	static const char base62[] = DIGIT UPPER LOWER;
	const char *p = memchr(s, '_', n), *digit;
	uint64_t sum = 0;
	size_t i;

	if (p == NULL || n - (size_t)(p + 1 - s) <= 6)
		return 0;
	p++;
	for (i = n - 6; i < n; i++) {
		if ((digit = strchr(base62, s[i])) == NULL || s[i] == '\0')
			return 0;
		sum = sum * 62 + (uint64_t)(digit - base62);
	}
	return sum == crc32_of(p, n - 6 - (size_t)(p - s));
}

int
ctx_redact_check_jwt(const char *s, size_t n)
{
	const char *dot = memchr(s, '.', n);
	char head[1024];
	size_t len, used;

	if (dot == NULL)
		return 0;
	len = ctx_base64_begin(head, sizeof(head), s, (size_t)(dot - s),
	    &used);
	/* of a header over 1 kB only the beginning is decoded */
	return len > 2 && head[0] == '{' &&
	    (head[len - 1] == '}' || len == sizeof(head)) &&
	    contains(head, len, "\"alg\"");
}

int
ctx_redact_check_basic(const char *s, size_t n)
{
	char text[256];
	size_t used, i;
	size_t len = ctx_base64_begin(text, sizeof(text), s, n, &used);
	const char *colon = memchr(text, ':', len);

	for (i = 0; i < len; i++)
		if ((unsigned char)text[i] < 0x20 || text[i] == 0x7f)
			return 0;
	return colon != NULL && ctx_utf8_check(text, len) == len &&
	    ctx_redact_check_userinfo(colon + 1,
	    (size_t)(text + len - colon - 1));
}

int
ctx_redact_check_pem(const char *s, size_t n)
{
	size_t run = 0, i;

	for (i = 0; i < n && run < 40; i++)
		run = is_alpha(s[i]) || is_digit(s[i]) || s[i] == '+' ||
		    s[i] == '/' || s[i] == '=' ? run + 1 : 0;
	return run >= 40;
}

static int
is_word(char c)
{
	return is_alpha(c) || is_digit(c) || c == '_' || c == '-';
}

/* Is it a name alone, as those of variables and members: config->db.name[0]? */
static int
is_name(const char *s, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (!is_word(s[i]) && (strchr(".:/>[]", s[i]) == NULL ||
		    s[i] == '\0'))
			return 0;
	return 1;
}

/* Is s[0 .. n), which follows "%", the rest of %s, %-5d, %[1]s or %NAME%? */
static int
is_format(const char *s, size_t n)
{
	size_t i = 0;

	while (i < n && (is_digit(s[i]) || s[i] == '-' || s[i] == '.'))
		i++;
	return (n > 0 && (s[0] == '{' || s[0] == '[')) ||
	    memchr(s, '%', n) != NULL ||
	    (i < n && is_alpha(s[i]) && (i + 1 == n || !is_word(s[i + 1])));
}

/* Is s[0 .. n), which follows "$", the rest of a hash as crypt(3) makes it? */
static int
is_crypt(const char *s, size_t n)
{
	size_t i = 0;

	while (i < n && i < 10 && (is_alpha(s[i]) || is_digit(s[i])))
		i++;
	return i > 0 && i < n && s[i] == '$';
}

/* Is it filled in later: ${VAR}, $VAR, {{ var }}, %s, <what>, @name, [x]? */
static int
is_variable(const char *s, size_t n)
{
	static const char *const parts[] = { "${", "{{", "#{", "%(", "$(",
		NULL };

	if (contains_any(s, n, parts))
		return 1;
	switch (s[0]) {
	case '$':
		return is_name(s + 1, n - 1) || is_crypt(s + 1, n - 1);
	case '@':
	case '#':
		return is_name(s + 1, n - 1);
	case '%':
		return is_format(s + 1, n - 1);
	case '{':
		return memchr(s, '}', n) != NULL;
	case '<':
		return memchr(s, '>', n) != NULL;
	case '[':
		return memchr(s, ']', n) != NULL;
	}
	return 0;
}

/* Is s[0 .. n) a word as in names: etc, Users or DB? */
static int
is_plain_word(const char *s, size_t n)
{
	size_t lowers = 0, uppers = 0, i;

	for (i = 0; i < n; i++) {
		lowers += s[i] >= 'a' && s[i] <= 'z';
		uppers += s[i] >= 'A' && s[i] <= 'Z';
	}
	return n >= 3 && (lowers == n || uppers == n || (lowers == n - 1 &&
	    s[0] >= 'A' && s[0] <= 'Z'));
}

/* Has a text that begins like a path a dot, or a word between separators? */
static int
has_path_word(const char *s, size_t n)
{
	size_t from = 0, i;

	for (i = 0; i <= n; i++) {
		if (i < n && s[i] == '.')
			return 1;
		if (i < n && (s[i] == '\0' || strchr("/_-~", s[i]) == NULL))
			continue;
		if (is_plain_word(s + from, i - from))
			return 1;
		from = i + 1;
	}
	return 0;
}

/* Is s[0 .. n) the name or path of a file? */
static int
is_path(const char *s, size_t n)
{
	static const char *const ends[] = {
		".pem", ".key", ".json", ".txt", ".py", ".js", ".ts", ".md",
		".crt", ".yaml", ".yml", ".html", ".com", ".org", ".net", NULL
	};
	size_t i;

	if (n > 1 && (s[0] == '.' || s[0] == '~') && (s[1] == '/' ||
	    s[1] == s[0]))
		return 1;
	/* base64 may begin with "/", and a password with anything */
	if ((s[0] == '/' || s[0] == '~') && has_path_word(s, n))
		return 1;
	for (i = 0; ends[i] != NULL; i++)
		if (n > strlen(ends[i]) && contains(s + n - strlen(ends[i]),
		    strlen(ends[i]), ends[i]))
			return 1;
	return 0;
}

/*
 * Is there a piece of at least 8 characters between separators that mixes
 * letters and digits?
 */
static int
has_mixed_piece(const char *s, size_t n)
{
	size_t alphas = 0, digits = 0, i;

	for (i = 0; i < n; i++) {
		if (is_alpha(s[i]))
			alphas++;
		else if (is_digit(s[i]))
			digits++;
		else
			alphas = digits = 0;
		if (alphas + digits >= 8 && alphas >= 2 && digits >= 2)
			return 1;
	}
	return 0;
}

/* Has it none of the marks of a stand-in, a variable or a path? */
static int
is_literal(const char *s, size_t n)
{
	static const char *const words[] = {
		"secret", "token", "apikey", "api_key", "api-key", "passw",
		"access_key", "credential", "undefined", "process.env",
		"environ", "config", "123456", "abcdef", "deadbeef",
		"cafebabe", "privatekey", "publickey", NULL
	};

	return n > 0 && ctx_redact_check_any(s, n) && !is_variable(s, n) &&
	    !is_path(s, n) && !contains_any(s, n, words);
}

enum kind { OTHER, LOWER_CASE, UPPER_CASE, DIGITS };

static enum kind
kind_of(char c)
{
	return is_digit(c) ? DIGITS : !is_alpha(c) ? OTHER :
	    lower(c) == c ? LOWER_CASE : UPPER_CASE;
}

/*
 * How often three lower-case letters follow each other, as in words, and how
 * often these are consonants, as seldom in words.
 */
static size_t
count_letters(const char *s, size_t n, size_t *consonants)
{
	size_t run = 0, hard = 0, words = 0, i;

	for (i = 0, *consonants = 0; i < n; i++) {
		run = kind_of(s[i]) == LOWER_CASE ? run + 1 : 0;
		hard = run > 0 && strchr("aeiouy", s[i]) == NULL ?
		    hard + 1 : 0;
		words += run >= 3;
		*consonants += hard >= 3;
	}
	return words;
}

/*
 * Do lower case, upper case and digits alternate as in random characters?  A
 * name changes its kind once a word, which the capital begins; random letters
 * and digits do so after two or three characters.  Signs that no name has count
 * as changes.
 */
static int
is_random(const char *s, size_t n)
{
	size_t consonants, words = count_letters(s, n, &consonants);
	size_t seen[4] = { 0 }, hex = 0, turns = 1, i;
	enum kind k, last = OTHER;

	for (i = 0; i < n; i++) {
		k = kind_of(s[i]);
		turns += s[i] != '\0' && strchr("!@#$%^&*()", s[i]) != NULL;
		turns += k != OTHER && last != OTHER && k != last &&
		    !(last == UPPER_CASE && k == LOWER_CASE);
		seen[k]++;
		hex += is_hex(s[i]);
		last = k;
	}
	n -= seen[OTHER];
	if (n >= 16 && hex == n && seen[DIGITS] >= 2 &&
	    seen[LOWER_CASE] + seen[UPPER_CASE] >= 2)
		return 1;
	if (n < 12 || (seen[UPPER_CASE] > 0 && words * 5 > n))
		return 0;
	return seen[DIGITS] > 0 ? (turns + consonants) * 10 >= n * 3 :
	    seen[OTHER] == 0 && seen[UPPER_CASE] >= 3 &&
	    seen[LOWER_CASE] >= 3;
}

/*
 * Is there a piece of at least 6 characters between separators in which lower
 * case, upper case and digits alternate more often than in nameLikeThis2?
 */
static int
has_turns(const char *s, size_t n)
{
	size_t len = 0, turns = 0, i;
	enum kind k, last = OTHER;

	for (i = 0; i < n; i++, last = k) {
		k = kind_of(s[i]);
		len = k == OTHER ? 0 : len + 1;
		turns = len < 2 ? 0 : turns + (k != last &&
		    !(last == UPPER_CASE && k == LOWER_CASE));
		if (len >= 6 && turns * 5 >= len && (i + 1 == n ||
		    kind_of(s[i + 1]) == OTHER))
			return 1;
	}
	return 0;
}

int
ctx_redact_check_token(const char *s, size_t n)
{
	return is_literal(s, n) && (has_mixed_piece(s, n) || is_random(s, n));
}

int
ctx_redact_check_random(const char *s, size_t n)
{
	return ctx_redact_check_any(s, n) &&
	    (has_mixed_piece(s, n) || has_turns(s, n));
}

int
ctx_redact_check_secret(const char *s, size_t n)
{
	return is_literal(s, n) && ((n >= 16 && has_mixed_piece(s, n) &&
	    ctx_redact_entropy(s, n) >= 3.3) || is_random(s, n));
}

int
ctx_redact_check_letters(const char *s, size_t n)
{
	/* no passwords, but what settings are set to */
	static const char *const words[] = {
		"required", "enabled", "disabled", "optional", "default",
		"prompt", "failed", "passed", "success", "settings",
		"getenv", "string", "changeit", NULL
	};

	return is_literal(s, n) && !equals_any(s, n, words) &&
	    ctx_redact_check_userinfo(s, n);
}

/*
 * Is it code or the name of an algorithm rather than a password?  That is,
 * names joined with dots, _ or -, each with at most two digits at its end, or
 * numbers of up to four digits.
 */
static int
is_identifier(const char *s, size_t n)
{
	size_t alphas = 0, digits = 0, joints = 0, i;

	for (i = 0; i < n; i++) {
		if (is_digit(s[i]))
			digits++;
		else if (is_alpha(s[i]) && digits == 0)
			alphas++;
		else if (strchr("._-:", s[i]) != NULL && s[i] != '\0') {
			joints++;
			alphas = digits = 0;
		} else
			return 0;
		if (digits > 4 || (alphas > 0 && digits > 2))
			return 0;
	}
	return joints > 0;
}

int
ctx_redact_check_password(const char *s, size_t n)
{
	static const char *const words[] = {
		"password", "passwd", "passphrase", "secret", "token",
		"string", "none", "null", "true", "false", "undefined",
		"environ", "process.env", "getenv", "input", "prompt",
		"encrypted", "hash", "your", "anonymous", "://", NULL
	};
	size_t i, strong = 0;

	for (i = 0; i < n; i++)
		strong += is_digit(s[i]) || (i > 0 &&
		    strchr("!@#$%^&*+?~", s[i]) != NULL && s[i] != '\0');
	return n > 0 && strong > 0 && ctx_redact_check_any(s, n) &&
	    !is_variable(s, n) && !is_path(s, n) && !is_identifier(s, n) &&
	    !contains_any(s, n, words);
}

int
ctx_redact_check_userinfo(const char *s, size_t n)
{
	/* so common in manuals that they protect nothing */
	static const char *const words[] = {
		"pass", "password", "passwd", "pwd", "secret", "token", "pw",
		"user", "username", "postgres", "mysql", "root", "admin",
		"guest", "test", "mypassword", "my_password", "minioadmin",
		"dbpassword", "db_password", "apikey", "api_key", "key",
		"x-oauth-basic", "xxx", "***", NULL
	};

	return n > 0 && ctx_redact_check_any(s, n) && !is_variable(s, n) &&
	    !equals_any(s, n, words);
}

/* Does "\u00XX" or "%XX" end right before t[off]?  XX is then a character. */
static int
follows_escape(const char *t, size_t off)
{
	if (off < 2 || !is_hex(t[off - 1]))
		return 0;
	if (off >= 3 && t[off - 3] == '%')
		return is_hex(t[off - 2]);
	return off >= 6 && t[off - 6] == '\\' && t[off - 5] == 'u';
}

/*
 * Does a colour sequence, ESC [ digits ; digits m, end right before t[off]?
 * ESC may be the character or an escape for it.
 */
static int
follows_colour(const char *t, size_t off)
{
	size_t i = off - 1, n;

	if (t[i] != 'm')
		return 0;
	for (n = 0; n < 16 && i > 0 && (is_digit(t[i - 1]) ||
	    t[i - 1] == ';'); n++)
		i--;
	/* \033 \x1b \u001b \e */
	return i >= 2 && t[i - 1] == '[' && strchr("\0333be", t[i - 2]) != NULL
	    && t[i - 2] != '\0';
}

int
ctx_redact_at_border(const char *t, size_t off)
{
	char c;

	if (off == 0 || !is_word(c = t[off - 1]))
		return 1;
	if (off >= 2 && t[off - 2] == '\\' && strchr("nrtbf", c) != NULL)
		return 1;
	return follows_escape(t, off) || follows_colour(t, off);
}

/*
 * In a sentence, or as an attribute: does t[*i .. end) begin with "is ",
 * "value=" or the like, or with a value that has a digit?  Sets *i to what
 * follows.
 */
static int
is_said(const char *t, size_t end, size_t *i)
{
	static const char *const words[] = {
		"is ", "was ", "is: ", "value=", "key is ", "token is ",
		"value is ", "code is ", "key was "
	};
	size_t k, n;

	for (k = 0; k < sizeof(words) / sizeof(words[0]); k++) {
		n = strlen(words[k]);
		if (end - *i > n && memcmp(t + *i, words[k], n) == 0) {
			for (*i += n; *i < end && strchr("\\\"'`* ",
			    t[*i]) != NULL && t[*i] != '\0'; ++*i)
				;
			return 1;
		}
	}
	for (k = *i; k < end && (is_word(t[k]) || t[k] == '+' ||
	    t[k] == '/' || t[k] == '=' || t[k] == '.'); k++)
		if (is_digit(t[k]))
			return 1;
	return 0;
}

/*
 * Skip what may stand between a key and its value in t[*i .. end).  Sets *sign
 * to whether a sign is there that assigns.  Returns 1 after the quote before a
 * value.
 */
static int
skip_sign(const char *t, size_t end, size_t *i, int *sign)
{
	int quote = 0, is;
	size_t k;

	while (*i < end && (is_word(t[*i]) || t[*i] == '.'))
		++*i;
	for (; *i < end && strchr("\\\"'`])? \t:=>,", t[*i]) != NULL &&
	    t[*i] != '\0'; ++*i) {
		is = t[*i] == '"' || t[*i] == '\'' || t[*i] == '`';
		if (is && *sign) {
			++*i;
			return 1;
		}
		quote |= is;
		*sign |= strchr(":=>", t[*i]) != NULL || (t[*i] == ',' &&
		    quote);
	}
	/* as in Python: r"value" */
	for (k = *i + 1; k < end && t[k] == '\\'; k++)
		;
	if (!*sign || k >= end || (t[k] != '"' && t[k] != '\'') ||
	    strchr("rbf", t[*i]) == NULL || t[*i] == '\0')
		return 0;
	*i = k + 1;
	return 1;
}

int
ctx_redact_is_assigned(const char *t, size_t len, size_t off)
{
	size_t end = len - off > 96 ? off + 96 : len, i = off, n;
	int sign = 0, quoted = skip_sign(t, end, &i, &sign);

	if (end - i > 3 && t[i] == '%' && t[i + 1] == '3')	/* of a URL */
		return 1;
	/* perhaps the full-width colon, a Chinese "is", or an escape */
	if (i < end && (strchr("\xef\xe6\xe4", t[i]) != NULL ||
	    t[i] == 'u') && t[i] != '\0')
		return 1;
	if (!sign && !is_said(t, end, &i))
		return 0;
	for (n = 0; i < end && (unsigned char)t[i] > ' ' &&
	    strchr(quoted ? "\"'`" : "\"'`,;{}()", t[i]) == NULL; i++)
		n++;
	/* key: type = value */
	return n >= 5 || memchr(t + i, '=', end - i) != NULL;
}
