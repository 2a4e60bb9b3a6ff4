import type { Warehouse } from '../../../engine/duckdb/connection/warehouse.ts';

const tables: Readonly<Record<string, readonly string[]>> = {
  T: [
    'a INT, b VARCHAR, c DATE, j JSON, l INT[]',
    `(1, 'p', DATE '2024-01-01', '{"k": 1}', [1, 2])`,
    `(2, 'q', DATE '2024-01-03', '{"k": 2, "m": 3}', [3])`,
    `(3, 'p', DATE '2024-01-02', '{"n": 4}', [5, 1])`,
  ],
  U: ['x INT, y DOUBLE', '(1, 1.5)', '(3, 2.5)', '(2, -1)'],
};

/** Values that replace the values of a column, one at a time. */
const others: Readonly<Record<string, readonly string[]>> = {
  'T.a': ['0', '2', '30', 'NULL'],
  'T.b': [`'p'`, `'zzz'`, 'NULL'],
  'T.c': [`DATE '2020-05-05'`, `DATE '2030-05-05'`, 'NULL'],
  'T.j': [`'{"k": 7}'`, `'{"q": 1}'`, 'NULL'],
  'T.l': ['[9]', '[]', 'NULL'],
  'U.x': ['0', '2', '30', 'NULL'],
  'U.y': ['0', '99', 'NULL'],
};

/** The conditions that each find one row. */
const eachRow: Readonly<Record<string, readonly string[]>> = {
  T: [1, 3, 2].map((day) => `c = DATE '2024-01-0${day}'`),
  U: [1, 3, 2].map((x) => `x = ${x}`),
};

/** Writes the names of the tables as the engine does. */
export function withTableNames(sql: string): string {
  return sql.replace(/\b(T|U|V|W|OUT|NEW)\b(?!['.])/g, '"D.S"."$1"');
}

/** Creates the tables with three rows each. */
export async function fillTables(warehouse: Warehouse): Promise<void> {
  await warehouse.createSchema('D', 'S');
  for (const [name, [columns = '', ...rows]] of Object.entries(tables)) {
    await warehouse.run(withTableNames(`CREATE OR REPLACE TABLE ${name} (${columns})`));
    await warehouse.run(withTableNames(`INSERT INTO ${name} VALUES ${rows.join(', ')}`));
  }
  await warehouse.refresh();
}

class Undo extends Error {}

/**
 * Finds out by trying which columns of the tables each column of a query depends on: changes one value after the other, and compares
 * the values of each column of the result. `rows`: in how many rows of each table.
 */
export async function changedColumns(
  warehouse: Warehouse,
  sql: string,
  rows: number,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const query = withTableNames(sql);
  const before = await columnTexts(warehouse, query);
  const changed = new Map([...before.keys()].map((name) => [name, new Set<string>()]));
  for (const [source, values] of Object.entries(others)) {
    const [table = '', column = ''] = source.split('.');
    for (const value of values)
      for (const row of (eachRow[table] ?? []).slice(0, rows)) {
        const after = await afterChange(
          warehouse,
          `UPDATE ${table} SET ${column} = ${value} WHERE ${row}`,
          query,
        );
        for (const [name, text] of after) if (text !== before.get(name)) changed.get(name)?.add(source);
      }
  }
  return changed;
}

async function afterChange(warehouse: Warehouse, change: string, query: string) {
  let after: ReadonlyMap<string, string> = new Map();
  try {
    await warehouse.transaction(async () => {
      await warehouse.run(withTableNames(change));
      after = await columnTexts(warehouse, query);
      throw new Undo();
    });
  } catch (error) {
    if (!(error instanceof Undo)) throw error;
  }
  return after;
}

/** The values of each column in an order that does not depend on the rows. */
async function columnTexts(warehouse: Warehouse, query: string): Promise<ReadonlyMap<string, string>> {
  const { columns, rows } = await warehouse.query(query, { maxRows: 1000 });
  return new Map(
    columns.map(({ name }, index) => [
      name,
      JSON.stringify(rows.map((row) => JSON.stringify(row[index]) ?? '').toSorted()),
    ]),
  );
}
