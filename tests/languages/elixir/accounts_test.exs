defmodule Shop.AccountsTest do # => def module Shop.AccountsTest
  use Shop.DataCase, async: true # => import Shop.DataCase:*
  alias Shop.Accounts # => import Shop.Accounts as Accounts

  describe "get/1" do
    setup [:create_user]

    test "finds one", %{user: user} do # => def function Shop.AccountsTest.finds one
      assert Accounts.get(user.id) == user # => call Shop.Accounts.get
    end
  end

  defp create_user(_), do: %{user: insert(:user)} # => def method Shop.AccountsTest.create_user; call *.insert
end
