#include <stdio.h>
#include "app.h"
#include "config.h"
#include <config.h>
#ifdef LOCAL
#  include "parts.h"
#endif
int main(void) { printf("%d\n", app_run(LOCAL)); return 0; }
