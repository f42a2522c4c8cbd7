part of 'classes.dart'; // => import classes.dart:* (part)

/// Adds up.
int _sum(Shelf shelf) => shelf.price + json.decode('1'); // => def function _sum; type *.Shelf; read *.Shelf().price; call *.json.decode
