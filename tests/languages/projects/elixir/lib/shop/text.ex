defmodule Shop.Text do
  def trim(text), do: String.trim(text)
  def shout(text), do: String.upcase(text)
end
