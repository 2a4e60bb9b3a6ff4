import { resolveCall } from '../calls.ts';
import { kindOf, type PipelineKind, suffixOf, withoutSuffix } from '../pipeline-kind.ts';
import type { CheckBreach } from './breach.ts';
import type { CallFact } from './call-facts.ts';
import { nearestPipeline } from './nearest-pipeline.ts';

/** The pipelines of a project that calls can refer to; paths are relative to the project. */
export interface KnownPipelines {
  readonly paths: ReadonlySet<string>;
  /** Pipelines that the change deleted or renamed, with their new names. */
  readonly removed: ReadonlyMap<string, string | undefined>;
}

/** Calls to pipelines that do not exist. The file is relative to the project. */
export function* unknownCalls(
  file: string,
  calls: readonly CallFact[],
  { paths, removed }: KnownPipelines,
): Generator<CheckBreach, void, undefined> {
  for (const call of calls) {
    const { component, target, kind, range } = call;
    if (resolveCall(target, paths, kind) !== undefined) continue;
    const old = resolveCall(target, removed, kind);
    const next = old === undefined ? rightSuffix(call, paths) : newName(removed.get(old), kind, paths);
    const fix = next === undefined ? undefined : call.retarget(asWritten(next, target));
    yield {
      check: 'unknown-call',
      file,
      component,
      subject: target,
      message: `${sentence(call, old !== undefined)}${hint(file, call, paths, next)}`,
      range,
      ...(fix === undefined ? { unfixable: unfixable(next) } : { fix }),
    };
  }
}

/** The new path of a moved pipeline, if a call of this kind can call it there. */
function newName(
  next: string | undefined,
  kind: PipelineKind,
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
  { target, kind }: CallFact,
  { paths, removed }: KnownPipelines,
): boolean {
  return resolveCall(target, paths, kind) === undefined && resolveCall(target, removed, kind) !== undefined;
}

function sentence({ component, target }: CallFact, isRemoved: boolean): string {
  return isRemoved
    ? `The component "${component}" still calls "${target}", which this change removes.`
    : `The component "${component}" calls "${target}", which does not exist.`;
}

function hint(caller: string, call: CallFact, paths: ReadonlySet<string>, next: string | undefined): string {
  const { target, kind } = call;
  if (next !== undefined) return ` Its path is "${asWritten(next, target)}".`;
  const other = kind === 'orchestration' ? 'transformation' : 'orchestration';
  if (resolveCall(target, paths, other) !== undefined)
    return ` ${other === 'orchestration' ? 'An' : 'A'} ${other} with that name exists; run-${other} calls it.`;
  const meant = nearestPipeline({ target, kind, caller }, paths);
  return meant === undefined ? '' : ` Did you mean "${asWritten(meant, target)}"?`;
}

/** The right path for `x.yml` or for the suffix of the other kind, where exactly that file exists. */
function rightSuffix({ target, kind }: CallFact, paths: ReadonlySet<string>): string | undefined {
  const stem = target.replace(/^(?:\.?\/)+/, '').replace(/(?:\.(?:orch|tran))?(?:\.(?:ya?ml|json))?$/i, '');
  const right = stem + suffixOf(kind);
  return stem !== target && paths.has(right) ? right : undefined;
}

/** With a suffix if the call has one. */
function asWritten(path: string, target: string): string {
  return /\.(?:ya?ml|json)$/i.test(target) ? path : withoutSuffix(path);
}
