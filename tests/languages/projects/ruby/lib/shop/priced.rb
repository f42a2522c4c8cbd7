module Shop
  module Priced
    RATE = 2

    def price = RATE * lines.size
  end
end
