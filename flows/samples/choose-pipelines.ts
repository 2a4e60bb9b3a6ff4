import type { FileProblem, TableName } from '../../engine/index.ts';
import { FileProblems } from '../../engine/index.ts';
import { compareTexts } from '../../lib/core/text/compare-texts.ts';
import { resolveCall } from '../../lib/pipelines/model/calls.ts';
import { readYaml } from '../../lib/yaml/read-yaml.ts';
import { affected } from '../data-graph/affected/affected.ts';
import type { DataGraph } from '../data-graph/bind/bind-project.ts';
import { tableKey } from '../data-graph/bind/table-definitions.ts';
import type { BaseProject } from '../diff/base-project.ts';
import { type PlannedTest, planTests } from '../pipeline-tests/files/planned-test.ts';
import type { TestFile } from '../pipeline-tests/files/test-file.ts';
import { collectProblems } from '../pipeline-tests/files/test-problem.ts';
import type { TestProject } from '../pipeline-tests/files/test-project.ts';
import { unknownPipeline } from '../pipeline-tests/files/unknown-names.ts';
import type { SampleRun, Samples } from './read-samples.ts';
import { boundOf, withCalled } from './sample-graphs.ts';

/**
 * The entry pipelines that a change affects and that read a sampled table, or a table that another of them writes,
 * in an order in which each reads what the ones before it write. `readers`: the changed pipelines that read a
 * sampled table themselves.
 */
export function affectedRuns(
  {
    graph,
    before,
    base,
  }: { readonly graph: DataGraph; readonly before: DataGraph; readonly base: BaseProject },
  { tables, folder }: Pick<Samples, 'folder'> & { readonly tables: readonly TableName[] },
): { readonly runs: readonly SampleRun[]; readonly readers: readonly string[] } {
  const { canonical } = graph.names;
  const { entryPoints, changed } = affected(graph, before, base);
  const uses = entryPoints.map((path) => {
    const bound = boundOf({ graph, paths: withCalled(graph, [path]) });
    const keysOf = (kind: 'reads' | 'writes') =>
      new Set(bound.flatMap((each) => each[kind].map(({ table }) => tableKey(table))));
    return { path, reads: keysOf('reads'), writes: keysOf('writes') };
  });
  const sampled = new Set(tables.map((table) => tableKey(canonical(table))));
  const available = new Set(sampled);
  const runs: SampleRun[] = [];
  for (const { path, reads, writes } of inOrder(uses)) {
    if (reads.isDisjointFrom(available)) continue;
    for (const key of writes) available.add(key);
    runs.push({
      pipeline: { text: path, place: { file: folder, line: 1, column: 1 } },
      variables: [],
    });
  }
  const readers = changed
    .map(({ pipeline }) => pipeline)
    .filter(
      (path) => graph.pipelines.get(path)?.reads.some(({ table }) => sampled.has(tableKey(table))) === true,
    );
  return { runs, readers };
}

interface Uses {
  readonly path: string;
  readonly reads: ReadonlySet<string>;
  readonly writes: ReadonlySet<string>;
}

/** Writers before readers; in a cycle, the first path. */
function inOrder(uses: readonly Uses[]): readonly Uses[] {
  const waiting = uses.toSorted((a, b) => compareTexts(a.path, b.path));
  const ordered: Uses[] = [];
  while (waiting.length > 0) {
    const place = waiting.findIndex((reader) =>
      waiting.every((writer) => writer === reader || writer.writes.isDisjointFrom(reader.reads)),
    );
    ordered.push(...waiting.splice(Math.max(place, 0), 1));
  }
  return ordered;
}

/** No pipeline of a real project takes longer; setTimeout takes no more than 24 days. */
const timeoutMs = 7 * 24 * 60 * 60 * 1000;

/** The pipelines with their variables, in the form of tests without expectations. Throws FileProblems. */
export async function planRuns(
  runs: readonly SampleRun[],
  { startsAt }: Pick<Samples, 'startsAt'>,
  project: TestProject,
): Promise<readonly PlannedTest[]> {
  const problems: FileProblem[] = [];
  const planned: PlannedTest[] = [];
  for (const run of runs) {
    const { text, place } = run.pipeline;
    if (resolveCall(text, project) === undefined) {
      problems.push({ ...place, message: unknownPipeline(text, project) });
      continue;
    }
    const tests = await collectProblems(problems, () => planTests(fileOf(run, startsAt), project));
    planned.push(...(tests ?? []));
  }
  if (problems.length > 0) throw new FileProblems(problems);
  return planned;
}

function fileOf({ pipeline, variables }: SampleRun, startsAt: number): TestFile {
  const { place } = pipeline;
  const source = readYaml('{}', { file: place.file });
  return {
    file: place.file,
    pipeline,
    schemas: new Map(),
    source,
    tests: [
      {
        name: pipeline.text,
        place,
        variables,
        startsAt,
        timeoutMs,
        given: [],
        mocks: [],
        expected: {
          outcome: { isSuccess: true, place, component: undefined, message: undefined },
          tables: [],
          variables: [],
          ran: [],
          notRan: [],
        },
        node: { kind: 'map', entries: new Map(), start: 0, end: 0 },
      },
    ],
  };
}
