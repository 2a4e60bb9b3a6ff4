import type { Place } from '../core/refusal.ts';

/** A parameter that cannot be used: a wrong form, a variable that does not exist, an expression that fails. */
export class ParameterError extends Error {
  override readonly name = 'ParameterError';
  readonly place: Place;

  constructor(message: string, place: Place) {
    super(`${place.file}:${place.line}:${place.column}: ${message}`);
    this.place = place;
  }
}
