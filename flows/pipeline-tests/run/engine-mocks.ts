import {
  type Mock,
  type MockRow,
  type MockRows,
  type WrittenRow,
  type WrittenRows,
  type WrittenTable,
  cellValue,
  changedNumber,
  plainValue,
  problemAt,
  storedName,
  typeOfScalar,
  unkept,
  WrittenCell,
} from '../../../engine/index.ts';
import { type PlannedTest, findComponent } from '../files/planned-test.ts';
import { tableRows, type TypeSources } from '../files/table-rows.ts';
import type { TestMock } from '../files/test-file.ts';
import type { TestProject } from '../files/test-project.ts';

/** Converts the mocks of a test to the engine's form. Throws FileProblems. */
export function engineMocks(
  { test, document }: PlannedTest,
  sources: TypeSources,
  project: TestProject,
): Map<string, Mock> {
  return new Map(
    test.mocks.map((mock) => {
      const target = findComponent(mock.name.text, document, project);
      const isOwn = target === undefined || target.path === document.path;
      const key = isOwn ? mock.name.text : `${target.path}#${target.component}`;
      return [key, mockOf(mock, sources, project)];
    }),
  );
}

function mockOf(mock: TestMock, sources: TypeSources, project: TestProject): Mock {
  const { outcome, message, condition, tables, output, variables, rows } = mock;
  return {
    outcome,
    message,
    condition,
    tables: new Map(tables.map((table) => [table.name.text, rowsOf(table, sources, project)])),
    output: output === undefined ? undefined : rowsOf(output, sources, project),
    variables: new Map(variables.map(({ name, value }) => [name.text, value])),
    rows: rows === undefined ? undefined : plainRows(rows, project),
  };
}

/** With columns only if the test or its file declares them: the engine knows the columns of an existing table. */
function rowsOf(table: WrittenTable, sources: TypeSources, project: TestProject): MockRows {
  const isTyped = table.columns.length > 0 || table.content.types !== undefined;
  if (!isTyped && !sources.schemas.has(table.name.text)) {
    return { rows: plainRows(table.content, project) };
  }
  const { columns, rows } = tableRows(table, sources, project);
  return {
    columns,
    rows: rows.map((row) => Object.fromEntries(columns.map(({ name }, index) => [name, row[index] ?? null]))),
  };
}

/** Throws FileProblems for a number that a list or a map cannot have. */
function plainRows({ columns, rows }: WrittenRows, { kind }: TestProject): readonly MockRow[] {
  return rows.map((row) =>
    Object.fromEntries(columns.map((name) => [storedName(name, kind), mockCell(row, name)])),
  );
}

function mockCell(row: WrittenRow, name: string): MockRow[string] {
  const node = row.cells.get(name);
  if (node?.kind !== 'scalar') {
    const changed = changedNumber(node);
    if (changed !== undefined) throw problemAt(row.placeOf(name), unkept(changed.text, name));
    return plainValue(node);
  }
  const { value, text } = node;
  if (value === null || typeof value === 'string' || String(value) === text) return value;
  return new WrittenCell(text, typeOfScalar(node), (type) =>
    type.name === 'VARIANT' && changedNumber(node) !== undefined ? undefined : cellValue(node, type),
  );
}
