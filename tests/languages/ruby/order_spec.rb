require 'spec_helper' # => import spec_helper:* (require)

RSpec.describe Shop::Order do # => read *.Shop.Order; call *.RSpec.describe
  subject(:order) { described_class.new(owner) } # => def function order; call *.subject; call *.Shop.Order; read owner
  let(:owner) { Shop::Customer.new } # => def function owner; call *.let; call *.Shop.Customer
  let!(:file) do # => def function file; call *.let!
    Tempfile.new('x') # => call *.Tempfile; effect file_io Tempfile
  end

  def price # => def function price
    owner.price # => read owner; read *.Shop.Customer().price
  end

  it 'has a price' do # => call *.it
    expect(order.price!).to eq(price) # => read order; read *.Shop.Order().price!; call *.expect; call *.expect().to; call *.eq; read price
    file.write('x') # => read file; call *.Tempfile().write; effect file_io Tempfile.write
  end
end

class OrderTest < Minitest::Test # => def class OrderTest; base *.Minitest.Test
  def setup # => def method OrderTest.setup
    @order = Shop::Order.build(nil) # => write OrderTest.@order; call *.Shop.Order.build
  end

  def test_price # => def method OrderTest.test_price
    assert_equal 3, @order.price! # => call *.assert_equal; read *.Shop.Order.build().price!
  end
end
