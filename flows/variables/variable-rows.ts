import { compareTexts } from '../../lib/core/text/compare-texts.ts';
import { signOf } from './change-counts.ts';
import type { VariableChange, VariablesPlan } from './plan-variables.ts';
import { shownValue } from './shown-value.ts';

/** The columns of a plan as a table. */
export const variableColumns = [
  'what',
  'variable',
  'environment',
  'on the platform',
  'in the files',
] as const;

/** Renders the plan as the rows of a table; foreign text is not sanitized. */
export function variableRows({ changes, unmanaged }: VariablesPlan): string[][] {
  const rows = changes.flatMap((change) =>
    cellsOf(change).map((cells) => [signOf(change), change.variable, ...cells]),
  );
  const left = unmanaged.map(({ variable, environment = '' }) => ['?', variable, environment, 'present', '']);
  return [...rows, ...left].toSorted(([, a = ''], [, b = '']) => compareTexts(a, b));
}

/** The cells environment, current value and wanted value; one row for each changed field. */
function cellsOf(change: VariableChange): string[][] {
  switch (change.change) {
    case 'create': {
      const { type, behaviour, value } = change.wanted;
      return [['', '', [type, behaviour, ...(value === undefined ? [] : [shownValue(value)])].join(', ')]];
    }
    case 'update':
      return change.fields.map(({ field, from, to }) => [
        '',
        `${field}: ${shownValue(from)}`,
        `${field}: ${shownValue(to)}`,
      ]);
    case 'set-override': {
      const { environment, from, to } = change;
      return [[environment, from === null ? '' : shownValue(from), shownValue(to)]];
    }
    case 'delete-override':
      return [[change.environment, shownValue(change.from), '']];
    case 'delete':
      return [[change.environments.join(', '), 'present', '']];
  }
}
