<?php
/**
 * Kinds of definitions.
 *
 * @license none
 */

interface Shape extends HasArea, \Stringable // => def interface Shape; base *.HasArea; base \.Stringable
{
    const SIDES = 0; // => def variable Shape.SIDES
    public function area(float $scale): float; // => def method Shape.area
}

trait Draws // => def trait Draws
{
    protected ?Canvas $canvas = null; // => type *.Canvas

    abstract public function name(): string; // => def method Draws.name

    public static function make(): static // => def method Draws.make; call+type Draws
    {
        return new static();
    }

    public function draw() // => def method Draws.draw
    {
        return $this->canvas->line($this->name()); // => call *.Canvas().line; read Draws.canvas; call Draws.name
    }
}

enum Suit: string implements Labelled // => def enum Suit; base *.Labelled
{
    case Hearts = 'h'; // => def variable Suit.Hearts
    case Spades = 's'; // => def variable Suit.Spades

    const BEST = self::Spades; // => def variable Suit.BEST; read Suit.Spades

    public static function best(): self // => def method Suit.best; type Suit
    {
        return match (true) {
            default => self::BEST, // => read Suit.BEST
        };
    }
}

abstract class Square implements Shape // => def class Square; base Shape
{
    use Draws; // => base Draws
    public static int $count = 0;
    public readonly Point $corner; // => type *.Point

    public function grow(Square ...$others): ?Square // => def method Square.grow; type Square
    {
        self::$count++; // => write Square.count
        static::$count += 2;
        unset($this->corner); // => write Square.corner
        list($first, 'x' => $second) = Suit::cases(); // => call Suit.cases
        $name = 'grow';
        $this->$name();
        $made = $this->corner->moved(1)->scaled(2); // => call *.Point().moved; call *.Point().moved().scaled
        $other = clone $this;
        return $other->grow($first, $made); // => call Square.grow
    }
}

$draw = new class (1) extends Square { // => def class $draw.class; base Square; def variable $draw
    public function area(float $scale): float // => def method $draw.class.area
    {
        return $this->grow() ? Square::class : parent::SIDES; // => call $draw.class.grow; read Square; read $draw.class.<super>.SIDES
    }
};

function helper(callable $call, $loose = Square::SIDES): void // => def function helper; read Square.SIDES
{
    $draw = $call();
    $draw->area(1.0);
    $make = strtoupper(...); // => call *.strtoupper
    preg_match('/x/', $loose, $found); // => call *.preg_match
    echo $found[1]->area(), "$draw[0] helper() {$loose->area(Suit::best())}"; // => call Suit.best
    goto end;
    end:
    echo <<<TEXT
        Square::make() {$call(Suit::Hearts)} // => read Suit.Hearts
        TEXT;
    print <<<'RAW'
        Square::make()
        RAW;
}

#[Attribute] // => def function later; read *.Attribute
function later(Square|Suit $either, Square&Shape $both, iterable $rest): never // => type Square; type Suit; type Shape
{
    helper($either->area(1.0)); // => call helper
    exit($both->area(2.0));
}
