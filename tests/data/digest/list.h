#ifndef LIST_H
#define LIST_H
struct node;
typedef int (*compare_fn)(const void *, const void *);
struct list { struct node *head; };
struct node *push(struct node *, int);
int	pop(struct list *l) __attribute__((warn_unused_result));
#endif
