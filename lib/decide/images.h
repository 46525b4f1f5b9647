/* SPDX-License-Identifier: MIT */
/*
 * Images and files that were sent already need not be sent again: they go,
 * become notes, or move out to files with a link in the dialect's own form.
 */
#ifndef CTX_DECIDE_IMAGES_H
#define CTX_DECIDE_IMAGES_H

#include "decide/plan.h"
#include "decide/lean.h"

enum ctx_images { CTX_IMAGES_KEEP, CTX_IMAGES_DROP, CTX_IMAGES_NOTE,
	CTX_IMAGES_OUT, CTX_IMAGES_IN };

struct ctx_images_opts {
	enum ctx_images how;
	int all;		/* not only those that an answer follows */
	/*
	 * Keep data[0 .. len) as a file: its URL, escaped, into url.  as_was
	 * is the JSON that the link replaces, which get_file gives back.
	 * 1; 0: leave the image where it is; -1 with *err.
	 */
	int (*put_file)(void *arg, const char *ending, const struct ctx_buf *data,
	    struct ctx_str as_was, int canonical, struct ctx_buf *url,
	    struct ctx_err *err);
	/* The JSON that a link replaced, into out.  1; 0: not ours; -1. */
	int (*get_file)(void *arg, struct ctx_str url, int source,
	    struct ctx_buf *out, struct ctx_err *err);
	void *arg;		/* of these two */
	int (*changed)(void *arg, const struct ctx_convo *c,
	    const struct ctx_change *change, struct ctx_err *err);
	void *changed_arg;
};

/*
 * Add to plan what is to become of c's images.  Before ctx_links_plan, which
 * drops messages that are left empty.  0, or -1 with *err.
 */
int	ctx_images_plan(struct ctx_plan *plan, const struct ctx_convo *c,
	    const struct ctx_images_opts *opts, struct ctx_err *err)
	    CTX_CHECKED;

#endif
