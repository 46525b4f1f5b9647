/* SPDX-License-Identifier: MIT */
/* ctx-count --calibrate: a line of CTX_MODELS from logs; see count.h. */
#include "cmd/count/count.h"

#include <inttypes.h>

#include "job/calibrate.h"

/* The first line tells whether the input is of requests with their answers. */
static int
first_line(struct cli_stream *s, struct ctx_reader *r,
    const struct ctx_line *line, struct ctx_err *err)
{
	return ctx_calibrate_pairs(s->job, r, line, err);
}

/* Without the sign of what is printed as 0. */
static double
tenths(double x)
{
	return x > -0.05 && x < 0.05 ? 0 : x;
}

static void
report(struct cli *c, const struct ctx_calibrated *of)
{
	const struct ctx_calibrate_off *a = &of->before, *b = &of->after;

	cli_warn(c, "%s: fitted on %zu requests; the counts of %zu others are "
	    "off by %+.1f %% (nine of ten by %+.1f to %+.1f), with the fit by "
	    "%+.1f %% (%+.1f to %+.1f)", of->model, of->nfit, of->ncheck,
	    tenths(a->median), tenths(a->low), tenths(a->high),
	    tenths(b->median), tenths(b->low), tenths(b->high));
}

/* Print the line, with the keys that change something. */
static void
put_line(const struct ctx_calibrated *of)
{
	const struct ctx_fitted *f = &of->fitted;

	printf("%s %s", of->model, of->encoding);
	if (f->factor.num != f->factor.den)
		printf(" factor=%g", (double)f->factor.num /
		    (double)f->factor.den);
	if (f->message != 0)
		printf(" message=%d", f->message);
	if (f->request > 0)
		printf(" request=%" PRIu64, f->request);
	printf(" margin=%d..%d # fitted on %zu requests, checked on %zu\n",
	    f->margin.low, f->margin.high, of->nfit, of->ncheck);
}

/* Say what came of one model. */
static void
conclude(struct cli *c, const struct ctx_calibrated *of)
{
	switch (of->end) {
	case CTX_CALIBRATE_FEW:
		cli_warn(c, "%s: the cost of only %zu request%s is recorded; "
		    "at least %d are needed", of->model, of->nfit + of->ncheck,
		    CLI_S(of->nfit + of->ncheck), CTX_CALIBRATE_LEAST);
		break;
	case CTX_CALIBRATE_SAME:
		report(c, of);
		cli_warn(c, "%s: that is hardly better, so there is no line "
		    "for it", of->model);
		break;
	case CTX_CALIBRATE_BETTER:
		report(c, of);
		put_line(of);
		break;
	}
}

/* Print what the files that were read show. */
static void
fit(struct ctx_job *j, const char *model, struct cli *c)
{
	struct ctx_calibrated of;
	struct ctx_err err = { 0 };
	size_t i, lines = 0;
	int rc;

	for (i = 0; (rc = ctx_calibrate_fit(j, i, &of, &err)) == 1; i++) {
		conclude(c, &of);
		lines += of.end == CTX_CALIBRATE_BETTER;
	}
	cli_must(c, rc, &err);
	if (lines > 0 || c->worst != CLI_OK)
		return;
	if (i == 0)
		cli_error(c, CLI_NO, "no answer says what its request%s cost",
		    model != NULL ? " to this model" : "");
	else
		cli_error(c, CLI_NO, "nothing to add to CTX_MODELS");
}

void
count_calibrate(struct count_rows *r, struct cli *c)
{
	struct cli_stream *s = &r->stream;
	const char *model = r->cost.model_name;
	struct ctx_err err = { 0 };

	cli_stream_job(s, ctx_calibrate_new(model, &err), &err, c);
	s->first_line = first_line;
	c->lifted = 1;	/* the models in the logs need vocabularies */
	cli_each_turn(s, c);
	/* a part of the logs would be another fit */
	if (c->worst != CLI_SYSTEM)
		fit(s->job, model, c);
	ctx_job_free(s->job);
}
