import type { VariableChange } from './plan-variables.ts';

/** The number of changes of each kind. */
export interface ChangeCounts {
  readonly add: number;
  readonly change: number;
  readonly delete: number;
}

export function changeCounts(changes: readonly VariableChange[]): ChangeCounts {
  const signs = changes.map(signOf);
  const of = (sign: string) => signs.filter((candidate) => candidate === sign).length;
  return { add: of('+'), change: of('~'), delete: of('-') };
}

/** The sign of a change: `+` adds, `~` changes, `-` deletes. */
export function signOf(change: VariableChange): '+' | '~' | '-' {
  if (change.change === 'create') return '+';
  if (change.change === 'set-override') return change.from === null ? '+' : '~';
  return change.change === 'update' ? '~' : '-';
}
