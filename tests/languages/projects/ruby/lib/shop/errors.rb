module Shop
  class Error < StandardError; end
  class Missing < Error; end
end
