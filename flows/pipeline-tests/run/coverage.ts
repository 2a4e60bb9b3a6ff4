import { type ExecutionState, type ExecutionStep, FileProblems } from '../../../engine/index.ts';
import type { Component, TransitionKind } from '../../../lib/pipelines/model/component.ts';
import type { PipelineDocument } from '../../../lib/pipelines/model/read-pipeline.ts';
import { childOf, itemsOf, textOf } from '../../../lib/yaml/yaml-node.ts';
import type { PlannedTest } from '../files/planned-test.ts';
import type { TestRun } from '../compare/test-run.ts';
import type { TestPlace } from '../files/test-file.ts';
import { testFiles } from '../files/find-tests.ts';
import type { TestProject } from '../files/test-project.ts';

/** A part of a pipeline that no test reached. */
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

/** The pipelines that the tests ran, as tested or called pipelines, and what was reached of them. */
export interface Coverage {
  readonly pipelines: readonly PipelineCoverage[];
}

/** Between the parts of a key: no name of YAML has it. */
const separator = '\u0000';

/** The keys of what runs reached. */
export interface Reached {
  /** Paths of pipelines that ran or were to run. */
  readonly pipelines: readonly string[];
  readonly components: readonly string[];
  readonly transitions: readonly string[];
}

/** The components and transitions of a pipeline, from which its coverage is computed. */
export interface PipelineOutline {
  readonly pipeline: string;
  readonly components: readonly OutlineComponent[];
}

interface OutlineComponent extends Pick<TestPlace, 'line' | 'column'> {
  readonly name: string;
  readonly transitions: readonly OutlineTransition[];
}

interface OutlineTransition extends Pick<TestPlace, 'line' | 'column'> {
  readonly on: TransitionKind;
  readonly to: string;
}

/** The data from which a coverage is computed, as JSON. The data of several shards can be joined. */
export interface CoverageParts {
  /** The pipelines of the coverage, each once, in the order of their paths. */
  readonly outlines: readonly PipelineOutline[];
  readonly reached: Reached;
}

export interface CoverageRecorder {
  add(reached: Reached): void;
  /** What was reached so far, and the pipelines that the coverage is about. */
  parts(): CoverageParts;
}

/**
 * Records which components and transitions the tests of a project reach. If all tests of the project run, it also
 * reports pipelines that no test runs.
 */
export function openCoverage(
  project: TestProject,
  planned: readonly PlannedTest[],
  { files, filter }: { readonly files: readonly string[]; readonly filter?: string | undefined },
): CoverageRecorder {
  const isWhole = filter === undefined && files.length === testFiles(project).length;
  const all: Reached[] = [
    { pipelines: planned.map(({ document }) => document.path), components: [], transitions: [] },
  ];
  return {
    add: (reached) => void all.push(reached),
    parts() {
      const reached = joinReached(all);
      const outlines = [...new Set([...reached.pipelines, ...(isWhole ? project.pipelines : [])])]
        .toSorted()
        .flatMap((path) => outlineOf(readable(project, path)));
      return { outlines, reached };
    },
  };
}

/** The keys of what a run reached. */
export function reachedBy({ state, project }: Pick<TestRun, 'state' | 'project'>): Reached {
  return {
    pipelines: [...new Set(state.steps.map(({ pipeline }) => pipeline))],
    components: [
      ...new Set(
        state.steps.flatMap(({ pipeline, component, status }) =>
          status === 'SKIPPED' ? [] : [keyOf(pipeline, component)],
        ),
      ),
    ],
    transitions: [
      ...new Set([...takenTransitions(state, project)].map((transition) => keyOf(...transition))),
    ],
  };
}

/** Splits a key of `components` into pipeline and component. */
export function splitKey(key: string): readonly [pipeline: string, component: string] {
  const [pipeline = '', component = ''] = key.split(separator);
  return [pipeline, component];
}

/** Joins what several runs reached, without duplicates. */
export function joinReached(all: readonly Reached[]): Reached {
  const join = (what: keyof Reached) => [...new Set(all.flatMap((reached) => reached[what]))].toSorted();
  return { pipelines: join('pipelines'), components: join('components'), transitions: join('transitions') };
}

/** Computes the coverage of the outlined pipelines. */
export function coverageOf({ outlines, reached }: CoverageParts): Coverage {
  const [paths, components, transitions] = [
    new Set(reached.pipelines),
    new Set(reached.components),
    new Set(reached.transitions),
  ];
  return {
    pipelines: outlines.map((outline) =>
      paths.has(outline.pipeline) ? pipelineCoverage(outline, components, transitions) : notRun(outline),
    ),
  };
}

/** The key of a component (pipeline, name) or of a transition (pipeline, from, on, to). */
export function keyOf(...parts: readonly string[]): string {
  return parts.join(separator);
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

function outlineOf(document: PipelineDocument | undefined): PipelineOutline[] {
  if (document === undefined) return [];
  const components = [...document.components.values()].map((component) => ({
    name: component.name,
    line: component.range.line,
    column: component.range.column,
    transitions: component.transitions.map(({ on, to }) => ({
      on,
      to,
      ...transitionPlace(document, component, on, to),
    })),
  }));
  return [{ pipeline: document.path, components }];
}

function transitionPlace(
  { source }: PipelineDocument,
  component: Component,
  on: TransitionKind,
  to: string,
): Pick<TestPlace, 'line' | 'column'> {
  const targets = itemsOf(childOf(component.node('transitions'), on));
  const node = targets.find((item) => textOf(item) === to);
  const { line, column } = node === undefined ? component.range : source.toRange(node);
  return { line, column };
}

function notRun({ pipeline, components }: PipelineOutline): PipelineCoverage {
  const message = 'no test runs this pipeline';
  const transitions = components.reduce((sum, component) => sum + component.transitions.length, 0);
  return {
    pipeline,
    components: { reached: 0, all: components.length },
    transitions: { reached: 0, all: transitions },
    unreached: [{ kind: 'pipeline', component: '', file: pipeline, line: 1, column: 1, message }],
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

function pipelineCoverage(
  { pipeline, components: all }: PipelineOutline,
  components: ReadonlySet<string>,
  transitions: ReadonlySet<string>,
): PipelineCoverage {
  const unreached: Unreached[] = [];
  const count = { components: 0, transitions: 0, reachedTransitions: 0 };
  for (const component of all) {
    const { name, line, column } = component;
    const ran = components.has(keyOf(pipeline, name));
    if (ran) count.components += 1;
    else {
      const message = `no test reaches the component "${name}"`;
      unreached.push({ kind: 'component', component: name, file: pipeline, line, column, message });
    }
    for (const transition of component.transitions) {
      count.transitions += 1;
      if (transitions.has(keyOf(pipeline, name, transition.on, transition.to))) count.reachedTransitions += 1;
      // The transitions of a component that never ran add nothing.
      else if (ran) unreached.push(unreachedTransition(pipeline, name, transition));
    }
  }
  return {
    pipeline,
    components: { reached: count.components, all: all.length },
    transitions: { reached: count.reachedTransitions, all: count.transitions },
    unreached,
  };
}

function unreachedTransition(
  file: string,
  component: string,
  { on, to, line, column }: OutlineTransition,
): Unreached {
  const isBranch = on === 'true' || on === 'false';
  const message = isBranch
    ? `no test takes the branch "${on}" of "${component}" to "${to}"`
    : `no test takes the transition "${on}" from "${component}" to "${to}"`;
  return { kind: isBranch ? 'branch' : 'transition', component, file, line, column, message };
}
