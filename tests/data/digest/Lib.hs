module Lib where
-- commented :: Int
{- data Fake = Fake {- nested -} -}
data Tree a = Leaf | Node a
newtype Wrap = Wrap Int
class Shape a where
  area :: a -> Double
insert' :: Ord a => a -> Tree a -> Tree a
insert' x t = t
main :: IO ()
main = putStrLn "fake :: Int"
