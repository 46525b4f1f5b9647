/* SPDX-License-Identifier: MIT */
/* What is fitted to requests whose constants are known. */
#include "job/calibrate_impl.h"

#include "check.h"

#define MOST	60

/* Requests of a session in which messages are of 20 to 1000 tokens. */
static struct ctx_calibrate_point point[MOST];
static size_t n;

static void
add_session(uint32_t session, size_t steps, double factor, double message,
    double begin)
{
	struct ctx_calibrate_point *p, *last;
	size_t i;

	for (i = 0; i < steps && n < MOST; i++) {
		p = &point[n];
		last = i == 0 ? NULL : &point[n - 1];
		*p = (struct ctx_calibrate_point){ .session = session,
		    .goes_on = i > 0 };
		p->texts = (i > 0 ? last->texts : 0) +
		    20 + (double)(i * 367 % 980);
		p->others = (i > 0 ? last->others : 4) + 3;
		p->messages = (i > 0 ? last->messages : 0) +
		    (double)(1 + i % 3);
		p->cost = (double)(long)(begin + factor * p->texts + p->others +
		    message * p->messages + 0.5);
		n++;
	}
}

static struct ctx_calibrated
fit(int with_factor)
{
	static const struct ctx_fitted nothing;
	struct ctx_calibrated out = { 0 };
	struct ctx_err err = { 0 };

	CHECK_INT(ctx_calibrate_points(point, n, with_factor, &nothing, &out,
	    &err), 0);
	return out;
}

/* factor is in thousandths. */
static void
found(const struct ctx_calibrated *of, unsigned factor, int message,
    unsigned request)
{
	CHECK_INT(of->end, CTX_CALIBRATE_BETTER);
	CHECK_INT(of->fitted.factor.num * 1000 / of->fitted.factor.den, factor);
	CHECK_INT(of->fitted.message, message);
	CHECK_INT(of->fitted.request, request);
}

static void
test_all(void)
{
	struct ctx_calibrated of;

	n = 0;
	add_session(1, 40, 1.07, 3, 14210);
	of = fit(1);
	found(&of, 1070, 3, 14210);
	CHECK_INT(of.nfit, 26);
	CHECK_INT(of.ncheck, 14);
	CHECK(of.before.low < of.before.median &&
	    of.before.median < of.before.high && of.before.high < 0);
	CHECK(of.after.low > -0.05 && of.after.high < 0.05);
	CHECK_INT(of.fitted.has_margin, 1);
	CHECK_INT(of.fitted.margin.low, 0);
	CHECK_INT(of.fitted.margin.high, 0);
}

/* Of a vocabulary that is exact, texts cost what they do. */
static void
test_exact(void)
{
	struct ctx_calibrated of;

	n = 0;
	add_session(1, 30, 1, 2, 9000);
	of = fit(0);
	found(&of, 1000, 2, 9000);
	n = 0;
	add_session(1, 30, 1.07, 0, 9000);
	of = fit(0);
	CHECK_INT(of.fitted.factor.num, of.fitted.factor.den);
}

/* What came in a few steps, and is not in the log, changes only the rest. */
static void
test_hidden(void)
{
	struct ctx_calibrated of;
	size_t i;

	n = 0;
	add_session(1, 45, 1.1, 4, 20000);
	for (i = 3; i < n; i++)
		point[i].cost += 30000 + (i > 10 ? 500 : 0) + (i > 20 ? 40 : 0);
	of = fit(1);
	CHECK_INT(of.fitted.factor.num, 1100);
	CHECK_INT(of.fitted.message, 4);
	CHECK(of.fitted.request >= 50000 && of.fitted.request <= 50540);
}

/* The median of three sessions, of which the long one counts once. */
static void
test_sessions(void)
{
	struct ctx_calibrated of;

	n = 0;
	add_session(1, 5, 1, 0, 8000);
	add_session(2, 25, 1, 0, 20000);
	add_session(3, 10, 1, 0, 9000);
	add_session(4, 20, 1, 0, 9000);
	of = fit(1);
	found(&of, 1000, 0, 9000);
}

/* Requests that are no session: each begins by itself. */
static void
test_alone(void)
{
	struct ctx_calibrated of;
	size_t i;

	n = 0;
	add_session(0, 30, 0.9, 1, 120);
	for (i = 0; i < n; i++) {
		point[i].session = (uint32_t)i;
		point[i].goes_on = 0;
	}
	of = fit(1);
	found(&of, 900, 1, 120);
}

static void
test_not(void)
{
	struct ctx_calibrated of;
	size_t i;

	n = 0;
	add_session(1, CTX_CALIBRATE_LEAST - 1, 1.2, 0, 100);
	of = fit(1);
	CHECK_INT(of.end, CTX_CALIBRATE_FEW);
	CHECK_INT(of.nfit + of.ncheck, CTX_CALIBRATE_LEAST - 1);
	n = 0;
	add_session(1, 30, 1, 0, 0);
	of = fit(1);
	CHECK_INT(of.end, CTX_CALIBRATE_SAME);
	/* what was fitted does not hold for the rest */
	n = 0;
	add_session(1, 20, 1, 0, 5000);
	add_session(2, 10, 1, 0, 0);
	of = fit(1);
	CHECK_INT(of.fitted.request, 5000);
	CHECK_INT(of.end, CTX_CALIBRATE_SAME);
	/* nothing tells the unknowns apart */
	n = 0;
	add_session(1, 20, 1, 0, 0);
	for (i = 0; i < n; i++) {
		point[i] = point[0];
		point[i].goes_on = i > 0;
		point[i].cost = 70;
	}
	of = fit(1);
	CHECK_INT(of.fitted.factor.num, of.fitted.factor.den);
	CHECK_INT(of.fitted.message, 0);
}

int
main(void)
{
	RUN(test_all());
	RUN(test_exact());
	RUN(test_hidden());
	RUN(test_sessions());
	RUN(test_alone());
	RUN(test_not());
	return CHECK_DONE("calibrate");
}
