/* SPDX-License-Identifier: MIT */
/* The search for personal data, and e-mail addresses; see personal.h. */
#include "redact/personal.h"

#include <string.h>

#include "redact/personal_impl.h"

#define NEAR	32	/* bytes before a number where its word may be */
#define LOCAL	64	/* bytes of an address before the @, RFC 5321 */
#define DOMAIN	253

/* --- borders and words --------------------------------------------------- */

/* Does an escape end with text[off], as n in \n or the last digit of \u00fc? */
static int
is_escape(const char *text, size_t off)
{
	size_t i = off;

	if (off > 0 && text[off - 1] == '\\' && text[off] != '\0' &&
	    strchr("nrtbf", text[off]) != NULL)
		return 1;
	if (off < 5 || text[off - 5] != '\\' || text[off - 4] != 'u')
		return 0;
	while (i > off - 4 && personal_is_hex(text[i]))
		i--;
	return i == off - 4;
}

/* Does the word stand at text[at], not as a part of another? */
static int
is_word_at(const char *text, size_t at, size_t off, const char *word)
{
	size_t k;

	for (k = 0; word[k] != '\0'; k++)
		if (at + k == off || personal_lower(text[at + k]) != word[k])
			return 0;
	if (!personal_is_alpha(word[0]))
		return 1;
	/* phoneNumber, but not telnet */
	return (at + k == off || personal_lower(text[at + k]) !=
	    text[at + k] || !personal_is_alpha(text[at + k])) &&
	    (at == 0 || !personal_is_alpha(text[at - 1]) ||
	    is_escape(text, at - 1));
}

int
ctx_personal_after(const char *text, size_t off, const char *const words[])
{
	size_t at = off, i;

	/* no other number, nor the end of the line, is in between */
	while (at > 0 && off - at < NEAR && text[at - 1] != '\n' &&
	    !personal_is_digit(text[at - 1])) {
		at--;
		for (i = 0; words[i] != NULL; i++)
			if (is_word_at(text, at, off, words[i]))
				return 1;
	}
	return 0;
}

/*
 * May a number begin at text[off]?  Not in a word, nor after digits and a sign
 * that would be part of it, nor as the fraction of a number.
 */
static int
may_begin(const char *text, size_t off)
{
	char c;

	if (off == 0)
		return 1;
	c = text[off - 1];
	if (personal_is_alnum(c) || c == '_')
		return is_escape(text, off - 1);
	if (c == '.' || c == '#')
		return 0;
	return !strchr("-/=+", c) || c == '=' || off < 2 ||
	    !personal_is_alnum(text[off - 2]);
}

/* --- e-mail ------------------------------------------------------------ */

/* Endings of files and units, which are no top-level domains. */
static const char *const no_domain[] = { "png", "jpg", "jpeg", "gif", "svg",
	"webp", "js", "jsx", "mjs", "ts", "tsx", "css", "scss", "json", "html",
	"yaml", "yml", "txt", "toml", "lock", "service", "socket", "target",
	"timer", "mount", "device", "slice", "path", "local", "localdomain",
	"internal", "localhost", "example", "test", "invalid", "conf", NULL };

/* Reserved by RFC 2606, and addresses that nobody reads. */
static const char *const no_person[] = { "example.com", "example.org",
	"example.net", "example.edu", NULL };
static const char *const no_reader[] = { "git", "hg", "svn", "noreply",
	"no-reply", "donotreply", "do-not-reply", NULL };

static int
is_one_of(const char *s, size_t n, const char *const words[])
{
	size_t k;

	for (; *words != NULL; words++) {
		for (k = 0; k < n && (*words)[k] == personal_lower(s[k]) &&
		    (*words)[k] != '\0'; k++)
			;
		if (k == n && (*words)[k] == '\0')
			return 1;
	}
	return 0;
}

/* Where the address whose @ is text[at] begins; at if there is none. */
static size_t
local_start(const char *text, size_t at)
{
	size_t i = at;

	while (i > 0 && at - i <= LOCAL && (personal_is_alnum(text[i - 1]) ||
	    (text[i - 1] != '\0' && strchr("._%+-'", text[i - 1]) != NULL)) &&
	    !is_escape(text, i - 1))
		i--;
	while (i < at && !personal_is_alnum(text[i]) && text[i] != '_')
		i++;
	if (at - i > LOCAL || i == at || text[at - 1] == '.')
		return at;
	return i;
}

/* The length of the domain at s; *last becomes where its last label begins. */
static size_t
domain_len(const char *s, size_t len, size_t *last)
{
	size_t i = 0, label = 0, dots = 0;

	for (*last = 0; i < len && i <= DOMAIN; i++) {
		if (personal_is_alnum(s[i])) {
			label++;
			continue;
		}
		if (label == 0 || i + 1 >= len ||
		    (!personal_is_alnum(s[i + 1]) &&
		    (s[i] != '-' || i + 2 >= len || s[i + 1] != '-' ||
		    !personal_is_alnum(s[i + 2]))))
			break;
		if (s[i] == '.') {
			*last = i + 1;
			dots++;
			label = 0;
		} else if (s[i] != '-')
			break;
	}
	return dots > 0 && i <= DOMAIN ? i : 0;
}

/* Is s[0 .. n) a domain of somebody?  last is where its last label begins. */
static int
is_domain(const char *s, size_t n, size_t last)
{
	size_t from = last - 1, i;

	if (n - last < 2 || (!personal_is_alpha(s[last]) ||
	    is_one_of(s + last, n - last, no_domain)))
		return 0;
	for (i = last; i < n; i++)
		if (!personal_is_alpha(s[i]) && (n - last < 5 ||
		    memcmp(s + last, "xn--", 4) != 0))
			return 0;
	while (from > 0 && s[from - 1] != '.')
		from--;
	return !is_one_of(s + from, n - from, no_person);
}

/* The address whose sign, of n bytes, is at text[at]. */
static int
find_email(const struct personal *p, size_t at, size_t n, size_t *end)
{
	const char *s = p->text + at + n;
	size_t start = local_start(p->text, at), last, dn;

	if (start == at || at - start > LOCAL)
		return 0;
	dn = domain_len(s, p->len - at - n, &last);
	if (dn == 0 || !is_domain(s, dn, last) ||
	    is_one_of(p->text + start, at - start, no_reader))
		return 0;
	*end = at + n + dn;
	return p->fn(p->arg, CTX_PERSONAL_EMAIL, start, *end);
}

/* --- the search ---------------------------------------------------------- */

static const struct {
	enum ctx_personal kind;
	size_t (*at)(const char *text, size_t len, size_t off);
} numbers[] = {	/* the surest first */
	{ CTX_PERSONAL_CN_ID, ctx_personal_cn_id },
	{ CTX_PERSONAL_CARD, ctx_personal_card },
	{ CTX_PERSONAL_SSN, ctx_personal_ssn },
	{ CTX_PERSONAL_PHONE, ctx_personal_phone },
	{ CTX_PERSONAL_IP, ctx_personal_ipv4 },
};

static int
find_number(const struct personal *p, size_t off, size_t *end)
{
	size_t i, n;

	if (!may_begin(p->text, off))
		return 0;
	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		if (!(p->kinds >> numbers[i].kind & 1))
			continue;
		n = numbers[i].at(p->text, p->len, off);
		if (n == 0)
			continue;
		*end = off + n;
		return p->fn(p->arg, numbers[i].kind, off, off + n);
	}
	return 0;
}

/* An IBAN begins with two letters before the digit at text[off]. */
static int
find_iban(const struct personal *p, size_t off, size_t *end)
{
	size_t n;

	if (!(p->kinds >> CTX_PERSONAL_IBAN & 1) || off < 2 ||
	    (off > 2 && (personal_is_alnum(p->text[off - 3]) ||
	    p->text[off - 3] == '_') && !is_escape(p->text, off - 3)) ||
	    (n = ctx_personal_iban(p->text, p->len, off - 2)) == 0)
		return 0;
	*end = off - 2 + n;
	return p->fn(p->arg, CTX_PERSONAL_IBAN, off - 2, *end);
}

/* An IPv6 address, of which text[off] is the first colon. */
static int
find_ipv6(const struct personal *p, size_t off, size_t *end)
{
	size_t from = off, n;

	while (from > 0 && off - from < 5 &&
	    personal_is_hex(p->text[from - 1]))
		from--;
	if (from == off || off - from > 4 || (from > 0 &&
	    (personal_is_alnum(p->text[from - 1]) ||
	    strchr("_:.", p->text[from - 1]) != NULL)) ||
	    (n = ctx_personal_ipv6(p->text, p->len, from)) == 0)
		return 0;
	*end = from + n;
	return p->fn(p->arg, CTX_PERSONAL_IP, from, *end);
}

/* Look at text[off], which may be in what is found. */
static int
find_at(const struct personal *p, size_t off, size_t *end)
{
	char c = p->text[off];
	int rc = 0;

	if (c == '@' || (c == '%' && p->len - off > 3 &&
	    memcmp(p->text + off, "%40", 3) == 0))
		return p->kinds >> CTX_PERSONAL_EMAIL & 1 ?
		    find_email(p, off, c == '@' ? 1 : 3, end) : 0;
	if (c == ':')
		return p->kinds >> CTX_PERSONAL_IP & 1 ?
		    find_ipv6(p, off, end) : 0;
	if (personal_is_digit(c) && off > 1 &&
	    personal_is_upper(p->text[off - 1]))
		rc = find_iban(p, off, end);
	if (rc != 0 || *end > off)
		return rc;
	if (off > 0 && personal_is_digit(c) &&
	    personal_is_digit(p->text[off - 1]))
		return 0;
	return find_number(p, off, end);
}

int
ctx_personal_find(const char *text, size_t len, unsigned kinds,
    ctx_personal_fn *fn, void *arg)
{
	struct personal p = { text, len, kinds, fn, arg };
	size_t off, end = 0;
	int rc;

	for (off = 0; off < len; off++) {
		if (!personal_is_digit(text[off]) && (text[off] == '\0' ||
		    strchr("@%:+(", text[off]) == NULL))
			continue;
		if (off < end)
			continue;
		if ((rc = find_at(&p, off, &end)) != 0)
			return rc;
	}
	return 0;
}
