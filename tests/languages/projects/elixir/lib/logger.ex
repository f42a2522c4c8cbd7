defmodule Shop.Logger do
  def log(text), do: text
end
