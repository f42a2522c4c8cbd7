<?php
namespace Acme;

abstract class Model
{
    public static function table(): string
    {
        return \Old_Table::named(static::class, Registry::class);
    }
}
