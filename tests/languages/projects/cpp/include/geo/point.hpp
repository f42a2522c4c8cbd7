#pragma once
namespace geo { struct Point { int x, y; }; }
#include "point.inl"
