import { bindPipeline, type BoundPipeline, nothingBound } from '../../engine/index.ts';
import { type Call, calledPath, callsOf } from '../../lib/pipelines/model/calls.ts';
import { childOf, itemsOf, textOf } from '../../lib/yaml/yaml-node.ts';
import { openTestWarehouse } from '../pipeline-tests/run/run-tests.ts';
import type { TestProject } from '../pipeline-tests/files/test-project.ts';
import { mentionedWords } from './mentioned-tables.ts';
import { ProjectTables, tableKey } from './project-tables.ts';
import { readText } from './read-text.ts';
import { createTestReader, type TestTables } from './test-tables.ts';

/** What the pipelines of a project do with tables. */
export interface DataGraph {
  readonly project: TestProject;
  /** By path. */
  readonly pipelines: ReadonlyMap<string, BoundPipeline>;
  readonly tables: ProjectTables;
  readonly tests: TestTables;
}

/** The graph of a project whose files may change. */
export interface OpenDataGraph extends AsyncDisposable {
  /**
   * The graph of the project as it is now, valid until the next call. Only pipelines that a change concerns are bound again. After an
   * abort, the next call continues. One call at a time; the kind of warehouse stays. Throws what `signal` aborts with.
   */
  update(project: TestProject, signal: AbortSignal): Promise<DataGraph>;
}

/** How often a pipeline is bound because a table that it uses has changed: it may add a column to its own table. */
const maxBinds = 10;

/**
 * Binds all pipelines of a project, again as long as tables change that they use. Throws Failure 'engine-missing', and what
 * `signal` aborts with.
 */
export async function bindProject(
  project: TestProject,
  { signal, packages }: { readonly signal: AbortSignal; readonly packages?: string | undefined },
): Promise<DataGraph> {
  await using graph = await openDataGraph(project, packages);
  return await graph.update(project, signal);
}

/** What a pipeline was bound with. */
interface Bound {
  readonly text: string | undefined;
  readonly setByCallers: string;
  /** The files that it read. */
  readonly files: ReadonlyMap<string, string | undefined>;
}

/** Throws Failure 'engine-missing'. */
export async function openDataGraph(
  opened: Pick<TestProject, 'kind'>,
  packages?: string,
): Promise<OpenDataGraph> {
  const readTests = createTestReader();
  const tables = new ProjectTables();
  const pipelines = new Map<string, BoundPipeline>();
  const inputs = new Map<string, Bound>();
  /** Tables whose users are to be bound again. */
  const changed = new Set<string>();
  const due = new Set<string>();
  const warehouse = await openTestWarehouse(opened, packages);

  async function bind(path: string, project: TestProject, setByCallers: ReadonlySet<string>): Promise<void> {
    const document = project.pipeline(path);
    if (document === undefined) return;
    const files = new Map<string, string | undefined>();
    const bound = await bindPipeline(document, {
      warehouse,
      kind: project.kind,
      defaults: project.defaults,
      files(file) {
        files.set(file, readText(file, project));
        return project.text(file);
      },
      tableOf: (table) => tables.find(table, path),
      setByCallers,
    });
    pipelines.set(path, bound);
    inputs.set(path, { text: readText(path, project), setByCallers: keyOf(setByCallers), files });
    for (const key of tables.update(path, bound)) changed.add(key);
  }

  function isCurrent(path: string, project: TestProject, setByCallers: ReadonlySet<string>): boolean {
    const before = inputs.get(path);
    return (
      before !== undefined &&
      before.text === readText(path, project) &&
      before.setByCallers === keyOf(setByCallers) &&
      [...before.files].every(([file, text]) => text === readText(file, project))
    );
  }

  function remove(path: string): void {
    for (const key of tables.update(path, nothingBound)) changed.add(key);
    pipelines.delete(path);
    inputs.delete(path);
    due.delete(path);
  }

  return {
    async update(project, signal) {
      const tests = await readTests(project);
      const outside = tables.setOutside({
        declared: tests.declared,
        guessed: [...tests.given, ...tests.mocked],
        words: mentionedWords(project),
      });
      for (const key of outside) changed.add(key);
      const paths = project.pipelines.filter((path) => !project.isHidden(path));
      const present = new Set(paths);
      for (const path of inputs.keys()) if (!present.has(path)) remove(path);
      const setByCallers = variablesOfCalls(paths, project);
      const variablesOf = (path: string) => setByCallers.get(path) ?? new Set<string>();
      const binds = new Map<string, number>();
      const collect = () => {
        for (const path of paths)
          if ((binds.get(path) ?? 0) < maxBinds && uses(pipelines.get(path), changed)) due.add(path);
        changed.clear();
      };
      for (const path of paths) if (!isCurrent(path, project, variablesOf(path))) due.add(path);
      for (collect(); due.size > 0; collect())
        for (const path of paths.filter((each) => due.has(each))) {
          signal.throwIfAborted();
          binds.set(path, (binds.get(path) ?? 0) + 1);
          await bind(path, project, variablesOf(path));
          due.delete(path);
        }
      return {
        project,
        pipelines: new Map(paths.map((path) => [path, pipelines.get(path) ?? nothingBound])),
        tables,
        tests,
      };
    },
    [Symbol.asyncDispose]: () => warehouse[Symbol.asyncDispose](),
  };
}

function keyOf(names: ReadonlySet<string>): string {
  return JSON.stringify([...names].toSorted());
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
