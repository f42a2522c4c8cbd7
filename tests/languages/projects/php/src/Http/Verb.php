<?php
namespace Acme\Http {
    use Acme\State;

    class Verb
    {
        const GET = 'GET';

        public function state(): State
        {
            return State::from(1);
        }
    }
}
