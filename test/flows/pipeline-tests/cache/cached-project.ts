import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { TestCacheOptions } from '../../../../flows/pipeline-tests/cache/test-cache.ts';
import { testFiles } from '../../../../flows/pipeline-tests/files/find-tests.ts';
import { openTestProject, projectOptions } from '../../../../flows/pipeline-tests/files/test-project.ts';
import { runTests } from '../../../../flows/pipeline-tests/run/run-tests.ts';
import { type TestReport } from '../../../../flows/pipeline-tests/run/test-report.ts';
import { readProjectConfig } from '../../../../lib/config/project/read-project-config.ts';
import { systemClock } from '../../../../lib/core/ports/system-clock.ts';
import { type TestFolder, testFolder } from '../../../cli/tests/test-project.ts';

interface CachedRun {
  readonly isCached?: boolean;
  readonly program?: string;
  readonly now?: number;
}

/** A project with a cache beside it. */
export interface CachedProject extends TestFolder {
  readonly cache: string;
  remove(file: string): void;
  /** Runs all tests. */
  results(options?: CachedRun): Promise<TestReport>;
  /** The same as short texts: `test: cached` or the status. */
  statuses(options?: CachedRun): Promise<readonly string[]>;
  /** The files of the cache. */
  entries(): readonly string[];
}

export function cachedProject(files: Readonly<Record<string, string>>): CachedProject {
  const folder = testFolder(files);
  const kept = testFolder();
  const failed: unknown[] = [];
  const results: CachedProject['results'] = async ({ isCached = true, program = 'one', now = 0 } = {}) => {
    const settings = folder.has('millrace.yaml') ? folder.read('millrace.yaml') : 'version: 1';
    const config = readProjectConfig(settings, 'millrace.yaml');
    const project = openTestProject(folder.directory, config.engine.warehouse, projectOptions(config));
    const options: TestCacheOptions = {
      folder: kept.directory,
      program,
      now,
      onFailure: (error) => failed.push(error),
    };
    const report = await runTests(
      {
        project,
        files: testFiles(project),
        jobs: 1,
        withCoverage: false,
        ...(isCached ? { cache: options } : {}),
      },
      { clock: systemClock, signal: new AbortController().signal },
    );
    if (failed.length > 0) throw failed[0];
    return report;
  };
  return {
    ...folder,
    cache: kept.directory,
    remove: (file) => rmSync(path.join(folder.directory, file)),
    results,
    async statuses(options) {
      const { tests } = await results(options);
      return tests.map(({ name, status, isCached }) => `${name}: ${isCached === true ? 'cached' : status}`);
    },
    entries: () =>
      readdirSync(kept.directory, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && !entry.name.endsWith('.used'))
        .map(({ parentPath, name }) => path.relative(kept.directory, path.join(parentPath, name)))
        .toSorted(),
    [Symbol.dispose]() {
      folder[Symbol.dispose]();
      kept[Symbol.dispose]();
    },
  };
}

const reader = (table: string, column = 'ID') => `pipeline:
  components:
    Read: { type: table-input, parameters: { targetTable: ${table}, columnNames: [${column}] } }
    Write: { type: rewrite-table, sources: [Read], parameters: { targetTable: COPY } }
`;
const steps = (list: string) =>
  `pipeline:\n  components:\n    Start: { type: start, transitions: { unconditional: [One] } }\n${list}`;
const expectCopy = 'expect: { tables: { COPY: { rows: [{ ID: 1 }] } } }';

/** A project whose tests read files of every kind. */
export const projectFiles = {
  'plain.tran.yaml': reader('PLAIN'),
  'plain.test.yaml': `pipeline: plain\ntests:\n  - { name: plain one, given: { PLAIN: { rows: [{ ID: 1 }] } }, ${expectCopy} }\n  - { name: plain two, given: { PLAIN: { rows: [{ ID: 1 }, { ID: 2 }] } }, expect: { tables: { COPY: { count: 2 } } } }\n`,
  'csv.tran.yaml': reader('CSV'),
  'tests/csv.test.yaml': `pipeline: csv\ntests: [{ name: csv, given: { CSV: { file: data/rows.csv } }, ${expectCopy} }]\n`,
  'tests/data/rows.csv': 'ID\n1\n',
  'caller.orch.yaml':
    steps(`    One: { type: run-transformation, transitions: { success: [Script] }, parameters: { transformationJob: called } }
    Script: { type: sql-executor, parameters: { scriptLocation: File, fileName: sql/script.sql } }
`),
  'called.tran.yaml': reader('CALLED'),
  'sql/script.sql': 'update COPY set ID = ID;',
  'caller.test.yaml': `pipeline: caller\ntests: [{ name: caller, given: { CALLED: { rows: [{ ID: 1 }] } }, ${expectCopy} }]\n`,
  'create.orch.yaml': steps(
    "    One: { type: create-table, parameters: { newTableName: TYPED, columns: [[ID, NUMBER, '', '']] } }\n",
  ),
  'typed.tran.yaml': reader('TYPED'),
  'typed.test.yaml': `pipeline: typed\ntests: [{ name: typed, given: { TYPED: { rows: [{ ID: 1 }] } }, ${expectCopy} }]\n`,
  'unused.tran.yaml': reader('UNUSED'),
} as const;

export { reader, steps };
