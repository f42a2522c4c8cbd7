defmodule Shop.Accounts do
  use Shop.Context
  alias Shop.Accounts.User, as: Person
  require Shop.Macros
  @behaviour Shop.Source

  @impl true
  def get(name) do
    Shop.Macros.twice(name)
    user = %Person{name: shout(name)}
    Shop.Accounts.User.Token.new(user)
  end
end
