-module(srv).
% commented() -> ok.
start(Args) -> {ok, Args}.
loop(State) when State > 0 -> loop(State - 1).
