#include <stdlib.h>
#define CHECK(x) do { if (!(x)) abort(); } while (0)
