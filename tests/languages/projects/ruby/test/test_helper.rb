require 'shop'
require_relative 'support/orders'

include Orders
