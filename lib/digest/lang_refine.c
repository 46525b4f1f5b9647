/* SPDX-License-Identifier: MIT */
/* Names of files that several languages use, told apart by the text. */
#include <string.h>

#include "digest/lang.h"

/* Is one of the words in the text? */
static int
has(const char *p, size_t len, const char *const *words)
{
	for (; *words != NULL; words++)
		if (memmem(p, len, *words, strlen(*words)) != NULL)
			return 1;
	return 0;
}

static const struct ctx_lang *
of_header(const struct ctx_lang *lang, const char *p, size_t len)
{
	static const char *const cxx[] = { "\nclass ", "\nnamespace ",
	    "\ntemplate", "\nusing ", "\npublic:", "std::", NULL };

	return has(p, len, cxx) ? ctx_lang_by_name("h.hpp") : lang;
}

/* PHP, or what C or Pascal includes. */
static const struct ctx_lang *
of_inc(const struct ctx_lang *lang, const char *p, size_t len)
{
	static const char *const php[] = { "<?", NULL };
	static const char *const c[] = { "#include", "#define", "#if",
	    "#line", "#undef", NULL };
	static const char *const pascal[] = { "{$", "(*$", "procedure ",
	    "const\n", "const\r", "begin\n", "begin\r", NULL };
	static const char *const comments[] = { "/*", "//", NULL };

	if (has(p, len, php))
		return lang;
	if (has(p, len, c))
		return ctx_lang_by_name("h.hpp");
	if (has(p, len, pascal))
		return ctx_lang_named("pascal");
	return has(p, len, comments) ? ctx_lang_by_name("h.hpp") : NULL;
}

/* A .conf is INI only if it has [sections], or assigns in its lines. */
static const struct ctx_lang *
of_conf(const struct ctx_lang *lang, const char *p, size_t len)
{
	const char *end = p + len, *nl, *q;

	for (; p < end; p = nl + 1) {
		nl = memchr(p, '\n', (size_t)(end - p));
		nl = nl == NULL ? end : nl;
		while (p < nl && (*p == ' ' || *p == '\t'))
			p++;
		if (p < nl && *p == '[')
			return lang;
		for (q = p; q < nl && (*q == '_' || *q == '.' || *q == '-' ||
		    (*q >= '0' && *q <= '9') || ((*q | 32) >= 'a' &&
		    (*q | 32) <= 'z')); )
			q++;
		while (q > p && q < nl && (*q == ' ' || *q == '\t'))
			q++;
		if (q > p && q < nl && *q == '=')
			return lang;
	}
	return NULL;
}

/*
 * The ending may also be that of a natural language: tutor.el is Greek.  Does
 * none of the first lines that are not blank begin or end as code does?
 */
static int
is_prose(const char *p, size_t len)
{
	static const char *const endings = ";{}()", *const begins = "(;#}{@$/";
	const char *end = p + len, *nl, *q;
	unsigned n = 0;

	for (; p < end && n < 32; p = nl + 1) {
		nl = memchr(p, '\n', (size_t)(end - p));
		nl = nl == NULL ? end : nl;
		for (q = nl; q > p && strchr(" \t\r", q[-1]) != NULL; q--)
			;
		while (p < q && (*p == ' ' || *p == '\t'))
			p++;
		if (p == q)
			continue;
		n++;
		if (*p == '\0' || q[-1] == '\0' ||
		    strchr(begins, *p) != NULL || strchr(endings, q[-1]) !=
		    NULL || (q - p > 1 && *p == '=' && p[1] >= 'a' &&
		    p[1] <= 'z'))
			return 0;
	}
	return n >= 8;
}

/* MySQL has escapes in its strings. */
static const struct ctx_lang *
of_sql(const struct ctx_lang *lang, const char *p, size_t len)
{
	static const char *const mysql[] = { "-- MySQL dump", "-- MariaDB dump",
	    "TABLE `", "INTO `", "table `", "into `", "ENGINE=", NULL };

	return has(p, len, mysql) ? ctx_lang_by_name("a.mysql") : lang;
}

const struct ctx_lang *
ctx_lang_refine(const struct ctx_lang *lang, const char *name, const char *p,
    size_t len)
{
	static const char *const objc[] = { "@interface", "@protocol",
	    "@implementation", "@class", "#import", NULL };
	static const char *const go[] = { "(SB)", NULL };
	const char *dot = strrchr(name, '.');

	if (dot == NULL)
		return lang;
	if (strcmp(dot, ".inc") == 0)
		return of_inc(lang, p, len);
	if (strcmp(dot, ".sql") == 0)
		return of_sql(lang, p, len);
	if (strcmp(dot, ".conf") == 0)
		return of_conf(lang, p, len);
	if (ctx_lang_lists(" .el .cs .pl .ru ", name, 1))
		return is_prose(p, len) ? NULL : lang;
	if (strcmp(dot, ".s") == 0 && has(p, len, go))
		return ctx_lang_by_name("go.plan9");
	if (strcmp(dot, ".h") != 0 && strcmp(dot, ".m") != 0)
		return lang;
	if (has(p, len, objc))
		return ctx_lang_named("objective-c");
	if (dot[1] == 'h')
		return of_header(lang, p, len);
	return memmem(p, len, "\n%", 2) != NULL || *p == '%' ?
	    ctx_lang_named("matlab") : lang;
}
