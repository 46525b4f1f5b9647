(* let commented x = 1 (* let nested y = 2 *) *)
type tree = Leaf | Node of tree
let rec depth t = match t with Leaf -> 0 | Node t -> 1 + depth t
let name = "let fake x = 1"
module M = struct end
