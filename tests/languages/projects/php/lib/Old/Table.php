<?php

class Old_Table
{
    public static function named(string $class, string $registry)
    {
        return Registry::get($class) . $registry;
    }
}
