import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { DeclaredTables } from '../files/declared-tables.ts';
import type { TestProject } from '../files/test-project.ts';
import type { TestResult } from '../compare/test-result.ts';
import { digestOf, readsChecker, storedReadsSchema } from './stored-reads.ts';

const texts = z.array(z.string()).readonly();

const passedSchema = z.strictObject({
  /** Its place in the list of the tests of the file, from 0. */
  index: z.int().min(0),
  reads: storedReadsSchema,
  /** Paths of the pipelines that were to run. */
  called: texts,
  /** The components that have a mock, as in `reached`. */
  mocked: texts,
  /** What the test adds to the coverage. */
  reached: z.strictObject({ pipelines: texts, components: texts, transitions: texts }),
  line: z.int().min(1),
  name: z.string(),
  pipeline: z.string(),
  durationMs: z.number().min(0),
});

const fileSchema = z.strictObject({
  program: z.string(),
  file: z.string(),
  /** What decides which tests the file has. */
  reads: storedReadsSchema,
  names: z.array(z.string()).readonly(),
  passed: z.array(passedSchema).readonly(),
});

/** What the cache stores about the tests of one file. */
export type CachedFile = Omit<z.infer<typeof fileSchema>, 'program' | 'file'>;

/** The tests of a file that need not run, because they passed before and would read the same again. */
export interface KnownTests extends Pick<CachedFile, 'reads'> {
  /** The names of all tests of the file, in order. */
  readonly names: readonly string[];
  /** By the place of the test in the file, from 0. */
  readonly passed: ReadonlyMap<number, TestResult>;
  /** What was kept of these tests. */
  readonly entries: CachedFile['passed'];
}

/**
 * The cache of a project's passed tests. Before a result is used, the files that the test read are compared with
 * the project.
 */
export interface TestCache {
  /** Undefined if nothing is known, if the file may have other tests now, and for an entry that is damaged or of another program. */
  find(file: string): KnownTests | undefined;
  /** Keeps what ran, in place of what was kept of the file. */
  keep(file: string, content: CachedFile): void;
}

export interface TestCacheOptions {
  /** A folder outside of the project: a change of the project must not be able to bring results of its own. */
  readonly folder: string;
  /**
   * All that decides what a test of unchanged files gives: the program itself, its engine, the machine, and what the caller
   * permits.
   */
  readonly program: string;
  /** In milliseconds since the epoch. */
  readonly now: number;
  /** Called at most once, if results cannot be kept. */
  readonly onFailure: (error: unknown) => void;
}

/** Larger than the entry of any file of tests. */
const maxBytes = 64 * 1024 * 1024;
const dayMs = 24 * 60 * 60 * 1000;
/** How long the results of a project are kept that nobody uses. */
const keptMs = 30 * dayMs;

export function openTestCache(
  project: TestProject,
  tables: DeclaredTables,
  { folder, program, now, onFailure }: TestCacheOptions,
): TestCache {
  let hasFailed = false;
  let isMarked = false;
  const mark = () => {
    if (!isMarked) markUsed(folder, own, now);
    isMarked = true;
  };
  const isSame = readsChecker(project, tables);
  const own = path.join(folder, digestOf(project.directory).slice(0, 16));
  const entryOf = (file: string) => path.join(own, digestOf(file).slice(0, 32));
  return {
    find(file) {
      const stored = readEntry(entryOf(file));
      if (stored?.program !== program || stored.file !== file || !isSame(stored.reads)) return undefined;
      ignoreErrors(mark);
      const entries = stored.passed.filter(
        ({ index, name, reads }) => stored.names[index] === name && isSame(reads),
      );
      const passed = entries.map(({ index, line, name, pipeline, durationMs }): [number, TestResult] => [
        index,
        { file, line, name, pipeline, status: 'passed', durationMs, differences: [], isCached: true },
      ]);
      return { names: stored.names, reads: stored.reads, passed: new Map(passed), entries };
    },
    keep(file, content) {
      if (hasFailed) return;
      try {
        mkdirSync(own, { recursive: true, mode: 0o700 });
        mark();
        writeEntry(entryOf(file), { program, file, ...content });
      } catch (error) {
        hasFailed = true;
        onFailure(error);
      }
    },
  };
}

/** A folder that can only be read is of use too. */
function ignoreErrors(work: () => void): void {
  try {
    work();
  } catch {
    // The results in it are the same.
  }
}

/** Notes once a day that a project is used, and removes the results of projects that nobody has used for long. */
function markUsed(folder: string, own: string, now: number): void {
  const mark = `${own}.used`;
  const before = statSync(mark, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (now - before < dayMs) return;
  writeFileSync(mark, '', { mode: 0o600 });
  utimesSync(mark, now / 1000, now / 1000);
  for (const name of readdirSync(folder)) {
    const old = path.join(folder, name);
    if (!name.endsWith('.used') || now - statSync(old).mtimeMs < keptMs) continue;
    rmSync(old.slice(0, -'.used'.length), { recursive: true, force: true });
    rmSync(old, { force: true });
  }
}

/** The content of an entry, after a line with its digest; undefined if it is not there, or not as it was written. */
function readEntry(entry: string): z.infer<typeof fileSchema> | undefined {
  try {
    if (statSync(entry).size > maxBytes) return undefined;
    const text = readFileSync(entry, 'utf8');
    const end = text.indexOf('\n');
    const content = text.slice(end + 1);
    if (text.slice(0, end) !== digestOf(content)) return undefined;
    return fileSchema.safeParse(JSON.parse(content)).data;
  } catch {
    return undefined;
  }
}

function writeEntry(entry: string, content: z.infer<typeof fileSchema>): void {
  const text = JSON.stringify(content);
  const temporary = `${entry}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, `${digestOf(text)}\n${text}`, { mode: 0o600 });
    renameSync(temporary, entry);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
