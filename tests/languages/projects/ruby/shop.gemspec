require_relative 'lib/shop/version'

Gem::Specification.new { |spec| spec.version = Shop::VERSION }
