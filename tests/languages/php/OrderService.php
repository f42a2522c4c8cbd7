<?php

// Orders and what they cost.
declare(strict_types=1);

namespace Shop\Order;

use DateTimeImmutable; // => import \DateTimeImmutable as DateTimeImmutable
use GuzzleHttp\Client; // => import GuzzleHttp:Client
use Illuminate\Support\Facades\{Cache, DB as Database}; // => import Illuminate\Support\Facades:Cache; import Illuminate\Support\Facades:DB as Database
use Psr\Log\LoggerInterface as Log; // => import Psr\Log:LoggerInterface as Log
use Shop\Customer; // => import Shop:Customer
use function Shop\Support\{money, round_up as up}; // => import Shop\Support:money; import Shop\Support:round_up as up
use const Shop\LIMIT; // => import Shop:LIMIT

const RATE = 2; // => def variable RATE
define('CURRENCY', 'EUR'); // => def variable CURRENCY; call *.define

/** Keeps and prices orders. */
#[Service] // => def class OrderService; read *.Service
final class OrderService extends Base implements Prices, \Countable // => base *.Base; base *.Prices; base \.Countable
{
    use Loggable, \Shop\Support\Timed { // => base *.Loggable; base \.Shop.Support.Timed
        log as protected;
    }

    public const FREE = 0, FULL = self::FREE + 1; // => def variable OrderService.FREE; def variable OrderService.FULL; read OrderService.FREE
    private static ?self $last = null; // => type OrderService
    /** @var Basket|null */
    private $basket;
    private array $seen = [LIMIT => RATE]; // => read Shop:LIMIT; read RATE

    public function __construct( // => def method OrderService.__construct
        private readonly Client $client, // => type GuzzleHttp:Client
        protected Log $log, // => type Psr\Log:LoggerInterface
        ?Customer $owner = null, // => type Shop:Customer
        string ...$names,
    ) {
        parent::__construct($names); // => call OrderService.<super>.__construct
        $this->basket = new Basket($owner); // => write OrderService.basket; call *.Basket
        self::$last = $this; // => write OrderService.last
    }

    /** Says what an order costs. */
    public function price(Order|null $order, array $lines = []): Money // => def method OrderService.price; type *.Order; type *.Money
    {
        $total = money($order->total()); // => call Shop\Support:money; call *.Order().total
        foreach ($lines as $key => [$count, $price]) {
            $total += up($count * $price); // => call Shop\Support:round_up
        }
        $this->seen[] = $key; // => write OrderService.seen
        $this->basket?->add($order)->lock(); // => call *.Basket().add; call *.Basket().add().lock; read OrderService.basket
        $answer = $this->client->request('GET', "/price/{$this->path($order)}"); // => call GuzzleHttp:Client().request; read OrderService.client; effect network GuzzleHttp.Client.request; call OrderService.path
        $this->log->info("got {$order->total()} of foo()"); // => call Psr\Log:LoggerInterface().info; read OrderService.log; effect logging Psr.Log.LoggerInterface.info
        return static::convert($answer, LIMIT, rate: RATE); // => call OrderService.convert; read Shop:LIMIT; read RATE
    }

    private function path(Order $order): string // => def method OrderService.path; type *.Order
    {
        static $root = __DIR__;
        global $shop;
        return $root . \basename($shop) . FREE_PATH . strlen($root); // => call \.basename; call *.strlen; read *.FREE_PATH; read $shop
    }

    protected static function convert(mixed $answer, int ...$rest): Money // => def method OrderService.convert; call+type *.Money
    {
        $rate = fn (Customer $by) => $by->rate() * RATE; // => call Shop:Customer().rate; read RATE; type Shop:Customer
        $each = function (array $all) use ($answer, &$rate): Money {
            return (new Money($all))->add($answer); // => call *.Money().add
        };
        try {
            return Database::transaction(fn () => $each($rest)); // => call Illuminate\Support\Facades:DB.transaction; effect database Illuminate.Support.Facades.DB.transaction
        } catch (\PDOException | Failure $error) { // => type \.PDOException; call+type *.Failure
            throw new Failure($error->getMessage(), previous: $error); // => call \.PDOException().getMessage
        } finally {
            Cache::forget('rates'); // => call Illuminate\Support\Facades:Cache.forget; effect cache Illuminate.Support.Facades.Cache.forget
        }
    }
}

$shop = getenv('SHOP'); // => def variable $shop; call *.getenv; effect env getenv
$service = new OrderService(new Client, $shop); // => def variable $service; call OrderService; call GuzzleHttp:Client
$service->price(null); // => call OrderService.price
