<?php
namespace Acme\Mail;

class Receipt {}
