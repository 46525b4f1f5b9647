#include "../src/parse.h"

#include <stdio.h>
#include <string.h>

static int failed, passed;

/* Prints a text so that one sees its line ends. */
static void show(const char *s)
{
	for (; *s != '\0'; s++)
		if (*s == '\r')
			printf("\\r");
		else if (*s == '\n')
			printf("\\n");
		else
			putchar(*s);
}

static void check(const char *line, size_t n, const char *last)
{
	struct row row;
	int rc = parse_line(line, &row);

	if (rc == 0 && row.n == n && strcmp(row.field[n - 1], last) == 0) {
		passed++;
		return;
	}
	failed++;
	printf("FAIL: \"");
	show(line);
	printf("\": want %zu fields, last \"", n);
	show(last);
	printf("\"; got %zu, last \"", row.n);
	show(row.n > 0 ? row.field[row.n - 1] : "");
	printf("\"\n");
}

int main(void)
{
	check("a,b,c", 3, "c");
	check("a,\"b,c\",d", 3, "d");
	check("a,\"say \"\"hi\"\"\"", 2, "say \"hi\"");
	check("a,b,", 3, "");
	check("北京,21,晴", 3, "晴");
	check("", 1, "");
	check("x,y\r\n", 2, "y");
	check("7,\"a\r\nb\"", 2, "a\r\nb");
	printf("%d passed, %d failed\n", passed, failed);
	return failed != 0;
}
