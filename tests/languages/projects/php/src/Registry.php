<?php
namespace Acme;

class Registry
{
    public Model $model;
}
