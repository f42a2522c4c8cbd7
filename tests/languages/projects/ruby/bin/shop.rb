$LOAD_PATH.unshift File.expand_path('../lib', __dir__)
require 'shop'

puts Shop::Admin::User.new.report.order
