<?php
namespace Acme\Mail;

interface Mailer
{
    public function send(\Acme\Order $order): Receipt;
}
