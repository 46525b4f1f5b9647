defmodule App.Server do
  @moduledoc """
  def fake do
  """
  # def commented
  def start(args), do: args
  defp loop(state) do
    "def quoted #{inspect(state)}"
  end
  defmacro debug(x), do: x
end
