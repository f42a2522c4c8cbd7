<?php
namespace Acme;

enum State: int
{
    case Open = 1;
    case Closed = 0;
}
