/* SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <string.h>

#include "digest/lang.h"
#include "digest/lang_data.inc"

const size_t ctx_langs_n = sizeof(ctx_langs) / sizeof(ctx_langs[0]);

/* Does the lower-case list " a b c " contain word[0 .. len), ignoring case? */
static int
listed(const char *list, const char *word, size_t len)
{
	char key[40] = " ";
	size_t i;

	if (len == 0 || len > sizeof(key) - 3)
		return 0;
	for (i = 0; i < len; i++)
		key[i + 1] = (char)tolower((unsigned char)word[i]);
	key[len + 1] = ' ';
	return strstr(list, key) != NULL;
}

/* The last component of a path. */
static const char *
base_of(const char *name)
{
	const char *slash = strrchr(name, '/');

	return slash == NULL ? name : slash + 1;
}

int
ctx_lang_lists(const char *list, const char *name, int ending)
{
	const char *base = base_of(name);

	if (ending)
		base = strrchr(base, '.');
	return base != NULL && listed(list, base, strlen(base));
}

const struct ctx_lang *
ctx_lang_by_name(const char *name)
{
	size_t i;
	int ending;

	for (ending = 0; ending < 2; ending++)
		for (i = 0; i < ctx_langs_n; i++)
			if (ctx_lang_lists(ctx_langs[i].files, name, ending))
				return &ctx_langs[i];
	return NULL;
}

const struct ctx_lang *
ctx_lang_by_stem(const char *name)
{
	char stem[40];
	const char *base = base_of(name);
	size_t len = strcspn(base, ".");

	if (len == 0 || len >= sizeof(stem))
		return NULL;
	memcpy(stem, base, len);
	stem[len] = '\0';
	return ctx_lang_by_name(stem);
}

/*
 * The language of an interpreter, name[0 .. n), with or without its version:
 * python3.11 is python3.
 */
static const struct ctx_lang *
lang_of_program(const char *name, size_t n)
{
	size_t i;

	for (; n > 0; n--) {
		for (i = 0; i < ctx_langs_n; i++)
			if (listed(ctx_langs[i].shebang, name, n))
				return &ctx_langs[i];
		if (strchr(".0123456789", name[n - 1]) == NULL)
			return NULL;
	}
	return NULL;
}

/* Is the word env, an option of env, or a variable that env sets? */
static int
is_of_env(const char *word, const char *name, size_t n)
{
	return *word == '-' || memchr(name, '=', n) != NULL ||
	    (n == 3 && memcmp(name, "env", 3) == 0);
}

static int
is_gap(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

const struct ctx_lang *
ctx_lang_by_shebang(const char *data, size_t len)
{
	const struct ctx_lang *lang;
	const char *end, *word, *name, *to;

	if (len < 3 || data[0] != '#' || data[1] != '!')
		return NULL;
	end = memchr(data, '\n', len);
	end = end == NULL ? data + len : end;
	for (word = data + 2; ; word = to) {
		while (word < end && is_gap(*word))
			word++;
		for (to = name = word; to < end && *to != '\0' &&
		    !is_gap(*to); to++)
			if (*to == '/')
				name = to + 1;
		if (to == word)
			return NULL;
		lang = lang_of_program(name, (size_t)(to - name));
		if (lang != NULL ||
		    !is_of_env(word, name, (size_t)(to - name)))
			return lang;
	}
}

const struct ctx_lang *
ctx_lang_named(const char *name)
{
	size_t i;

	for (i = 0; i < ctx_langs_n; i++)
		if (strcmp(ctx_langs[i].name, name) == 0)
			return &ctx_langs[i];
	return NULL;
}
