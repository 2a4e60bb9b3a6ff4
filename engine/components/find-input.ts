import { SqlError } from '../core/refusal.ts';
import type { SourceText } from '../core/source-text.ts';
import type { Binding, Input } from './component-type.ts';

/** The source component that a parameter names. */
export function findInput({ inputs }: Binding, name: SourceText): Input {
  const found = inputs.find((input) => input.name === name.text);
  if (found !== undefined) return found;
  const known = inputs.map((input) => `"${input.name}"`).join(', ');
  const message = `"${name.text}" is not a source of the component; its sources are ${known === '' ? 'none' : known}`;
  throw new SqlError(message, { place: name.placeOf(0) });
}
