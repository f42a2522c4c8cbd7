#pragma once
#include "geo/point.hpp"
inline int tool() { return geo::norm({1, 2}); }
