-- CREATE TABLE not_this (id int);
CREATE TABLE IF NOT EXISTS orders (
  id INTEGER PRIMARY KEY,
  note TEXT DEFAULT 'create table nor_this (x)'
);
create table "users" (id int);
CREATE OR REPLACE FUNCTION order_total(id int) RETURNS numeric AS $$
  SELECT sum(price) FROM items WHERE order_id = id;
$$ LANGUAGE sql;
