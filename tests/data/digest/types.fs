// let commented x = 1
module Types
type Point = { X: int }
let add x y = x + y
