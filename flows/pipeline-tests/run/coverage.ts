import { type ExecutionState, type ExecutionStep, FileProblems } from '../../../engine/index.ts';
import type { TransitionKind } from '../../../lib/pipelines/model/component.ts';
import type { PipelineDocument } from '../../../lib/pipelines/model/read-pipeline.ts';
import { childOf, itemsOf, textOf } from '../../../lib/yaml/yaml-node.ts';
import type { PlannedTest } from '../files/planned-test.ts';
import type { TestRun } from '../compare/test-run.ts';
import type { TestPlace } from '../files/test-file.ts';
import { testFiles } from '../files/find-tests.ts';
import type { TestProject } from '../files/test-project.ts';

/** Something in a pipeline that no test reached. */
export interface Unreached extends TestPlace {
  readonly kind: 'component' | 'transition' | 'branch' | 'pipeline';
  /** Empty for a pipeline. */
  readonly component: string;
  readonly message: string;
}

export interface PipelineCoverage {
  readonly pipeline: string;
  readonly components: CoverageCount;
  readonly transitions: CoverageCount;
  readonly unreached: readonly Unreached[];
}

export interface CoverageCount {
  readonly reached: number;
  readonly all: number;
}

/** The pipelines that the tests ran, tested or called. */
export interface Coverage {
  readonly pipelines: readonly PipelineCoverage[];
}

export interface CoverageRecorder {
  add(run: TestRun): void;
  report(): Coverage;
}

const separator = '\u0000';

/**
 * Records which components and transitions the tests of a project reach. With all tests of the project, it also reports pipelines that
 * no test runs.
 */
export function openCoverage(
  project: TestProject,
  planned: readonly PlannedTest[],
  { files, filter }: { readonly files: readonly string[]; readonly filter?: string | undefined },
): CoverageRecorder {
  const isWhole = filter === undefined && files.length === testFiles(project).length;
  const components = new Set<string>();
  const transitions = new Set<string>();
  const paths = new Set(planned.map(({ document }) => document.path));
  return {
    add({ state }) {
      for (const { pipeline, component, status } of state.steps) {
        paths.add(pipeline);
        if (status !== 'SKIPPED') components.add([pipeline, component].join(separator));
      }
      for (const [pipeline, from, on, to] of takenTransitions(state, project))
        transitions.add([pipeline, from, on, to].join(separator));
    },
    report: () => ({
      pipelines: [...new Set([...paths, ...(isWhole ? project.pipelines : [])])]
        .toSorted()
        .flatMap((path) => {
          const document = readable(project, path);
          if (document === undefined) return [];
          return [paths.has(path) ? coverageOf(document, components, transitions) : notRun(document)];
        }),
    }),
  };
}

/** Undefined for a wrong file: the tests, which do not run it, have no problem. */
function readable(project: TestProject, path: string): PipelineDocument | undefined {
  try {
    return project.pipeline(path);
  } catch (error) {
    if (error instanceof FileProblems) return undefined;
    throw error;
  }
}

function notRun({ path, components }: PipelineDocument): PipelineCoverage {
  const message = 'no test runs this pipeline';
  const transitions = [...components.values()].reduce(
    (sum, component) => sum + component.transitions.length,
    0,
  );
  return {
    pipeline: path,
    components: { reached: 0, all: components.size },
    transitions: { reached: 0, all: transitions },
    unreached: [{ kind: 'pipeline', component: '', file: path, line: 1, column: 1, message }],
  };
}

function* takenTransitions(
  { steps }: ExecutionState,
  project: TestProject,
): Generator<readonly [pipeline: string, from: string, on: TransitionKind, to: string]> {
  for (const step of steps) {
    const component = project.pipeline(step.pipeline)?.components.get(step.component);
    for (const { on, to } of component?.transitions ?? [])
      if (leadsOn(step, on)) yield [step.pipeline, step.component, on, to];
  }
}

/** Whether a step with this result continues with transitions of a kind. */
function leadsOn({ status, type, message }: ExecutionStep, on: TransitionKind): boolean {
  if (status === 'FAILED') return on === 'failure' || on === 'unconditional';
  if (status !== 'SUCCESS' && status !== 'SKIPPED') return false;
  if (on === 'success' || on === 'unconditional') return true;
  // The step of an `if` says its result.
  return type === 'if' && (on === 'true' || on === 'false') && message.startsWith(`Condition is ${on}`);
}

function coverageOf(
  document: PipelineDocument,
  components: ReadonlySet<string>,
  transitions: ReadonlySet<string>,
): PipelineCoverage {
  const { path } = document;
  const unreached: Unreached[] = [];
  const count = { components: 0, transitions: 0, reachedTransitions: 0 };
  for (const component of document.components.values()) {
    const ran = components.has([path, component.name].join(separator));
    const { line, column } = component.range;
    if (ran) count.components += 1;
    else {
      const message = `no test reaches the component "${component.name}"`;
      unreached.push({ kind: 'component', component: component.name, file: path, line, column, message });
    }
    for (const { on, to } of component.transitions) {
      count.transitions += 1;
      if (transitions.has([path, component.name, on, to].join(separator))) count.reachedTransitions += 1;
      // The transitions of a component that never ran add nothing.
      else if (ran) unreached.push(transitionOf(document, component.name, on, to));
    }
  }
  return {
    pipeline: path,
    components: { reached: count.components, all: document.components.size },
    transitions: { reached: count.reachedTransitions, all: count.transitions },
    unreached,
  };
}

function transitionOf(
  { path, components, source }: PipelineDocument,
  name: string,
  on: TransitionKind,
  to: string,
): Unreached {
  const component = components.get(name);
  const targets = itemsOf(childOf(component?.node('transitions'), on));
  const node = targets.find((item) => textOf(item) === to);
  const { line, column } =
    node === undefined ? (component?.range ?? { line: 1, column: 1 }) : source.toRange(node);
  const isBranch = on === 'true' || on === 'false';
  const message = isBranch
    ? `no test takes the branch "${on}" of "${name}" to "${to}"`
    : `no test takes the transition "${on}" from "${name}" to "${to}"`;
  return { kind: isBranch ? 'branch' : 'transition', component: name, file: path, line, column, message };
}
