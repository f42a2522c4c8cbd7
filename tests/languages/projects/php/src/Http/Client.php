<?php
namespace Acme\Http;

use Acme\Clock as Time;

class Client
{
    /** Order is a word here, State too. */
    public function open(Request $request): string
    {
        return $request->name() . (new Time)->now()->format('Y') . "Order {$request->name()} State";
    }
}
