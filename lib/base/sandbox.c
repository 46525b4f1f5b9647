/* SPDX-License-Identifier: MIT */
/* Giving up what a process need not do; see sandbox.h. */
#include "base/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "base/sanitized.h"

#if defined(__linux__) && !CTX_SANITIZED
#define LINUX
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#ifdef __has_include
#if __has_include(<linux/seccomp.h>) && __has_include(<linux/audit.h>)
#define SECCOMP
#endif
#endif
#endif

#ifdef SECCOMP
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>

/* The kernel's name of the machine; a call by another's numbers is refused. */
#if defined(__x86_64__) && !defined(__ILP32__)
#define MACHINE	AUDIT_ARCH_X86_64
#elif defined(__i386__)
#define MACHINE	AUDIT_ARCH_I386
#elif defined(__aarch64__) && defined(__AARCH64EL__)
#define MACHINE	AUDIT_ARCH_AARCH64
#elif defined(__arm__) && defined(__ARMEL__)
#define MACHINE	AUDIT_ARCH_ARM
#elif defined(__riscv) && __riscv_xlen == 64
#define MACHINE	AUDIT_ARCH_RISCV64
#elif defined(__s390x__)
#define MACHINE	AUDIT_ARCH_S390X
#elif defined(__powerpc64__) && defined(__LITTLE_ENDIAN__)
#define MACHINE	AUDIT_ARCH_PPC64LE
#endif
#endif

#ifdef MACHINE
/* --- seccomp ------------------------------------------------------------ */

#define ALLOW	SECCOMP_RET_ALLOW
#define REFUSE	(SECCOMP_RET_ERRNO | EPERM)
#define UNKNOWN	(SECCOMP_RET_ERRNO | ENOSYS)

#define STEP(code, k)		{ (code), 0, 0, (uint32_t)(k) }
#define UNLESS(k, past)		{ BPF_JMP | BPF_JEQ | BPF_K, 0, (past), \
				    (uint32_t)(k) }
#define RETURN(what)		STEP(BPF_RET | BPF_K, what)
#define LOAD(member)		STEP(BPF_LD | BPF_W | BPF_ABS, \
				    offsetof(struct seccomp_data, member))

/* The lower half of an argument; all that are looked at are ints or flags. */
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define LOAD_ARG(i)	STEP(BPF_LD | BPF_W | BPF_ABS, \
			    offsetof(struct seccomp_data, args[i]) + 4)
#else
#define LOAD_ARG(i)	STEP(BPF_LD | BPF_W | BPF_ABS, \
			    offsetof(struct seccomp_data, args[i]))
#endif

/* Allow a call. */
#define CALL(nr)	UNLESS(nr, 1), RETURN(ALLOW)
/* Allow it if argument i has this value, or one of two. */
#define CALL_IF(nr, i, a) \
	UNLESS(nr, 4), LOAD_ARG(i), UNLESS(a, 1), RETURN(ALLOW), RETURN(REFUSE)
#define CALL_IF2(nr, i, a, b) \
	UNLESS(nr, 6), LOAD_ARG(i), UNLESS(a, 1), RETURN(ALLOW), \
	UNLESS(b, 1), RETURN(ALLOW), RETURN(REFUSE)

/*
 * The flags of clone that start a thread, not a process.  Newer libraries try
 * clone3 first, whose flags are in memory, where a filter cannot see them; if
 * the kernel does not know it, they use clone.
 */
#define THREAD		0x00010000	/* CLONE_THREAD */
#ifdef __s390__
#define CLONE_FLAGS	1
#else
#define CLONE_FLAGS	0
#endif

/* A file without a name, as lib/write/spill.c opens it. */
#define UNNAMED		(O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC)
#define NOT_LARGE	STEP(BPF_ALU | BPF_AND | BPF_K, ~(uint32_t)O_LARGEFILE)
#define OPEN_UNNAMED(nr, i) \
	UNLESS(nr, 5), LOAD_ARG(i), NOT_LARGE, UNLESS(UNNAMED, 1), \
	RETURN(ALLOW), RETURN(REFUSE)

/* Stands for the number of this process. */
#define OWN		UINT32_MAX

static const struct sock_filter calls[] = {
	LOAD(arch),
	UNLESS(MACHINE, 1),
	STEP(BPF_JMP | BPF_JA, 1),
	RETURN(REFUSE),
	LOAD(nr),

	/* files that are open; most frequent first */
	CALL(__NR_read), CALL(__NR_write), CALL(__NR_writev), CALL(__NR_readv),
	CALL(__NR_pread64), CALL(__NR_pwrite64), CALL(__NR_close),
	CALL(__NR_lseek), CALL(__NR_fsync), CALL(__NR_fdatasync),
	CALL(__NR_ftruncate),
#ifdef __NR__llseek
	CALL(__NR__llseek),
#endif
#ifdef __NR_ftruncate64
	CALL(__NR_ftruncate64),
#endif
#ifdef __NR_fstat
	CALL(__NR_fstat),
#endif
#ifdef __NR_fstat64
	CALL(__NR_fstat64),
#endif
#ifdef __NR_poll
	CALL(__NR_poll),
#endif
#ifdef __NR_ppoll
	CALL(__NR_ppoll),
#endif
#ifdef __NR_ppoll_time64
	CALL(__NR_ppoll_time64),
#endif
	/* memory */
	CALL(__NR_munmap), CALL(__NR_mremap), CALL(__NR_mprotect),
	CALL(__NR_madvise), CALL(__NR_brk),
#ifdef __NR_mmap
	CALL(__NR_mmap),
#endif
#ifdef __NR_mmap2
	CALL(__NR_mmap2),
#endif
	/* threads, and signals to this process */
	CALL(__NR_futex), CALL(__NR_sched_yield), CALL(__NR_sched_getaffinity),
	CALL(__NR_set_robust_list), CALL(__NR_gettid), CALL(__NR_getpid),
	CALL(__NR_rt_sigaction), CALL(__NR_rt_sigprocmask),
	CALL(__NR_rt_sigreturn), CALL(__NR_sigaltstack),
	CALL(__NR_restart_syscall), CALL(__NR_exit), CALL(__NR_exit_group),
#ifdef __NR_sigreturn
	CALL(__NR_sigreturn),
#endif
#ifdef __NR_futex_time64
	CALL(__NR_futex_time64),
#endif
#ifdef __NR_rseq
	CALL(__NR_rseq),
#endif
	/* the time, chance, and how much memory there is */
	CALL(__NR_clock_gettime), CALL(__NR_gettimeofday), CALL(__NR_sysinfo),
	CALL(__NR_clock_nanosleep),
#ifdef __NR_time
	CALL(__NR_time),
#endif
#ifdef __NR_clock_gettime64
	CALL(__NR_clock_gettime64),
#endif
#ifdef __NR_clock_nanosleep_time64
	CALL(__NR_clock_nanosleep_time64),
#endif
#ifdef __NR_getrandom
	CALL(__NR_getrandom),
#endif

	/* some uses of calls that could do more */
	UNLESS(__NR_clone, 4), LOAD_ARG(CLONE_FLAGS),
	{ BPF_JMP | BPF_JSET | BPF_K, 0, 1, THREAD }, RETURN(ALLOW),
	RETURN(REFUSE),
#ifdef __NR_clone3
	UNLESS(__NR_clone3, 1), RETURN(UNKNOWN),
#endif
	CALL_IF2(__NR_ioctl, 1, TCGETS, TIOCGWINSZ),
	CALL_IF2(__NR_fcntl, 1, F_GETFL, F_SETPIPE_SZ),
#ifdef __NR_fcntl64
	CALL_IF2(__NR_fcntl64, 1, F_GETFL, F_SETPIPE_SZ),
#endif
	/*
	 * A signal to this process, as abort sends it.  musl sends it to a
	 * thread by a call that names no process, so that of others than the
	 * first is refused: it could be any process's.  Then abort ends the
	 * process by an instruction that is not valid, with SIGSEGV.
	 */
	CALL_IF(__NR_tgkill, 0, OWN),
#ifdef __NR_tkill
	CALL_IF(__NR_tkill, 0, OWN),
#endif
	/* fstat, as newer libraries ask */
#ifdef __NR_newfstatat
	CALL_IF(__NR_newfstatat, 3, AT_EMPTY_PATH),
#endif
#ifdef __NR_fstatat64
	CALL_IF(__NR_fstatat64, 3, AT_EMPTY_PATH),
#endif
#ifdef __NR_statx
	/* with times of 64 bits where pointers have 32; musl, too */
	CALL_IF2(__NR_statx, 2, AT_EMPTY_PATH, AT_EMPTY_PATH | AT_NO_AUTOMOUNT),
#endif
};

/* What is left of opening if there is scratch; musl calls open. */
static const struct sock_filter unnamed[] = {
	OPEN_UNNAMED(__NR_openat, 2),
#ifdef __NR_open
	OPEN_UNNAMED(__NR_open, 1),
#endif
};

#define LENGTH(a)	(sizeof(a) / sizeof((a)[0]))

static int
filter_calls(int scratch)
{
	struct sock_filter code[LENGTH(calls) + LENGTH(unnamed) + 1];
	struct sock_fprog prog = { LENGTH(calls), code };
	size_t i;

	memcpy(code, calls, sizeof(calls));
	for (i = 0; i < LENGTH(calls); i++)
		if (BPF_CLASS(code[i].code) == BPF_JMP && code[i].k == OWN)
			code[i].k = (uint32_t)getpid();
	if (scratch) {
		memcpy(code + prog.len, unnamed, sizeof(unnamed));
		prog.len += LENGTH(unnamed);
	}
	code[prog.len++] = (struct sock_filter)RETURN(REFUSE);
	/* the second time for a kernel before 4.17, which knows no flag */
	return syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER,
	    SECCOMP_FILTER_FLAG_SPEC_ALLOW, &prog) == 0 ||
	    syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, 0, &prog) == 0 ?
	    CTX_SANDBOX_SECCOMP : 0;
}

#elif defined(LINUX)
static int
filter_calls(int scratch)
{
	(void)scratch;
	return 0;
}
#endif

#ifdef LINUX
/* --- landlock ----------------------------------------------------------- */

/* linux/landlock.h and its calls, which older headers lack. */
#define CREATE		444
#define ADD		445
#define RESTRICT	446
#define VERSION		1u
#define BENEATH		1

struct ruleset {
	uint64_t files, net, scopes;
};

struct __attribute__((packed)) beneath {
	uint64_t allowed;
	int32_t folder;
};

#define WRITE_FILE	(1u << 1)
#define READ_FILE	(1u << 2)

/*
 * All that this version of it can refuse; a version has what those before have.
 */
static struct ruleset
all_of(long version)
{
	struct ruleset r = { (1u << 13) - 1, 0, 0 };

	if (version >= 2)
		r.files |= 1u << 13;	/* to link into another folder */
	if (version >= 3)
		r.files |= 1u << 14;	/* to truncate */
	if (version >= 4)
		r.net = 3;		/* to bind and to connect */
	if (version >= 5)
		r.files |= 1u << 15;	/* to control a device */
	if (version >= 6)
		r.scopes = 3;		/* abstract sockets and signals */
	return r;
}

static int
allow_scratch(int rules, const char *scratch)
{
	struct beneath b = { READ_FILE | WRITE_FILE, -1 };
	int rc;

	b.folder = open(scratch, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (b.folder == -1)
		return -1;
	rc = (int)syscall(ADD, rules, BENEATH, &b, 0);
	close(b.folder);
	return rc;
}

static int
lock_files(const char *scratch)
{
	long version = syscall(CREATE, NULL, 0, VERSION);
	struct ruleset r = all_of(version);
	int rules, rc = 0;

	if (version < 1)
		return 0;
	/* the kernel of a version knows the length that it had */
	rules = (int)syscall(CREATE, &r, version < 4 ? 8 : version < 6 ? 16 :
	    24, 0);
	if (rules == -1)
		return 0;
	if ((scratch == NULL || allow_scratch(rules, scratch) == 0) &&
	    syscall(RESTRICT, rules, 0) == 0)
		rc = CTX_SANDBOX_LANDLOCK;
	close(rules);
	return rc;
}

int
ctx_sandbox_enter(const char *scratch)
{
	int saved = errno, rc = 0;

	/* no program that is started may have more rights; both ask for it */
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0) {
		rc = lock_files(scratch);
		rc |= filter_calls(scratch != NULL);
	}
	errno = saved;
	return rc;
}
#else
int
ctx_sandbox_enter(const char *scratch)
{
	(void)scratch;
#ifdef __OpenBSD__
	return pledge("stdio", NULL) == 0 ? CTX_SANDBOX_PLEDGE : 0;
#else
	return 0;
#endif
}
#endif
