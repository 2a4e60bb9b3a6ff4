import { escapedName, lookOf } from '../../../lib/core/text/look-alike.ts';
import { numberOf } from '../../../lib/core/text/number-of.ts';
import { givenNames } from './given-names.ts';
import { findComponent } from '../files/planned-test.ts';
import { ownSteps } from './ran-components.ts';
import type { TestRun } from './test-run.ts';
import type { TestProject } from '../files/test-project.ts';
import type { TestPlace } from '../files/test-file.ts';
import { visibleText } from '../../../lib/core/text/visible-text.ts';
import type { Difference } from './test-result.ts';

/** The component that failed first, in the tested pipeline or in one that it calls. */
interface Failed {
  readonly pipeline: string;
  readonly component: string;
  readonly message: string;
  readonly sql?: Difference['sql'] | undefined;
}

/** Checks whether the pipeline ended as expected. A refused construct or an exceeded time limit is reported first. */
export function checkOutcome(run: TestRun): readonly Difference[] {
  const { planned, state, isTimedOut } = run;
  const { test } = planned;
  const { outcome } = test.expected;
  if (isTimedOut) {
    const message = `the pipeline did not end within ${numberOf(test.timeoutMs / 1000, 'second')}`;
    return [{ kind: 'timeout', ...test.place, message }];
  }
  const refused = refusals(run);
  if (refused.length > 0) return [...failuresBefore(run), ...refused];
  const succeeded = state.status === 'SUCCESS';
  if (outcome.isSuccess) return succeeded ? [] : [unexpectedFailure(run, outcome.place)];
  if (succeeded) {
    const message = 'the pipeline succeeded; it was expected to fail';
    return [{ kind: 'outcome', ...outcome.place, expected: 'failure', actual: 'success', message }];
  }
  return [...checkComponent(run), ...checkMessage(run)];
}

/** Constructs that the engine does not know, even if a branch of the pipeline handled the failure. */
function refusals({ failures, project }: TestRun): readonly Difference[] {
  const all = failures.flatMap(({ refusal, component, pipeline, sql }): Difference[] => {
    if (refusal === undefined) return [];
    const { construct, place, hint } = refusal;
    const range = project.pipeline(pipeline)?.components.get(component)?.range;
    const at = { file: pipeline, line: range?.line ?? 1, column: range?.column ?? 1 };
    const { file, line, column } = place ?? at;
    const message = `component "${component}": Millrace does not support ${construct}${hint === undefined ? '' : `; ${hint}`}`;
    return [{ kind: 'refused', file, line, column, component, at, message, ...sqlOf({ sql }) }];
  });
  // An iterator meets the same construct in each round.
  return [...new Map(all.map((refusal) => [JSON.stringify(refusal), refusal])).values()];
}

/** The first failure before the first refusal: it may be the reason why the refused component ran. */
function failuresBefore({ planned, failures, project }: TestRun): readonly Difference[] {
  const { test, document } = planned;
  const failingMocks = test.mocks.flatMap(({ name, outcome }) =>
    outcome === 'failure' ? (findComponent(name.text, document, project) ?? []) : [],
  );
  const before = failures.slice(
    0,
    failures.findIndex(({ refusal }) => refusal !== undefined),
  );
  const first = before.find(
    ({ pipeline, component }) =>
      !failingMocks.some((mock) => mock.path === pipeline && mock.component === component),
  );
  if (first === undefined) return [];
  const message = `before the refusal, ${describe(first)}`;
  const at = componentPlace(first, project);
  return [{ kind: 'outcome', ...test.expected.outcome.place, ...at, message, ...sqlOf(first) }];
}

/** The SQL of the failure, if SQL failed. */
function sqlOf(failed: Pick<Failed, 'sql'> | undefined): Pick<Difference, 'sql'> {
  return failed?.sql === undefined ? {} : { sql: failed.sql };
}

function unexpectedFailure(run: TestRun, place: TestPlace): Difference {
  const failed = run.state.failed;
  const cause = failed === undefined ? run.state.message : describe(failed);
  const message = `the pipeline failed: ${cause}${givenNames(run).hint ?? ''}`;
  const of = { ...componentOf(run), ...sqlOf(failed) };
  return { kind: 'outcome', ...place, ...of, expected: 'success', actual: 'failure', message };
}

function describe({ component, pipeline, message }: Failed): string {
  // Most messages begin with a place in the pipeline.
  const of = message.startsWith(`${pipeline}:`) ? '' : ` of ${pipeline}`;
  return `component "${component}"${of}: ${message}`;
}

function componentOf({ state: { failed }, project }: TestRun): Pick<Difference, 'component' | 'at'> {
  return failed === undefined ? {} : componentPlace(failed, project);
}

function componentPlace(
  { pipeline, component }: Omit<Failed, 'message'>,
  project: TestProject,
): Pick<Difference, 'component' | 'at'> {
  const range = project.pipeline(pipeline)?.components.get(component)?.range;
  return {
    component,
    ...(range === undefined ? {} : { at: { file: pipeline, line: range.line, column: range.column } }),
  };
}

/** A failure in a called pipeline is also one of the component that calls it. */
function checkComponent(run: TestRun): readonly Difference[] {
  const { planned, state, project } = run;
  const { component: expected } = planned.test.expected.outcome;
  if (expected === undefined) return [];
  const target = findComponent(expected.text, planned.document, project);
  const { failed } = state;
  const failedStep = ownSteps(planned.document.path, state).find(({ status }) => status === 'FAILED');
  const isSame = ({ pipeline, component }: { readonly pipeline: string; readonly component: string }) =>
    pipeline === target?.path && component === target.component;
  if ((failed !== undefined && isSame(failed)) || (failedStep !== undefined && isSame(failedStep))) return [];
  const actual = failed?.component ?? 'none';
  const message =
    failed === undefined
      ? `no component failed, also not "${expected.text}": ${state.message}`
      : `${describe(failed)}; it failed first, not "${expected.text}"`;
  return [
    { kind: 'outcome', ...expected.place, ...componentOf(run), expected: expected.text, actual, message },
  ];
}

function checkMessage(run: TestRun): readonly Difference[] {
  const { planned, state } = run;
  const { message: expected } = planned.test.expected.outcome;
  const actual = state.failed?.message ?? state.message;
  if (expected === undefined || actual.includes(expected.text)) return [];
  const isAlike = lookOf(actual).includes(lookOf(expected.text)) && !/^[ -~]*$/.test(expected.text + actual);
  const shown = isAlike ? escapedName : visibleText;
  const message = `the message of the failure does not contain "${shown(expected.text)}": ${isAlike ? escapedName(actual) : actual}`;
  return [
    { kind: 'outcome', ...expected.place, ...componentOf(run), expected: expected.text, actual, message },
  ];
}
