#include "app.h"
#include <list.h>
#include <string.h>
int app_run(int count) { return count + list_size(); }
