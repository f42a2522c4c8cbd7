typedef int net_fd;
