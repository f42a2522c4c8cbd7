defmodule Shop.Accounts.User do
  defstruct [:name]

  defmodule Token do
    def new(user), do: {:token, user}
  end
end
