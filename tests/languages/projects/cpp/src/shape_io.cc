#include "shape_io.h"
#include <geo/shape.hpp>
#if __has_include(<geo/missing.hpp>)
#include <geo/missing.hpp>
#endif
namespace geo { int save(const Shape& s) { return norm(s.at); } }
