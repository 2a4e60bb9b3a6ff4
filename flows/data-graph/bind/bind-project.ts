import {
  bindPipeline,
  type BoundPipeline,
  nameWarehouse,
  nothingBound,
  type TableName,
} from '../../../engine/index.ts';
import { openTestWarehouse } from '../../pipeline-tests/run/open-test-warehouse.ts';
import type { EnvironmentNames } from '../../pipeline-tests/outside/environment-names.ts';
import { noSchemas } from '../../pipeline-tests/outside/project-schemas.ts';
import type { TestProject } from '../../pipeline-tests/files/test-project.ts';
import { changedSchemas, declaredColumns } from './declared-columns.ts';
import { mentionedWords } from '../texts/mentioned-tables.ts';
import { bindingOrder } from './binding-order.ts';
import { ProjectTables } from './project-tables.ts';
import { type Definition, type Knowledge, tableKey } from './table-definitions.ts';
import type { NamedTable } from './tables-outside.ts';
import { readText } from '../texts/read-text.ts';
import { createTestReader, type TestTables } from './test-tables.ts';
import { withCanonicalTables } from './canonical-tables.ts';
import { catalogView } from './catalog-views.ts';
import { type OutsideFacts, outsideOf } from './outside-of.ts';
import { variablesSetByCallers } from './variables-set-by-callers.ts';

/** Which tables and columns the pipelines of a project read and write. */
export interface DataGraph extends OutsideFacts {
  readonly project: TestProject;
  /** By path. */
  readonly pipelines: ReadonlyMap<string, BoundPipeline>;
  readonly tables: ProjectTables;
  readonly tests: TestTables;
  /** Otherwise pipelines were bound without an engine, and only names of tables are known. */
  readonly areColumnsKnown: boolean;
}

/** The data graph of a project whose files may change, as in an editor. */
export interface OpenDataGraph extends AsyncDisposable {
  /**
   * The graph of the project as it is now, valid until the next call. Only pipelines that a change concerns are bound again. After an
   * abort, the next call continues. One call at a time; the kind of warehouse stays. Throws Failure 'config-invalid' for a wrong
   * file of `schemas`, and what `signal` aborts with.
   */
  update(project: TestProject, signal: AbortSignal): Promise<DataGraph>;
}

export interface BindOptions {
  /** The folder whose `node_modules` has DuckDB's package. Default: where Millrace itself finds its packages. */
  readonly packages?: string | undefined;
  /**
   * The same project after a change: its names of environments count. Wrong files about what is outside of the project say nothing, or no
   * change could repair them.
   */
  readonly after?: DataGraph;
  /** Whether wrong files about what is outside of the project say nothing, without `after` too. Default: they are refused. */
  readonly isLenient?: boolean;
  /** Whether to find out where columns come from, which takes longer. */
  readonly traces?: boolean;
  /** Whether columns are asked for. Without them, DuckDB is not needed: calls and tables are known. Default: true. */
  readonly columns?: boolean;
}

/** How often a pipeline is bound because a table that it uses has changed: it may add a column to its own table. */
const maxBinds = 10;

/**
 * Binds all pipelines of a project: finds the tables and columns that each component reads and writes, without
 * running it. A pipeline is bound again when tables that it uses change. Throws Failure 'engine-missing',
 * 'config-invalid' for invalid files about tables from outside the project, and the abort reason of `signal`.
 */
export async function bindProject(
  project: TestProject,
  { signal, ...options }: BindOptions & { readonly signal: AbortSignal },
): Promise<DataGraph> {
  await using graph = await openDataGraph(project, options);
  return await graph.update(project, signal);
}

/** What a pipeline was bound with, and what it does. */
interface Bound {
  readonly pipeline: BoundPipeline;
  readonly text: string | undefined;
  readonly setByCallers: string;
  /** The files that it read. */
  readonly files: ReadonlyMap<string, string | undefined>;
  /** What it has seen of tables of the project, by their keys. */
  readonly seen: ReadonlyMap<string, Seen>;
  /** Gives the tables of the project that its patterns of names match now. */
  readonly listed: readonly (() => readonly TableName[])[];
}

interface Seen extends Pick<Knowledge, 'text'> {
  readonly table: TableName;
  /** Whether the pipeline had not made the table itself when it used it. */
  readonly isMissing: boolean;
}

/** Opens the data graph of a project whose files may change. Throws Failure 'engine-missing'. */
export async function openDataGraph(
  opened: Pick<TestProject, 'kind'>,
  { packages, after, isLenient = false, traces = false, columns = true }: BindOptions = {},
): Promise<OpenDataGraph> {
  let readTests = createTestReader();
  let tables = new ProjectTables();
  /** Which names mean the same: with other names, everything is bound again. */
  let names: EnvironmentNames | undefined;
  const bound = new Map<string, Bound>();
  /** By table: the pipelines that asked for it. */
  const users = new Map<string, Set<string>>();
  /** The pipelines that read all tables whose names match a pattern. */
  const listers = new Set<string>();
  /** Tables whose users may have to be bound again. */
  const changed = new Set<string>();
  const due = new Set<string>();
  let schemas = noSchemas;
  let streamed: readonly Definition[] = [];
  let declared = declaredColumns(schemas, opened);
  const warehouse = columns ? await openTestWarehouse(opened, packages) : nameWarehouse();

  async function bind(
    path: string,
    project: TestProject,
    {
      setByCallers,
      canonical,
    }: Pick<EnvironmentNames, 'canonical'> & { readonly setByCallers: ReadonlySet<string> },
  ): Promise<void> {
    const document = project.pipeline(path);
    if (document === undefined) return;
    const files = new Map<string, string | undefined>();
    const seen = new Map<string, Seen>();
    const listed: (() => readonly TableName[])[] = [];
    const see = (table: TableName, isMissing: boolean): Knowledge => {
      const knowledge = tables.knowledge(table, path);
      const key = tableKey(table);
      const before = seen.get(key);
      seen.set(key, { table, text: knowledge.text, isMissing: isMissing || before?.isMissing === true });
      users.set(key, (users.get(key) ?? new Set()).add(path));
      return knowledge;
    };
    const written = await bindPipeline(document, {
      warehouse,
      kind: project.kind,
      defaults: project.defaults,
      files(file) {
        files.set(file, readText(file, project));
        return project.text(file);
      },
      tableOf(name, isMissing) {
        // A table with columns would look as if it existed before what creates it.
        if (!columns) return undefined;
        const view = catalogView(name, project.kind);
        if (view !== undefined) return view;
        const table = canonical(name);
        const { table: known, below } = see(table, isMissing);
        if (below !== undefined) see(below, true);
        return known;
      },
      tablesLike(schema, matches) {
        const list = () => tables.like(schema, matches);
        listed.push(list);
        return list();
      },
      setByCallers,
      traces,
    });
    const pipeline = withCanonicalTables(written, { canonical });
    const text = readText(path, project);
    bound.set(path, { pipeline, text, setByCallers: keyOf(setByCallers), files, seen, listed });
    if (listed.length > 0) listers.add(path);
    else listers.delete(path);
    for (const key of tables.update(path, pipeline)) changed.add(key);
  }

  function isCurrent(path: string, project: TestProject, setByCallers: ReadonlySet<string>): boolean {
    const before = bound.get(path);
    return (
      before !== undefined &&
      before.text === readText(path, project) &&
      before.setByCallers === keyOf(setByCallers) &&
      [...before.files].every(([file, text]) => text === readText(file, project))
    );
  }

  /** Whether more is known of a table that a pipeline uses, besides what it says itself. */
  function isStale(path: string): boolean {
    const { listed = [], seen } = bound.get(path) ?? {};
    if (listed.some((list) => list().some((table) => seen?.has(tableKey(table)) !== true))) return true;
    return [...(seen?.values() ?? [])].some(
      ({ table, text, isMissing }) =>
        tables.knowledge(table, path).text !== text && (isMissing || !tables.isDefinedBy(table, path)),
    );
  }

  function forget(): void {
    readTests = createTestReader();
    tables = new ProjectTables();
    bound.clear();
    users.clear();
    changed.clear();
    due.clear();
  }

  function remove(path: string): void {
    for (const key of tables.update(path, nothingBound)) changed.add(key);
    bound.delete(path);
    due.delete(path);
    listers.delete(path);
  }

  return {
    async update(written, signal) {
      const outsideNow = outsideOf(written, { after, isLenient });
      if (names?.key !== outsideNow.names.key) forget();
      names = outsideNow.names;
      const { canonical } = names;
      const project = { ...written, defaults: names.defaults };
      const tests = await readTests(project, names);
      const { schemas: declaredNow } = outsideNow;
      if (declaredNow !== schemas) {
        for (const key of changedSchemas(schemas, declaredNow)) changed.add(key);
        schemas = declaredNow;
        declared = declaredColumns(schemas, project);
      }
      streamed = outsideNow.streamed;
      const outside = tables.setOutside({
        declared,
        streamed,
        testDeclared: tests.declared,
        guessed: [...tests.given, ...tests.mocked],
        words: mentionedWords(project),
      });
      for (const key of outside) changed.add(key);
      const paths = project.pipelines.filter((path) => !project.isHidden(path));
      const present = new Set(paths);
      for (const path of bound.keys()) if (!present.has(path)) remove(path);
      const variablesOf = variablesSetByCallers(paths, project);
      for (const path of paths) if (!isCurrent(path, project, variablesOf(path))) due.add(path);
      const rounds = new Map<string, number>();
      const addStale = () => {
        const concerned = new Set([...changed].flatMap((key) => [...(users.get(key) ?? [])]));
        if (changed.size > 0) for (const path of listers) concerned.add(path);
        changed.clear();
        for (const path of concerned)
          if (present.has(path) && (rounds.get(path) ?? 0) < maxBinds && isStale(path)) due.add(path);
      };
      addStale();
      const order = due.size > 1 ? bindingOrder(paths, (path) => project.pipeline(path)) : paths;
      const bindDue = async () => {
        for (; due.size > 0; addStale())
          for (const path of order.filter((each) => due.has(each))) {
            signal.throwIfAborted();
            // What it made before the change says nothing about what it makes now.
            if (!rounds.has(path)) for (const key of tables.update(path, nothingBound)) changed.add(key);
            rounds.set(path, (rounds.get(path) ?? 0) + 1);
            await bind(path, project, { setByCallers: variablesOf(path), canonical });
            due.delete(path);
          }
      };
      await bindDue();
      if (traces) {
        for (const key of tables.guess(listedTables(bound))) changed.add(key);
        addStale();
        await bindDue();
      }
      const pipelines = new Map(
        paths.map((path) => [path, bound.get(path)?.pipeline ?? nothingBound] as const),
      );
      return { project, pipelines, tables, tests, schemas, streamed, names, areColumnsKnown: columns };
    },
    [Symbol.asyncDispose]: () => warehouse[Symbol.asyncDispose](),
  };
}

function keyOf(names: ReadonlySet<string>): string {
  return JSON.stringify([...names].toSorted());
}

/** The columns that components list of tables that they cannot find. Their types are not known: text becomes most of them. */
function listedTables(bound: ReadonlyMap<string, Bound>): readonly NamedTable[] {
  const reads = [...bound.values()].flatMap(({ pipeline }) => pipeline.reads);
  return reads
    .filter(({ columns, isBound }) => !isBound && columns.length > 0)
    .map(({ table, columns }) => ({
      table,
      columns: columns.map((name) => ({ name, type: { name: 'VARCHAR', length: undefined } })),
    }));
}
