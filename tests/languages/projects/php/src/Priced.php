<?php
namespace Acme;

trait Priced
{
    public function price(): float
    {
        return RATE * (fn (State $state) => $state->value)(State::Closed);
    }
}
