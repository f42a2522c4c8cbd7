defmodule Shop do
  alias Shop.{Accounts, Store}
  import Shop.Text, only: [trim: 1]

  def run(name) do
    name |> trim() |> Accounts.get() |> Store.put()
    Logger.log(name)
  end

  defp get(name), do: name
  def again(name), do: get(name)
end
