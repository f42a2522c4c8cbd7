#include "tool.hh"
#include "src/shape_io.h"
int main() { return geo::save({{1, 2}, "x"}) + tool(); }
