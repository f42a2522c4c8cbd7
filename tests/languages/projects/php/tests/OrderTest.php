<?php
namespace Acme\Tests;

use Acme\Clock;
use Acme\Order;
use PHPUnit\Framework\TestCase;

final class OrderTest extends TestCase
{
    public function testCounts(): void
    {
        self::assertCount(3, new Order(new Clock));
    }
}
