# function commented() end
struct Point
    x::Int
end
function norm(p::Point)
    "function fake() end"
end
double(x) = 2x
