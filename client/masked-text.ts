import type { Redactor } from '../lib/core/redactor.ts';

/**
 * An object of middlewares with one property more, a text that is masked when it is read first: large ones are
 * searched only for those who look.
 *
 * All objects share one getter. One that is made for each keeps what it closes over, a whole answer, alive until the
 * next full garbage collection, because the engine's description of the object's form holds on to it.
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

  /** The fields, and `text` beside them; an own property, so that a copy by `{ ...object }` has it too. */
  static beside<Fields extends object>(
    fields: Fields,
    text: string,
    redactor: Redactor,
  ): Fields & { readonly text: string } {
    const object = Object.assign(new MaskedText(text, redactor), fields);
    return Object.defineProperty(object, 'text', MaskedText.#property) as typeof object & { text: string };
  }
}
