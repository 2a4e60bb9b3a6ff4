import * as fc from 'fast-check';
import { type CaseKind, plainColumns, quote, read, yesNo } from '../differential-case.ts';
import { numberExpression, otherExpressions } from './expressions.ts';

interface Calculation {
  readonly warehouse: string;
  readonly postgres: string;
}

const calculation: fc.Arbitrary<Calculation> = fc.oneof(
  { weight: 2, arbitrary: numberExpression },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(...otherExpressions)
      .map(([warehouse, postgres]): Calculation => ({ warehouse, postgres })),
  },
);

/** New names, and a name of the input, which is replaced in its place while the others still see the input's values. */
const names = ['C0', 'C1', 'ID', 'C2'];

const calculator: CaseKind = {
  title: 'calculator',
  types: ['calculator'],
  tables: { a: 'plain' },
  cases: fc
    .tuple(fc.array(calculation, { minLength: 1, maxLength: 4 }), fc.boolean())
    .map(([calculations, includes]) => {
      const values = new Map(calculations.map(({ postgres }, index) => [names[index] ?? '', postgres]));
      const kept = includes ? plainColumns.map((name) => values.get(name) ?? quote(name)) : [];
      const added = [...values].filter(([name]) => !includes || name !== 'ID').map(([, value]) => value);
      return {
        components: {
          a: read('a'),
          C: {
            type: 'calculator',
            sources: ['a'],
            parameters: {
              includeInputColumns: yesNo(includes),
              calculations: calculations.map(({ warehouse }, index) => [`${warehouse}\n`, names[index]]),
            },
          },
        },
        query: `SELECT ${[...kept, ...added].join(', ')} FROM a`,
        mayFail: true,
      };
    }),
};

/** A step of a chain: `(x + 1) * x` of the number before it. */
const steps = [
  [(x: string) => `${x} + 1`, (x: string) => `${x} + 1`],
  [(x: string) => `${x} - ${x}`, (x: string) => `${x} - ${x}`],
  [(x: string) => `COALESCE(${x}, "AMOUNT")`, (x: string) => `coalesce(${x}, "AMOUNT")`],
  [
    (x: string) => `IFF(${x} > "AMOUNT", ${x}, -${x})`,
    (x: string) => `CASE WHEN ${x} > "AMOUNT" THEN ${x} ELSE -${x} END`,
  ],
] as const;

/** Each column uses the one before it; PostgreSQL computes them in queries one in the other. */
const chained: CaseKind = {
  title: 'calculator whose columns use earlier ones',
  types: ['calculator'],
  tables: { a: 'plain' },
  cases: fc.array(fc.constantFrom(...steps), { minLength: 1, maxLength: 8 }).map((chosen) => {
    const previous = (index: number) => (index === 0 ? '"ID"' : `"C${index - 1}"`);
    const query = chosen.reduce(
      (inner, [, step], index) =>
        `SELECT *, ${step(previous(index))} AS "C${index}" FROM (${inner}) AS q${index}`,
      'SELECT "ID", "AMOUNT" FROM a',
    );
    return {
      components: {
        a: read('a', ['ID', 'AMOUNT']),
        C: {
          type: 'calculator',
          sources: ['a'],
          parameters: {
            includeInputColumns: 'Yes',
            calculations: chosen.map(([step], index) => [step(previous(index)), `C${index}`]),
          },
        },
      },
      query,
    };
  }),
};

export const calculatorCases: readonly CaseKind[] = [calculator, chained];
