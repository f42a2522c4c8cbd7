module Shop
  module Admin
    class User < Shop::User
      def report = Report.new(User, LIMIT)
    end
  end
end
