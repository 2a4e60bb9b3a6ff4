import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { SampleDiff } from '../../../flows/samples/sample-diff.ts';
import { parquetFiles } from '../../engine/tables/parquet.ts';
import { inProcess } from '../in-process.ts';
import { diffProject, type DiffProject } from './diff-project.ts';

export interface SamplesProject extends DiffProject {
  /** Writes Parquet files into the folder `samples`, by name, with the rows of a query of DuckDB each. */
  sample(files: Readonly<Record<string, string>>): Promise<void>;
  /** Runs `millrace diff --given samples`. */
  given(...args: string[]): ReturnType<typeof inProcess>;
  /** The same with `--json`, which must be a diff. */
  givenDiff(...args: string[]): Promise<SampleDiff>;
  /** Names of private folders that diffs of this process have left. */
  left(): readonly string[];
}

/** A repository whose first commit has these files. */
export function samplesProject(files: Readonly<Record<string, string>> = {}): SamplesProject {
  const folder = diffProject({ '.gitignore': 'samples/\n', ...files });
  const given = (...args: string[]) =>
    inProcess(['diff', '--given', 'samples', ...args], { cwd: folder.repository.directory });
  return {
    ...folder,
    async sample(queries) {
      const names = Object.keys(queries);
      const contents = await parquetFiles(...Object.values(queries));
      for (const [index, content] of contents.entries())
        folder.write(`samples/${names[index] ?? ''}`, content);
    },
    given,
    async givenDiff(...args) {
      const { stdout, stderr } = await given('--json', ...args);
      const diff = JSON.parse(stdout) as SampleDiff;
      if (!Array.isArray(diff.samples)) throw new Error(`no diff: ${stdout}${stderr}`);
      return diff;
    },
    left: () => foldersOf(process.pid),
  };
}

/** The private folders of a process that are still there. */
export function foldersOf(pid: number | undefined): readonly string[] {
  return readdirSync(tmpdir()).filter((name) => {
    if (!name.startsWith('millrace-samples-')) return false;
    try {
      const text = readFileSync(path.join(tmpdir(), name, 'owner.json'), 'utf8');
      return (JSON.parse(text) as { readonly pid: number }).pid === pid;
    } catch {
      // Another process makes or removes it now.
      return false;
    }
  });
}

/** An orchestration that runs these statements. */
export const script = (...statements: string[]) => `type: orchestration
version: "1.0"
pipeline:
  components:
    Start: { type: start, transitions: { unconditional: [Fill] } }
    Fill:
      type: sql-executor
      parameters:
        scriptLocation: Component
        sqlScript: |
${statements.map((statement) => `          ${statement};\n`).join('')}`;

/** The same, with a name from the table S in the variable `one`. */
export const scriptWithName = (...statements: string[]) =>
  script(...statements)
    .replace(
      'unconditional: [Fill] } }',
      `unconditional: [Name] } }
    Name:
      type: query-to-scalar
      parameters: { mode: Advanced, query: SELECT NAME FROM S, scalarVariableMapping: [[one, NAME]] }
      transitions: { success: [Fill] }`,
    )
    .concat(
      '  variables:\n    one: { metadata: { type: TEXT, scope: SHARED, visibility: PUBLIC }, defaultValue: none }\n',
    );
