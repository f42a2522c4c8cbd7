defmodule Shop.Store do
  def put(value), do: Shop.Size.size(value)
end

defprotocol Shop.Size do
  def size(value)
end

defimpl Shop.Size, for: Tuple do
  def size(value), do: tuple_size(value)
end
