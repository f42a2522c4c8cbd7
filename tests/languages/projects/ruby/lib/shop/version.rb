module Shop
  VERSION = '1.0'
end
