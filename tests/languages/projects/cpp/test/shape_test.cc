#include "../src/shape_io.cc"
#include "lib/tool.hh"
int main() { return tool(); }
