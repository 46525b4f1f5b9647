/* SPDX-License-Identifier: MIT */
/*
 * powercut LOG OPS SEED DIR: write the files as a disk may have them after a
 * power failure following OPS operations of LOG (written by faultio.c).  What
 * was synced is there; of what was written later, each block of 512 bytes is
 * there or not, as SEED determines.  Files go to DIR under their last names.
 * If OPS is -1, print the number of operations.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NFILE	32
#define SECTOR	512

struct file {
	char name[1024];
	char *sure, *hope;	/* as synced; as written */
	size_t nsure, nhope;	/* bytes */
	int exists, sure_exists;
};

static struct file files[NFILE];
static int nfile;

static struct file *
file_of(const char *name)
{
	int i;

	for (i = 0; i < nfile; i++)
		if (strcmp(files[i].name, name) == 0)
			return &files[i];
	if (nfile == NFILE)
		abort();
	snprintf(files[nfile].name, sizeof(files[0].name), "%s", name);
	return &files[nfile++];
}

static void
resize(char **p, size_t *have, size_t n)
{
	if ((*p = realloc(*p, n + 1)) == NULL)
		abort();
	if (n > *have)
		memset(*p + *have, 0, n - *have);
	*have = n;
}

/* A file that was removed and created again is another file. */
static void
create(struct file *f)
{
	if (f->exists)
		return;
	resize(&f->hope, &f->nhope, 0);
	resize(&f->sure, &f->nsure, 0);
	f->exists = 1;
	f->sure_exists = 0;
}

static void
sync_folder(const char *name)
{
	size_t n = strlen(name);
	int i;

	for (i = 0; i < nfile; i++)
		if (strncmp(files[i].name, name, n) == 0 &&
		    files[i].name[n] == '/')
			files[i].sure_exists = files[i].exists;
}

static void
apply(char op, const char *name, int64_t off, const char *p, size_t n)
{
	struct file *f = file_of(name);

	switch (op) {
	case 'w':
		create(f);
		if ((size_t)off + n > f->nhope)
			resize(&f->hope, &f->nhope, (size_t)off + n);
		memcpy(f->hope + off, p, n);
		break;
	case 't':
		create(f);
		resize(&f->hope, &f->nhope, (size_t)off);
		break;
	case 's':
		resize(&f->sure, &f->nsure, f->nhope);
		if (f->nhope > 0)
			memcpy(f->sure, f->hope, f->nhope);
		f->sure_exists = f->exists;
		sync_folder(name);
		break;
	case 'u':
		f->exists = 0;
		break;
	}
}

static int
coin(void)
{
	return rand() >> 8 & 1;
}

/* Write the file after the failure: each sector as synced or as written. */
static void
write_out(struct file *f, const char *dir)
{
	char path[2048], zeros[SECTOR] = "";
	const char *base = strrchr(f->name, '/');
	size_t n = coin() ? f->nhope : f->nsure, at, len, part;
	FILE *out;

	if (f->exists != f->sure_exists ? !coin() : !f->exists)
		return;
	if (f->nsure == f->nhope)
		n = f->nhope;
	snprintf(path, sizeof(path), "%s%s", dir, base != NULL ? base : "");
	if ((out = fopen(path, "wb")) == NULL)
		abort();
	for (at = 0; at < n; at += len) {
		const char *from = coin() ? f->hope : f->sure;
		size_t have = from == f->hope ? f->nhope : f->nsure;

		len = n - at < SECTOR ? n - at : SECTOR;
		/* the sector in which the synced bytes end has all of them */
		part = at >= have ? 0 : have - at < len ? have - at : len;
		if (part > 0)
			fwrite(from + at, 1, part, out);
		fwrite(zeros, 1, len - part, out);
	}
	fclose(out);
}

int
main(int argc, char *argv[])
{
	struct { char op; char pad[7]; int64_t off; uint64_t n, name; } head;
	long ops, i = 0;
	char name[1024], *data = NULL;
	FILE *log;

	if (argc != 5 || (log = fopen(argv[1], "rb")) == NULL)
		return 2;
	ops = atol(argv[2]);
	srand((unsigned)atol(argv[3]));
	while (fread(&head, sizeof(head), 1, log) == 1 &&
	    (ops < 0 || i < ops)) {
		if (head.name >= sizeof(name) ||
		    fread(name, 1, head.name, log) != head.name)
			break;
		name[head.name] = '\0';
		if ((data = realloc(data, head.n + 1)) == NULL ||
		    fread(data, 1, head.n, log) != head.n)
			break;
		apply(head.op, name, head.off, data, head.n);
		i++;
	}
	if (ops < 0)
		printf("%ld\n", i);
	else
		for (i = 0; i < nfile; i++)
			write_out(&files[i], argv[4]);
	return 0;
}
