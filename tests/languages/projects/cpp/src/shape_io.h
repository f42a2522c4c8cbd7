#pragma once
#include <vector>
#include "../include/geo/shape.hpp"
namespace geo { int save(const Shape& s); }
