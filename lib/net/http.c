/* SPDX-License-Identifier: MIT */
/* One POST with libcurl; see http.h. */
#include "net/http.h"

#include <curl/curl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define WAIT_FIRST_MS 500
#define WAIT_MAX_MS 8000
#define EXPLAIN_MAX 160		/* longest text of a server in an error */

/* One transfer. */
struct try {
	const struct ctx_http_post *post;
	struct ctx_http_answer *answer;
	CURL *curl;
	size_t body;		/* decoded bytes so far */
	size_t header;
	int ended;		/* the sink saw the end */
	int refused;		/* the sink asked to stop */
	const char *over;	/* which limit was exceeded, or NULL */
	int nomem;
};

static pthread_once_t once = PTHREAD_ONCE_INIT;

/*
 * Was libcurl refused memory?  Its codes do not tell: that may be the reason
 * why a host cannot be resolved, and CURLE_OUT_OF_MEMORY may mean a header
 * over its own limit.  It also allocates memory in its own threads, so this is
 * atomic.
 */
static atomic_int starved;

static void *
watched(void *p)
{
	if (p == NULL)
		starved = 1;
	return p;
}

static void *
watched_malloc(size_t n)
{
	return watched(malloc(n));
}

static void *
watched_realloc(void *p, size_t n)
{
	return watched(realloc(p, n));
}

static void *
watched_calloc(size_t n, size_t size)
{
	return watched(calloc(n, size));
}

static char *
watched_strdup(const char *s)
{
	return watched(strdup(s));
}

static void
global_init(void)
{
	curl_global_init_mem(CURL_GLOBAL_DEFAULT, watched_malloc, free,
	    watched_realloc, watched_strdup, watched_calloc);
}

void
ctx_http_limits_init(struct ctx_http_limits *l)
{
	*l = (struct ctx_http_limits){
		.total_ms = 120000,
		.connect_ms = 10000,
		.idle_s = 60,
		.tries = 3,
		.body_max = (size_t)8 << 20,
		.header_max = (size_t)64 << 10
	};
}

uint64_t
ctx_http_clock(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static void
sleep_ms(uint64_t ms)
{
	struct timespec t = {
		(time_t)(ms / 1000), (long)(ms % 1000 * 1000000)
	};

	while (nanosleep(&t, &t) == -1)
		;
}

static size_t
on_body(char *p, size_t size, size_t n, void *arg)
{
	struct try *t = arg;
	long status = 0;
	int rc;

	n *= size;
	t->body += n;
	if (t->body > t->post->limits->body_max) {
		t->over = "answer";
		return 0;
	}
	curl_easy_getinfo(t->curl, CURLINFO_RESPONSE_CODE, &status);
	if (t->post->sink == NULL || status != 200) {
		t->nomem = ctx_buf_add(&t->answer->body, p, n) == -1;
		return t->nomem ? 0 : n;
	}
	rc = t->post->sink(t->post->arg, p, n);
	t->ended = rc == 1;
	t->refused = rc == -1;
	return rc == 0 ? n : 0;
}

static size_t
on_header(char *p, size_t size, size_t n, void *arg)
{
	struct try *t = arg;

	(void)p;
	n *= size;
	t->header += n;
	if (t->header > t->post->limits->header_max) {
		t->over = "header of the answer";
		return 0;
	}
	return n;
}

static int
add_header(struct curl_slist **list, const char *header)
{
	struct curl_slist *more = curl_slist_append(*list, header);

	if (more == NULL)
		return -1;
	*list = more;
	return 0;
}

/* Collect all headers in *list, yours to free in any case. */
static int
headers(const struct ctx_http_post *post, struct curl_slist **list)
{
	struct ctx_buf key = { 0 };
	size_t i;
	int rc;

	/* an empty Expect avoids a round trip before the body */
	rc = add_header(list, "Expect:");
	for (i = 0; rc == 0 && post->header[i] != NULL; i++)
		rc = add_header(list, post->header[i]);
	if (rc == -1 || post->key == NULL)
		return rc;
	ctx_buf_addf(&key, post->key_header, post->key);
	rc = ctx_buf_str(&key) == NULL ? -1 : add_header(list, key.data);
	if (key.len > 0)
		memset(key.data, 0, key.len);
	ctx_buf_done(&key);
	return rc;
}

#define SET(option, value) \
	do { \
		if (rc == CURLE_OK) \
			rc = curl_easy_setopt(c, option, value); \
	} while (0)

/* Set where the request may go, and by which proxy. */
static CURLcode
set_way(CURL *c, const struct ctx_http_post *p)
{
	CURLcode rc = CURLE_OK;

#if LIBCURL_VERSION_NUM >= 0x075500
	SET(CURLOPT_PROTOCOLS_STR, "http,https");
#else
	SET(CURLOPT_PROTOCOLS, CURLPROTO_HTTP | CURLPROTO_HTTPS);
#endif
	SET(CURLOPT_URL, p->url);
	SET(CURLOPT_FOLLOWLOCATION, 0L);
	SET(CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
	SET(CURLOPT_SSL_VERIFYPEER, 1L);
	SET(CURLOPT_SSL_VERIFYHOST, 2L);
	if (p->cacert != NULL)
		SET(CURLOPT_CAINFO, p->cacert);
	/* unencrypted data must not pass through others */
	if (strncmp(p->url, "http:", 5) == 0)
		SET(CURLOPT_PROXY, "");
	return rc;
}

/* libcurl calls this at least once a second. */
static int
on_work(void *arg, curl_off_t down, curl_off_t got, curl_off_t up,
    curl_off_t sent)
{
	struct try *t = arg;

	(void)down;
	(void)got;
	(void)up;
	(void)sent;
	t->post->working(t->post->waiting_arg);
	return 0;
}

/* Set all options; any that libcurl refuses is an error. */
static CURLcode
setup(struct try *t, struct curl_slist *list, uint64_t left_ms)
{
	const struct ctx_http_post *p = t->post;
	const struct ctx_http_limits *l = p->limits;
	CURL *c = t->curl;
	CURLcode rc = set_way(c, p);

	SET(CURLOPT_NOSIGNAL, 1L);
	SET(CURLOPT_HTTPHEADER, list);
	SET(CURLOPT_ACCEPT_ENCODING, "");
	SET(CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)p->bodylen);
	SET(CURLOPT_POSTFIELDS, p->body);
	SET(CURLOPT_CONNECTTIMEOUT_MS, (long)(l->connect_ms < left_ms ?
	    l->connect_ms : left_ms));
	SET(CURLOPT_TIMEOUT_MS, (long)left_ms);
	SET(CURLOPT_LOW_SPEED_LIMIT, 1L);
	SET(CURLOPT_LOW_SPEED_TIME, (long)l->idle_s);
	SET(CURLOPT_WRITEFUNCTION, on_body);
	SET(CURLOPT_WRITEDATA, t);
	SET(CURLOPT_HEADERFUNCTION, on_header);
	SET(CURLOPT_HEADERDATA, t);
	if (p->working != NULL) {
		SET(CURLOPT_NOPROGRESS, 0L);
		SET(CURLOPT_XFERINFOFUNCTION, on_work);
		SET(CURLOPT_XFERINFODATA, t);
	}
	return rc;
}
#undef SET

/* Say what failed below HTTP, and whether another attempt may help. */
static enum ctx_http_verdict
transfer_failed(const struct try *t, CURLcode rc, struct ctx_err *err)
{
	if (t->nomem || starved) {
		ctx_fail_nomem(err);
		return CTX_HTTP_STOP;
	}
	if (t->over != NULL) {
		ctx_fail(err, CTX_EREMOTE, "%s is too long", t->over);
		return CTX_HTTP_STOP;
	}
	switch (rc) {
	case CURLE_URL_MALFORMAT:
		ctx_fail(err, CTX_EUSAGE, "not an http or https URL");
		return CTX_HTTP_STOP;
	case CURLE_UNSUPPORTED_PROTOCOL:
		ctx_fail(err, CTX_EREMOTE, "the answer is not HTTP");
		return CTX_HTTP_STOP;
	case CURLE_OUT_OF_MEMORY:
		/* libcurl reports this for a header line over its own limit */
		ctx_fail(err, CTX_EREMOTE, "the answer takes too much memory");
		return CTX_HTTP_STOP;
	case CURLE_SSL_CACERT_BADFILE:
		ctx_fail(err, CTX_EUSAGE, "certificate file: %s",
		    curl_easy_strerror(rc));
		return CTX_HTTP_STOP;
	case CURLE_COULDNT_CONNECT:
	case CURLE_COULDNT_RESOLVE_HOST:
	case CURLE_SEND_ERROR:
	case CURLE_RECV_ERROR:
	case CURLE_GOT_NOTHING:
	case CURLE_PARTIAL_FILE:
	case CURLE_HTTP2:
	case CURLE_HTTP2_STREAM:
		ctx_fail(err, CTX_EREMOTE, "%s", curl_easy_strerror(rc));
		return CTX_HTTP_AGAIN;
	case CURLE_OPERATION_TIMEDOUT:
		ctx_fail(err, CTX_EREMOTE, "no answer within the time limit");
		return CTX_HTTP_AGAIN;
	default:
		ctx_fail(err, CTX_EREMOTE, "%s", curl_easy_strerror(rc));
		return CTX_HTTP_STOP;
	}
}

static enum ctx_http_verdict
status_failed(const struct ctx_http_post *p, const struct ctx_http_answer *a,
    struct ctx_err *err)
{
	char text[EXPLAIN_MAX] = "";

	if (a->status >= 300 && a->status < 400) {
		ctx_fail(err, CTX_EREMOTE,
		    "HTTP %ld: redirects are not followed", a->status);
		return CTX_HTTP_STOP;
	}
	if (p->explain != NULL)
		p->explain(a, p->key, text, sizeof(text));
	ctx_fail(err, CTX_EREMOTE, "HTTP %ld%s%s", a->status,
	    text[0] != '\0' ? ": " : "", text);
	return a->status == 408 || a->status == 409 || a->status == 429 ||
	    a->status >= 500 ? CTX_HTTP_AGAIN : CTX_HTTP_STOP;
}

/*
 * Make one attempt; *after gets the milliseconds that the server asks to wait,
 * or 0.
 */
static enum ctx_http_verdict
try_once(const struct ctx_http_post *post, struct ctx_http_answer *answer,
    uint64_t left_ms, uint64_t *after, struct ctx_err *err)
{
	struct try t = { .post = post, .answer = answer };
	enum ctx_http_verdict v = CTX_HTTP_STOP;
	struct curl_slist *list = NULL;
	curl_off_t wait = 0;
	CURLcode rc;

	*after = 0;
	ctx_buf_reset(&answer->body);
	answer->status = 0;
	starved = 0;
	if (post->sink != NULL)
		post->sink(post->arg, NULL, 0);
	if ((t.curl = curl_easy_init()) == NULL ||
	    headers(post, &list) == -1) {
		ctx_fail_nomem(err);
		goto out;
	}
	if ((rc = setup(&t, list, left_ms)) == CURLE_OK)
		rc = curl_easy_perform(t.curl);
	curl_easy_getinfo(t.curl, CURLINFO_RESPONSE_CODE, &answer->status);
	if (rc != CURLE_OK && !t.ended && !t.refused) {
		v = transfer_failed(&t, rc, err);
		goto out;
	}
	if (curl_easy_getinfo(t.curl, CURLINFO_RETRY_AFTER, &wait) ==
	    CURLE_OK && wait > 0)
		*after = wait < INT32_MAX ? (uint64_t)wait * 1000 : UINT64_MAX;
	v = answer->status == 200 ? post->judge(post->arg, answer, err) :
	    status_failed(post, answer, err);
out:
	curl_slist_free_all(list);
	curl_easy_cleanup(t.curl);
	return v;
}

/*
 * 0.5 s, doubling up to 8 s, less up to a quarter so that clients spread out.
 */
static uint64_t
pause_ms(unsigned try)
{
	struct timespec t;
	uint64_t ms = WAIT_FIRST_MS;

	for (; try > 1 && ms < WAIT_MAX_MS; try--)
		ms *= 2;
	clock_gettime(CLOCK_REALTIME, &t);
	return ms - (uint64_t)t.tv_nsec / 1000 % (ms / 4);
}

int
ctx_http_send(const struct ctx_http_post *post, struct ctx_http_answer *answer,
    struct ctx_err *err)
{
	const struct ctx_http_limits *l = post->limits;
	uint64_t end = ctx_http_clock() + l->total_ms, now, wait;
	struct ctx_err why = { 0 };
	enum ctx_http_verdict v;

	pthread_once(&once, global_init);
	for (answer->try = 1; ; answer->try++) {
		ctx_err_clear(&why);
		now = ctx_http_clock();
		v = try_once(post, answer, end > now ? end - now : 1, &wait,
		    &why);
		if (v == CTX_HTTP_DONE)
			return 0;
		now = ctx_http_clock();
		if (v == CTX_HTTP_STOP || answer->try >= l->tries)
			break;
		if (wait == 0)
			wait = pause_ms(answer->try);
		/* a server may ask for a day; then give up now */
		if (now >= end || wait >= end - now)
			break;
		if (post->waiting != NULL)
			post->waiting(post->waiting_arg, answer->try, wait,
			    why.text);
		sleep_ms(wait);
	}
	if (answer->try > 1)
		return ctx_fail(err, why.code, "%s (after %u tries)", why.text,
		    answer->try);
	return ctx_fail(err, why.code, "%s", why.text);
}

void
ctx_http_answer_done(struct ctx_http_answer *answer)
{
	ctx_buf_done(&answer->body);
}
