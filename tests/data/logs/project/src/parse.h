/* Splits a line of comma-separated values. */
#ifndef PARSE_H
#define PARSE_H

#include <stddef.h>

#ifndef MAX_FIELDS
#define MAX_FIELDS 16
#endif
#ifndef MAX_FIELD
#define MAX_FIELD  128
#endif

struct row {
	char   field[MAX_FIELDS][MAX_FIELD];
	size_t n;
};

/* Splits line into row; returns 0, or -1 if a quote is not closed. */
int parse_line(const char *line, struct row *row);

/* Adds up the numbers of a column; other texts count as 0. */
long sum_column(const struct row *rows, size_t n, size_t column);

#endif
