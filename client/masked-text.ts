import type { Redactor } from '../lib/core/redactor.ts';

/**
 * An object for middlewares with an additional property `text`, which is masked at the first read: a large text is
 * searched only if a middleware reads it.
 *
 * All objects share one getter. A getter per object would keep its closure, a whole answer, alive until the next full
 * garbage collection, because the engine's hidden class refers to it.
 */
export class MaskedText {
  readonly #real: string;
  readonly #redactor: Redactor;
  #masked: string | undefined;

  private constructor(real: string, redactor: Redactor) {
    this.#real = real;
    this.#redactor = redactor;
  }

  static readonly #property: PropertyDescriptor & ThisType<MaskedText> = {
    configurable: true,
    enumerable: true,
    get() {
      return (this.#masked ??= this.#redactor.text(this.#real));
    },
  };

  /** The fields plus `text`, as an own property, so that a copy by `{ ...object }` includes it. */
  static beside<Fields extends object>(
    fields: Fields,
    text: string,
    redactor: Redactor,
  ): Fields & { readonly text: string } {
    const object = Object.assign(new MaskedText(text, redactor), fields);
    return Object.defineProperty(object, 'text', MaskedText.#property) as typeof object & { text: string };
  }
}
