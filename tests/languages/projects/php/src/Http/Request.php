<?php
namespace Acme\Http;

class Request
{
    public const Order = 'Order';

    public function name(): string
    {
        return namespace\Verb::GET . self::Order;
    }
}
