import {
  type FileProblem,
  type MockFault,
  type Place,
  storedName,
  type WrittenRows,
} from '../../../engine/index.ts';
import { findComponent, type PlannedTest } from '../files/planned-test.ts';
import type { TestMock } from '../files/test-file.ts';
import type { TestProject } from '../files/test-project.ts';
import type { TestRun } from '../compare/test-run.ts';

/** Errors of mocks that could not do what they define, even if a branch of the pipeline handled the failure. */
export function mockFaults({ planned, failures, project }: TestRun): readonly FileProblem[] {
  const problems = failures.flatMap(({ pipeline, component, message, mockFault }): FileProblem[] => {
    if (mockFault === undefined) return [];
    const mock = planned.test.mocks.find((candidate) =>
      isFor(candidate, { pipeline, component }, planned, project),
    );
    if (mock === undefined) return [];
    const place = placeOfFault(mock, mockFault, project);
    return [{ ...place, message: `the mock of "${mock.name.text}": ${message}` }];
  });
  // An iterator meets the same mock in each round.
  return [...new Map(problems.map((problem) => [JSON.stringify(problem), problem])).values()];
}

function isFor(
  { name }: TestMock,
  { pipeline, component }: { readonly pipeline: string; readonly component: string },
  { document }: PlannedTest,
  project: TestProject,
): boolean {
  const target = findComponent(name.text, document, project);
  return target?.path === pipeline && target.component === component;
}

function placeOfFault(mock: TestMock, { part, name, row, column }: MockFault, project: TestProject): Place {
  const other = mock.placeOf(part);
  switch (part) {
    case 'rows':
      return placeOfRow(mock.rows, { row, column }, other, project);
    case 'output':
      return placeOfRow(mock.output?.content, { row, column }, other, project);
    case 'variables':
      return mock.variables.find((variable) => variable.name.text === name)?.name.place ?? other;
    case 'tables': {
      const table = mock.tables.find((mockTable) => mockTable.name.text === name);
      return placeOfRow(table?.content, { row, column }, table?.name.place ?? other, project);
    }
  }
}

/** Finds the position of a cell by the column's name in the warehouse. */
export function placeOfRow(
  content: WrittenRows | undefined,
  { row = 0, column }: Pick<MockFault, 'row' | 'column'>,
  other: Place,
  { kind }: TestProject,
): Place {
  const written = content?.rows[row - 1];
  if (content === undefined || written === undefined) return other;
  const name = content.columns.find((columnName) => storedName(columnName, kind) === column);
  return name === undefined ? written.place : written.placeOf(name);
}
