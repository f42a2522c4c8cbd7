namespace geo { inline int norm(Point p) { return p.x + p.y; } }
