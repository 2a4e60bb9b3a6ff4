import type { FailedComponent, TableName } from '../../engine/index.ts';
import { oneLine } from '../../lib/core/text/sanitize-text.ts';
import { readText } from '../data-graph/texts/read-text.ts';
import type { TestProject } from '../pipeline-tests/files/test-project.ts';
import type { Sides } from './check-samples.ts';
import { hiddenName, type IsKnown, knownNames, maskedReason } from './masked-reason.ts';
import type { GivenTable } from './run-side.ts';
import type { SampledTableChange, SampleDiff } from './sample-diff.ts';
import { knownColumns, usedTables } from './sample-graphs.ts';

/** Tells which names and messages may be shown. */
export interface SampleNames {
  readonly isKnown: IsKnown;
  /** A message of the engine; without values unless they may be shown. */
  reasonOf(
    failed: Pick<FailedComponent, 'message'> & Partial<FailedComponent> & { readonly showsValues: boolean },
  ): string;
}

/** Collects the names that may be shown: those in files of the project, of known tables and columns, and of samples. */
export function sampleNames(
  sides: Sides,
  projects: readonly TestProject[],
  given: readonly GivenTable[],
): SampleNames {
  const partsOf = ({ database, schema, table }: TableName) => [database, schema, table];
  const graphs = [sides.now.graph, sides.before.graph];
  const names = [
    ...given.flatMap(({ table, columns }) => [...partsOf(table), ...columns.map(({ name }) => name)]),
    ...graphs.flatMap((graph) =>
      usedTables(graph).flatMap((table) => [
        ...partsOf(table),
        ...(knownColumns(table, { graph })?.columns ?? []).map(({ name }) => name),
      ]),
    ),
  ];
  const isKnown = knownNames(textsOf(projects), names);
  return {
    isKnown,
    reasonOf({ showsValues, message, ...failed }) {
      const [first = ''] = message.split('\n');
      return showsValues
        ? oneLine(first)
        : maskedReason({ pipeline: '', component: '', ...failed, message }, isKnown);
    },
  };
}

function* textsOf(projects: readonly TestProject[]): Generator<string> {
  for (const project of projects)
    for (const path of project.paths)
      if (/\.(?:orch|tran)\.yaml$|\.sql$|\.py$/i.test(path)) yield readText(path, project) ?? '';
}

/** The diff without names that may come from rows, such as a column named by a variable. */
export function withoutRowNames(diff: SampleDiff, isKnown: IsKnown): SampleDiff {
  const shown = (name: string) => (name.split('.').every((part) => isKnown(part)) ? name : hiddenName);
  return { ...diff, tables: diff.tables.map((table) => withoutNames(table, shown)) };
}

function withoutNames(change: SampledTableChange, shown: (name: string) => string): SampledTableChange {
  const { brokenKey } = change;
  return {
    ...change,
    table: shown(change.table),
    key: change.key.map(shown),
    ...(brokenKey === undefined
      ? {}
      : { brokenKey: { ...brokenKey, columns: brokenKey.columns.map(shown) } }),
    columns: change.columns.map((column) => ({
      ...column,
      name: shown(column.name),
      ...(column.renamedFrom === undefined ? {} : { renamedFrom: shown(column.renamedFrom) }),
    })),
  };
}
