import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { secretForms } from '../../../lib/core/text/redactor.ts';
import type { ErrorCode } from '../../../lib/core/errors/error-catalogue.ts';
import type { Outcome } from '../../../lib/core/outcomes/outcome.ts';
import { type FaultBench, openFaultBench, type Subject } from './fault-bench.ts';
import { type CellName, cells } from './fault-cells.ts';

/** How an action ends in a cell: exit code, outcome, how often its effect happened, the error, and words of it. */
type End = readonly [exitCode: number, outcome: Outcome, effects: number, error?: ErrorCode, words?: string];

export interface Row extends Subject {
  /** Title of the tests. */
  readonly name: string;
  readonly ends: Readonly<Partial<Record<CellName, End>>>;
}

/** Which cells of a row `npm test` runs: each column once at least, and each kind of end. Deep tests run the others. */
const inEveryRun: Readonly<Record<string, readonly CellName[]>> = {
  publish: ['again', 'broken', 'GitHub refuses', 'fork'],
  'release, at its run': ['lost'],
  promote: ['queue'],
  run: ['cancelled'],
  rollback: ['garbage', 'lost'],
  variables: ['refused'],
};

/** One test for each cell of each row that belongs to this depth. */
export function testFaultMatrix(depth: 'every run' | 'deep', rows: readonly Row[]): void {
  let bench: FaultBench;
  beforeAll(async () => {
    bench = await openFaultBench();
  });
  afterAll(() => bench[Symbol.asyncDispose]());

  const parts = rows.map(({ ends, ...row }) => {
    const early = inEveryRun[row.name] ?? [];
    const cellsOf = (Object.entries(ends) as [CellName, End][]).filter(
      ([cell]) => early.includes(cell) === (depth === 'every run'),
    );
    return { ...row, cellsOf };
  });
  describe.each(parts.filter(({ cellsOf }) => cellsOf.length > 0))(
    '$name',
    ({ cellsOf: given, ...subject }) => {
      test.each(given)(
        'ends as it should in the cell "%s"',
        async (cell, [exitCode, outcome, effects, code, words = '']) => {
          const { result, effects: happened, shown } = await bench.run(subject, cells[cell]);
          const { outputs, annotations } = result;
          expect({
            exitCode: result.exitCode,
            outcome: outputs['outcome'],
            effects: happened,
            errors: annotations.filter(({ level }) => level === 'error').map(({ title }) => title),
            complaints: result.errors,
          }).toEqual({
            exitCode,
            outcome,
            effects,
            errors: code === undefined ? [] : [`Millrace: ${code}`],
            complaints: [],
          });
          expect(annotations.map(({ message }) => message).join('\n')).toContain(words);
          expect(result.summary).toContain(`: ${outcome}\n`);
          expect(outputs['report-path']).toMatch(/report\.json$/u);
          for (const form of secretForms(bench.token)) expect(shown).not.toContain(form);
        },
      );
    },
  );
}
