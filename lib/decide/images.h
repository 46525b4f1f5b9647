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
	 * The folder: where an image that is kept will be, as the beginning of
	 * a URL (escaped, without the last slash); and what is in it, with its
	 * name for messages.
	 */
	const char *url;
	ctx_kept_fn *kept;
	void *kept_arg;
	const char *kept_in;
	int tell;		/* the plan says what is changed */
};

/*
 * Add to plan what is to become of c's images.  Before ctx_links_plan, which
 * drops messages that are left empty.  0, or -1 with *err.
 */
int	ctx_images_plan(struct ctx_plan *plan, const struct ctx_convo *c,
	    const struct ctx_images_opts *opts, struct ctx_err *err)
	    CTX_CHECKED;

#endif
