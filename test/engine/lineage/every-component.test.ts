import * as fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { componentTypes } from '../../../engine/components/component-types.ts';
import type { Warehouse } from '../../../engine/duckdb/connection/warehouse.ts';
import { openWarehouse } from '../../../engine/duckdb/open-warehouse.ts';
import { type StatementTracer, statementTracer } from '../../../engine/lineage/statement-tracer.ts';
import { caseKinds, withoutOracle } from '../differential/case-kinds.ts';
import { componentsText } from '../differential/compare.ts';
import { shapes } from '../differential/random-tables.ts';
import { transform } from '../transformation/transform.ts';

let warehouse: Warehouse;

beforeAll(async () => {
  warehouse = await openWarehouse({ kind: 'WAREHOUSE_ONE', memoryLimit: '500MB' });
  return () => warehouse[Symbol.asyncDispose]();
});

/** The same warehouse; notes what cannot be traced of the statements that run. */
function tracing(inner: Warehouse, tracer: StatementTracer, unknown: string[]): Warehouse {
  const trace = async (sql: string) => {
    const traced = await tracer.trace(sql);
    if (traced?.unknown !== undefined) unknown.push(`${traced.unknown}: ${sql}`);
  };
  return new Proxy(inner, {
    get(target, key) {
      if (key === 'run') return async (sql: string) => (await trace(sql), target.run(sql));
      if (key === 'query')
        return async (sql: string, options: { readonly maxRows: number }) => (
          await trace(sql),
          target.query(sql, options)
        );
      const value: unknown = Reflect.get(target, key);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

test.each(caseKinds)('what it writes can be traced: $title', async ({ tables, cases }) => {
  const unknown: string[] = [];
  const given = Object.fromEntries(
    Object.entries(tables).map(([name, shape]) => [name, { columns: shapes[shape], rows: [] }]),
  );
  for (const testCase of fc.sample(cases, { seed: 11, numRuns: 3 })) {
    const traced = tracing(warehouse, statementTracer(warehouse), unknown);
    await transform(componentsText(testCase), { warehouse: traced, tables: given });
  }
  expect(unknown).toEqual([]);
});

test('these cases have every component type that needs no mock', () => {
  const types = new Set(caseKinds.flatMap((kind) => kind.types));
  const missing = componentTypes.flatMap(({ type, aliases = [] }) =>
    [type, ...aliases].filter((each) => !types.has(each)),
  );
  expect(missing.toSorted()).toEqual(Object.keys(withoutOracle).toSorted());
});
