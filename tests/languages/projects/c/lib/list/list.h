#ifndef LIST_H
#define LIST_H
#include <stddef.h>
int list_size(void);
#endif
