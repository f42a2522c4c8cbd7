<?php
namespace Acme;

class Clock
{
    public Order $order;
}
