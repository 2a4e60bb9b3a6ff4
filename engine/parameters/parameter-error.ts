import type { Place } from '../core/refusal.ts';

/**
 * The error that a parameter cannot be used: it has a wrong form, names a variable that does not exist, or has an
 * expression that fails.
 */
export class ParameterError extends Error {
  override readonly name = 'ParameterError';
  readonly place: Place;

  constructor(message: string, place: Place) {
    super(`${place.file}:${place.line}:${place.column}: ${message}`);
    this.place = place;
  }
}
