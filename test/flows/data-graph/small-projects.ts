import { bindProject } from '../../../flows/data-graph/bind/bind-project.ts';
import { compile } from '../../../flows/data-graph/compile/compile.ts';
import type { CompileReport } from '../../../flows/data-graph/compile/compile-report.ts';
import {
  type Compilation,
  type CompileSettings,
  concludeCompile,
} from '../../../flows/data-graph/compile/conclude-compile.ts';

import { openTestProject, projectOptions } from '../../../flows/pipeline-tests/files/test-project.ts';
import { readProjectConfig } from '../../../lib/config/project/read-project-config.ts';
import type { WarehouseKind } from '../../../engine/index.ts';
import { testFolder } from '../../cli/tests/test-project.ts';

export type Files = Readonly<Record<string, string>>;

export async function graphOf(
  files: Readonly<Record<string, string | Uint8Array>>,
  kind: WarehouseKind = 'WAREHOUSE_ONE',
  traces = false,
) {
  using folder = testFolder(files);
  const project = openFolder(folder.directory, files, kind);
  const { signal } = new AbortController();
  return await bindProject(project, { signal, traces });
}

/** The project of a folder with these files. */
export function openFolder(
  directory: string,
  files: Readonly<Record<string, string | Uint8Array>>,
  kind: WarehouseKind = 'WAREHOUSE_ONE',
) {
  const settings = readProjectConfig(String(files['millrace.yaml'] ?? 'version: 1'), 'millrace.yaml');
  return openTestProject(directory, kind, projectOptions(settings));
}

export async function compiled(
  files: Files,
  before?: Files,
  settings: Partial<CompileSettings> = {},
): Promise<CompileReport> {
  return concludeCompile(compile(await graphOf(files), before && (await graphOf(before))), {
    ...noSettings,
    ...settings,
  });
}

const noSettings: CompileSettings = { rules: {}, accept: [], baseline: [], now: Date.UTC(2026, 0, 1) };

/** `file:line rule component: message`, as short as tests need it. */
export function findings({ findings: list }: Pick<Compilation, 'findings'>): readonly string[] {
  return list.map(({ file, line, rule, message }) => `${file}:${line} ${rule}: ${message}`);
}

/** An orchestration that runs one script. */
export const script = (sql: string, variables = '') => `pipeline:
  components:
    Start:
      type: start
      transitions: { unconditional: [Script] }
    Script:
      type: sql-executor
      parameters:
        scriptLocation: Component
        sqlScript: |
${sql
  .trim()
  .split('\n')
  .map((line) => `          ${line.trim()}`)
  .join('\n')}
${variables}`;

export const variable = (name: string, value = '') => `  variables:
    ${name}:
      metadata: { type: TEXT, description: '', scope: SHARED, visibility: PUBLIC }
      defaultValue: '${value}'
`;

/** A transformation from one table to another. */
export const copy = (
  from: string,
  columns: readonly string[],
  to: string,
  rename: readonly string[] = columns,
) => `pipeline:
  components:
    Read:
      type: table-input
      parameters:
        targetTable: ${from}
        columnNames: [${columns.join(', ')}]
    Names:
      type: rename
      sources: [Read]
      parameters:
        includeInputColumns: "No"
        columnMapping: [${columns.map((column, index) => `[${column}, ${rename[index] ?? column}]`).join(', ')}]
    Write:
      type: rewrite-table
      sources: [Names]
      parameters:
        targetTable: ${to}
`;

/** A step of an orchestration: its name, type and parameters, and further keys. */
export type Step = readonly [
  name: string,
  type: string,
  parameters: Readonly<Record<string, unknown>>,
  more?: Readonly<Record<string, unknown>>,
];

export const sqlStep = (name: string, sql: string): Step => [name, 'sql-script', { sqlScript: sql }];

/** An orchestration of steps one after the other, with variables: a text, or a grid with one column `name`. */
export function steps(
  list: readonly Step[],
  variables: Readonly<Record<string, string | readonly string[]>> = {},
): string {
  const components = Object.fromEntries(
    list.map(([name, type, parameters, more], index) => [
      name,
      { type, parameters, transitions: next(list[index + 1]), ...more },
    ]),
  );
  return JSON.stringify({
    pipeline: {
      components: { Start: { type: 'start', transitions: next(list[0]) }, ...components },
      variables: Object.fromEntries(
        Object.entries(variables).map(([name, value]) => [name, declared(value)]),
      ),
    },
  });
}

function next(step: Step | undefined) {
  return step === undefined ? {} : { unconditional: [step[0]] };
}

function declared(value: string | readonly string[]) {
  const metadata = { description: '', scope: 'SHARED', visibility: 'PUBLIC' };
  return typeof value === 'string'
    ? { metadata: { ...metadata, type: 'TEXT' }, defaultValue: value }
    : {
        metadata: { ...metadata, type: 'GRID', columns: { name: { metadata: { type: 'TEXT' } } } },
        defaultValue: value.map((cell) => [cell]),
      };
}
