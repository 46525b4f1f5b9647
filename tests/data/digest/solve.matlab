% function commented()
function [x, y] = solve(a)
s = "function fake()";
end
