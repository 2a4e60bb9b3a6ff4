import { describeType, JsonNull } from '../../engine/index.ts';
import type { TestProject } from '../pipeline-tests/files/test-project.ts';
import { yamlValue } from '../pipeline-tests/files/yaml-text.ts';
import { namedTable } from '../pipeline-tests/outside/table-named.ts';
import type { Inputs } from './input-tables.ts';
import type { Observation } from './observe.ts';

/** Wider tables would not fit into a test that people read. */
const maxColumns = 60;

/**
 * The inputs, with a row from an earlier run in each table that the pipeline writes and the test does not give.
 * Such a row shows whether the pipeline adds to the table, replaces it, or finds rows by key.
 */
export function withTargets(inputs: Inputs, { tables }: Observation, project: TestProject): Inputs {
  const keyOf = (name: string) => JSON.stringify(namedTable(name, project));
  const known = new Set(inputs.flatMap(({ name, place }) => (place.kind === 'given' ? [keyOf(name)] : [])));
  const targets = [...tables.values()].flatMap(({ name, columns, rows, isView, lastWrite }) => {
    if (isView || !Number.isFinite(lastWrite) || columns.length > maxColumns || known.has(keyOf(name)))
      return [];
    if (columns.length === 0) return [];
    const types = columns.map((column) => [column.name, describeType(column.type, project.kind)] as const);
    const [first] = rows;
    const cells = columns.map(({ type }, index) => {
      const value = first?.[index] ?? null;
      // Given rows cannot have a JSON null as a whole value.
      return yamlValue(value instanceof JsonNull ? null : value, type);
    });
    const purpose = 'a row from an earlier run';
    return [
      { name, place: { kind: 'target' } as const, columns, declared: types, rows: [{ cells, purpose }] },
    ];
  });
  return [...inputs, ...targets];
}
