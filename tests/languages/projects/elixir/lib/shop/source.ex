defmodule Shop.Source do
  @callback get(String.t()) :: term
end
