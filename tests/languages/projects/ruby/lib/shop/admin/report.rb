module Shop::Admin
  class Report
    def initialize(user, limit) = @user = [user, limit, Shop::VERSION]

    def order(user = User) = [user, Shop::Order]
  end
end
