/* SPDX-License-Identifier: MIT */
/*
 * IP addresses; see personal.h.  Only those that are one place on the Internet:
 * not private and local ones, networks, masks, nor those of documentation.
 */
#include <stdint.h>
#include <string.h>

#include "redact/personal_impl.h"

/* Words after which four numbers are an address. */
static const char *const words[] = { "ip", "ips", "ipv4", "addr", "address",
	"addresses", "host", "hostname", "server", "peer", "client",
	"://", "@", NULL };
/* Words after which they are something else. */
static const char *const versions[] = { "version", "ver", "v", "release",
	"section", "chapter", "table", "figure", "==", ">=", "<=", "oid", NULL };

static const struct {
	uint32_t net;
	unsigned char bits;
} special[] = {	/* IANA's special-purpose registry, RFC 6890; multicast */
	{ 0x00000000, 8 }, { 0x0a000000, 8 }, { 0x64400000, 10 },
	{ 0x7f000000, 8 }, { 0xa9fe0000, 16 }, { 0xac100000, 12 },
	{ 0xc0000000, 24 }, { 0xc0000200, 24 }, { 0xc0a80000, 16 },
	{ 0xc6120000, 15 }, { 0xc6336400, 24 }, { 0xcb007100, 24 },
	{ 0xe0000000, 3 },
	/* resolvers that everybody uses */
	{ 0x01010101, 32 }, { 0x01000001, 32 }, { 0x08080808, 32 },
	{ 0x08080404, 32 }, { 0x09090909, 32 }
};

static int
is_special(uint32_t ip)
{
	size_t i;

	for (i = 0; i < sizeof(special) / sizeof(special[0]); i++)
		if ((ip ^ special[i].net) >> (32 - special[i].bits) == 0)
			return 1;
	return (ip & 0xffff) == 0;	/* a network, or a version */
}

/*
 * The length of four numbers at s, or 0; *ip becomes the address.  *small is
 * set if they may be a version or a section.
 */
static size_t
quad(const char *s, size_t len, uint32_t *ip, int *small)
{
	size_t i = 0, part, start;
	unsigned v;

	for (*small = 1, *ip = part = 0; part < 4; part++) {
		if (part > 0 && (i >= len || s[i++] != '.'))
			return 0;
		for (start = i, v = 0; i < len && i - start < 3 &&
		    personal_is_digit(s[i]); i++)
			v = v * 10 + (unsigned)(s[i] - '0');
		if (i == start || v > 255 || (s[start] == '0' && i - start > 1))
			return 0;
		*small &= part == 0 || v < 32;
		*ip = *ip << 8 | v;
	}
	*small |= *ip >> 24 <= 12;
	return i;
}

size_t
ctx_personal_ipv4(const char *text, size_t len, size_t off)
{
	uint32_t ip;
	size_t n;
	int small;

	n = quad(text + off, len - off, &ip, &small);
	if (n == 0 || is_special(ip) || (off + n < len &&
	    (text[off + n] == '-' || !personal_ends(text, len, off + n)) &&
	    (text[off + n] != '/' || !personal_is_digit(text[off + n + 1]))))
		return 0;
	if (ctx_personal_after(text, off, versions))
		return 0;
	return !small || ctx_personal_after(text, off, words) ? n : 0;
}

/* RFC 4291 2.2: the groups at s, up to eight; 0 if they are no address. */
static size_t
groups(const char *s, size_t len, uint32_t group[2], size_t *n)
{
	size_t i = 0, digits, gaps = 0;
	uint32_t v;

	for (*n = 0; i < len && *n < 8; ) {
		for (v = 0, digits = 0; i < len && digits < 4 &&
		    personal_is_hex(s[i]); i++, digits++)
			v = v << 4 | (uint32_t)(personal_is_digit(s[i]) ?
			    s[i] - '0' : personal_lower(s[i]) - 'a' + 10);
		if (digits == 0)
			break;
		if (*n < 2)
			group[*n] = v;
		++*n;
		if (i >= len || s[i] != ':' || *n == 8)
			break;
		if (i + 1 < len && s[i + 1] == ':') {
			if (gaps++ > 0)
				return 0;
			i += 2;
		} else if (i + 1 < len && personal_is_hex(s[i + 1]))
			i++;
		else
			break;
	}
	return (gaps == 1 && *n < 8) || (gaps == 0 && *n == 8) ? i : 0;
}

/* Global unicast addresses, but for documentation (RFC 3849, RFC 9637). */
size_t
ctx_personal_ipv6(const char *text, size_t len, size_t off)
{
	uint32_t g[2] = { 0 };
	size_t n, count;

	n = groups(text + off, len - off, g, &count);
	if (n == 0 || count < 2 || (off + n < len &&
	    (personal_is_alnum(text[off + n]) || text[off + n] == ':' ||
	    text[off + n] == '_')))
		return 0;
	/* 2000::/3, but not a network such as 2001:20::/28 */
	if (g[0] >> 13 != 1 || text[off + n - 1] == ':')
		return 0;
	return (g[0] == 0x2001 && g[1] == 0x0db8) ||
	    (g[0] == 0x3fff && g[1] < 0x1000) ? 0 : n;
}
