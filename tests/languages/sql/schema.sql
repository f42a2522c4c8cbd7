-- The tables of the shop.

\i types.sql  -- => import types.sql
\set ON_ERROR_STOP on
SET search_path = public;

-- People who buy.
CREATE TABLE IF NOT EXISTS public."Users" ( -- => def table users
  id bigserial PRIMARY KEY,
  email varchar(255) NOT NULL DEFAULT make_email(now()), -- => call make_email
  updated timestamptz
);

/* What they buy; see select 1 from nowhere. */
CREATE TABLE billing.orders ( -- => def table billing.orders
  user_id bigint REFERENCES users (id) ON UPDATE CASCADE ON DELETE SET NULL, -- => read users
  state order_state,
  note text DEFAULT 'select * from secrets; -- none'
);
CREATE UNIQUE INDEX CONCURRENTLY orders_user ON billing.orders USING btree (user_id); -- => def index orders_user; read billing.orders
CREATE TYPE mood AS ENUM ('sad', 'ok'); -- => def type mood

CREATE OR REPLACE VIEW active_users AS -- => def view active_users
WITH recent AS (
  SELECT user_id, extract(year FROM o.at) FROM billing.orders o, audit.log AS l -- => read billing.orders; read audit.log
  WHERE o.x IS DISTINCT FROM y
)
SELECT u.* FROM users u JOIN recent r ON r.user_id = u.id -- => read users
LEFT JOIN LATERAL (SELECT 1 FROM addresses) a ON true; -- => read addresses

CREATE FUNCTION touch() RETURNS trigger AS $body$ -- => def function touch
BEGIN
  INSERT INTO audit.log (id) VALUES (NEW.id); -- => write audit.log
  UPDATE users SET updated = now() WHERE id = NEW.id; -- => write users
  PERFORM billing.bill(NEW.id); -- => call billing.bill
  RETURN NEW;
END
$body$ LANGUAGE plpgsql;

CREATE TRIGGER touched BEFORE INSERT OR UPDATE ON users -- => def trigger touched; read users
FOR EACH ROW EXECUTE FUNCTION touch(); -- => call touch

ALTER TABLE ONLY users ADD COLUMN age int; -- => read+write users
INSERT INTO users (email) SELECT e FROM staging ON CONFLICT DO UPDATE SET email = excluded.email; -- => read staging
DELETE FROM billing.orders USING old_orders o WHERE true; -- => write billing.orders; read old_orders
TRUNCATE TABLE sessions, billing.orders; -- => write sessions
DROP TABLE IF EXISTS legacy, "Old Things" CASCADE; -- => write legacy; write old things
COPY users (id) FROM stdin;
1	select from nothing
\.
GRANT SELECT ON users TO reader;
SELECT count(*) FROM users FOR UPDATE;
