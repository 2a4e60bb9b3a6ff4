import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  writeFileSync,
  readFileSync,
  existsSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestReport } from '../../../flows/pipeline-tests/run/test-report.ts';
import type { Clock } from '../../../lib/core/ports/ports.ts';
import { inProcess } from '../in-process.ts';
import type { Ended } from '../millrace.ts';

/** A folder with pipelines and their tests, without git. */
export interface TestFolder extends Disposable {
  readonly directory: string;
  write(file: string, content: string | Uint8Array): void;
  read(file: string): string;
  has(file: string): boolean;
  /** Runs `millrace test` in the folder. */
  run(...args: readonly string[]): Promise<Ended>;
  /** For time limits. */
  clock?: Clock;
  /** The same with `--json`, which must be a report. */
  report(...args: readonly string[]): Promise<TestReport>;
}

export function testFolder(files: Readonly<Record<string, string | Uint8Array>> = {}): TestFolder {
  const directory = realpathSync(mkdtempSync(path.join(tmpdir(), 'millrace-test-')));
  const folder: TestFolder = {
    directory,
    write(file, content) {
      const target = path.join(directory, file);
      mkdirSync(path.dirname(target), { recursive: true });
      writeFileSync(target, content);
    },
    read: (file) => readFileSync(path.join(directory, file), 'utf8'),
    has: (file) => existsSync(path.join(directory, file)),
    run: (...args) =>
      inProcess(['test', ...args], {
        cwd: directory,
        ...(folder.clock === undefined ? {} : { clock: folder.clock }),
      }),
    async report(...args) {
      const { stdout, stderr } = await folder.run('--json', ...args);
      const report = JSON.parse(stdout) as TestReport;
      if (!Array.isArray(report.tests)) throw new Error(`no report: ${stdout}${stderr}`);
      return report;
    },
    [Symbol.dispose]: () => rmSync(directory, { recursive: true, force: true }),
  };
  for (const [file, content] of Object.entries(files)) folder.write(file, content);
  return folder;
}

/** Copies the orders of a day from one table to another. */
export const copyPipeline = `type: transformation
version: "1.0"
pipeline:
  components:
    Staged:
      type: table-input
      parameters:
        database: "[Environment Default]"
        schema: "[Environment Default]"
        targetTable: staging_orders
        columnNames: [id, day, amount, note]
    Write Orders:
      type: rewrite-table
      sources: [Staged]
      parameters:
        database: "[Environment Default]"
        schema: "[Environment Default]"
        targetTable: orders
`;

/** Loads, copies, counts, and fails where nothing was loaded. */
export const loadPipeline = `type: orchestration
version: "1.0"
pipeline:
  components:
    Start:
      type: start
      transitions: { unconditional: [Load Files] }
    Load Files:
      type: s3-load
      transitions: { success: [Build Orders], failure: [Notify Failure] }
      parameters: { targetTable: staging_orders }
    Build Orders:
      type: run-transformation
      transitions: { success: [Count Orders] }
      parameters: { transformationJob: daily/build-orders }
    Count Orders:
      type: query-to-scalar
      transitions: { success: [Any Orders] }
      parameters:
        mode: Advanced
        query: 'SELECT COUNT(*) AS n FROM "orders"'
        scalarVariableMapping: [[rows_loaded, n]]
    Any Orders:
      type: if
      transitions: { "true": [Done], "false": [No Orders] }
      parameters:
        mode: Simple
        condition: [[rows_loaded, Is, Greater than, "0"]]
        combineConditions: And
    Notify Failure:
      type: send-email
      transitions: { success: [No Orders] }
    Done: { type: end-success }
    No Orders: { type: end-failure }
  variables:
    rows_loaded: { metadata: { type: NUMBER, scope: SHARED, visibility: PUBLIC }, defaultValue: 0 }
    day: { metadata: { type: TEXT, scope: SHARED, visibility: PUBLIC }, defaultValue: "2026-01-01" }
    secret: { metadata: { type: TEXT, scope: SHARED, visibility: PRIVATE }, defaultValue: "" }
    regions: { metadata: { type: GRID, scope: SHARED, visibility: PUBLIC, columns: [name] }, defaultValue: [[north]] }
`;
