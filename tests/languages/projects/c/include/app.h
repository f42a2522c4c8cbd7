#ifndef APP_H
#define APP_H
#include "net/socket.h"
#include <net/types.h>
int app_run(int count);
#endif
