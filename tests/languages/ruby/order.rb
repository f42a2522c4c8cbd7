# frozen_string_literal: true

require 'json' # => import json:* (require)
require_relative '../shop/money' # => import ./../shop/money:* (require)
require File.expand_path('../lib/setup', __FILE__) # => import ./lib/setup:* (require)
require File.join(__dir__, "tools.rb") # => import ./tools.rb:* (require)
require Rails.root.join('lib/late').to_s # => import lib/late:* (require)
load 'tasks/clean.rake' # => import tasks/clean.rake:* (require)
autoload :Basket, 'shop/basket' # => import shop/basket:* (lazy)
require "#{name}/x" # => read *.name

# Everything about selling.
module Shop # => def module Shop
  RATE = 2 # => def variable Shop.RATE
  CLIENT = Redis.new(url: RATE) # => def variable Shop.CLIENT; call *.Redis; effect cache Redis; read Shop.RATE

  # Keeps and prices orders.
  # One for each customer.
  class Order < ::ActiveRecord::Base # => def class Shop.Order; base ::.ActiveRecord.Base
    include Priced, Shop::Timed # => base *.Priced; base Shop.Timed
    extend Forwardable # => base *.Forwardable
    class Failure < StandardError; end # => def class Shop.Order.Failure; base *.StandardError

    Line = Struct.new(:price, :count) do # => def class Shop.Order.Line; def method Shop.Order.Line.price; def method Shop.Order.Line.count; call *.Struct
      def total # => def method Shop.Order.Line.total
        price * count # => read Shop.Order.Line.price; read Shop.Order.Line.count
      end
    end

    attr_reader :owner, 'lines' # => def method Shop.Order.owner; def method Shop.Order.lines
    has_many :payments # => def method Shop.Order.payments; call *.has_many
    scope :open, -> { where(state: 'open') } # => def method Shop.Order.open; call *.scope; call *.where
    delegate :name, :email, to: :owner # => def method Shop.Order.name; def method Shop.Order.email; call *.delegate
    def_delegators :@lines, :each, :size # => def method Shop.Order.each; def method Shop.Order.size; call *.def_delegators
    alias_method :customer, :owner # => def method Shop.Order.customer
    @@count = 0 # => write Shop.Order.@@count

    def self.build(owner, *lines, rate: RATE, **rest, &block) # => def method Shop.Order.build; read Shop.RATE
      new(owner, rate, rest).tap(&block) # => call Shop.Order; call Shop.Order.tap
    end

    class << self
      def latest = order(:at).last # => def method Shop.Order.latest; call *.order; read *.order().last
    end

    # Takes what is ordered.
    def initialize(owner, line = Line.new(1, 2), lines: []) # => def method Shop.Order.initialize; call Shop.Order.Line
      super(owner)
      @owner = owner # => write Shop.Order.@owner
      @lines, @line = lines, line # => write Shop.Order.@lines; write Shop.Order.@line
      @client ||= Faraday.new('http://x') # => write Shop.Order.@client; call *.Faraday
      @@count += 1 # => write Shop.Order.@@count
    end

    def price! # => def method Shop.Order.price!
      line = Line.new 1, 2 # => call Shop.Order.Line
      @lines.each { |each, (first, *rest)| puts each.total, first, rest } # => read Shop.Order.@lines.each; read Shop.Order.@lines.each{}.total; call *.puts; effect ui puts
      total = line.total + owner&.discount.to_i # => read Shop.Order.Line.total; read Shop.Order.owner.discount.to_i
      answer = @client.get "/price/#{total}/#{path}" # => call *.Faraday().get; effect network Faraday.Connection.get; read Shop.Order.path
      self.name = answer.body # => write Shop.Order.name; read *.Faraday().get().body
      raise Failure, 'none' unless total? # => read Shop.Order.Failure; read Shop.Order.total?
      Shop::Money.from(total) # => call Shop.Money.from; read Shop.Money
    rescue Faraday::Error, Timeout::Error => error # => read *.Faraday.Error; read *.Timeout.Error
      Rails.logger.warn error.message # => call *.Rails.logger.warn; effect logging Rails.logger.warn
    ensure
      `rm #{total}` # => effect subprocess `
    end

    def total? = !@lines.empty? # => def method Shop.Order.total?; read Shop.Order.@lines.empty?

    private

    def path # => def method Shop.Order.path
      text = <<~TEXT
        Line.new #{owner} order # => read Shop.Order.owner
      TEXT
      { owner: text, "a\n" => /\Apath\d/, 'b' => :path, count: ?a }
      case text
      in { kind: String => kind, at: } then [kind, at] # => read *.String
      in [Integer, *more] then more # => read *.Integer
      end
    end

    define_method(:total) do |scale = 1| # => def method Shop.Order.total
      $scale = scale # => write $scale
      payments.map { _1 * scale } # => read Shop.Order.payments; read *.Payment().map
    end
  end
end

$scale = ENV['SCALE'] # => def variable $scale; read *.ENV; effect env ENV
order = Shop::Order.new(nil) # => call Shop.Order
order.price! # => read Shop.Order().price!
def helper(order) # => def function helper
  order.price!
  total = 1
  system('x', total) # => call *.system; effect subprocess system
end
helper order # => call helper

=begin
order.price!
=end
__END__
order.price!
