import type { Component } from '../../lib/pipelines/component.ts';
import { gridOf } from '../../lib/pipelines/grid.ts';
import { Refusal } from '../core/refusal.ts';
import type { Column } from '../core/relation.ts';
import { describeType } from '../duckdb/column-types.ts';
import { exampleRow, typeMap, yamlText } from './yaml-text.ts';

/** The refusal of a component of a transformation that the engine does not run, with the lines to add to the test. */
export function missingOutput(
  component: Component,
  given: {
    readonly file: string;
    readonly mockKey: string;
    readonly inputs: readonly Column[];
    /** Whether another component reads it: only then it needs an output. */
    readonly isRead: boolean;
  },
): Refusal {
  const { line, column } = component.range;
  const what = component.type === '' ? 'a component without a type' : `the component type ${component.type}`;
  const types = {
    ...Object.fromEntries(given.inputs.map(({ name, type }) => [name, describeType(type)])),
    ...answerColumns(component),
  };
  const columns = Object.keys(types).length === 0 ? '' : `\n      columns: ${typeMap(types)}`;
  const output = `\n    output:${columns}\n      rows:\n        - ${exampleRow(types)}`;
  const hint = `mock the component:\nmock:\n  ${yamlText(given.mockKey)}:${given.isRead ? output : ' {}'}`;
  return new Refusal(what, { file: given.file, line, column }, hint);
}

/** The names that language functions give their columns: from files where files show them, else a guess. */
function answerColumns(component: Component): Readonly<Record<string, string>> {
  const rows = gridOf(component.parameter('columns'));
  const named = (prefix: string, type: string) =>
    Object.fromEntries(rows.map(([name = '']) => [`${prefix}_${name}`, type]));
  switch (component.type) {
    case 'cortex-completions':
      return { completion_result: 'VARIANT' };
    case 'cortex-sentiment':
      return named('sentiment', 'FLOAT');
    case 'cortex-summarize':
      return named('summarize', 'VARCHAR');
    case 'cortex-translate':
      return Object.fromEntries(
        rows.map(([name = '', , language = '']) => [
          `${language.slice(0, 2).toLowerCase()}_${name}`,
          'VARCHAR',
        ]),
      );
    case 'cortex-extract-answer':
      return Object.fromEntries(rows.map(([, , alias = '']) => [alias, 'VARCHAR']));
    default:
      return {};
  }
}
