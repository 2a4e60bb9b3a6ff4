import { SqlError } from '../core/refusal.ts';
import type { SourceText } from '../core/source-text.ts';
import type { Binding, Input } from './component-type.ts';

/** Finds the source component that a parameter names. */
export function findInput({ inputs }: Binding, name: SourceText): Input {
  const source = inputs.find((input) => input.name === name.text);
  if (source !== undefined) return source;
  const sources = inputs.map((input) => `"${input.name}"`).join(', ');
  const message = `"${name.text}" is not a source of the component; its sources are ${sources === '' ? 'none' : sources}`;
  throw new SqlError(message, { place: name.placeOf(0) });
}
