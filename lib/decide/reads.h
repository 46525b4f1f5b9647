/* SPDX-License-Identifier: MIT */
/*
 * Which texts of a conversation are contents of files, and which of these a
 * model need not read again: results of tools that read, and arguments of tools
 * that write.  Results that list, find or compare are treated alike.
 */
#ifndef CTX_DECIDE_READS_H
#define CTX_DECIDE_READS_H

#include "base/strmap.h"
#include "decide/catalog.h"
#include "decide/pace.h"
#include "text/listing.h"
#include "text/wrapped.h"

struct ctx_read;

struct ctx_reads_opts {
	const char *const *tool;	/* more names of tools that read */
	size_t ntool;
	const char *id_prefix;		/* of calls that read, or NULL */
	const struct ctx_catalog *catalog;	/* of what ids mean, or NULL */
	int listings;			/* include what commands and tools
					   listed, found or compared */
	int writes;			/* include contents that were written */
	uint64_t keep_recent;		/* the newest files to keep whole */
	int keep_latest;		/* keep the latest read of each file
					   too */
	int superseded;			/* only what was read, written or edited
					   again later */
	uint64_t step;			/* see pace.h */
	/* Set what a digest of text saves and what it leaves, in characters;
	   NULL: nothing.  What is left of a digest is as much. */
	void (*size)(const void *arg, struct ctx_str text, uint64_t *gain,
	    uint64_t *left);
	/* Is it sure what a result has?  Then set its low and high and return
	   1; else 0, or -1 if out of memory.  NULL: as its call says. */
	int (*judge)(void *arg, const struct ctx_convo *c,
	    struct ctx_read *read);
	void *arg;
};

enum ctx_read_by { CTX_READ_BY_PATH, CTX_READ_BY_ID, CTX_READ_BY_URL };

#define CTX_READ_END	UINT64_MAX

/* The contents of one file, or of several in one text, or a listing. */
struct ctx_read {
	uint32_t part;		/* whose text it is */
	uint32_t head;		/* the result that it belongs to */
	uint32_t node;		/* a write: the string in the arguments; a
				   result that is a JSON value: the string in
				   it; CTX_NONE: the part's text */
	size_t first;		/* its paths: reads->path[first ...] */
	size_t npath;
	enum ctx_read_by by;	/* what the path is */
	const struct ctx_catalog_file *known;	/* in the catalog, or NULL */
	int proof;		/* the tool may do anything: it is only a read
				   if it has the text of a known version */
	uint64_t from, to;	/* lines of the file; 0: from its start, to its
				   end */
	uint64_t last;		/* or so many lines at its end */
	int odd;		/* or others, as numbers say that are not
				   known */
	enum ctx_listing_form form;	/* of a listing, whose path is its
					   command, or its tool and the
					   arguments; CTX_LISTING_NONE: none */
	size_t title;		/* where the command is in that path, behind the
				   directory in which it runs */
	struct ctx_lines said;	/* by JSON around it */
	int media;		/* the part is an image or a document */
	int printed;		/* by a shell's command, whose output a tool
				   may trim, */
	int numbered;		/* with the numbers of lines */
	int wrote;
	int all;		/* all of the file, where an edit has a part */
	int sure;		/* it is known what it has: */
	uint64_t low, high;	/* lines of the file, or of tail, counted down
				   from CTX_READ_END, its last one */
	uint32_t ready;		/* it may go when this message has come;
				   CTX_NONE: it stays */
	uint64_t gain, left;	/* see opts.size */
	int goes;		/* the result: a digest replaces it */
};

/* All zero is ready for use; memory is reused. */
struct ctx_reads {
	const struct ctx_chain *chain;	/* set by the caller: what it marks as
					   beside the branch that is resumed has
					   no contents for that, nor answers;
					   or NULL */
	struct ctx_read *read;
	size_t n, cap;
	size_t *path;		/* numbers of paths; see ctx_strmap_at */
	size_t npath, cappath;
	struct ctx_strmap paths;
	struct ctx_buf args;	/* working storage */
	struct ctx_doc doc;
	struct seen_file *seen;		/* by path */
	size_t capseen;
	struct seen_copy *copy;
	size_t ncopy, capcopy;
	struct ctx_pace pace;
};

/*
 * The command line in the arguments of a shell's call: a string, or the last
 * one of a list, as in ["bash", "-lc", "make"].  CTX_NONE if there is none.
 */
uint32_t ctx_reads_command(const struct ctx_doc *doc, uint32_t args);

/* Does a tool of that name read or write files, by its name? */
int	ctx_reads_tool(struct ctx_str name);

void	ctx_reads_done(struct ctx_reads *r);

/*
 * Find the reads of c, which has been paired, and what of them may go: those
 * that an assistant's message follows (the model has seen them), except for
 * what the options keep.  Results that report a failure of the tool are not
 * reads.  A later read counts for the lines that it has, if these are sure.
 * Returns 0, or -1 if out of memory.
 */
int	ctx_reads_find(struct ctx_reads *r, const struct ctx_convo *c,
	    const struct ctx_reads_opts *opts, struct ctx_err *err) CTX_CHECKED;

/*
 * Decide which of them go; plan drops nothing yet.  Returns 0, or -1 if out of
 * memory.
 */
int	ctx_reads_choose(struct ctx_reads *r, const struct ctx_convo *c,
	    const struct ctx_plan *plan, const struct ctx_reads_opts *opts,
	    struct ctx_err *err) CTX_CHECKED;

#endif
