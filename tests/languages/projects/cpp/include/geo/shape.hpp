#pragma once
#include <string>
#include "geo/point.hpp"
namespace geo { struct Shape { Point at; std::string name; }; }
