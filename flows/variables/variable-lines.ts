import { compareTexts } from '../../lib/core/text/compare-texts.ts';
import { variablesHeadline } from './headline.ts';
import type { FailedOverride } from './apply-variables.ts';
import type { VariableChange, VariablesPlan } from './plan-variables.ts';
import { shownValue } from './shown-value.ts';

/**
 * Renders a plan as lines: `+` adds, `~` changes, `-` deletes, `?` is on the platform only. Sorted by variable, with
 * the counts last. Foreign text is not sanitized: the caller must do that before printing.
 */
export function variableLines({ changes, unmanaged }: VariablesPlan): string[] {
  const lines = changes
    .toSorted((a, b) => compareTexts(a.variable, b.variable))
    .flatMap((change) => linesOf(change));
  const left = unmanaged.map(
    ({ variable, environment }) =>
      `? ${variable}${environment === undefined ? '' : ` in ${environment}`}: only on the platform, not in the files; --prune deletes it`,
  );
  return [...lines, ...left, variablesHeadline({ applied: false, changes, failed: [] })];
}

/** Lines for the rejected values, with the reasons. */
export function failedLines(failed: readonly FailedOverride[]): string[] {
  return failed.map(
    ({ variable, environment, reason }) => `! ${variable} in ${environment} was rejected: ${reason}`,
  );
}

function linesOf(change: VariableChange): string[] {
  switch (change.change) {
    case 'create': {
      const { type, behaviour, value } = change.wanted;
      return [
        `+ ${change.variable} (${type}, ${behaviour})${value === undefined ? '' : ` = ${shownValue(value)}`}`,
      ];
    }
    case 'update':
      return [
        `~ ${change.variable}`,
        ...change.fields.map(
          ({ field, from, to }) => `    ${field}: ${shownValue(from)} → ${shownValue(to)}`,
        ),
      ];
    case 'set-override':
      return change.from === null
        ? [`+ ${change.variable} in ${change.environment} = ${shownValue(change.to)}`]
        : [
            `~ ${change.variable} in ${change.environment}: ${shownValue(change.from)} → ${shownValue(change.to)}`,
          ];
    case 'delete-override':
      return [`- ${change.variable} in ${change.environment} (was ${shownValue(change.from)})`];
    case 'delete': {
      const { environments } = change;
      const values = environments.length === 0 ? '' : `, with its values in ${environments.join(', ')}`;
      return [`- ${change.variable}${values}`];
    }
  }
}
