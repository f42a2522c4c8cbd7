<?php
use Acme\Order;

require_once __DIR__ . '/../vendor/autoload.php';
require dirname(__DIR__) . '/views/page.phtml';

echo (new Order(new Acme\Clock))->count();
