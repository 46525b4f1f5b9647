/* SPDX-License-Identifier: MIT */
/*
 * The table of languages: how a file of each is recognized, what comments and
 * strings look like in it, and which patterns find what it defines.  A
 * language is one row; nothing else in the library mentions one by name.
 */
#ifndef CTX_DIGEST_LANG_H
#define CTX_DIGEST_LANG_H

#include <stddef.h>
#include <stdint.h>

/* Kinds of lists in a digest; digest_line.c has the words for each. */
enum ctx_list {
	CTX_FUNCTIONS, CTX_CLASSES, CTX_TYPES, CTX_COLUMNS, CTX_KEYS,
	CTX_HEADINGS, CTX_TABLES, CTX_SECTIONS, CTX_SELECTORS, CTX_ELEMENTS,
	CTX_TARGETS, CTX_STAGES, CTX_SHEETS, CTX_SLIDES,
	/* of archives */
	CTX_ALL_IN, CTX_FOLDERS, CTX_KINDS, CTX_FILES, CTX_UNOPENED,
	/* of manifests, lockfiles, CI files and the like; see kind.h */
	CTX_TITLE, CTX_REQUIRES, CTX_RUN_SCRIPTS, CTX_DEPENDENCIES, CTX_DEV,
	CTX_MEMBERS, CTX_FEATURES, CTX_SERVICES, CTX_IMAGES, CTX_PORTS,
	CTX_ENTRY, CTX_TRIGGERS, CTX_JOBS, CTX_RESOURCES, CTX_PATHS,
	CTX_PROPERTIES, CTX_REQUIRED, CTX_DEFINITIONS, CTX_VARIABLES,
	CTX_FAILURES, CTX_LISTS
};

enum ctx_file_kind {
	CTX_FILE_TEXT, CTX_FILE_CODE, CTX_FILE_MARKUP, CTX_FILE_DATA,
	CTX_FILE_TABLE, CTX_FILE_NOTEBOOK, CTX_FILE_LOG, CTX_FILE_DIFF,
	CTX_FILE_IMAGE, CTX_FILE_DOCUMENT, CTX_FILE_ARCHIVE, CTX_FILE_BINARY
};

/*
 * Lexical rules.  A quote that is not listed is an ordinary character.
 * Strings end with their line unless the flag is _LINES.
 */
#define CTX_L_DQ		(1u << 0)	/* "..." */
#define CTX_L_DQ_LINES		(1u << 1)
#define CTX_L_SQ		(1u << 2)	/* '...' */
#define CTX_L_SQ_LINES		(1u << 3)
#define CTX_L_BQ		(1u << 4)	/* `...`, over lines */
#define CTX_L_PLAIN_SQ		(1u << 5)	/* no backslash escapes in ' */
#define CTX_L_PLAIN		(1u << 6)	/* nor in any other string */
#define CTX_L_TRIPLE		(1u << 7)	/* """...""", ''' too with SQ */
#define CTX_L_CHAR		(1u << 8)	/* 'x' is a character, else the
						   quote is part of a name */
#define CTX_L_IN_DOLLAR		(1u << 9)	/* code in strings: ${...} */
#define CTX_L_IN_HASH		(1u << 10)	/* #{...} */
#define CTX_L_IN_PAREN		(1u << 11)	/* $(...) */
#define CTX_L_REGEX		(1u << 12)	/* /.../ where a value may be */
#define CTX_L_CPP		(1u << 13)	/* # lines of cpp */
#define CTX_L_HERE		(1u << 14)	/* << here-documents */
#define CTX_L_HERE_PHP		(1u << 15)	/* <<< here-documents */
#define CTX_L_RAW_PAREN		(1u << 16)	/* R"x(...)x" */
#define CTX_L_RAW_HASH		(1u << 17)	/* r#"..."# */
#define CTX_L_VERBATIM		(1u << 18)	/* @"..." without escapes */
#define CTX_L_NEST		(1u << 19)	/* block comments nest */
#define CTX_L_LONG		(1u << 20)	/* Lua's [==[ ... ]==] */
#define CTX_L_PERCENT		(1u << 21)	/* Ruby's %w[...] */
#define CTX_L_QLIKE		(1u << 22)	/* Perl's q{} qw() m{} s{}{} */
#define CTX_L_POD		(1u << 23)	/* =word ... =end or =cut */
#define CTX_L_TAGS		(1u << 24)	/* only <?php ... ?> is code */
#define CTX_L_HASH_WORD		(1u << 25)	/* # is a comment only at the
						   start of a word */
#define CTX_L_FENCE		(1u << 26)	/* ``` blocks are left out */
#define CTX_L_MARGIN		(1u << 27)	/* } in column 1 ends all */
#define CTX_L_RAW		(1u << 28)	/* no strings, no comments: the
						   text is searched as it is */

#define CTX_L_HERE_SPACE	(1u << 29)	/* << WORD opens one as well */
#define CTX_L_HERE_SHIFT	(1u << 30)	/* << shifts, too: <<WORD opens
						   one, <<word does not */
#define CTX_L_SCRIPT		(1ull << 31)	/* read by ecma.h, without
						   patterns */
#define CTX_L_JSX		(1ull << 32)	/* with <x> as a value */
#define CTX_L_NESTED		(1ull << 33)	/* scopes in bodies count */
#define CTX_L_COPY		(1ull << 34)	/* rows after COPY FROM stdin */

#define CTX_LANG_FINDS	4

/*
 * Matching names are listed; the name is group 1 or the first later group that
 * matched.
 */
struct ctx_find {
	enum ctx_list list;
	const char *pattern;		/* PCRE2, multi-line; NULL at the end */
};

struct ctx_lang {
	const char *name;		/* as the digest prints it */
	enum ctx_file_kind kind;
	const char *files;		/* " .ext Name ", lower case */
	const char *shebang;		/* " interpreter " */
	uint64_t flags;
	const char *line[2];		/* comments to the end of the line */
	const char *open, *close;	/* comments over several lines */
	/*
	 * In languages whose functions have no keyword, functions are told
	 * from calls by their position: only blocks whose head (the text since
	 * the last statement, with () for every pair of parentheses) matches
	 * this pattern are searched; other bodies become {}.  If NULL,
	 * everything is searched.
	 */
	const char *scope;
	struct ctx_find find[CTX_LANG_FINDS];
};

extern const struct ctx_lang ctx_langs[];
extern const size_t ctx_langs_n;

/*
 * The language of a file by the last component of its name; NULL if the name
 * does not tell.
 */
const struct ctx_lang *ctx_lang_by_name(const char *name);

/*
 * Does a row's list of files, " .ext Name ", contain the file's name, or, if
 * ending is set, its extension?  Case is ignored.
 */
int	ctx_lang_lists(const char *list, const char *name, int ending);

/*
 * The language by the part of the name before its first dot: Dockerfile.dev,
 * Makefile.inc.
 */
const struct ctx_lang *ctx_lang_by_stem(const char *name);

/*
 * The language by its first line, "#!/usr/bin/env python3"; NULL if that does
 * not tell.
 */
const struct ctx_lang *ctx_lang_by_shebang(const char *data, size_t len);

/*
 * The language of the text p[0 .. len), which is lang by its name: some names
 * are those of several.  NULL if it is none of them.
 */
const struct ctx_lang *ctx_lang_refine(const struct ctx_lang *lang,
	    const char *name, const char *p, size_t len);

/* The language by the name that the digest prints, or NULL. */
const struct ctx_lang *ctx_lang_named(const char *name);

#endif
