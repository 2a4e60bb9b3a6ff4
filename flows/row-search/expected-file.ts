import path from 'node:path';
import type { YamlNode } from '../../lib/yaml/yaml-node.ts';
import type { RecordOptions } from '../pipeline-tests/first-test/record-expectations.ts';
import type { TestProject } from '../pipeline-tests/files/test-project.ts';
import { yamlValue } from '../pipeline-tests/files/yaml-text.ts';
import { nodeOf } from './input-tables.ts';

/** A file with the rows that a test expects in a table. */
export interface ExpectedFile {
  /** Relative to the project, with forward slashes. */
  readonly file: string;
  readonly text: string;
}

/** Collects files of JSON beside a test file, for tables with too many rows for a test. No name is one that the project has. */
export function expectedFiles(
  testFile: string,
  project: TestProject,
): {
  readonly files: readonly ExpectedFile[];
  readonly fileOf: NonNullable<RecordOptions['fileOf']>;
} {
  const files: ExpectedFile[] = [];
  const stem = path.posix.basename(testFile).replace(/\.test\.yaml$/, '');
  const folder = path.posix.dirname(testFile);
  const fileOf: NonNullable<RecordOptions['fileOf']> = (label, { columns }, rows) => {
    const table = label.replaceAll(/[^\w.-]+/g, '-');
    const isTaken = (name: string) =>
      project.has(path.posix.join(folder, name)) ||
      files.some(({ file }) => file === path.posix.join(folder, name));
    let name = `${stem}.${table}.json`;
    for (let number = 2; isTaken(name); number += 1) name = `${stem}.${table}.${number}.json`;
    const lines = rows.map((row) => {
      const cells = columns.map(
        (column, index) =>
          `${JSON.stringify(column.name)}: ${jsonText(nodeOf(yamlValue(row[index] ?? null, column.type)))}`,
      );
      return `  { ${cells.join(', ')} }`;
    });
    files.push({ file: path.posix.join(folder, name), text: `[\n${lines.join(',\n')}\n]\n` });
    return name;
  };
  return { files, fileOf };
}

/** A value in one line of JSON. Numbers keep their digits. */
function jsonText(node: YamlNode): string {
  if (node.kind === 'list') return `[${node.items.map(jsonText).join(', ')}]`;
  if (node.kind === 'map') {
    const entries = [...node.entries].map(([key, { value }]) => `${JSON.stringify(key)}: ${jsonText(value)}`);
    return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
  }
  const { value, text } = node;
  if (typeof value !== 'number') return JSON.stringify(value);
  return Number.isFinite(value) ? text : JSON.stringify(String(value));
}
