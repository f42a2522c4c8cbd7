#pragma once
#include "types.h"
#include "../config.h"
struct net_socket { net_fd fd; };
