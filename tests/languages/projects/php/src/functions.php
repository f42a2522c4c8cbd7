<?php
namespace Acme;

const RATE = 2;

function total(Order $order): float
{
    return $order->price() * RATE;
}
