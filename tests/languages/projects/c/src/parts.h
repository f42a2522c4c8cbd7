#include "list.h"
static int part = 1;
