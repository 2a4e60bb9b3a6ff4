import {
  type Execution,
  type ExecutionRequest,
  type ExecutionState,
  type ExecutionStep,
  type ProjectVariable,
  startExecution,
} from '../../../engine/index.ts';
import { type ManualClock, manualClock } from '../../environment/clock.ts';

export const componentTimeMs = 1_000;

export interface Started {
  readonly clock: ManualClock;
  readonly execution: Execution;
  /** Every reported state, in order. */
  readonly states: readonly ExecutionState[];
}

export interface Options extends Partial<
  Omit<ExecutionRequest, 'files' | 'paths' | 'clock' | 'projectVariables'>
> {
  readonly project?: Readonly<Record<string, ProjectVariable>>;
}

/** Starts an execution of `main` (or `options.pipeline`) on a clock that stands still. */
export function start(files: Readonly<Record<string, string>>, options: Options = {}): Started {
  const clock = manualClock();
  const states: ExecutionState[] = [];
  const { project = {}, ...rest } = options;
  const execution = startExecution({
    id: 'execution-1',
    pipeline: 'main',
    environment: 'test',
    scalarVariables: {},
    gridVariables: {},
    script: [],
    componentTimeMs,
    onChange: (state) => void states.push(state),
    ...rest,
    files: (path) => files[path],
    paths: Object.keys(files),
    projectVariables: new Map(Object.entries(project)),
    clock,
  });
  return { clock, execution, states };
}

/** Runs an execution to its end. */
export async function execute(
  files: Readonly<Record<string, string>>,
  options: Options = {},
): Promise<ExecutionState> {
  const { clock, execution } = start(files, options);
  await clock.advance(10_000_000);
  return execution.state();
}

interface ComponentText {
  readonly type: string;
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly postProcessing?: Readonly<Record<string, unknown>>;
  readonly transitions?: Readonly<Record<string, readonly string[]>>;
  readonly sources?: readonly string[];
  readonly iterationTarget?: string;
  readonly skipped?: boolean;
}

/** A pipeline file. YAML holds JSON, so that is what is written. */
export function pipeline(
  components: Readonly<Record<string, ComponentText>>,
  variables: Readonly<Record<string, unknown>> = {},
): string {
  return JSON.stringify({ version: '1.0', pipeline: { components, variables } });
}

export function variable(
  type: string,
  defaultValue: unknown,
  metadata: Readonly<Record<string, unknown>> = {},
) {
  return { metadata: { type, scope: 'SHARED', visibility: 'PUBLIC', ...metadata }, defaultValue };
}

/** `start`, then the named components. */
export function startThen(...next: readonly string[]): ComponentText {
  return { type: 'start', transitions: { unconditional: next } };
}

/** Names of the components in the order of starting, with how each ended. */
export function trail({ steps }: ExecutionState): string[] {
  return steps.map(({ component, status }) => (status === 'SUCCESS' ? component : `${component}: ${status}`));
}

export function stepsOf({ steps }: ExecutionState, component: string): readonly ExecutionStep[] {
  return steps.filter((step) => step.component === component);
}
