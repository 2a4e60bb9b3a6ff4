import { withoutSuffix } from '../../../lib/pipelines/model/pipeline-kind.ts';
import type { Script, ScriptedOutcome } from '../run/scripted-outcome.ts';

/**
 * Creates a script of simulated results. Use the same script as long as the platform runs, so that a rule such as
 * "fails the first time" applies across executions.
 */
export function createScript(outcomes: readonly ScriptedOutcome[]): Script {
  const entries = outcomes.map((outcome) => ({
    outcome,
    pipeline: withoutSuffix(outcome.pipeline),
    left: outcome.times ?? Number.POSITIVE_INFINITY,
  }));
  return {
    take(pipeline, component, environment) {
      const name = withoutSuffix(pipeline);
      const entry = entries.find(
        ({ outcome, pipeline: scripted, left }) =>
          left > 0 &&
          scripted === name &&
          outcome.component === component &&
          (outcome.environment ?? environment) === environment,
      );
      if (entry === undefined) return undefined;
      entry.left -= 1;
      return entry.outcome;
    },
  };
}
