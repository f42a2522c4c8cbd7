#include "../src/app.c"
#include "check.h"
int main(void) { CHECK(app_run(1)); return 0; }
