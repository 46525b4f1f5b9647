/* SPDX-License-Identifier: MIT */
/*
 * Images and files that were already sent need not be sent again.  They are
 * dropped, replaced by notes, or moved to files and replaced by links in the
 * dialect's own form.
 */
#ifndef CTX_DECIDE_IMAGES_H
#define CTX_DECIDE_IMAGES_H

#include "text/marker.h"
#include "decide/plan.h"
#include "decide/lean.h"

enum ctx_images { CTX_IMAGES_KEEP, CTX_IMAGES_DROP, CTX_IMAGES_NOTE,
	CTX_IMAGES_OUT, CTX_IMAGES_IN };

struct ctx_images_opts {
	enum ctx_images how;
	int all;		/* including those that no answer follows */
	/*
	 * The folder of kept images: its URL (escaped, without the final
	 * slash), the function that reads from it, and its name for messages.
	 */
	const char *url;
	ctx_kept_fn *kept;
	void *kept_arg;
	const char *kept_in;
	const struct ctx_markers *notes;
	int tell;		/* record changes in the plan */
};

/*
 * Add to plan what becomes of c's images.  Call this before ctx_links_plan,
 * which drops messages that become empty.  Returns 0, or -1 with *err.
 */
int	ctx_images_plan(struct ctx_plan *plan, const struct ctx_convo *c,
	    const struct ctx_images_opts *opts, struct ctx_err *err)
	    CTX_CHECKED;

#endif
