defmodule Shop.Context do
  defmacro __using__(_) do
    quote do
      import Shop.Context
    end
  end

  def shout(text), do: Shop.Text.shout(text)
end
