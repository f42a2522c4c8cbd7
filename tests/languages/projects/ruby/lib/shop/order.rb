module Shop
  class Order
    include Priced
    Line = Struct.new(:price)

    def lines = [Line.new(RATE), Admin::User::LIMIT]

    def pay(user)
      raise Missing, String.new unless user.is_a?(User)
      Money.new(JSON.parse('1'))
    rescue Shop::Error
      "Money #{Shop::Money.new(2)} User"
    end
  end
end
