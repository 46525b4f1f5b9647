/* SPDX-License-Identifier: MIT */
/*
 * Records that wait until it is known what becomes of their conversation.
 *
 * Names: ctx_cut_, struct ctx_cut_held, struct ctx_cut_leaving, struct ctx_cut_place.
 */
#ifndef CTX_JOB_CUT_HELD_H
#define CTX_JOB_CUT_HELD_H

#include "job/cut_impl.h"

/* Where in the file something is; no two have the same. */
struct ctx_cut_place {
	uint64_t rec;		/* 4 for each record, which has 2, with 1 for
				   what is inserted before it and 3 for its
				   other half */
	uint32_t nth;		/* 2 for each element of a record that is to be
				   one itself, with 1 for what is inserted
				   before it; 0: the record */
};

/* A record, or a run of them. */
struct ctx_cut_held {
	struct ctx_spilled own;	/* with a block: off and len are relative to
				   it */
	struct ctx_block *block;	/* NULL: the bytes are in the spill */
	struct ctx_cut_place place;
	uint32_t from, to;	/* the messages of the record that it stands
				   for; to is 0 for all of them */
	uint32_t elements;	/* that follow it as records of their own */
	int beside;		/* a message that is not in the branch */
};

/* Forget h, which may be NULL. */
void	ctx_cut_release(struct ctx_cut *k, struct ctx_cut_held *h);

/* The bytes of h, valid until others are requested or held; NULL with *err. */
const char *ctx_cut_bytes(struct ctx_cut *k, const struct ctx_cut_held *h,
	    struct ctx_err *err);

/* Hold a copy of the bytes.  NULL with *err. */
struct ctx_cut_held *ctx_cut_hold_bytes(struct ctx_cut *k, const char *raw,
	    size_t len, struct ctx_cut_place place, struct ctx_err *err);

/*
 * Hold a record.  It is copied, so that it does not keep a whole block alive,
 * if it may stay for long, if it waits among many conversations, or if there
 * may be any number of its kind.  NULL with *err.
 */
struct ctx_cut_held *ctx_cut_hold(struct ctx_cut *k, const struct ctx_rec *r,
	    unsigned flags, struct ctx_err *err);

/*
 * View the record of h as k->again, and plan to take out what is not of h.
 * Returns 0 or -1.
 */
int	ctx_cut_view_again(struct ctx_cut *k, const struct ctx_cut_held *h,
	    const struct ctx_dialect *d, struct ctx_err *err) CTX_CHECKED;

/*
 * Make the bytes of the message that was viewed again, in k->edit; those of its
 * record if nothing changes.  Returns 0 or -1.
 */
int	ctx_cut_edit_again(struct ctx_cut *k, struct ctx_str *bytes,
	    struct ctx_err *err) CTX_CHECKED;

/* Passed to ctx_cut_gone: the job, and where to put an error. */
struct ctx_cut_leaving {
	struct ctx_cut *k;
	const struct ctx_dialect *dialect;
	struct ctx_err *err;
};

/*
 * Put a held record that is not kept aside, if that is wanted, and forget it; for
 * ctx_window_slide.  Returns 0, or -1 with an error.
 */
int	ctx_cut_gone(void *held, void *leaving) CTX_CHECKED;

#endif
