import { affected } from '../../flows/data-graph/affected/affected.ts';
import { bindProject } from '../../flows/data-graph/bind/bind-project.ts';
import { projectAtBase } from '../../flows/diff/base-project.ts';
import { pipelineGraph } from '../../flows/graph/pipeline-graph.ts';
import { projectSchema } from '../../lib/config/project/project-schema.ts';
import { openRepository, type Repository } from '../../lib/git/repository.ts';
import { commitSnapshot } from '../../lib/git/snapshot.ts';
import { openWorkCopy } from '../../lib/git/work-tree/work-copy.ts';
import { expectedAffected } from './expected-affected.ts';
import type { HistorySide } from './expected-changed.ts';
import { openProject } from './find-projects.ts';
import { fileReader, type HistoryCommit, renamedBetween, writeCommits } from './history.ts';
import { isPipeline, type PlainPipeline, readPlainPipeline } from './plain-pipeline.ts';

/** The result for one commit, compared with its first parent. */
export interface ReplayedCommit {
  readonly id: string;
  /** `untouched`: no file of a pipeline differs; `form`: only their form; `meaning`: a pipeline does something else. */
  readonly kind: 'untouched' | 'form' | 'meaning';
  readonly pipelines: number;
  /** How many pipelines it affects besides those that it changes. */
  readonly affected: number;
  /** How the set of the product differs from the expected one; undefined if both are equal. */
  readonly difference: string | undefined;
}

export interface History {
  /** Compares a commit with its parent. Throws for a commit with a `millrace.yaml`, which changes what counts. */
  replay(commit: HistoryCommit): Promise<ReplayedCommit>;
}

/**
 * @param source a git repository
 * @param directory a temporary folder for the two commits that are compared
 */
export function openHistory(source: string, directory: string): History {
  const filesOf = fileReader(source);
  const read = new Map<string, PlainPipeline>();
  const pipelineOf = (file: string, text: string): PlainPipeline => {
    const key = `${file}\n${text}`;
    const pipeline = read.get(key) ?? readPlainPipeline(file, text);
    read.set(key, pipeline);
    return pipeline;
  };
  const sideOf = (files: HistorySide['files']): Pick<HistorySide, 'files' | 'pipelines'> => {
    const pipelines = new Map(
      [...files].flatMap(([file, text]) => (isPipeline(file) ? [[file, pipelineOf(file, text)]] : [])),
    );
    return { files, pipelines };
  };
  return {
    async replay({ id, parent }) {
      const [now, old] = [sideOf(filesOf(id)), sideOf(filesOf(parent))];
      if (now.files.has('millrace.yaml') || old.files.has('millrace.yaml'))
        throw new Error('it has a millrace.yaml');
      const commit = writeCommits(directory, old.files, now.files);
      const { signal } = new AbortController();
      const repository = await openRepository(directory);
      const project = openProject(directory);
      const base = await projectAtBase(project, {
        repository,
        workTree: await openWorkCopy(directory, 'working-tree'),
        directory: '',
        commit: commit.parent,
        name: commit.parent,
        isFork: false,
        signal,
      });
      const graph = await bindProject(project, { signal });
      const before = await bindProject(base.project, { signal, after: graph });
      const report = affected(graph, before, base);
      const expected = expectedAffected(
        { ...now, calls: await callsAt(repository, commit.id), bound: graph.pipelines },
        { ...old, calls: await callsAt(repository, commit.parent), bound: before.pipelines },
        renamedBetween(directory, commit),
      );
      const isTouched = [...new Set([...now.pipelines.keys(), ...old.pipelines.keys()])].some(
        (path) => now.files.get(path) !== old.files.get(path),
      );
      const isSame = expected.changed.size === 0 && expected.affected.size === 0;
      const differences = [
        ...differencesOf('changed', report.changed, expected.changed),
        ...differencesOf('affected', report.affected, expected.affected),
      ];
      return {
        id,
        kind: isSame ? (isTouched ? 'form' : 'untouched') : 'meaning',
        pipelines: now.pipelines.size,
        affected: expected.affected.size,
        difference: differences.length === 0 ? undefined : differences.join('; '),
      };
    },
  };
}

const { files, configDir } = projectSchema.parse({ version: 1 });

async function callsAt(repository: Repository, commit: string): Promise<HistorySide['calls']> {
  const { calls } = await pipelineGraph({
    snapshot: commitSnapshot(repository, commit),
    directory: '',
    include: files.include,
    configDir,
    findings: [],
  });
  return new Map(
    [...Map.groupBy(calls, ({ from }) => from)].map(([from, list]) => [from, list.map(({ to }) => to)]),
  );
}

function differencesOf(
  what: string,
  reported: readonly {
    readonly pipeline: string;
    readonly what?: string;
    readonly because?: readonly string[];
  }[],
  expected: ReadonlySet<string>,
): readonly string[] {
  const paths = new Set(reported.map(({ pipeline }) => pipeline));
  return [
    ...reported
      .filter(({ pipeline }) => !expected.has(pipeline))
      .map(
        ({ pipeline, what: how = '', because = [] }) =>
          `${pipeline} is ${what} only for the product (${how}${because.join('; ')})`,
      ),
    ...[...expected.difference(paths)].map(
      (pipeline) => `${pipeline} is ${what} only for the independent reading`,
    ),
  ];
}
