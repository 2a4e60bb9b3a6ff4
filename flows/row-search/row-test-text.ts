import { oneLine } from '../../lib/core/text/sanitize-text.ts';
import { childOf, type YamlNode } from '../../lib/yaml/yaml-node.ts';
import type { PlannedTest } from '../pipeline-tests/files/planned-test.ts';
import { yamlRow, yamlText } from '../pipeline-tests/files/yaml-text.ts';
import { flowText } from './cell-values.ts';
import type { InputPlace, Inputs, InputTable } from './input-tables.ts';

/** The parts of a test with found rows, besides the rows. */
export interface RowTestParts {
  readonly name: string;
  /** The lines of `expect`, as a first test has them. */
  readonly expected: string;
}

/** The comment at what such a test expects: nobody has checked it yet. */
const unchecked = "the result of today's pipeline: is it right?";

/**
 * The text of a test with other rows than an existing test, but the same variables, time and mocks, as a list item
 * whose dash is in the third column. Each row that the existing test does not have gets a comment with its purpose.
 */
export function rowTestText({ test }: PlannedTest, inputs: Inputs, { name, expected }: RowTestParts): string {
  const { node } = test;
  const kept = ['variables', 'clock', 'timeout'].flatMap((key) => {
    const value = childOf(node, key);
    return value === undefined ? [] : [`    ${key}: ${flowText(value)}`];
  });
  const given = inputs.filter(({ place }) => place.kind === 'given' || place.kind === 'target');
  const mocks = childOf(node, 'mock');
  const mockLines =
    mocks?.kind === 'map'
      ? [...mocks.entries].flatMap(([mock, { value }], index) => linesOfMock(mock, value, index, inputs))
      : [];
  return [
    `  - name: ${yamlText(name)}`,
    ...kept,
    ...(given.length === 0 ? [] : ['    given:', ...given.flatMap((table) => tableLines(table, 6))]),
    ...(mockLines.length === 0 ? [] : ['    mock:', ...mockLines]),
    `    # ${unchecked}`,
    '    expect:',
    expected.trimEnd(),
    '',
  ].join('\n');
}

function linesOfMock(name: string, node: YamlNode, mock: number, inputs: Inputs): readonly string[] {
  const inputAt = (accepts: (place: InputPlace) => boolean) => inputs.find(({ place }) => accepts(place));
  const isOf = (place: InputPlace) => 'mock' in place && place.mock === mock;
  if (node.kind !== 'map' || !inputs.some(({ place }) => isOf(place)))
    return [`      ${yamlText(name)}: ${flowText(node)}`];
  const parts = [...node.entries].flatMap(([key, { value }]): readonly string[] => {
    if (key === 'tables' && value.kind === 'map') {
      const tables = [...value.entries].flatMap(([table, entry], index) => {
        const input = inputAt((place) => place.kind === 'mock-table' && isOf(place) && place.index === index);
        return input === undefined
          ? [`          ${yamlText(table)}: ${flowText(entry.value)}`]
          : tableLines(input, 10);
      });
      return ['        tables:', ...tables];
    }
    const input = inputAt(
      (place) =>
        isOf(place) &&
        (place.kind === 'mock-output' ? key === 'output' : place.kind === 'mock-rows' && key === 'rows'),
    );
    if (input === undefined) return [`        ${key}: ${flowText(value)}`];
    return key === 'rows' ? rowLines(input, 8) : ['        output:', ...contentLines(input, 10)];
  });
  return [`      ${yamlText(name)}:`, ...parts];
}

/** The lines of a table with columns and rows, indented. */
export function tableLines(input: InputTable, indentation: number): readonly string[] {
  return [`${' '.repeat(indentation)}${yamlText(input.name)}:`, ...contentLines(input, indentation + 2)];
}

function contentLines(input: InputTable, indentation: number): readonly string[] {
  const types = input.declared.map(([name, type]) => [name, yamlText(type)] as const);
  const columns = types.length === 0 ? [] : [`${' '.repeat(indentation)}columns: ${yamlRow(types)}`];
  return [...columns, ...rowLines(input, indentation)];
}

/** The lines of the key `rows` with its rows, indented. */
export function rowLines({ columns, rows }: InputTable, indentation: number): readonly string[] {
  const indent = ' '.repeat(indentation);
  if (rows.length === 0) return [`${indent}rows: []`];
  return [
    `${indent}rows:`,
    ...rows.map(({ cells, purpose }) => {
      const row = yamlRow(columns.map(({ name }, index) => [name, cells[index] ?? 'null'] as const));
      return `${indent}  - ${row}${purpose === undefined ? '' : ` # ${oneLine(purpose)}`}`;
    }),
  ];
}
