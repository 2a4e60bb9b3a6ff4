import { calculatorCases } from './cases/calculator.ts';
import { columnCases } from './cases/columns.ts';
import { combineCases } from './cases/combine.ts';
import { sqlCases } from './cases/free-sql.ts';
import { groupCases } from './cases/groups.ts';
import { nestedCases } from './cases/nested.ts';
import { readCases } from './cases/read.ts';
import { windowCases } from './cases/windows.ts';
import { writeCases } from './cases/write.ts';
import type { CaseKind } from './differential-case.ts';

/** All kinds of cases. Each component type is in one of them, or in `withoutOracle`. */
export const caseKinds: readonly CaseKind[] = [
  ...readCases,
  ...columnCases,
  ...calculatorCases,
  ...groupCases,
  ...windowCases,
  ...combineCases,
  ...nestedCases,
  ...sqlCases,
  ...writeCases,
];

const aiModel =
  'Its values come from an AI model: a mock gives its whole output, and no SQL has the same values.';

/** The component types that PostgreSQL cannot compute, and why. */
export const withoutOracle: Readonly<Record<string, string>> = {
  'cortex-completions': aiModel,
  'cortex-sentiment': aiModel,
  'cortex-translate': aiModel,
  'cortex-summarize': aiModel,
  'cortex-extract-answer': aiModel,
};
