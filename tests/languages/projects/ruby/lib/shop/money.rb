class Shop::Money
  # Order, User
  def initialize(value) = @value = value

  def order = ::Shop::Order.new
end
