/* SPDX-License-Identifier: MIT */
/* The directory of the running program; see program.h. */
#include "base/program.h"

#include <stdint.h>
#include <string.h>
#include <unistd.h>
#ifdef __APPLE__
#include <mach-o/dyld.h>
#elif defined(__FreeBSD__) || defined(__NetBSD__)
#include <sys/types.h>
#include <sys/sysctl.h>
#endif

/* Write the program's file name to out.  Returns 0 if it is not known. */
static int
program_name(char *out, size_t size)
{
#ifdef __APPLE__
	uint32_t room = (uint32_t)size;

	return _NSGetExecutablePath(out, &room) == 0;
#elif defined(__FreeBSD__)
	int mib[] = { CTL_KERN, KERN_PROC, KERN_PROC_PATHNAME, -1 };

	return sysctl(mib, 4, out, &size, NULL, 0) == 0;
#elif defined(__NetBSD__)
	int mib[] = { CTL_KERN, KERN_PROC_ARGS, -1, KERN_PROC_PATHNAME };

	return sysctl(mib, 4, out, &size, NULL, 0) == 0;
#else
	ssize_t n = readlink("/proc/self/exe", out, size - 1);

	out[n > 0 ? n : 0] = '\0';
	return n > 0;
#endif
}

void
ctx_program_dir(char *out, size_t size)
{
	char *slash = NULL;

	if (program_name(out, size))
		slash = strrchr(out, '/');
	if (slash != NULL)
		slash[1] = '\0';
	else
		out[0] = '\0';
}
