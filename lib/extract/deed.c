/* SPDX-License-Identifier: MIT */
/* What calls do; see deed.h. */
#include "extract/deed.h"

#include <string.h>

#include "base/utf8.h"
#include "extract/fact.h"
#include "extract/words.h"

#define WORD_MAX 16
#define HEAD_MAX 256	/* bytes of a result that may say that it is an error;
			   its last ones may name an exit code */

static int
is_lower(char c)
{
	return c >= 'a' && c <= 'z';
}

static int
is_upper(char c)
{
	return c >= 'A' && c <= 'Z';
}

/* The end of the word at i: cancelOrder and HTTPGet have two each. */
static size_t
word_end(const char *p, size_t len, size_t i)
{
	size_t e = i + 1;

	if (is_upper(p[i]))
		while (e < len && is_upper(p[e]) &&
		    (e + 1 == len || !is_lower(p[e + 1])))
			e++;
	while (e < len && is_lower(p[e]))
		e++;
	return e;
}

static enum ctx_deed
deed_of_word(const char *p, size_t len)
{
	char low[WORD_MAX];
	size_t i;

	if (len > sizeof(low))
		return CTX_DEED_UNKNOWN;
	for (i = 0; i < len; i++)
		low[i] = (char)(p[i] | 32);
	return ctx_word_is(CTX_WORD_LOOK, low, len) ? CTX_DEED_LOOKS :
	    ctx_word_is(CTX_WORD_DEED, low, len) ? CTX_DEED_DONE :
	    CTX_DEED_UNKNOWN;
}

/* The same for two Han characters. */
static enum ctx_deed
deed_of_han(const char *p, size_t len)
{
	return len < 6 ? CTX_DEED_UNKNOWN :
	    ctx_word_is(CTX_WORD_HAN_LOOK, p, 6) ? CTX_DEED_LOOKS :
	    ctx_word_is(CTX_WORD_HAN_DEED, p, 6) ? CTX_DEED_DONE :
	    CTX_DEED_UNKNOWN;
}

enum ctx_deed
ctx_deed_of(const char *tool, size_t len)
{
	enum ctx_deed deed = CTX_DEED_UNKNOWN;
	size_t i, e;

	for (i = 0; i < len && deed == CTX_DEED_UNKNOWN; i = e) {
		e = i + 1;
		if (is_lower(tool[i]) || is_upper(tool[i])) {
			e = word_end(tool, len, i);
			deed = deed_of_word(tool + i, e - i);
		} else if ((unsigned char)tool[i] >= 0xe0)
			deed = deed_of_han(tool + i, len - i);
	}
	return deed;
}

/* Lower case, and only those spaces that are between words. */
static void
fold_text(const char *p, size_t len, char *low, size_t max)
{
	size_t i, n = 0;

	for (i = 0; i < len && n < max; i++)
		if (p[i] != '\0' && strchr(" \t\r\n", p[i]) == NULL)
			low[n++] = is_upper(p[i]) ? (char)(p[i] | 32) : p[i];
		else if (n > 0 && is_lower(low[n - 1]))
			low[n++] = ' ';
	low[n] = '\0';
}

/* Does a folded text name an exit code other than 0? */
static int
has_code(const char *low)
{
	static const char *const words[] = {
		"exit code", "exit_code", "exitcode", "exited with code",
		"exit status", "returncode", "\"exit\""
	};
	const char *at;
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		for (at = strstr(low, words[i]); at != NULL;
		    at = strstr(at, words[i])) {
			at += strlen(words[i]);
			at += strspn(at, "\":=> -");
			if (*at >= '1' && *at <= '9')
				return 1;
		}
	return 0;
}

/* Does a folded text begin with a word for an error? */
static int
has_begin(const char *low)
{
	static const char *const begin[] = {
		"error", "failed", "failure", "exception", "traceback",
		"invalid", "fatal", "错误", "失败", "操作失败", "出错"
	};
	size_t i, n;

	for (i = 0; i < sizeof(begin) / sizeof(begin[0]); i++) {
		n = strlen(begin[i]);
		if (strncmp(low, begin[i], n) == 0 && !is_lower(low[n]))
			return 1;
	}
	return 0;
}

/* Does a folded object have a member that says so? */
static int
has_member(const char *low)
{
	static const char *const member[] = {
		"\"error\":\"", "\"error\":{", "\"success\":false",
		"\"ok\":false", "\"status\":\"error\"",
		"\"status\":\"failed\"", "\"is_error\":true"
	};
	size_t i;

	if ((low[0] != '{' && low[0] != '[') ||
	    strstr(low, "\"error\":\"\"") != NULL)
		return 0;
	for (i = 0; i < sizeof(member) / sizeof(member[0]); i++)
		if (strstr(low, member[i]) != NULL)
			return 1;
	return 0;
}

int
ctx_deed_failed(const char *p, size_t len)
{
	char low[HEAD_MAX + 1];

	fold_text(p, len, low, HEAD_MAX);
	if (has_begin(low) || has_member(low) || has_code(low))
		return 1;
	if (len > HEAD_MAX)
		fold_text(p + len - HEAD_MAX, HEAD_MAX, low, HEAD_MAX);
	return has_code(low);
}

size_t
ctx_deed_object(const char *text, size_t len, size_t *at)
{
	const char *end = text + len, *p, *q;
	size_t n = 0;

	*at = len;
	if (len > 0 && text[len - 1] == ')')
		end--;
	if ((p = memchr(text, '(', (size_t)(end - text))) == NULL)
		return 0;
	for (p++; p < end; p = q + 2) {
		if ((q = memmem(p, (size_t)(end - p), ", ", 2)) == NULL)
			q = end;
		if (*at == len || ctx_fact_is_id(p, (size_t)(q - p))) {
			*at = (size_t)(p - text);
			n = (size_t)(q - p);
			if (ctx_fact_is_id(p, n))
				break;
		}
		if (q == end)
			break;
	}
	return n;
}
