require 'test_helper'

class OrderTest
  Case = Struct.new(:order)

  def test_price
    raise unless Case.new(order).order.lines.size == 2
  end
end
