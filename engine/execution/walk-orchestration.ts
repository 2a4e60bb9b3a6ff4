import type { Component, TransitionKind } from '../../lib/pipelines/component.ts';
import { componentGraph } from '../../lib/pipelines/graph.ts';
import type { FailedComponent } from './execution-state.ts';
import { joinInputs } from './join-inputs.ts';
import {
  endAll,
  failure,
  failureOf,
  type Frame,
  isStopped,
  type Result,
  type RunComponent,
  stopped,
  success,
} from './run.ts';

/** The components that one branch has passed, the last one first. */
interface Branch {
  readonly name: string;
  readonly before: Branch | undefined;
  /** The last failure that the branch handled, as a sentence. */
  readonly failure: string | undefined;
  /** The first component of the branch that failed. */
  readonly failed: FailedComponent | undefined;
}

/** Why the pipeline fails. */
interface Ending {
  readonly sentence: string;
  readonly failed: FailedComponent | undefined;
}

/**
 * Walks an orchestration from its start components. All ways on from a component are taken at once, each a branch; the
 * pipeline ends when all branches have. An `and` waits for all that lead to it, an `or` runs for the first (and again
 * for a branch that comes back to it), any other component runs as often as it is reached. A failure that no `failure`
 * or `unconditional` transition takes fails the pipeline: nothing new starts in it. So does, in the end, a branch that
 * came to an `end-failure`.
 */
export async function walkOrchestration(frame: Frame, runComponent: RunComponent): Promise<Result> {
  const { run, document } = frame;
  const starts = [...document.components.values()].filter(({ type }) => type === 'start');
  if (starts.length === 0) return noStart(document.path);
  const inputsOf = joinInputs(
    componentGraph(document),
    starts.map(({ name }) => name),
  );
  const arrived = new Map<string, Set<string>>();
  const visits = new Map<string, number>();
  const endings: Ending[] = [];

  /** Whether a join may run, now that a branch has come to it. */
  const joins = ({ name, type }: Component, branch: Branch): boolean => {
    const here = arrived.get(name) ?? new Set();
    arrived.set(name, here);
    if (type === 'or') {
      // A branch that returns to the join passes it again; a second input of the same round does not.
      const runs = here.size === 0 || hasPassed(branch, name);
      here.add(branch.name);
      return runs;
    }
    here.add(branch.name);
    if ([...inputsOf(name)].some((input) => !here.has(input))) return false;
    here.clear();
    return true;
  };

  const visit = async (component: Component, branch: Branch | undefined): Promise<void> => {
    const { name, type } = component;
    if (branch !== undefined && (type === 'and' || type === 'or') && !joins(component, branch)) return;
    const times = (visits.get(name) ?? 0) + 1;
    visits.set(name, times);
    if (times > run.limits.repeats) {
      endAll(
        run,
        `Endless loop: transitions led to component "${name}" of pipeline "${document.path}" more than ${run.limits.repeats} times.`,
      );
      return;
    }
    const result = await runComponent(component, frame);
    if (result.status === 'stopped') return;
    const targets = nextComponents(component, result).flatMap((to) => document.components.get(to) ?? []);
    const here =
      result.status === 'failure'
        ? (result.origin ?? failureOf(name, document.path, result.message))
        : undefined;
    const failed = branch?.failed ?? result.failed;
    if (here !== undefined && type === 'end-failure') {
      // A branch that reaches an end-failure has handled the failure; other branches continue.
      const sentence = branch?.failure === undefined ? here : `${here}, after: ${branch.failure}`;
      endings.push({ sentence, failed });
      return;
    }
    if (here !== undefined && targets.length === 0) {
      endings.push({ sentence: here, failed });
      frame.end.failed = true;
      return;
    }
    const next = { name, before: branch, failure: here ?? branch?.failure, failed };
    await Promise.all(targets.map((target) => visit(target, next)));
  };

  await Promise.all(starts.map((start) => visit(start, undefined)));
  if (run.fatal !== undefined || run.stopping) return stopped;
  const [first] = endings;
  if (first !== undefined) return failure(first.sentence, first.sentence, earliest(run, endings));
  if (isStopped(frame)) return stopped;
  noteUnfinishedJoins(frame, arrived, inputsOf);
  return success('');
}

function earliest({ failures }: Frame['run'], endings: readonly Ending[]): FailedComponent | undefined {
  return failures.find((failed) => endings.some((ending) => ending.failed === failed));
}

function hasPassed(branch: Branch, name: string): boolean {
  for (let at: Branch | undefined = branch; at !== undefined; at = at.before)
    if (at.name === name) return true;
  return false;
}

function noStart(path: string): Result {
  const message = `Pipeline "${path}" has no start component: it needs one of the type start.`;
  return failure(message, message);
}

/** Names of the components that follow, each once. */
function nextComponents(component: Component, { status, condition }: Result): readonly string[] {
  const kinds = new Set<TransitionKind>(['unconditional', status === 'failure' ? 'failure' : 'success']);
  if (status === 'success' && component.type === 'if') kinds.add(condition === false ? 'false' : 'true');
  return [...new Set(component.transitions.filter(({ on }) => kinds.has(on)).map(({ to }) => to))];
}

/** Records an `and` that did not receive all its inputs, and therefore did not run, as SKIPPED. */
function noteUnfinishedJoins(
  { run, document, step, iteration }: Frame,
  arrived: ReadonlyMap<string, ReadonlySet<string>>,
  inputsOf: (name: string) => ReadonlySet<string>,
): void {
  for (const [name, here] of arrived) {
    const component = document.components.get(name);
    if (component?.type !== 'and' || here.size === 0) continue;
    const missing = [...inputsOf(name)].filter((input) => !here.has(input)).map((input) => `"${input}"`);
    const number = run.log.begin({
      parent: step,
      pipeline: document.path,
      component: name,
      type: component.type,
      iteration,
    });
    run.log.end(
      number,
      'SKIPPED',
      `Did not run: it waits for a branch from ${missing.join(', ')}, and none came.`,
    );
  }
}
