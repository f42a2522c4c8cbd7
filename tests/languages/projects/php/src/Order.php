<?php

declare(strict_types=1);

namespace Acme;

use Acme\Http\{Client, Request as Call};
use Acme\Mail;
use Exception;
use function Acme\total;
use const Acme\RATE;

final class Order extends Model implements \Countable
{
    use Priced;

    public function __construct(private readonly Clock $clock, protected ?Mail\Mailer $mailer = null) {}

    public function send(Client $client): Mail\Receipt
    {
        $client->open(new Call());
        return $this->mailer?->send($this) ?? throw new Exception((string) total($this) . RATE);
    }

    public function count(): int
    {
        return \Acme\Legacy\Counter::of($this) + count_all([]) + State::Open->value;
    }
}
