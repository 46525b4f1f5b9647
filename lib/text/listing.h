/* SPDX-License-Identifier: MIT */
/*
 * What a search, a list of files, a comparison or a log printed: how much of
 * what, and the names in it.  Everything is counted; a text in which one line
 * is not what it should be has no counts.
 */
#ifndef CTX_TEXT_LISTING_H
#define CTX_TEXT_LISTING_H

#include "base/buf.h"
#include "base/strmap.h"
#include "read/node.h"
#include "text/shell.h"

enum ctx_listing_form {
	CTX_LISTING_NONE,
	CTX_LISTING_MATCHES,	/* PATH:TEXT, PATH:NUMBER:TEXT, NUMBER:TEXT */
	CTX_LISTING_PATHS,	/* a path a line */
	CTX_LISTING_LS,		/* of one directory, or with -R of all in it */
	CTX_LISTING_TREE,
	CTX_LISTING_DIFF,	/* git diff, and with --stat */
	CTX_LISTING_STAT,
	CTX_LISTING_LOG,	/* git log, and with --oneline */
	CTX_LISTING_ONELINE,
	CTX_LISTING_STATUS,	/* git status, and with --short */
	CTX_LISTING_SHORT,
	CTX_LISTING_TOOL	/* what a tool that is no command returns */
};

/* What can be counted. */
enum ctx_listed {
	CTX_LISTED_LINES,	/* that match */
	CTX_LISTED_FILES, CTX_LISTED_DIRS,
	CTX_LISTED_PATHS,	/* of files and directories */
	CTX_LISTED_ENTRIES,	/* of directories */
	CTX_LISTED_SECTIONS,	/* directories whose entries they are */
	CTX_LISTED_COMMITS,
	CTX_LISTED_STAGED, CTX_LISTED_CHANGED, CTX_LISTED_UNTRACKED,
	CTX_LISTED_UNMERGED,
	CTX_LISTED_ADDED, CTX_LISTED_REMOVED,	/* lines */
	CTX_LISTED
};

/* How an output is to be read. */
struct ctx_listing_how {
	enum ctx_listing_form form;
	enum ctx_listed what;	/* the paths are; CTX_LISTED_PATHS: not said */
	/* Where the command looks: every path begins with one.  None: with
	   anything. */
	struct ctx_shell_word root[CTX_SHELL_WORDS];
	size_t nroot;
	int named, unnamed;	/* a match may begin with its path, or not */
	int numbered;		/* and has the number of its line */
	int all, dirs, deep, wide;	/* ls -a, -F or -p, -R, -l */
};

struct ctx_listing_name {
	size_t off, len;	/* in bytes */
	uint64_t n, minus;	/* its lines: that match; added and removed */
};

/* All zero is ready for use; memory is reused. */
struct ctx_listing {
	uint64_t count[CTX_LISTED];
	int has[CTX_LISTED];	/* it is counted; else 0 says nothing */
	struct ctx_listing_name *name;
	size_t n, cap;
	struct ctx_buf bytes;
	char first[8], last[8];	/* commits, or empty */
	char since[11], until[11];	/* their days, YYYY-MM-DD, or empty */
	/* working storage */
	struct ctx_strmap map;
};

/*
 * Does a command line only list, search or compare, so that its output can be
 * read?  Returns 1 with *how set, whose words are in the command, or 0.
 */
int	ctx_listing_command(const char *command, size_t len,
	    struct ctx_listing_how *how);

/*
 * Read an output, without what a tool puts around it.  Returns 1, 0 if it is
 * not known to the end what it is, -1 if out of memory.
 */
int	ctx_listing_read(struct ctx_listing *l,
	    const struct ctx_listing_how *how, struct ctx_str text)
	    CTX_CHECKED;

void	ctx_listing_done(struct ctx_listing *l);

#endif
