-- Run first, every day: creates what is missing and keeps what exists.
create table if not exists stg_orders (
  order_id varchar, customer_id varchar, product_id varchar,
  quantity varchar, price varchar, order_day varchar
);
create table if not exists stg_customers (
  customer_id varchar, name varchar, country varchar, changed_at timestamp
);
create table if not exists stg_stock (
  store varchar, product_id varchar, on_hand integer
);
create table if not exists products (
  product_id varchar, product_name varchar, reorder_at integer
);
create table if not exists regions (country varchar, region varchar);
create table if not exists sales_north (order_day date, country varchar, amount number(38, 2));
create table if not exists sales_south (order_day date, country varchar, amount number(38, 2));
create table if not exists sales_overseas (order_day date, country varchar, amount number(38, 2));
create table if not exists weekly_totals (order_day date, amount number(38, 2));

truncate table stg_orders;
truncate table stg_customers;
truncate table stg_stock;
