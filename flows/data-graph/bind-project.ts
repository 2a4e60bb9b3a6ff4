import { bindPipeline, type BoundPipeline, FileProblems, type TableName } from '../../engine/index.ts';
import { calledPath, callsOf } from '../../lib/pipelines/model/calls.ts';
import { openTestWarehouse } from '../pipeline-tests/run/run-tests.ts';
import type { TestProject } from '../pipeline-tests/files/test-project.ts';
import { ProjectTables, tableKey } from './project-tables.ts';
import { type TestTables, testTables } from './test-tables.ts';

/** What the pipelines of a project do with tables. */
export interface DataGraph {
  readonly project: TestProject;
  /** By path. */
  readonly pipelines: ReadonlyMap<string, BoundPipeline>;
  readonly tables: ProjectTables;
  readonly tests: TestTables;
}

/** How often pipelines are bound again because a table that they use has changed: a pipeline may add a column to its own table. */
const maxRounds = 10;

/**
 * Binds all pipelines of a project, again as long as tables change that they use. Throws Failure 'engine-missing', and what
 * `signal` aborts with.
 */
export async function bindProject(
  project: TestProject,
  options: { readonly signal: AbortSignal; readonly packages?: string | undefined },
): Promise<DataGraph> {
  const { signal, packages } = options;
  const tests = await testTables(project);
  const tables = new ProjectTables({
    declared: tests.declared,
    guessed: [...tests.given, ...tests.mocked],
    isMentioned: mentions(project),
  });
  const paths = project.pipelines.filter((path) => !project.isHidden(path));
  const setByCallers = variablesOfCalls(paths, project);
  const pipelines = new Map<string, BoundPipeline>();
  await using warehouse = await openTestWarehouse(project, packages);
  let due: readonly string[] = paths;
  for (let round = 0; due.length > 0 && round < maxRounds; round += 1) {
    const changed = new Set<string>();
    for (const path of due) {
      signal.throwIfAborted();
      const document = project.pipeline(path);
      if (document === undefined) continue;
      const bound = await bindPipeline(document, {
        warehouse,
        kind: project.kind,
        defaults: project.defaults,
        files: (file) => project.text(file),
        tableOf: (table) => tables.find(table, path),
        setByCallers: setByCallers.get(path) ?? new Set(),
      });
      pipelines.set(path, bound);
      for (const key of tables.update(path, bound)) changed.add(key);
    }
    due = paths.filter((path) => uses(pipelines.get(path), changed));
  }
  return { project, pipelines, tables, tests };
}

/** Whether a pipeline has to be bound again: it depends on a table that it does not define itself. */
function uses(bound: BoundPipeline | undefined, changed: ReadonlySet<string>): boolean {
  const { reads = [], writes = [] } = bound ?? {};
  return (
    reads.some(({ table }) => changed.has(tableKey(table))) ||
    writes.some(({ table, mode }) => mode !== 'define' && changed.has(tableKey(table)))
  );
}

/** For each pipeline, the names of the variables that calls in the project set. */
function variablesOfCalls(
  paths: readonly string[],
  project: TestProject,
): ReadonlyMap<string, ReadonlySet<string>> {
  const variables = new Map<string, Set<string>>();
  const targets = { has: (path: string) => project.has(path), shared: project.shared };
  for (const path of paths) {
    const document = project.pipeline(path);
    for (const call of document === undefined ? [] : callsOf(document)) {
      const called = calledPath(call, targets);
      if (called === undefined) continue;
      const names = variables.get(called) ?? new Set();
      variables.set(called, names);
      for (const [name] of call.scalarVariables) names.add(name);
    }
  }
  return variables;
}

/** Keys of parameters that hold code in a language that cannot be bound. */
const codeKeys = ['pythonScript', 'script'] as const;

const definitionWords = /\b(?:create|alter|replace|rename|to_sql|saveastable|write_pandas)\b/i;

/** Whether Python or shell code of the project names a table, in any case, and may change its columns. */
function mentions(project: TestProject): (table: TableName) => boolean {
  let words: ReadonlySet<string> | undefined;
  const read = () =>
    new Set(
      project.pipelines
        .flatMap((path) => [...(project.pipeline(path)?.components.values() ?? [])])
        .flatMap((component) => codeKeys.flatMap((key) => component.text(key) ?? []))
        .concat(project.paths.filter((path) => path.endsWith('.py')).map((path) => textOf(path, project)))
        .filter((code) => definitionWords.test(code))
        .flatMap((code) => code.toLowerCase().match(/[\p{L}\p{N}_$]+/gu) ?? []),
    );
  return ({ table }) => (words ??= read()).has(table.toLowerCase());
}

/** Empty for a file that is not text. */
function textOf(path: string, project: TestProject): string {
  try {
    return project.text(path) ?? '';
  } catch (error) {
    if (error instanceof FileProblems) return '';
    throw error;
  }
}
