-- Run first, every day: makes what is missing and leaves what is there.
create table if not exists stg_orders (
  order_id varchar, customer_id varchar, product_id varchar,
  quantity varchar, price varchar, order_day varchar
);
create table if not exists stg_customers (
  customer_id varchar, name varchar, country varchar, changed_at timestamp
);
create table if not exists stg_stock (
  store varchar, product_id varchar, pieces integer
);

truncate table stg_orders;
truncate table stg_customers;
truncate table stg_stock;
