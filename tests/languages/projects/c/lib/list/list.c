#include "list.h"
int list_size(void) { return 0; }
