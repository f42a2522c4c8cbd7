<?php
namespace Shop;

class Connections // => def class Connections
{
    private static $raw = null;
    private static ?\Redis $cache = null; // => type \.Redis

    public static function open() // => def method Connections.open
    {
        $pdo = new \PDO('x'); // => call \.PDO; effect database PDO
        self::$raw = $pdo; // => write Connections.raw
        self::$raw->exec('y'); // => call \.PDO().exec; effect database PDO.exec
        static::$cache->get('x'); // => call \.Redis().get; effect cache Redis.get; read Connections.cache
        Other::$raw->exec('y'); // => call *.Other.raw.exec
    }
}
