import type { Redactor } from '../../lib/core/text/redactor.ts';
import { redactHeaders } from './redaction.ts';

type Headers = Readonly<Record<string, string>>;

/** The masked parts of a message. */
interface Real {
  readonly headers?: Headers;
  readonly text?: string;
}

/**
 * An object for middlewares with the additional properties `headers` and `text`, as far as they are given. They are masked
 * at the first read: they are searched only if a middleware reads them.
 *
 * All objects share their getters. A getter per object would keep its closure, a whole answer, alive until the next full
 * garbage collection, because the engine's hidden class refers to it.
 */
export class Masked {
  readonly #real: Real;
  readonly #redactor: Redactor;
  #headers: Headers | undefined;
  #text: string | undefined;

  private constructor(real: Real, redactor: Redactor) {
    this.#real = real;
    this.#redactor = redactor;
  }

  static readonly #ofHeaders: PropertyDescriptor & ThisType<Masked> = {
    configurable: true,
    enumerable: true,
    get() {
      return (this.#headers ??= redactHeaders(this.#real.headers ?? {}, this.#redactor));
    },
  };

  static readonly #ofText: PropertyDescriptor & ThisType<Masked> = {
    configurable: true,
    enumerable: true,
    get() {
      return (this.#text ??= this.#redactor.text(this.#real.text ?? ''));
    },
  };

  /** The fields plus what is masked, as own properties, so that a copy by `{ ...object }` includes them. */
  static beside<Fields extends object, Given extends Real>(
    fields: Fields,
    real: Given,
    redactor: Redactor,
  ): Fields & Pick<Given, keyof Given & keyof Real> {
    const object = Object.assign(new Masked(real, redactor), fields);
    if (real.headers !== undefined) Object.defineProperty(object, 'headers', Masked.#ofHeaders);
    if (real.text !== undefined) Object.defineProperty(object, 'text', Masked.#ofText);
    return object as typeof object & Given;
  }
}
