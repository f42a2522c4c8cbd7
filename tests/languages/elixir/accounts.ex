defmodule Shop.Accounts do # => def module Shop.Accounts
  @moduledoc """
  Who may buy.
  """

  use Shop.Context, repo: true # => import Shop.Context:*
  alias Shop.{Mailer, Repo} # => import Shop.Mailer as Mailer; import Shop.Repo as Repo
  alias Shop.Accounts.User, as: Person # => import Shop.Accounts.User as Person
  import Ecto.Query, only: [from: 2, where: 3] # => import Ecto.Query:from; import Ecto.Query:where
  require Logger # => import Logger
  @behaviour Shop.Store # => base *.Shop.Store

  @timeout 5_000

  @doc "Finds one."
  @spec get(integer) :: Person.t()
  def get(id) when is_integer(id) do # => def method Shop.Accounts.get
    Repo.get!(Person, id) # => call Shop.Repo.get!; read Shop.Accounts.User
    |> check(@timeout) # => call Shop.Accounts.check
  end

  def get(nil), do: nil # => def method Shop.Accounts.get

  # Says whether.
  defp check(user, get) do # => def method Shop.Accounts.check
    Logger.info "checking #{inspect_it(user)} get(1)" # => read *.Logger.info; effect logging Logger.info; call *.inspect_it
    check = user.check
    get + check
    Enum.map([user], &Shop.Text.trim/1) # => call *.Enum.map; read *.Shop.Text.trim
    with {:ok, file} <- File.read("get") do # => call *.File.read; effect file_io File.read
      :gen_tcp.send(file, user: get, check: check) # => call *.gen_tcp.send; effect network gen_tcp.send
    end
    %Person{name: check} |> Mailer.deliver() # => read Shop.Accounts.User; call Shop.Mailer.deliver
    from(u in Person, where: u.id == ^get) # => call Ecto.Query:from
    __MODULE__.get(1) # => call Shop.Accounts.get
    &get/1
  end

  defmodule Token do # => def module Shop.Accounts.Token
    defstruct [:value]
    def new(value), do: %__MODULE__{value: value, at: DateTime.utc_now()} # => def method Shop.Accounts.Token.new; read Shop.Accounts.Token; call *.DateTime.utc_now; effect clock DateTime.utc_now
  end

  defmacro twice(x), do: quote(do: unquote(x) * 2) # => def method Shop.Accounts.twice
end

defprotocol Shop.Size do # => def interface Shop.Size
  def size(data) # => def method Shop.Size.size
end

defimpl Shop.Size, for: List do # => def extension Shop.Size; read *.List
  def size(data), do: length(data) # => def method Shop.Size.size
end
