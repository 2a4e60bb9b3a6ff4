import { selectFiles } from '../../lib/git/select-files.ts';
import type { Snapshot } from '../../lib/git/snapshot.ts';
import { type Finding, severities, type Severity } from '../../lib/core/outcomes/finding.ts';
import type { CallFolder, FoundRoot } from '../../lib/pipelines/model/call-root.ts';
import {
  calledPath,
  callsOf,
  type CallTargets,
  isOwnCall,
  sharedFile,
} from '../../lib/pipelines/model/calls.ts';
import { kindOf, type PipelineKind } from '../../lib/pipelines/model/pipeline-kind.ts';
import type { PipelineDocument } from '../../lib/pipelines/model/read-pipeline.ts';
import type { SharedPipelinesFile } from '../../lib/pipelines/model/shared-pipelines.ts';
import { inRepository } from '../../lib/git/in-repository.ts';
import { readOwnShared } from '../review/scope/own-shared.ts';
import { readRoots } from '../review/scope/call-roots.ts';
import { readPipelines } from '../review/scope/read-pipelines.ts';

/** A pipeline of the project, or the target of a call outside it. Paths are relative to the project. */
export interface GraphNode {
  readonly name: string;
  /** `streaming`: the definition of a streaming pipeline. */
  readonly kind: PipelineKind | 'streaming' | 'foreign' | 'missing';
  /** True if no pipeline of the project calls it: it is started from outside, or never. */
  readonly entry: boolean;
  /** The stable id under which other projects call it. */
  readonly sharedId?: string;
  /** The worst of its findings that are not fixed. */
  readonly worst?: Severity;
}

export interface PipelineGraph {
  readonly nodes: readonly GraphNode[];
  /** One entry per pair of pipelines, even if there are several calls. Calls with a variable as target are left out. */
  readonly calls: readonly { readonly from: string; readonly to: string }[];
  /** The folder from which calls are resolved, if it is not the project's own. */
  readonly callRoot?: CallFolder | FoundRoot;
}

export interface GraphRequest {
  readonly snapshot: Snapshot;
  readonly directory: string;
  readonly include: readonly string[];
  readonly exclude?: readonly string[];
  readonly configDir: string;
  /** The prefix of the project's shared pipelines: calls of them lead to the pipelines themselves. */
  readonly sharedPrefix?: string | undefined;
  /** The folder that calls are relative to. Default: the project, or the folder that is found. */
  readonly callFolder?: CallFolder | undefined;
  /** Findings to mark. */
  readonly findings: readonly Finding[];
}

/** A graph, and the pipelines from which it was built. */
export interface ReadGraph {
  readonly graph: PipelineGraph;
  /** By path, relative to the project. */
  readonly documents: ReadonlyMap<string, PipelineDocument>;
  readonly targets: CallTargets;
}

/** Builds the graph of the calls between the pipelines of a project. */
export async function pipelineGraph(request: GraphRequest): Promise<PipelineGraph> {
  return (await readGraph(request, () => {})).graph;
}

/** Builds the same graph as `pipelineGraph`, and also returns the pipelines, which are all in memory at once. */
export async function readWholeGraph(request: GraphRequest): Promise<ReadGraph> {
  const documents = new Map<string, PipelineDocument>();
  const read = await readGraph(request, (path, document) => documents.set(path, document));
  return { ...read, documents };
}

async function readGraph(
  request: GraphRequest,
  keep: (path: string, document: PipelineDocument) => void,
): Promise<Omit<ReadGraph, 'documents'>> {
  const { snapshot, directory, findings } = request;
  const prefix = inRepository(directory, '');
  const files = selectFiles(await snapshot.list(directory), request, directory)
    .map(({ path }) => path)
    .filter((path) => kindOf(path) !== undefined);
  const paths = new Set(files.map((path) => path.slice(prefix.length)));
  const { file, own: ownShared } = await readOwnShared(request, snapshot);
  const { roots, prepare } = readRoots({ snapshot, directory, files, set: request.callFolder });
  const callTargets = { has: (path: string) => paths.has(path), shared: ownShared, roots };
  const calls = new Map<string, ReadonlySet<string>>();
  const others = new Map<string, GraphNode['kind']>();
  for await (const document of readPipelines(snapshot, files)) {
    const targets = new Set<string>();
    await prepare(callsOf(document).filter(({ dynamic }) => !dynamic));
    for (const call of callsOf(document)) {
      if (call.dynamic || call.target === '') continue;
      const called = calledPath(call, callTargets) ?? call.target;
      if (!paths.has(called)) others.set(called, isOwnCall(call, callTargets) ? 'missing' : 'foreign');
      targets.add(called);
    }
    const path = document.path.slice(prefix.length);
    calls.set(path, targets);
    keep(path, document);
  }
  const called = new Set([...calls.values()].flatMap((targets) => [...targets]));
  const shared = sharedIds(file, paths);
  const worst = worstOf(findings, prefix);
  const nodes = [...paths].map((name): GraphNode => {
    const [sharedId, severity] = [shared.get(name), worst.get(name)];
    return {
      name,
      kind: kindOf(name) ?? 'orchestration',
      entry: !called.has(name),
      ...(sharedId === undefined ? {} : { sharedId }),
      ...(severity === undefined ? {} : { worst: severity }),
    };
  });
  const callRoot = roots.taken();
  return {
    graph: {
      ...(callRoot === undefined ? {} : { callRoot }),
      nodes: [...nodes, ...Array.from(others, ([name, kind]) => ({ name, kind, entry: false }))],
      calls: [...calls].flatMap(([from, targets]) => Array.from(targets, (to) => ({ from, to }))),
    },
    targets: callTargets,
  };
}

function sharedIds(
  file: SharedPipelinesFile | undefined,
  paths: ReadonlySet<string>,
): ReadonlyMap<string, string> {
  return new Map(
    (file?.pipelines ?? []).flatMap(({ pipeline, id, enabled }) => {
      const path = sharedFile(pipeline, paths);
      return enabled && path !== undefined ? [[path, id] as const] : [];
    }),
  );
}

function worstOf(findings: readonly Finding[], prefix: string): ReadonlyMap<string, Severity> {
  const worst = new Map<string, Severity>();
  for (const { file, severity, state } of findings) {
    const name = file.slice(prefix.length);
    const before = worst.get(name);
    if (state === 'fixed') continue;
    if (before === undefined || severities.indexOf(severity) < severities.indexOf(before))
      worst.set(name, severity);
  }
  return worst;
}
