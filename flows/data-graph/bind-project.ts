import { bindPipeline, type BoundPipeline } from '../../engine/index.ts';
import { type Call, calledPath, callsOf } from '../../lib/pipelines/model/calls.ts';
import { childOf, itemsOf, textOf } from '../../lib/yaml/yaml-node.ts';
import { openTestWarehouse } from '../pipeline-tests/run/run-tests.ts';
import type { TestProject } from '../pipeline-tests/files/test-project.ts';
import { mentions } from './mentioned-tables.ts';
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

/** How often a pipeline is bound because a table that it uses has changed: it may add a column to its own table. */
const maxBinds = 10;

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
  const binds = new Map<string, number>();
  let due: readonly string[] = paths;
  while (due.length > 0) {
    const changed = new Set<string>();
    for (const path of due) {
      signal.throwIfAborted();
      binds.set(path, (binds.get(path) ?? 0) + 1);
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
    due = paths.filter((path) => (binds.get(path) ?? 0) < maxBinds && uses(pipelines.get(path), changed));
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
      // A call whose target a variable names may lead to any pipeline.
      for (const target of called === undefined ? (call.dynamic ? paths : []) : [called]) {
        const names = variables.get(target) ?? new Set();
        variables.set(target, names);
        for (const name of setBy(call)) names.add(name);
      }
    }
  }
  return variables;
}

function setBy({ scalarVariables, component }: Call): readonly string[] {
  const grids = itemsOf(component.parameter('setGridVariables')).map(
    (item) => textOf(childOf(item, 'variable')) ?? '',
  );
  return [...scalarVariables.map(([name]) => name), ...grids];
}
