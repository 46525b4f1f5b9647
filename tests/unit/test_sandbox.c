/* SPDX-License-Identifier: MIT */
/*
 * What a process can no longer do in the sandbox.  Each attempt is made in a
 * child of its own, which returns 0 if it was refused, 1 if not.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/sandbox.h"
#include "check.h"

#ifdef __linux__
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>

#define REFUSED		0
#define DONE		1
#define OTHER		2	/* it failed for another reason */

static int fd = -1;		/* a file that was open before */
static pid_t victim;		/* another process */

static int
outcome(long rc)
{
	return rc != -1 ? DONE : errno == EPERM || errno == EACCES ? REFUSED :
	    OTHER;
}

/* --- attempts ----------------------------------------------------------- */

static int
read_file(void)
{
	return outcome(open("/dev/null", O_RDONLY));
}

static int
make_file(void)
{
	return outcome(open("escaped", O_WRONLY | O_CREAT, 0600));
}

static int
unnamed_file(void)
{
	return outcome(open(".", O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC,
	    0600));
}

/* It could get a name later. */
static int
nameable_file(void)
{
	return outcome(open(".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
}

static int
remove_file(void)
{
	return outcome(unlink("victim"));
}

static int
make_folder(void)
{
	return outcome(mkdir("escaped", 0700));
}

static int
internet(void)
{
	return outcome(socket(AF_INET, SOCK_STREAM, 0));
}

static int
local_socket(void)
{
	int pair[2];

	return outcome(socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
}

static int
run_program(void)
{
	execl("/bin/true", "true", (char *)NULL);
	return outcome(-1);
}

static int
new_process(void)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	return outcome(pid);
}

static int
signal_other(void)
{
	return outcome(kill(victim, 0));
}

static int
trace_other(void)
{
	return outcome(ptrace(PTRACE_SEIZE, victim, NULL, NULL));
}

static int
order_terminal(void)
{
	/* TIOCSTI, which types into a terminal */
	return outcome(syscall(SYS_ioctl, fd, 0x5412, "x"));
}

static int
signal_on_input(void)
{
	return outcome(fcntl(fd, F_SETOWN, victim));
}

static int
set_process(void)
{
	return outcome(prctl(PR_SET_DUMPABLE, 0));
}

#ifdef __x86_64__
static void
refused(int sig)
{
	(void)sig;
	_exit(REFUSED);
}
#endif

/*
 * A call by its number on another machine: fork on i386, lseek on x86-64.  A kernel
 * that has no such calls sends a signal.
 */
static int
other_machine(void)
{
#ifdef __x86_64__
	long rc;

	signal(SIGSEGV, refused);
	__asm__ volatile ("int $0x80" : "=a"(rc) : "a"(2) : "memory");
	if (rc == 0)
		_exit(0);
	errno = (int)-rc;
	return outcome(rc < 0 ? -1 : rc);
#else
	return REFUSED;
#endif
}

/* --- what a filter needs ------------------------------------------------ */

static void *
thread(void *arg)
{
	void *volatile p = malloc(50 << 20);

	memset(p, 1, 50 << 20);
	free(p);
	*(int *)arg = read_file();
	return arg;
}

static int
work(void)
{
	struct timespec now;
	pthread_t t;
	struct stat st;
	int inside = DONE, ok;
	char c;

	ok = fstat(fd, &st) == 0 && lseek(fd, 0, SEEK_SET) == 0 &&
	    read(fd, &c, 1) == 1 && pwrite(fd, &c, 1, 0) == 1 &&
	    fsync(fd) == 0 && isatty(fd) == 0 && errno == ENOTTY &&
	    clock_gettime(CLOCK_REALTIME, &now) == 0 &&
	    pthread_create(&t, NULL, thread, &inside) == 0 &&
	    pthread_join(t, NULL) == 0 && close(fd) == 0;
	return ok && inside == REFUSED ? DONE : OTHER;
}

/* A fault in the program must still end it. */
static int
die(void)
{
	abort();
}

/* --- running them ------------------------------------------------------- */

/* Make a system call unknown, as a kernel without it does. */
static void
take_away(uint32_t nr)
{
	struct sock_filter code[] = {
		{ BPF_LD | BPF_W | BPF_ABS, 0, 0,
		    offsetof(struct seccomp_data, nr) },
		{ BPF_JMP | BPF_JEQ | BPF_K, 0, 1, nr },
		{ BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | ENOSYS },
		{ BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW }
	};
	struct sock_fprog prog = { 4, code };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == -1 ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog) == -1)
		_exit(99);
}

struct world {
	uint32_t without;	/* the call of what is missing; 0: nothing is */
	const char *scratch;
};

/* The outcome in a child in the sandbox; 100 + N: signal N ended it. */
static int
inside(struct world w, int (*attempt)(void))
{
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		if (w.without != 0)
			take_away(w.without);
		(void)ctx_sandbox_enter(w.scratch);
		_exit(attempt());
	}
	if (pid == -1 || waitpid(pid, &status, 0) == -1)
		return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) :
	    100 + WTERMSIG(status);
}

/* What is in force there. */
static int
in_force(struct world w)
{
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		if (w.without != 0)
			take_away(w.without);
		_exit(ctx_sandbox_enter(w.scratch));
	}
	if (pid == -1 || waitpid(pid, &status, 0) == -1 || !WIFEXITED(status))
		return -1;
	return WEXITSTATUS(status);
}

static const struct world all = { 0, NULL }, scratch = { 0, "." },
    no_landlock = { 444, NULL }, no_seccomp = { SYS_seccomp, NULL };

/* Not to be done with system calls filtered. */
static int (*const attempts[])(void) = { read_file, make_file, unnamed_file,
	nameable_file, remove_file, make_folder, internet, local_socket,
	run_program, new_process, signal_other, trace_other, order_terminal,
	signal_on_input, set_process, other_machine };

static void
test_outside(void)
{
	CHECK_INT(read_file(), DONE);
	CHECK_INT(remove_file(), DONE);
	CHECK_INT(internet(), DONE);
	CHECK_INT(signal_other(), DONE);
	CHECK_INT(new_process(), DONE);
}

static void
test_refused(struct world w)
{
	size_t i;

	for (i = 0; i < sizeof(attempts) / sizeof(attempts[0]); i++)
		CHECK_INT(inside(w, attempts[i]), REFUSED);
	CHECK_INT(inside(w, work), DONE);
	CHECK_INT(inside(w, die), 100 + SIGABRT);
}

static void
test_scratch(void)
{
	CHECK_INT(inside(scratch, unnamed_file), DONE);
	CHECK_INT(inside(scratch, nameable_file), REFUSED);
	CHECK_INT(inside(scratch, read_file), REFUSED);
	CHECK_INT(inside(scratch, make_file), REFUSED);
	CHECK_INT(inside(scratch, internet), REFUSED);
}

/* Files, TCP and signals are refused by landlock alone. */
static void
test_no_seccomp(void)
{
	CHECK_INT(inside(no_seccomp, read_file), REFUSED);
	CHECK_INT(inside(no_seccomp, make_file), REFUSED);
	CHECK_INT(inside(no_seccomp, remove_file), REFUSED);
	CHECK_INT(inside(no_seccomp, make_folder), REFUSED);
	CHECK_INT(inside(no_seccomp, run_program), REFUSED);
	CHECK_INT(inside(no_seccomp, trace_other), REFUSED);
	CHECK_INT(inside(no_seccomp, work), DONE);
}

int
main(void)
{
	char dir[] = "/tmp/ctx-sandbox-XXXXXX";
	int has;

	if (mkdtemp(dir) == NULL || chdir(dir) == -1 ||
	    (fd = open("victim", O_RDWR | O_CREAT, 0600)) == -1 ||
	    write(fd, "x", 1) != 1)
		return 1;
	victim = fork();
	if (victim == 0) {
		pause();
		_exit(0);
	}
	has = in_force(all);
	/* a sanitizer leaves nothing to test */
	TEST("in force: %d", has);
	CHECK(has != -1);
	if (has & CTX_SANDBOX_SECCOMP) {
		RUN(test_refused(all));
		RUN(test_refused(no_landlock));
		RUN(test_scratch());
	}
	if (has & CTX_SANDBOX_LANDLOCK) {
		CHECK_INT(in_force(no_seccomp), CTX_SANDBOX_LANDLOCK);
		RUN(test_no_seccomp());
	}
	/* last, since it removes the file */
	RUN(test_outside());
	kill(victim, SIGKILL);
	(void)chdir("/");
	(void)rmdir(dir);
	return CHECK_DONE("sandbox");
}
#else
int
main(void)
{
	TEST("in force");
	CHECK((ctx_sandbox_enter(NULL) & ~CTX_SANDBOX_PLEDGE) == 0);
	return CHECK_DONE("sandbox");
}
#endif
