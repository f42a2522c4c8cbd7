/* beside the sources: wins over the one in include/ for quotes */
#define LOCAL 1
