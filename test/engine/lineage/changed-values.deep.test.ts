import { beforeAll, expect, test } from 'vitest';
import { compareWithChanges } from './compare-with-changes.ts';
import { openTraced, type Traced } from './described-trace.ts';
import { tracedQueries } from './traced-queries.ts';

let traced: Traced;

beforeAll(async () => {
  traced = await openTraced();
  return () => traced[Symbol.asyncDispose]();
});

test('the trace has every column whose values change a column of the result, and no other one', async () => {
  for (const query of tracedQueries)
    expect
      .soft(await compareWithChanges(traced, query, 3), query.sql)
      .toEqual({ missing: [], unseen: query.isHidden ?? [] });
});
