export type { EngineSettings } from './run/engine-settings.ts';
export type {
  Execution,
  ExecutionLimits,
  ExecutionRequest,
  ProjectVariable,
  PublishedFiles,
  SharedPipeline,
  SharedPipelines,
} from './run/execution-request.ts';
export {
  type ExecutionState,
  type ExecutionStatus,
  type ExecutionStep,
  type FailedComponent,
  isTerminal,
  type RefusedConstruct,
  type StepIteration,
  type StepStatus,
} from './run/execution-state.ts';
export { interrupted } from './run/interrupted.ts';
export { createScript } from './simulate/create-script.ts';
export type { Script, ScriptedOutcome } from './run/scripted-outcome.ts';
export { startExecution } from './start-execution.ts';
