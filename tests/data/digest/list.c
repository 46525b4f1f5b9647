/* int not_this(void) { } */
#include <stdio.h>

#define MAX(a, b) ((a) > (b) ? (a) : (b))

struct node {
	struct node *next;
	int (*cmp)(const void *, const void *);
};
typedef struct { int x, y; } point;
enum color { RED, GREEN };

static int compare(const void *a, const void *b);

static inline int
compare(const void *a, const void *b)
{
	if (a == b) {
		return printf("int fake(void) {");
	}
	return 0;
}

#ifdef WIDE
struct node *push(struct node *head, long value) {
#else
struct node *push(struct node *head, int value) {
#endif
	for (;;) { }
}

int old_style(a, b)
	int a;
	char *b;
{
	return '{';
}
