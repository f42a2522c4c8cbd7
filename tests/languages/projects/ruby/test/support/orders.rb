module Orders
  def order = Shop::Order.new
end
