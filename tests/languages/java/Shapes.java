/** Shapes: definitions of every kind. */
package com.acme.shapes;

/**
 * A shape with an area.
 */
public interface Shape<T extends Number> extends Comparable<Shape<T>>, com.acme.Named {  // => base *.Comparable; base *.com.acme.Named; def interface Shape; read *.Number; read Shape
    double SCALE = 2.0;  // => def variable Shape.SCALE

    double area();  // => def method Shape.area

    default T scaled(T by) {  // => def method Shape.scaled
        return by;
    }
}

/** A point. */
record Point(int x, Label label) implements Shape<Integer> {  // => base Shape; def class Point; def variable Point.label; def variable Point.x; read *.Integer; read Label
    static final Point ORIGIN = new Point(0, null);  // => call+read Point; def variable Point.ORIGIN

    Point {  // => def method Point.constructor
        check(x);  // => call Point.check
    }

    static void check(int value) {}  // => def method Point.check

    public double area() {  // => def method Point.area
        return ORIGIN.x() + SCALE;  // => call Point.x; read *.SCALE
    }
}

enum Colour {  // => def enum Colour
    RED(1) {  // => def variable Colour.RED
        @Override  // => def method Colour.RED.shade; read *.Override
        int shade() {
            return 0;
        }
    },
    GREEN(2);  // => def variable Colour.GREEN

    private final int code;

    Colour(int code) {  // => def method Colour.constructor
        this.code = code;  // => write Colour.code
    }

    int shade() {  // => def method Colour.shade
        return code;
    }
}

@interface Label {  // => def interface Label
    String value() default "";  // => def method Label.value; read *.String
}

abstract class Base<E> {  // => def class Base
    protected E held;
    private int count = 0, limit;

    Base(E held) {  // => def method Base.constructor
        this.held = held;  // => write Base.held
    }

    abstract void run();  // => def method Base.run

    void grow() {  // => def method Base.grow
        count++;  // => write Base.count
        this.limit += 1;  // => write Base.limit
        run();  // => call Base.run
        held.toString();  // => call Base.held.toString
    }

    static class Inner extends Base<String> {  // => base Base; def class Base.Inner; read *.String
        Inner() {  // => def method Base.Inner.constructor
            super("x");  // => call Base.Inner.<super>
        }

        @Override  // => def method Base.Inner.run; read *.Override
        void run() {
            super.grow();  // => call Base.Inner.<super>.grow
            grow();  // => call *.grow
            Base.this.grow();  // => call Base.this.grow; read Base.this
        }
    }
}
