import type { Component } from '../../lib/pipelines/component.ts';
import { evaluateCondition } from './evaluate-condition.ts';
import { failure, type Frame, type Result, type RunComponent } from './run.ts';
import type { ScriptedOutcome } from './scripted-outcome.ts';

/** Decides an `if`: by the script, else by its condition, else true with a note in the message. */
export function decide(
  component: Component,
  frame: Frame,
  _run: RunComponent,
  scripted: ScriptedOutcome | undefined,
): Result {
  if (scripted?.condition !== undefined) return answer(scripted.condition, scripted.message ?? '(scripted)');
  const evaluated = evaluateCondition(component, frame.variables);
  if (evaluated === undefined) {
    frame.run.assumed.add(`"${component.name}" of "${frame.document.path}"`);
    return answer(true, '(assumed: it cannot be evaluated here)');
  }
  if ('undefinedName' in evaluated)
    return failure(`the variable "${evaluated.undefinedName}" is not defined`);
  return answer(evaluated.answer, '');
}

function answer(condition: boolean, note: string): Result {
  return { status: 'success', message: `Condition is ${condition} ${note}`.trim(), condition };
}
