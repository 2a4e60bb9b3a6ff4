import { parseNumber } from '../../core/written-number.ts';
import type { Component } from '../../../lib/pipelines/model/component.ts';
import { gridOf } from '../../../lib/pipelines/model/grid.ts';
import { iterationOf } from '../../../lib/pipelines/model/iterator.ts';
import { SqlError } from '../../core/refusal.ts';
import { MockError, type MockRow, WrittenCell } from '../../orchestration/mocks/mock.ts';
import { inferColumns } from '../../orchestration/mocks/infer-columns.ts';
import { valueText } from '../../orchestration/task/value-text.ts';
import { parameterText } from '../run/parameter-text.ts';
import type { ComponentFrame } from '../run/run.ts';

/**
 * The iterations of an iterator, taken from the rows of its mock. The key of a value in a row is the name of a
 * variable, or the name of the column that is mapped to the variable.
 */
export function mockedRounds(
  component: Component,
  frame: ComponentFrame,
  rows: readonly MockRow[],
): readonly Readonly<Record<string, string>>[] {
  const names = iterationOf(component)?.variables ?? [];
  const sources = sourcesOf(component);
  // The text of a number is the same in both kinds.
  const types = new Map(inferColumns(rows, 'WAREHOUSE_ONE').map(({ name, type }) => [name, type]));
  const unknown = names.find((name) => frame.variables.cell(name) === undefined);
  if (unknown !== undefined) throw new SqlError(`the variable "${unknown}" is not defined`);
  const rounds = rows.map((row, index) => {
    const cells = names.map((name): readonly [string, string] => {
      const key = keyOf(row, [name, ...(sources.get(name) ?? [])]);
      if (key === undefined) {
        const message = `row ${index + 1} of the mock has no value for the variable "${name}"`;
        throw new MockError(message, { part: 'rows', row: index + 1 });
      }
      const type = types.get(key);
      const cell = row[key] ?? null;
      const value = cell instanceof WrittenCell ? (cell.valueFor(type ?? cell.type) ?? null) : cell;
      return [name, type === undefined ? '' : valueText(value, type)];
    });
    return Object.fromEntries(cells);
  });
  return component.type === 'file-iterator' ? filterFiles(component, frame, rounds) : rounds;
}

/** What each variable is mapped to: the column of a table, the property of a file. */
function sourcesOf(component: Component): ReadonlyMap<string, readonly string[]> {
  const sources = new Map<string, string[]>();
  const isFile = component.type === 'file-iterator';
  const parameters = isFile
    ? ['variables']
    : ['columnMapping1', 'columnMapping', 'gridIteratorVariableMapping'];
  for (const [first = '', second = ''] of parameters.flatMap((name) => gridOf(component.parameter(name)))) {
    const [variable, source] = isFile ? [first, second] : [second, first];
    sources.set(variable, [...(sources.get(variable) ?? []), source]);
  }
  return sources;
}

function keyOf(row: MockRow, names: readonly string[]): string | undefined {
  const lowerNames = names.map((name) => name.toLowerCase());
  return Object.keys(row).find((key) => lowerNames.includes(key.toLowerCase()));
}

/** The iterator takes only files whose name matches, and not more than `maxIterations`. */
function filterFiles(
  component: Component,
  frame: ComponentFrame,
  rounds: readonly Readonly<Record<string, string>>[],
): readonly Readonly<Record<string, string>>[] {
  const written = parameterText(component, 'maxIterations', frame) ?? '';
  const most = written === '' ? 0 : parseNumber(written);
  if (!Number.isInteger(most))
    throw new SqlError(`expected a number of files for maxIterations, found "${written}"`);
  return most > 0 ? rounds.slice(0, most) : rounds;
}
