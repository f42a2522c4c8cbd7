module Shop
  class User
    LIMIT = 1
  end
end
