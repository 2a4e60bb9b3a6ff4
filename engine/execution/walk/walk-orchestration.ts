import type { Component, TransitionKind } from '../../../lib/pipelines/model/component.ts';
import { componentGraph } from '../../../lib/pipelines/model/graph.ts';
import type { FailedComponent } from '../run/execution-state.ts';
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
} from '../run/run.ts';

/** The components that one branch has passed, the last one first. */
interface Branch {
  readonly name: string;
  readonly before: Branch | undefined;
  /** The failures that the branch handled, as sentences, the first one first. */
  readonly failures: readonly string[];
  /** The first component of the branch that failed. */
  readonly failed: FailedComponent | undefined;
}

/** Further failures of a branch, such as the failures of a loop, are not listed. */
const maxListedFailures = 10;

/** Why the pipeline fails. */
interface Ending {
  /** The failures of the branch, the first one first. */
  readonly failures: readonly string[];
  readonly failed: FailedComponent | undefined;
}

/**
 * Runs an orchestration from its start components. After a component, all transitions that apply are followed at the
 * same time, each as a separate branch. The pipeline ends when all branches have ended. An `and` waits for all
 * branches that lead to it. An `or` runs when the first of them arrives, and again if a branch returns to it. Any
 * other component runs each time a branch reaches it. If a component fails and has no `failure` or `unconditional`
 * transition, the pipeline fails, and no new component starts. If a branch reaches an `end-failure`, the pipeline
 * fails when it ends.
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

  /** Whether an `and` or `or` may run, now that a branch has reached it. */
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
        `Endless loop: transitions led to the component "${name}" of the pipeline "${document.path}" more than ${run.limits.repeats} times, which is the limit of the engine.`,
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
    const before = branch?.failures ?? [];
    const failures = here === undefined || before.length === maxListedFailures ? before : [...before, here];
    if (here !== undefined && (type === 'end-failure' || targets.length === 0)) {
      endings.push({ failures, failed });
      // A branch that reaches an end-failure has handled the failure; other branches continue.
      if (type !== 'end-failure') frame.end.failed = true;
      return;
    }
    const next = { name, before: branch, failures, failed };
    await Promise.all(targets.map((target) => visit(target, next)));
  };

  await Promise.all(starts.map((start) => visit(start, undefined)));
  if (run.fatal !== undefined || run.stopping) return stopped;
  if (endings.length > 0) return failureOfEndings(run, endings);
  if (isStopped(frame)) return stopped;
  noteUnfinishedJoins(frame, arrived, inputsOf);
  return success('');
}

/** The failure of the pipeline: the cause is what failed first, and the message lists what failed after it. */
function failureOfEndings({ failures }: Frame['run'], endings: readonly Ending[]): Result {
  const failed = failures.find((cause) => endings.some((ending) => ending.failed === cause));
  const isFirst = (ending: Ending) => ending.failed === failed;
  const inOrder = [...endings.filter(isFirst), ...endings.filter((ending) => !isFirst(ending))];
  const sentences = [...new Set(inOrder.flatMap((ending) => ending.failures))];
  const [first = '', ...later] = sentences;
  const message = later.reduce((text, sentence) => {
    // A message of several lines ends with a line of a file, and nothing may follow it on that line.
    const space = text.includes('\n') ? '\n' : /[.!?…]$/.test(text) ? ' ' : '. ';
    return `${text}${space}Then: ${sentence}`;
  }, first);
  return failure(message, message, failed);
}

function hasPassed(branch: Branch, name: string): boolean {
  for (let at: Branch | undefined = branch; at !== undefined; at = at.before)
    if (at.name === name) return true;
  return false;
}

function noStart(path: string): Result {
  const message = `Pipeline "${path}" has no start component: add a component of the type start.`;
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
    run.log.end(number, 'SKIPPED', `Did not run, because no branch arrived from ${missing.join(', ')}.`);
  }
}
