import type { FailedOverride } from './apply-variables.ts';
import type { VariableChange, VariablesPlan } from './plan-variables.ts';

/**
 * A plan for a person to read: `+` comes, `~` changes, `-` goes, `?` is on the platform only; sorted by variable, the counts
 * last. Foreign text is still as it came: whoever prints the lines makes it harmless.
 */
export function variableLines({ changes, unmanaged }: VariablesPlan): string[] {
  const lines = changes
    .toSorted((a, b) => compare(a.variable, b.variable))
    .flatMap((change) => linesOf(change));
  const left = unmanaged.map(
    ({ variable, environment }) =>
      `? ${variable}${environment === undefined ? '' : ` in ${environment}`}: on the platform only; --prune deletes it`,
  );
  return [...lines, ...left, countLine(changes)];
}

/** Why values were not taken. */
export function failedLines(failed: readonly FailedOverride[]): string[] {
  return failed.map(
    ({ variable, environment, reason }) => `! ${variable} in ${environment} was not taken: ${reason}`,
  );
}

function linesOf(change: VariableChange): string[] {
  switch (change.change) {
    case 'create': {
      const { type, behaviour, value } = change.wanted;
      return [
        `+ ${change.variable} (${type}, ${behaviour})${value === undefined ? '' : ` = ${show(value)}`}`,
      ];
    }
    case 'update':
      return [
        `~ ${change.variable}`,
        ...change.fields.map(({ field, from, to }) => `    ${field}: ${show(from)} → ${show(to)}`),
      ];
    case 'set-override':
      return change.from === null
        ? [`+ ${change.variable} in ${change.environment} = ${show(change.to)}`]
        : [`~ ${change.variable} in ${change.environment}: ${show(change.from)} → ${show(change.to)}`];
    case 'delete-override':
      return [`- ${change.variable} in ${change.environment} (was ${show(change.from)})`];
    case 'delete': {
      const { environments } = change;
      const values = environments.length === 0 ? '' : `, with its values in ${environments.join(', ')}`;
      return [`- ${change.variable}${values}`];
    }
  }
}

function countLine(changes: readonly VariableChange[]): string {
  if (changes.length === 0) return 'Nothing to change.';
  const kinds = changes.map(signOf);
  const of = (sign: string) => kinds.filter((kind) => kind === sign).length;
  return `${String(of('+'))} to add, ${String(of('~'))} to change, ${String(of('-'))} to delete.`;
}

function signOf(change: VariableChange): '+' | '~' | '-' {
  if (change.change === 'create') return '+';
  if (change.change === 'set-override') return change.from === null ? '+' : '~';
  return change.change === 'update' ? '~' : '-';
}

const longest = 120;

/** As JSON, so that a text and a number look different; long ones cut. */
function show(value: string | number | boolean | null): string {
  if (value === null) return 'nothing';
  const text = JSON.stringify(value);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
