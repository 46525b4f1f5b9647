# def commented; end
=begin
class NotThis
end
=end
module Bank
  class Account < Base
    attr_reader :name
    def initialize(name) = @name = name
    def self.open!(name)
      text = <<~EOS
        def fake
        end
      EOS
      "#{text} def quoted"
    end
    def empty?; @list == %w[def x]; end
    def ==(other) = true
  end
end
