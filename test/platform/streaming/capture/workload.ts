/** Statements that change the table `orders` in all ways, the same for the same seed. */
export function* workload(seed: number, count: number): Generator<string> {
  let state = seed;
  const random = (below: number) => {
    // The generator of Park and Miller: the same on every machine.
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
  const key = () => random(200);
  for (let step = 0; step < count; step += 1) {
    const kind = random(100);
    const text = `note ${String(step)}`;
    if (kind < 35)
      yield `INSERT INTO orders (id, note, amount) VALUES (${key()}, '${text}', ${random(10_000) / 100}) ON CONFLICT (id) DO UPDATE SET note = '${text}'`;
    else if (kind < 60)
      yield `UPDATE orders SET note = '${text}', flag = NOT flag WHERE id % 7 = ${random(7)}`;
    else if (kind < 70)
      yield `UPDATE orders SET id = ${200 + step} WHERE id = (SELECT min(id) FROM orders WHERE id > ${key()})`;
    else if (kind < 80) yield `DELETE FROM orders WHERE id % 11 = ${random(11)}`;
    else if (kind < 85) yield `UPDATE orders SET big = repeat('${String(step)} ', 3000) WHERE id = ${key()}`;
    else if (kind < 90)
      yield `BEGIN; INSERT INTO orders (id) SELECT i FROM generate_series(${100_000 + step * 1000}, ${100_300 + step * 1000}) i; UPDATE orders SET amount = 1 WHERE id > 100000; DELETE FROM orders WHERE id > 100000 AND id % 2 = 0; COMMIT`;
    else if (kind < 93) yield 'BEGIN; DELETE FROM orders; ROLLBACK';
    else if (kind < 95) yield 'TRUNCATE orders';
    else if (kind < 97) yield `ALTER TABLE orders ADD COLUMN IF NOT EXISTS extra_${random(3)} integer`;
    else if (kind < 98) yield `ALTER TABLE orders DROP COLUMN IF EXISTS extra_${random(3)}`;
    else if (kind < 99)
      yield `ALTER TABLE orders ADD COLUMN IF NOT EXISTS filled_${random(2)} integer DEFAULT 7`;
    else yield `ALTER TABLE orders ALTER COLUMN amount TYPE numeric(${12 + random(4)},2)`;
  }
}

/** A table with a large value, which the log leaves out where a change does not touch it. */
export const ordersTable = `
CREATE TABLE orders (
  id bigint PRIMARY KEY, note text, amount numeric(10,2), flag boolean DEFAULT true, big text DEFAULT repeat('large ', 1000)
);
ALTER TABLE orders ALTER COLUMN big SET STORAGE EXTERNAL;
INSERT INTO orders (id, note, amount) SELECT i, 'first ' || i, i * 1.5 FROM generate_series(1, 100) i`;
