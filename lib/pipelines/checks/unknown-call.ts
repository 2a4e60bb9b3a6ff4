import { hintAt, onlyLooksLike } from '../../core/text/look-alike.ts';
import type { WordIndex } from '../../core/text/word-index.ts';
import { asCalled, type CallRoots } from '../model/call-root.ts';
import { calledPath, ownReferenceOf, resolveInProject, sharedReferenceOf } from '../model/calls.ts';
import { kindOf, type PipelineKind, suffixOf, withoutSuffix } from '../model/pipeline-kind.ts';
import type { CheckBreach, CheckSteps } from './breach.ts';
import { type CallFact, targetParameters } from './call-facts.ts';
import type { OwnSharedPipelines } from '../model/shared-pipelines.ts';
import type { FindNearest } from './nearest-pipeline.ts';

/** The pipelines of a project that calls can name. Paths are relative to the project. */
export interface KnownPipelines {
  readonly paths: ReadonlySet<string>;
  /** Pipelines that the change deleted or renamed, with their new names. */
  readonly removed: ReadonlyMap<string, string | undefined>;
  /** From which folder calls resolve; without it, from the project's own. */
  readonly roots?: CallRoots | undefined;
  /** The shared pipelines of the project, if it has a prefix for them. */
  readonly shared?: OwnSharedPipelines | undefined;
  /** Set if the change gives the project another prefix for its shared pipelines, or removes the prefix. */
  readonly renamedPrefix?: RenamedPrefix | undefined;
  /** The pipeline that a call to one that does not exist probably intends. */
  readonly nearest: FindNearest;
  /** The closest ids of the shared pipelines of the project. */
  readonly sharedIds: WordIndex;
}

export interface RenamedPrefix {
  readonly from: string;
  readonly to: string | undefined;
}

/** Finds calls to pipelines that do not exist. The file is relative to the project. */
export function* unknownCalls(
  file: string,
  calls: readonly CallFact[],
  pipelines: KnownPipelines,
): CheckSteps {
  const { paths, removed, roots } = pipelines;
  for (const call of calls) {
    yield undefined;
    const { component, target, kind, range } = call;
    if (kind === 'shared' || target === '') {
      yield* unknownName(file, call, pipelines);
      continue;
    }
    if (resolved(target, pipelines, kind) !== undefined) continue;
    const other = kindOf(target);
    if (other !== undefined && resolved(target, pipelines) !== undefined) {
      yield {
        check: 'unknown-call',
        file,
        component,
        subject: target,
        message: `The component "${component}" runs only ${kind}s, but "${target}" is a file of the other kind; run-${other} calls it.`,
        range,
        unfixable:
          'Millrace cannot be sure which pipeline is meant. Correct the type of the component or the path by hand.',
      };
      continue;
    }
    const old = resolveInProject(target, { has: (path) => removed.has(path), roots }, kind);
    const next = old === undefined ? rightSuffix(call, paths) : newName(removed.get(old), kind, paths);
    const written = next === undefined ? undefined : asWritten(next, target, pipelines);
    const fix = written === undefined ? undefined : call.retarget(written);
    yield {
      check: 'unknown-call',
      file,
      component,
      subject: target,
      message: `${sentence(call, old !== undefined)}${hint(file, call, pipelines, next)}`,
      range,
      ...(fix === undefined ? { unfixable: unfixable(next) } : { fix }),
    };
  }
}

/** A call that names no pipeline, or a shared pipeline that the project itself does not have. */
function unknownName(file: string, call: CallFact, pipelines: KnownPipelines): readonly CheckBreach[] {
  const { component, target, range } = call;
  const message =
    target === '' ? `names no pipeline: set ${targetParameters[call.kind]}.` : sharedProblem(call, pipelines);
  if (message === undefined) return [];
  return [
    {
      check: 'unknown-call',
      file,
      component,
      subject: target,
      message: `The component "${component}" ${message}`,
      range,
      unfixable: 'Millrace cannot be sure which pipeline is meant. Correct the name by hand.',
    },
  ];
}

/** What is wrong with the name of a shared pipeline; undefined for one of another project, which only the platform knows. */
function sharedProblem(call: CallFact, pipelines: KnownPipelines): string | undefined {
  const { paths, shared, renamedPrefix } = pipelines;
  const { target } = call;
  if (sharedReferenceOf(target) === undefined)
    return `calls "${target}", but the name of a shared pipeline is prefix#id.`;
  const old = renamedPrefix && ownReferenceOf(call, { prefix: renamedPrefix.from, pipelines: new Map() });
  if (renamedPrefix !== undefined && old !== undefined) {
    const { from, to } = renamedPrefix;
    if (to === undefined)
      return `calls "${target}", but this change takes the prefix "${from}" away from the project.`;
    const meant = shared?.pipelines.has(old.id) === true ? `${to}#${old.id}` : undefined;
    return `calls "${target}", but this change renames the prefix "${from}" of the project to "${to}".${hintAt(target, meant)}`;
  }
  const reference = ownReferenceOf(call, shared);
  if (reference === undefined || shared === undefined) return undefined;
  if (calledPath(call, { has: (path) => paths.has(path), shared }) !== undefined) return undefined;
  // The entry exists. If its pipeline does not, the check shared-pipelines-file reports that.
  if (shared.pipelines.has(reference.id)) return undefined;
  const [meant] = pipelines.sharedIds.closest(reference.id);
  const suggestion = hintAt(target, meant === undefined ? undefined : `${shared.prefix}#${meant}`);
  return `calls the shared pipeline "${target}", which this project does not share: shared-pipelines.yaml has no enabled pipeline with this id.${suggestion}`;
}

/** The new path of a moved pipeline, if a call of this kind can call it there. */
function newName(
  next: string | undefined,
  kind: CallFact['kind'],
  paths: ReadonlySet<string>,
): string | undefined {
  return next !== undefined && kindOf(next) === kind && paths.has(next) ? next : undefined;
}

function unfixable(next: string | undefined): string {
  return next === undefined
    ? 'Millrace cannot be sure which pipeline is meant. Correct the path by hand.'
    : 'The path is an alias, an anchor or a multi-line text. Correct it by hand.';
}

/** Whether the called pipeline was removed by this change. */
export function callsRemovedPipeline(
  { target, kind }: Pick<CallFact, 'target' | 'kind'>,
  pipelines: KnownPipelines,
): boolean {
  const { removed, roots } = pipelines;
  if (kind === 'shared' || resolved(target, pipelines, kind) !== undefined) return false;
  return resolveInProject(target, { has: (path) => removed.has(path), roots }, kind) !== undefined;
}

function resolved(target: string, { paths, roots }: KnownPipelines, kind?: PipelineKind): string | undefined {
  return resolveInProject(target, { has: (path) => paths.has(path), roots }, kind);
}

function sentence({ component, target }: CallFact, isRemoved: boolean): string {
  return isRemoved
    ? `The component "${component}" still calls "${target}", which this change removes.`
    : `The component "${component}" calls "${target}", which does not exist.`;
}

function hint(caller: string, call: CallFact, pipelines: KnownPipelines, next: string | undefined): string {
  const { target, kind } = call;
  if (kind === 'shared') return '';
  const written = next === undefined ? undefined : asWritten(next, target, pipelines);
  if (written !== undefined)
    return onlyLooksLike(written, target) ? hintAt(target, written) : ` Its path is "${written}".`;
  const other = kind === 'orchestration' ? 'transformation' : 'orchestration';
  if (resolved(target, pipelines, other) !== undefined)
    return ` ${other === 'orchestration' ? 'An' : 'A'} ${other} with that name exists; run-${other} calls it.`;
  const meant = pipelines.nearest({ target, kind, caller });
  return hintAt(target, meant === undefined ? undefined : asWritten(meant, target, pipelines));
}

/** The right path for `x.yml` or for the suffix of the other kind, if exactly that file exists. */
function rightSuffix({ target, kind }: CallFact, paths: ReadonlySet<string>): string | undefined {
  if (kind === 'shared') return undefined;
  const stem = target.replace(/^(?:\.?\/)+/, '').replace(/(?:\.(?:orch|tran))?(?:\.(?:ya?ml|json))?$/i, '');
  const right = stem + suffixOf(kind);
  return stem !== target && paths.has(right) ? right : undefined;
}

/** As most calls of the project write it, and with a suffix if the call has one. Undefined for a path that no call can name. */
function asWritten(path: string, target: string, { roots }: KnownPipelines): string | undefined {
  const called =
    roots?.set === undefined ? (asCalled(path, roots?.found()) ?? path) : asCalled(path, roots.set);
  if (called === undefined) return undefined;
  return /\.(?:ya?ml|json)$/i.test(target) ? called : withoutSuffix(called);
}
