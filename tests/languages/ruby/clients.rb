# What blocks are given, what calls with a block give, and what declarations in a class make.
class Report < ActiveRecord::Base # => def class Report; base *.ActiveRecord.Base
  POOL = ConnectionPool.new(size: 5) { Redis.new } # => def variable Report.POOL; call *.ConnectionPool; call *.Redis; effect cache Redis
  has_many :order_lines, dependent: :destroy # => def method Report.order_lines; call *.has_many
  has_many :people, class_name: "Crm::Contact" # => def method Report.people; call *.has_many
  belongs_to :owner, polymorphic: true # => def method Report.owner; call *.belongs_to
  scope :recent, -> { order(:at) } # => def method Report.recent; call *.scope; call *.order
  delegate :address, to: :client # => def method Report.address; call *.delegate

  def client # => def method Report.client
    @client ||= Faraday.new(url: "x") do |builder| # => write Report.@client; call *.Faraday
      builder.adapter :net_http # => call *.Faraday{}.adapter
    end
  end

  def send_all # => def method Report.send_all
    client.post "/x" # => read Report.client; call *.Faraday().post; effect network Faraday.Connection.post
    POOL.with { |redis| redis.set 1, 2 } # => read *.Redis().with; call *.Redis().with{}.set; effect cache Redis.set
    Net::HTTP.start("h", 80) do |http| # => call *.Net.HTTP.start; effect network Net.HTTP.start
      http.request(1) # => call *.Net.HTTP.start{}.request; effect network Net.HTTP.request
    end
    File.open "x" do |file| # => call *.File.open; effect file_io File.open
      file.write 1 # => call *.File.open{}.write; effect file_io File.write
    end
    order_lines.each { |line| line.pay } # => read Report.order_lines; read *.OrderLine().each; read *.OrderLine().each{}.pay
    people.first.greet # => read Report.people; read *.Crm.Contact().first.greet
    owner.name # => read Report.owner.name
    recent.first.send_all # => read Report.recent; read Report.first; read Report.first.send_all; effect database ActiveRecord.Base.first
    File.read("x").strip # => call *.File.read; effect file_io File.read; read *.File.read().strip
    Pathname.new("x").read.strip # => call *.Pathname; read *.Pathname().read.strip; effect file_io Pathname.read
  end

  def told(other) # => def method Report.told
    other.with { |redis| redis.set 1, 2 }
    other.where(a: 1).update_all(b: 2) # => effect? database update_all
    other.find(params[:id]) # => effect? database find; read *.params
    other.find { |it| it }
  end
end
