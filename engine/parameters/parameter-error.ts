import type { Place } from '../core/refusal.ts';

/**
 * Thrown for a parameter that cannot be used: it has the wrong form, names a variable that does not exist, or
 * contains an expression that fails.
 */
export class ParameterError extends Error {
  override readonly name = 'ParameterError';
  readonly place: Place;

  constructor(message: string, place: Place) {
    super(`${place.file}:${place.line}:${place.column}: ${message}`);
    this.place = place;
  }
}
