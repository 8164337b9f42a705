CREATE TABLE host_orders (id bigint PRIMARY KEY);
