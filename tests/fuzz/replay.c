/* SPDX-License-Identifier: MIT */
/* Run files through a fuzz target if libFuzzer is not available. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int	LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static int
replay(const char *name)
{
	static uint8_t data[1 << 20];	/* longer files are truncated */
	FILE *f;
	size_t len;

	if ((f = fopen(name, "rb")) == NULL) {
		perror(name);
		return 1;
	}
	len = fread(data, 1, sizeof(data), f);
	fclose(f);
	LLVMFuzzerTestOneInput(data, len);
	return 0;
}

int
main(int argc, char *argv[])
{
	int i, rc = 0;

	for (i = 1; i < argc; i++)
		rc |= replay(argv[i]);
	return rc;
}
