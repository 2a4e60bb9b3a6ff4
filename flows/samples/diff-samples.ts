import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { type Column, FileProblems, openWarehouse, type TableName } from '../../engine/index.ts';
import { bindProject } from '../data-graph/bind/bind-project.ts';
import { tableKey } from '../data-graph/bind/table-definitions.ts';
import type { BaseProject } from '../diff/base-project.ts';
import { testAtBase } from '../diff/base-test.ts';
import { describe } from '../diff/describe.ts';
import type { PlannedTest } from '../pipeline-tests/files/planned-test.ts';
import type { TestProject } from '../pipeline-tests/files/test-project.ts';
import { labelOf } from '../pipeline-tests/first-test/table-label.ts';
import { testSetting } from '../pipeline-tests/run/run-test.ts';
import { openTestWarehouse } from '../pipeline-tests/run/open-test-warehouse.ts';
import type { TestContext } from '../pipeline-tests/run/test-context.ts';
import type { Sides } from './check-samples.ts';
import { affectedRuns, planRuns } from './choose-pipelines.ts';
import { compareSides } from './compare-sides.ts';
import { dependentRuns, usesOfRuns } from './dependent-runs.ts';
import { type ImportedSample, importSamples } from './import-samples.ts';
import { keysOf } from './sample-keys.ts';
import { openPrivateFolder } from './private-folder.ts';
import { readSamples, type SampleRun, type Samples, type SamplesFolder } from './read-samples.ts';
import type { SampleDiff } from './sample-diff.ts';
import { boundOf, knownColumns, meantTable, type SideGraph, withCalled } from './sample-graphs.ts';
import { failedRuns, sampledPipelines } from './sampled-pipelines.ts';
import { type SideResult, runSide } from './run-side.ts';
import { sampleNames, withoutRowNames } from './row-names.ts';

export interface SampleDiffRequest {
  readonly project: TestProject;
  readonly base: BaseProject;
  readonly folder: SamplesFolder;
  /** The pipelines to run; empty: the list of samples.yaml, or what the change affects and reads a sample. */
  readonly runs: readonly SampleRun[];
  /** How many rows of a table may be shown. With 0, no value of a row is in the result. */
  readonly maxRows: number;
  /** As DuckDB writes it: `2GB`. */
  readonly memoryLimit: string;
  readonly packages?: string | undefined;
}

/**
 * Runs pipelines as they are and as they were at the base on Parquet files, and compares the tables that they
 * write, with limited memory. Rows are only stored in a private temporary folder, which is removed at the end.
 * Throws FileProblems for invalid samples, Failure 'usage' and 'engine-missing', and the reason of a cancel.
 */
export async function diffSamples(request: SampleDiffRequest, context: TestContext): Promise<SampleDiff> {
  const { project, base, folder, packages } = request;
  const { name, commit, isFork } = base;
  const found = readSamples(folder, project);
  const nothing: SampleDiff = {
    base: { name, commit, isFork },
    isSame: !base.isOther,
    samples: [],
    pipelines: [],
    tables: [],
    equalTables: 0,
    withoutSample: [],
    startedEmpty: [],
    unusedKeys: [],
    changedReaders: [],
  };
  if (!base.isOther) return nothing;
  const { signal } = context;
  const graph = await bindProject(project, { signal, packages });
  const before = await bindProject(base.project, { signal, packages, after: graph });
  const samples = withMeantTables(found, (table) => meantTable(table, [graph, before]));
  const chosen = [request.runs, samples.runs ?? []].find((runs) => runs.length > 0);
  const tables = samples.tables.map(({ table }) => table);
  const { runs, readers } =
    chosen === undefined
      ? affectedRuns({ graph, before, base }, { tables, folder: samples.folder })
      : { runs: chosen, readers: [] };
  const planned = await planRuns(runs, samples, project);
  const plannedBefore: (PlannedTest | string | undefined)[] = [];
  for (const test of planned) plannedBefore.push(await atBase(test, project, base));
  const sides: Sides = {
    now: {
      graph,
      paths: withCalled(
        graph,
        planned.map(({ document }) => document.path),
      ),
    },
    before: {
      graph: before,
      paths: withCalled(
        before,
        plannedBefore.flatMap((test) => (typeof test === 'object' ? test.document.path : [])),
      ),
    },
  };
  return runBoth(
    { ...request, samples, sides, planned, plannedBefore, nothing: { ...nothing, changedReaders: readers } },
    context,
  );
}

interface BothRequest extends SampleDiffRequest {
  readonly samples: Samples;
  readonly sides: Sides;
  readonly planned: readonly PlannedTest[];
  readonly plannedBefore: readonly (PlannedTest | string | undefined)[];
  readonly nothing: SampleDiff;
}

async function runBoth(request: BothRequest, context: TestContext): Promise<SampleDiff> {
  const { project, base, samples, sides, planned, plannedBefore, maxRows, memoryLimit, packages } = request;
  const { signal } = context;
  using folder = openPrivateFolder();
  const fileOf = (name: string) => path.join(folder.path, name);
  const spillFolder = fileOf('spill');
  mkdirSync(spillFolder);
  const common = { project, memoryLimit, spillFolder, packages };
  const givenFile = fileOf('given.db');
  const given = await importSamples({
    ...common,
    samples: samples.tables,
    sides,
    base,
    file: givenFile,
    signal,
  });
  const shown = (table: TableName) => labelOf(table, project);
  const facts = {
    ...request.nothing,
    samples: given.map(({ table, sample: { files }, rows, remarks }) => ({
      table: shown(table),
      files,
      rows,
      remarks,
    })),
    withoutSample: withoutSample(sides, given).map(shown),
  };
  if (planned.length === 0) return facts;
  const empty = startedEmpty(sides, given);
  const uses = usesOfRuns({ now: planned, before: plannedBefore }, sides);
  const dependOn = (failed: ReadonlySet<number>) => dependentRuns(uses, failed);
  const side = (name: 'before' | 'now', tests: BothRequest['plannedBefore']): Promise<SideResult> => {
    const of = name === 'now' ? project : base.project;
    return runSide({
      ...common,
      project: of,
      setting: testSetting(of, context),
      planned: tests,
      dependOn,
      given,
      empty: empty[name],
      file: fileOf(`${name}.db`),
      givenFile,
    });
  };
  const before = await side('before', plannedBefore);
  const now = await side('now', planned);
  const names = sampleNames(sides, [project, base.project], given);
  const failed = failedRuns(before.ends, now.ends);
  const dependent = dependOn(failed);
  const isCompared = (run: number) => !failed.has(run) && !dependent.has(run);
  const written = [...before.tables, ...now.tables];
  const left = new Set(written.flatMap(([name, { runs }]) => (runs.every(isCompared) ? [] : [name])));
  const compared = ({ tables }: SideResult) => new Map([...tables].filter(([name]) => !left.has(name)));
  await using warehouse = await openTestWarehouse(project, packages, (options) =>
    openWarehouse({
      ...options,
      memoryLimit,
      spillFolder,
      threads: 2,
      attached: { before: fileOf('before.db'), after: fileOf('now.db') },
    }),
  );
  const { keys, unused } = keysOf(samples, [now.tables, before.tables], project);
  const { changes, equal } = await compareSides({
    before: compared(before),
    after: compared(now),
    warehouse: warehouse.abortable(signal),
    project,
    keys,
    maxRows,
    reasonOf: (message) => names.reasonOf({ message, showsValues: maxRows > 0 }),
  });
  const result = {
    ...facts,
    pipelines: sampledPipelines({
      planned,
      before: before.ends,
      now: now.ends,
      dependent,
      names,
      showsValues: maxRows > 0,
    }),
    tables: changes,
    equalTables: equal,
    startedEmpty: empty.now.map(({ table }) => shown(table)),
    unusedKeys: unused,
  };
  return maxRows > 0 ? result : withoutRowNames(result, names.isKnown);
}

/** The same pipeline at the base; undefined if the base does not have it, a text if it cannot run. */
async function atBase(
  test: PlannedTest,
  project: TestProject,
  base: BaseProject,
): Promise<PlannedTest | string | undefined> {
  try {
    return (await testAtBase(test, project, base))?.shared;
  } catch (error) {
    if (!(error instanceof FileProblems)) throw error;
    const [first] = error.problems;
    return first === undefined ? error.message : describe(first);
  }
}

/** Files without an entry in samples.yaml mean a table that pipelines use, also if its name has another case. */
function withMeantTables(samples: Samples, meant: (table: TableName) => TableName): Samples {
  return {
    ...samples,
    tables: samples.tables.map((sample) =>
      sample.place.file === sample.shown ? { ...sample, table: meant(sample.table) } : sample,
    ),
  };
}

/** Tables that the pipelines read, that have no sample, and that none of the pipelines writes. */
function withoutSample({ now, before }: Sides, given: readonly ImportedSample[]): readonly TableName[] {
  const tables = [now, before].flatMap((side) => {
    const { canonical } = side.graph.names;
    const bound = boundOf(side);
    const known = new Set([
      ...given.map(({ table }) => tableKey(canonical(table))),
      ...bound.flatMap(({ writes }) => writes.map(({ table }) => tableKey(table))),
    ]);
    return bound.flatMap(({ reads }) =>
      reads.filter(({ table }) => !known.has(tableKey(table))).map(({ table }) => table),
    );
  });
  return [...new Map(tables.map((table) => [tableKey(table), table])).values()];
}

type EmptyTables = readonly { readonly table: TableName; readonly columns: readonly Column[] }[];

/** Tables that the pipelines only add rows to or change: other pipelines create them, with columns that are known. */
function startedEmpty(
  { now, before }: Sides,
  given: readonly ImportedSample[],
): Record<keyof Sides, EmptyTables> {
  const of = (side: SideGraph): EmptyTables => {
    const { canonical } = side.graph.names;
    const sampled = new Set(given.map(({ table }) => tableKey(canonical(table))));
    const writes = boundOf(side).flatMap((bound) => bound.writes);
    const created = new Set(
      writes.filter(({ mode }) => mode === 'define').map(({ table }) => tableKey(table)),
    );
    const added = new Map(
      writes
        .filter(({ mode }) => mode === 'insert' || mode === 'change')
        .map(({ table }) => [tableKey(table), table]),
    );
    return [...added].flatMap(([key, table]) => {
      const known = knownColumns(table, side);
      if (sampled.has(key) || created.has(key) || known?.areNamesComplete !== true || !known.areTypesKnown)
        return [];
      return [{ table, columns: known.columns }];
    });
  };
  return { now: of(now), before: of(before) };
}
