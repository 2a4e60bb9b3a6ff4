import { type CallRoots, fromRoot, inCallFolder } from './call-root.ts';
import type { Component } from './component.ts';
import { gridOf } from './grid.ts';
import { kindOf, type PipelineKind, suffixOf } from './pipeline-kind.ts';
import type { PipelineDocument } from './read-pipeline.ts';
import type { OwnSharedPipelines } from './shared-pipelines.ts';

/** A component that runs another pipeline. */
export interface Call {
  readonly component: Component;
  readonly kind: PipelineKind | 'shared';
  /**
   * As written: a path with or without suffix, or `prefix#id` of a shared pipeline. Empty if the file has none.
   */
  readonly target: string;
  /** The target contains a variable, so the called pipeline is known only at run time. */
  readonly dynamic: boolean;
  /** The version of a shared pipeline as written, `[Latest]` included. */
  readonly version: string | undefined;
  /** Passed values: the called pipeline's variable, and the text. */
  readonly scalarVariables: readonly (readonly [name: string, value: string])[];
}

export interface SharedPipelineReference {
  readonly prefix: string;
  readonly id: string;
}

/** The pipelines to which calls can lead. */
export interface CallTargets {
  /** Whether a file of the project is a pipeline; paths are relative to the project. */
  has(path: string): boolean;
  readonly shared?: OwnSharedPipelines | undefined;
  /** From which folder calls resolve; without it, from the project's own. */
  readonly roots?: CallRoots | undefined;
}

const callTypes: ReadonlyMap<string, { kind: Call['kind']; parameter: string }> = new Map([
  ['run-transformation', { kind: 'transformation', parameter: 'transformationJob' }],
  ['run-orchestration', { kind: 'orchestration', parameter: 'orchestrationJob' }],
  ['run-shared-pipeline', { kind: 'shared', parameter: 'pipelineName' }],
]);

/** The call of a component; undefined if the component does not call a pipeline. */
export function callOf(component: Component): Call | undefined {
  const type = callTypes.get(component.type);
  if (type === undefined) return undefined;
  const target = component.text(type.parameter) ?? '';
  return {
    component,
    kind: type.kind,
    target,
    dynamic: target.includes('${'),
    version: type.kind === 'shared' ? component.text('version') : undefined,
    scalarVariables: gridOf(component.parameter('setScalarVariables')).flatMap(([name, value]) =>
      name === undefined || name === '' ? [] : [[name, value ?? ''] as const],
    ),
  };
}

/** Several checks ask for the calls of each document, and an editor asks again after each edit. */
const callsByDocument = new WeakMap<PipelineDocument, readonly Call[]>();

/** The calls of a document, in the order of its components. */
export function callsOf(document: PipelineDocument): readonly Call[] {
  const known = callsByDocument.get(document);
  if (known !== undefined) return known;
  const calls = [...document.components.values()].flatMap((component) => callOf(component) ?? []);
  callsByDocument.set(document, calls);
  return calls;
}

/**
 * The pipeline of the project to which a call leads, including the project's own shared pipelines in their newest
 * version. Undefined if there is none, or if it is only known at run time.
 */
export function calledPath(call: CalledPipeline, targets: CallTargets): string | undefined {
  if (call.target.includes('${')) return undefined;
  if (call.kind !== 'shared') return resolveInProject(call.target, targets, call.kind);
  const reference = ownReferenceOf(call, targets.shared);
  return sharedFile(targets.shared?.pipelines.get(reference?.id ?? '') ?? '', targets);
}

/** Whether a call certainly refers to a pipeline of the project, even if that pipeline does not exist. */
export function isOwnCall(call: Call, { shared }: CallTargets): boolean {
  if (call.dynamic) return false;
  return call.kind !== 'shared' || ownReferenceOf(call, shared) !== undefined;
}

type CalledPipeline = Pick<Call, 'kind' | 'target' | 'version'>;

/**
 * The reference, if a call refers to a shared pipeline of the project itself. An older version is the pipeline as
 * it was published then.
 */
export function ownReferenceOf(
  { kind, target, version = latestVersion }: CalledPipeline,
  shared: OwnSharedPipelines | undefined,
): SharedPipelineReference | undefined {
  if (kind !== 'shared' || version !== latestVersion) return undefined;
  const reference = sharedReferenceOf(target);
  return reference?.prefix === shared?.prefix ? reference : undefined;
}

/** The version of a shared pipeline that is not set, or that means the newest enabled one (spec §2.11). */
const latestVersion = '[Latest]';

/**
 * The pipeline to which a path in a call leads: from the folder in the settings, else from the project's own
 * folder, else from the folder that was found. Undefined if there is none.
 */
export function resolveInProject(
  target: string,
  targets: Omit<CallTargets, 'shared'>,
  kind?: PipelineKind,
): string | undefined {
  const { set, found } = targets.roots ?? {};
  if (set === undefined) {
    const path = resolveCall(target, targets, kind);
    if (path !== undefined || target === '') return path;
  }
  const folder = set ?? found?.();
  const moved = folder === undefined ? undefined : inCallFolder(target, folder);
  return moved === undefined ? undefined : resolveCall(moved, targets, kind);
}

/**
 * Resolves a path with or without suffix to a file of the kind. Paths are relative to the project's own folder and used unchanged: a
 * folder's name may end in a space. Without a kind, an orchestration takes precedence over a transformation.
 */
export function resolveCall(
  target: string,
  paths: { has(path: string): boolean },
  kind?: PipelineKind | 'shared',
): string | undefined {
  if (kind === 'shared' || target === '') return undefined;
  const path = fromRoot(target);
  const written = kindOf(path);
  if (written !== undefined && paths.has(path))
    return kind === undefined || kind === written ? path : undefined;
  return withSuffix(path, paths, kind);
}

/**
 * The file of an entry in the shared-pipelines file: exactly its path in the project, with or without suffix. The
 * platform compares this text with the uploaded files (unknowns §3), so `./daily/build` and `/daily/build` do not
 * mean `daily/build`, as they do in a call.
 */
export function sharedFile(pipeline: string, paths: { has(path: string): boolean }): string | undefined {
  if (pipeline === '') return undefined;
  if (kindOf(pipeline) !== undefined) return paths.has(pipeline) ? pipeline : undefined;
  return withSuffix(pipeline, paths);
}

function withSuffix(
  path: string,
  paths: { has(path: string): boolean },
  kind?: PipelineKind,
): string | undefined {
  const kinds = kind === undefined ? (['orchestration', 'transformation'] as const) : [kind];
  return kinds.map((each) => path + suffixOf(each)).find((candidate) => paths.has(candidate));
}

/** `prefix#id`, split at the first `#`; undefined if a part is missing. */
export function sharedReferenceOf(target: string): SharedPipelineReference | undefined {
  const split = target.indexOf('#');
  if (split <= 0 || split === target.length - 1) return undefined;
  return { prefix: target.slice(0, split), id: target.slice(split + 1) };
}
