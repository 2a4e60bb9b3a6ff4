export type { EngineSettings } from './engine-settings.ts';
export type {
  Execution,
  ExecutionLimits,
  ExecutionRequest,
  ProjectVariable,
  PublishedFiles,
  SharedPipeline,
  SharedPipelines,
} from './execution-request.ts';
export {
  type ExecutionState,
  type ExecutionStatus,
  type ExecutionStep,
  type FailedComponent,
  isTerminal,
  type RefusedConstruct,
  type StepIteration,
  type StepStatus,
} from './execution-state.ts';
export { interrupted } from './interrupted.ts';
export { createScript } from './create-script.ts';
export type { Script, ScriptedOutcome } from './scripted-outcome.ts';
export { startExecution } from './start-execution.ts';
