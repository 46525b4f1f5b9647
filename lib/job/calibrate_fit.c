/* SPDX-License-Identifier: MIT */
/* Fits what requests cost; see calibrate.h. */
#include "job/calibrate_impl.h"

#include <stdlib.h>
#include <string.h>

/* The unknowns; the last one is what a session begins with. */
enum { FACTOR, MESSAGE, BEGIN, UNKNOWNS };

#define ROUNDS		60	/* of reweighting */
#define SMALLEST	0.001	/* a deviation that weighs no more */

#define MOST_MESSAGE	1000	/* tokens, either way */
#define MOST_REQUEST	1000000000

/* What one step, or a beginning, adds: y = the sum of u[k] * x[k]. */
struct step {
	double x[UNKNOWNS], y;
	double scale;		/* of its deviation */
};

struct fit {
	struct step *step;
	size_t n;
	double *sorted;		/* room for a number of each point */
	double u[UNKNOWNS];
};

static double
size_of(double x)
{
	return x < 0 ? -x : x;
}

/* By Newton's method, so that no library is needed. */
static double
root(double x)
{
	double r = x > 1 ? x : 1;
	int i;

	for (i = 0; i < 60; i++)
		r = (r + x / r) / 2;
	return r;
}

static int
compare(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* The value below which part q of n sorted ones are. */
static double
quantile(const double *sorted, size_t n, double q)
{
	double at = q * (double)(n - 1);
	size_t i = (size_t)at;

	return i + 1 < n ? sorted[i] + (at - (double)i) *
	    (sorted[i + 1] - sorted[i]) : sorted[i];
}

static double
median(double *v, size_t n)
{
	qsort(v, n, sizeof(*v), compare);
	return quantile(v, n, 0.5);
}

/* --- steps -------------------------------------------------------------- */

static void
make_steps(struct fit *f, const struct ctx_calibrate_point *p, size_t n)
{
	const struct ctx_calibrate_point none = { 0 }, *from;
	struct step *s;
	size_t i;

	for (i = 0; i < n; i++) {
		/* what a compaction left is no beginning */
		if (!p[i].goes_on && i > 0 && p[i].session == p[i - 1].session)
			continue;
		from = p[i].goes_on ? &p[i - 1] : &none;
		s = &f->step[f->n++];
		s->x[FACTOR] = p[i].texts - from->texts;
		s->x[MESSAGE] = p[i].messages - from->messages;
		s->x[BEGIN] = !p[i].goes_on;
		s->y = p[i].cost - p[i].others - from->cost + from->others;
		s->scale = 1 / root(size_of(s->y) + 25);
	}
}

static double
off_by(const struct step *s, const double *u)
{
	double y = s->y;
	int k;

	for (k = 0; k < UNKNOWNS; k++)
		y -= u[k] * s->x[k];
	return size_of(y) * s->scale;
}

/* Eliminate column k of a; 0 if it cannot. */
static int
eliminate(double a[UNKNOWNS][UNKNOWNS + 1], int k, double least)
{
	double by;
	int i, j;

	if (size_of(a[k][k]) <= least)
		return 0;
	for (i = 0; i < UNKNOWNS; i++)
		for (by = a[i][k] / a[k][k], j = k;
		    i != k && j <= UNKNOWNS; j++)
			a[i][j] -= by * a[k][j];
	return 1;
}

/* One round of weighted least squares for the unknowns in mask, or 0. */
static int
solve(const struct fit *f, unsigned mask, double *u)
{
	double a[UNKNOWNS][UNKNOWNS + 1] = { { 0 } }, least[UNKNOWNS];
	double w, y, off;
	const struct step *s;
	int i, j;

	for (s = f->step; s < f->step + f->n; s++) {
		off = off_by(s, u);
		w = s->scale * s->scale / (off > SMALLEST ? off : SMALLEST);
		for (y = s->y, i = 0; i < UNKNOWNS; i++)
			y -= mask >> i & 1 ? 0 : u[i] * s->x[i];
		for (i = 0; i < UNKNOWNS; i++) {
			for (j = 0; j < UNKNOWNS; j++)
				a[i][j] += w * s->x[i] * s->x[j];
			a[i][UNKNOWNS] += w * s->x[i] * y;
		}
	}
	for (i = 0; i < UNKNOWNS; i++) {
		least[i] = a[i][i] * 1e-9;
		for (j = 0; j < UNKNOWNS && !(mask >> i & 1); j++)
			a[i][j] = a[j][i] = 0;
	}
	for (i = 0; i < UNKNOWNS; i++)
		if (mask >> i & 1 && !eliminate(a, i, least[i]))
			return 0;
	for (i = 0; i < UNKNOWNS; i++)
		if (mask >> i & 1)
			u[i] = a[i][UNKNOWNS] / a[i][i];
	return 1;
}

/*
 * Find the unknowns in mask by least absolute deviation: least squares,
 * weighted again and again.  Returns 0 if the steps do not determine them.
 */
static int
settle(const struct fit *f, unsigned mask, double *u)
{
	int i;

	for (i = 0; i < ROUNDS; i++)
		if (!solve(f, mask, u))
			return 0;
	return 1;
}

/* The sum of deviations, of which no one counts more than cap. */
static double
loss(const struct fit *f, const double *u, double cap)
{
	double sum = 0, off;
	size_t i;

	for (i = 0; i < f->n; i++) {
		off = off_by(&f->step[i], u);
		sum += off < cap ? off : cap;
	}
	return sum;
}

/* Could a line have them, and a user believe them? */
static int
is_sane(const double *u)
{
	return u[FACTOR] > 0.1 && u[FACTOR] < 10 &&
	    size_of(u[MESSAGE]) < MOST_MESSAGE;
}

/* Choose the unknowns that are worth it, and find them. */
static void
choose(struct fit *f, int with_factor)
{
	static const unsigned masks[] = { 1 << BEGIN,
	    1 << BEGIN | 1 << MESSAGE, 1 << BEGIN | 1 << FACTOR,
	    1 << BEGIN | 1 << MESSAGE | 1 << FACTOR };
	double u[4][UNKNOWNS], cap = 0, least = 0, sum;
	int known[4], i, best = 0;
	size_t k;

	for (i = 0; i < 4; i++) {
		u[i][FACTOR] = 1;
		u[i][MESSAGE] = u[i][BEGIN] = 0;
		known[i] = (with_factor || !(masks[i] >> FACTOR & 1)) &&
		    settle(f, masks[i], u[i]) && is_sane(u[i]);
		for (k = 0; known[i] && k < f->n; k++)
			f->sorted[k] = off_by(&f->step[k], u[i]);
		/* a step that something else came in must not decide */
		if (known[i])
			cap = 5 * median(f->sorted, f->n) + 0.01;
	}
	for (i = 0; i < 4; i++) {
		if (!known[i])
			continue;
		sum = loss(f, u[i], cap);
		if (i > 0 && sum * (1 + 3 / (double)f->n) >= least)
			continue;
		least = sum;
		best = i;
	}
	memcpy(f->u, u[best], sizeof(f->u));
	/* messages are whole; the factor makes up for that */
	f->u[MESSAGE] = (double)(int)(f->u[MESSAGE] +
	    (f->u[MESSAGE] < 0 ? -0.5 : 0.5));
	memcpy(u[0], f->u, sizeof(f->u));
	if (settle(f, masks[best] & ~(1u << MESSAGE), u[0]) && is_sane(u[0]))
		memcpy(f->u, u[0], sizeof(f->u));
}

/* --- requests ------------------------------------------------------------ */

static double
factor_of(const struct ctx_fitted *by)
{
	return by->factor.den == 0 ? 1 :
	    (double)by->factor.num / (double)by->factor.den;
}

/* What a request costs by a rule. */
static double
count(const struct ctx_calibrate_point *p, const struct ctx_fitted *by)
{
	return p->others + factor_of(by) * p->texts +
	    by->message * p->messages + (double)by->request;
}

/*
 * What requests cost besides: the median of the medians of all stretches
 * without a compaction, each of which has something that logs do not show.
 */
static double
besides(struct fit *f, const struct ctx_calibrate_point *p, size_t n,
    const struct ctx_fitted *by)
{
	size_t i, from = 0, stretches = 0;

	for (i = 0; i < n; i++) {
		f->sorted[i] = p[i].cost - count(&p[i], by);
		if (i + 1 < n && p[i + 1].goes_on)
			continue;
		/* what is done with is overwritten from the beginning */
		f->sorted[stretches++] = median(f->sorted + from, i + 1 - from);
		from = i + 1;
	}
	return median(f->sorted, stretches);
}

/* How far off counts are, either way: half of them, and nine of ten. */
struct within {
	double half, most;
};

static struct within
judge(struct fit *f, const struct ctx_calibrate_point *p, size_t n,
    const struct ctx_fitted *by, struct ctx_calibrate_off *off)
{
	struct within w;
	size_t i;

	for (i = 0; i < n; i++)
		f->sorted[i] = 100 * (count(&p[i], by) - p[i].cost) / p[i].cost;
	off->median = median(f->sorted, n);
	off->low = quantile(f->sorted, n, 0.05);
	off->high = quantile(f->sorted, n, 0.95);
	for (i = 0; i < n; i++)
		f->sorted[i] = size_of(f->sorted[i]);
	w.half = median(f->sorted, n);
	w.most = quantile(f->sorted, n, 0.9);
	return w;
}

/* Is a fit worth a line?  Neither may grow, and one must fall by a tenth. */
static int
is_better(struct within is, struct within was)
{
	return is.half < was.half + 0.05 && is.most < was.most + 0.05 &&
	    (is.half + 0.05 < was.half * 0.9 ||
	    is.most + 0.05 < was.most * 0.9);
}

/* The whole number that is not less far out; what is printed as one is one. */
static int
outwards(double x, int up)
{
	int n;

	x += up ? -0.05 : 0.05;
	n = x > 999 ? 999 : x < -999 ? -999 : (int)x;
	return n + (up && n < x) - (!up && n > x);
}

static void
write_fitted(struct fit *f, const struct ctx_calibrate_point *p, size_t n,
    struct ctx_fitted *by)
{
	double more;

	by->factor = (struct ctx_ratio){
	    (uint64_t)(f->u[FACTOR] * 1000 + 0.5), 1000 };
	by->message = (int)f->u[MESSAGE];
	more = besides(f, p, n, by);
	by->request = more <= 0 ? 0 : more < MOST_REQUEST ?
	    (uint64_t)(more + 0.5) : MOST_REQUEST;
}

int
ctx_calibrate_points(const struct ctx_calibrate_point *p, size_t n,
    int with_factor, const struct ctx_fitted *now, struct ctx_calibrated *out,
    struct ctx_err *err)
{
	struct fit f = { 0 };
	struct within was, is;

	out->end = CTX_CALIBRATE_FEW;
	out->nfit = n * 2 / 3;
	out->ncheck = n - out->nfit;
	if (n < CTX_CALIBRATE_LEAST)
		return 0;
	f.step = calloc(n, sizeof(*f.step));
	f.sorted = calloc(n, sizeof(*f.sorted));
	if (f.step == NULL || f.sorted == NULL) {
		free(f.step);
		free(f.sorted);
		return ctx_fail_nomem(err);
	}
	make_steps(&f, p, out->nfit);
	choose(&f, with_factor);
	write_fitted(&f, p, out->nfit, &out->fitted);
	was = judge(&f, p + out->nfit, out->ncheck, now, &out->before);
	is = judge(&f, p + out->nfit, out->ncheck, &out->fitted, &out->after);
	out->fitted.has_margin = 1;
	out->fitted.margin = (struct ctx_margin){ 0,
	    outwards(out->after.low, 0), outwards(out->after.high, 1) };
	out->end = is_better(is, was) ? CTX_CALIBRATE_BETTER :
	    CTX_CALIBRATE_SAME;
	free(f.step);
	free(f.sorted);
	return 0;
}
