/* SPDX-License-Identifier: MIT */
/* Private keys in pieces: where one opens, and where it goes on. */
#include "redact/pem.h"

#include <string.h>

#include "check.h"

/* 64 random base64 digits, as RFC 7468 has in a line, and hexadecimal ones. */
#define LINE	"odJFCrnl2edlBDdz1C5Jau2RJtBRnlWm" \
	"TSHf6pWkLUyifDLkDmWJ6UuVTAIjvFu7"
#define LINE2	"WICPhDeOZIiBOB/Y6sHrFH2ZUCr/lgot" \
	"u2iXW7GboIRoL3u6aHwnMztVuaP+coUN"
#define HEX	"e3b0c44298fc1c149afbf4c8996fb924" \
	"27ae41e4649b934ca495991b7852b855"
#define BEGIN	"-----BEGIN PRIVATE KEY-----"
#define END	"-----END PRIVATE KEY-----"

static const struct {
	const char *text;
	int opens;
} opening[] = {
	{ BEGIN "\n" LINE "\n", 1 },
	{ BEGIN "\n" LINE, 1 },
	{ BEGIN, 1 },
	{ "cat k\n" BEGIN "\n", 1 },
	{ "     1\t" BEGIN "\n     2\t" LINE "\n", 1 },
	{ BEGIN "\n" LINE "\nMIIE\n... 20 more lines\n", 1 },
	{ "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n"
	    "DEK-Info: AES-128-CBC,00\n\n" LINE "\n", 1 },
	{ BEGIN "\nMIIEvQ", 1 },
	{ "> " BEGIN "\n> " LINE "\n", 1 },
	{ "a/k.pem:1:" BEGIN "\na/k.pem:2:" LINE "\n", 1 },
	{ BEGIN "\n" LINE "\n" END "\n" BEGIN "\n" LINE, 1 },
	{ BEGIN "\n" LINE "\n" END "\n", 0 },
	{ "-----BEGIN CERTIFICATE-----\n" LINE "\n", 0 },
	{ "a file with " BEGIN " is a key\nas the page says\n", 0 },
	{ BEGIN "\nand so on\n", 0 },
	{ BEGIN "\n" HEX "\nx\n", 0 },
	{ LINE, 0 },
	{ "", 0 },
};

static const struct {
	const char *text, *found;	/* no found: the text is no rest */
	int open;
} rest[] = {
	{ LINE "\n" LINE2 "\n", LINE "\n" LINE2, 1 },
	{ LINE "\nMIIE=\n" END "\nx\n", LINE "\nMIIE=\n" END, 0 },
	{ LINE, LINE, 1 },
	{ "bS1GB4t7\n" LINE "\r\n", "bS1GB4t7\n" LINE, 1 },
	{ "MIIE\n" END, "MIIE\n" END, 0 },
	{ "   21\t" LINE "\n   22\t" LINE2 "\n", LINE "\n   22\t" LINE2, 1 },
	{ "   21→" LINE "\n   22→" END "\n", LINE "\n   22→" END, 0 },
	{ "+" LINE "\n+" LINE2 "\n+x y\n", "+" LINE "\n+" LINE2, 1 },
	{ "-" LINE "\n-" LINE2 "\n", LINE "\n-" LINE2, 1 },
	{ "> " LINE "\n> " LINE2 "\n", LINE "\n> " LINE2, 1 },
	{ "a/k:7:" LINE "\na/k:8:" END "\n", LINE "\na/k:8:" END, 0 },
	{ "Output:\n\n" LINE "\n", LINE, 1 },
	{ LINE "\nthe end\n", LINE, 1 },
	{ HEX "\n" HEX "\n", NULL, 0 },
	{ "bS1GB4t7\nand words\n", NULL, 0 },
	{ "bS1GB4t7", NULL, 0 },
	{ LINE " " LINE2, NULL, 0 },
	{ "1\n2\n3\n4\n5\n6\n7\n8 x\n9\n10\n" LINE "\n", NULL, 0 },
	{ "", NULL, 0 },
};

static void
test_opens(void)
{
	size_t i;

	for (i = 0; i < sizeof(opening) / sizeof(opening[0]); i++)
		if (!CHECK(ctx_pem_opens(opening[i].text,
		    strlen(opening[i].text)) == opening[i].opens))
			fprintf(stderr, "\t%s\n", opening[i].text);
}

static void
test_goes_on(void)
{
	size_t i, off, end;
	const char *text, *found;
	int open;

	for (i = 0; i < sizeof(rest) / sizeof(rest[0]); i++) {
		text = rest[i].text;
		found = rest[i].found;
		if (!CHECK(ctx_pem_goes_on(text, strlen(text), &off, &end,
		    &open) == (found != NULL))) {
			fprintf(stderr, "\t%s\n", text);
			continue;
		}
		if (found == NULL)
			continue;
		if (!CHECK(end - off == strlen(found) &&
		    memcmp(text + off, found, end - off) == 0))
			fprintf(stderr, "\t%.*s\n", (int)(end - off),
			    text + off);
		CHECK_INT(open, rest[i].open);
	}
}

int
main(void)
{
	RUN(test_opens());
	RUN(test_goes_on());
	return CHECK_DONE("pem");
}
