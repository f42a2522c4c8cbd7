require 'json'
require 'shop/version'
require_relative 'shop/errors'
require File.expand_path('../shop/priced', __FILE__)
require File.join(__dir__, 'core_ext/string')

module Shop
  autoload :Order, 'shop/order'
  autoload :Money, 'shop/money'
  autoload :User, 'shop/user'
  module Admin
    autoload :User, 'shop/admin/user'
    autoload :Report, 'shop/admin/report'
  end
  def self.version = VERSION
end
