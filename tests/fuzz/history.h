/* SPDX-License-Identifier: MIT */
/*
 * Histories for fuzz targets.  The first line of an input selects: its first
 * letter is the dialect, the next are options, each of which counts from 'a'.
 * The other lines are messages, which become message lines and, if all of them
 * are JSON, a conversation line and a request.
 */
#ifndef CTX_TESTS_HISTORY_H
#define CTX_TESTS_HISTORY_H

#include "fuzz.h"

#include "job/clean.h"
#include "job/run.h"

#define HISTORY_OPTIONS	8
#define HISTORY_LINES	512	/* longer ones are not read */

struct history {
	const struct ctx_dialect *dialect;
	unsigned option[HISTORY_OPTIONS];	/* 0 if there is no letter */
	struct ctx_buf lines;		/* all end with a newline */
	struct ctx_buf whole, request;	/* empty if there is none */
	size_t n;			/* lines */
	size_t last;			/* the last message's line, from 1 */
	size_t at[HISTORY_LINES];	/* where each begins in whole */
	size_t head;			/* what request has more before them */
	const char *model;		/* that it names, or NULL */
	struct ctx_doc doc;
	struct ctx_convo convo;
};

/* Returns 0 if the input has no lines. */
int	history_read(struct history *h, const uint8_t *data, size_t len);
void	history_done(struct history *h);

/* The message of h that byte off of the whole is in. */
size_t	history_message(const struct history *h, size_t off);

/* What a job gave. */
struct gave {
	struct ctx_buf out, side, told;	/* told: "line col what rule\n" */
	int bad;		/* lines that the job refused */
	int failed;		/* it refused the whole */
	/* lets a row be told; NULL: none is */
	void (*tell)(struct gave *g, const struct ctx_row *row);
};

void	gave_done(struct gave *g);

/* Run the job on a text in the dialect. */
void	history_feed(struct ctx_job *j, const struct ctx_dialect *d,
	    const struct ctx_buf *text, struct gave *g);
/* The same, and free the job. */
void	history_run(struct ctx_job *j, const struct ctx_dialect *d,
	    const struct ctx_buf *text, struct gave *g);

/* Nothing is wrong with a text that could be mended, or that has no excuse. */
void	history_valid(const struct history *h, const struct ctx_buf *text,
	    const struct ctx_links_opts *links);
/*
 * Is an id that of two records?  What follows may follow either, and another one
 * when one of them goes.  A log in which a record takes the place of the one with
 * its id writes only the last one again.
 */
int	history_has_twice(const struct history *h, const struct ctx_buf *text);
/* What is wrong with it. */
void	history_find(const struct history *h, const struct ctx_buf *text,
	    const struct ctx_links_opts *links, struct gave *g);
/* Clean a text as these options say. */
void	history_clean(const struct history *h, const struct ctx_buf *text,
	    const struct ctx_clean_opts *opts, struct gave *g);

/* Message lines as the elements of h's whole, or of its request. */
void	history_wrap(const struct history *h, const struct ctx_buf *lines,
	    const struct ctx_buf *form, struct ctx_buf *out);

/* Is the line, with its end, one of text's? */
int	history_has(const struct ctx_buf *text, const char *line, size_t len);

/* Print both and abort unless they are the same. */
void	must_be(const struct ctx_buf *got, const struct ctx_buf *want);

/* Counts characters; ready, and the same in every run. */
struct ctx_cost *history_cost(void);

#endif
