module Shop
  class Order; end
  class Only; end
end
