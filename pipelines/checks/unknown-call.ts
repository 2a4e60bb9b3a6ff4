import { closestWord } from '../../model/closest-word.ts';
import { resolveCall } from '../calls.ts';
import { suffixOf, withoutSuffix } from '../pipeline-kind.ts';
import type { CheckBreach } from './breach.ts';
import type { CallFact } from './call-facts.ts';

/** The pipelines of a project, as far as calls need them; paths are relative to the project. */
export interface KnownPipelines {
  readonly paths: ReadonlySet<string>;
  /** Pipelines that the change deleted or renamed, and their new names. */
  readonly gone: ReadonlyMap<string, string | undefined>;
}

/** Calls to pipelines that do not exist. */
export function unknownCalls(
  file: string,
  calls: readonly CallFact[],
  { paths, gone }: KnownPipelines,
): readonly CheckBreach[] {
  return calls.flatMap((call) => {
    const { component, target, kind, range } = call;
    if (resolveCall(target, paths, kind) !== undefined) return [];
    const old = resolveCall(target, gone, kind);
    const next = old === undefined ? rightSuffix(call, paths) : gone.get(old);
    const mend = next === undefined ? undefined : call.retarget(asWritten(next, target));
    return {
      check: 'unknown-call',
      file,
      component,
      subject: target,
      message: `${sentence(call, old !== undefined)}${hint(call, paths, next)}`,
      range,
      ...(mend === undefined ? {} : { mend }),
    };
  });
}

/** Whether a call leads to a pipeline that this change took away. */
export function callsGone({ target, kind }: CallFact, { paths, gone }: KnownPipelines): boolean {
  return resolveCall(target, paths, kind) === undefined && resolveCall(target, gone, kind) !== undefined;
}

function sentence({ component, target }: CallFact, isGone: boolean): string {
  return isGone
    ? `The component "${component}" still calls "${target}", which this change takes away.`
    : `The component "${component}" calls "${target}", which does not exist.`;
}

function hint({ target }: CallFact, paths: ReadonlySet<string>, next: string | undefined): string {
  if (next !== undefined) return ` It is "${asWritten(next, target)}" now.`;
  const all = [...paths].map((path) => asWritten(path, target));
  const last = target.slice(target.lastIndexOf('/') + 1);
  // The name alone, without its folder, is the usual slip.
  const meant = all.find((path) => path.endsWith(`/${last}`)) ?? closestWord(target, all);
  return meant === undefined ? '' : ` Did you mean "${meant}"?`;
}

/** `x.yml`, or the suffix of the other kind, where exactly the right file is there. */
function rightSuffix({ target, kind }: CallFact, paths: ReadonlySet<string>): string | undefined {
  const stem = target.replace(/^(?:\.?\/)+/, '').replace(/(?:\.(?:orch|tran))?(?:\.(?:ya?ml|json))?$/i, '');
  const right = stem + suffixOf(kind);
  return stem !== target && paths.has(right) ? right : undefined;
}

/** With a suffix where the call has one. */
function asWritten(path: string, target: string): string {
  return /\.(?:ya?ml|json)$/i.test(target) ? path : withoutSuffix(path);
}
