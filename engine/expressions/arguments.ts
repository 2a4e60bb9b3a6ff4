import { type Datum, nameKind, toNumber } from './datum.ts';
import { refuse } from './expression-error.ts';
import type { Pattern } from './pattern.ts';

/**
 * The values that a call passes to a method. The method reads the values that it accepts, and then refuses any
 * others.
 */
export class Arguments {
  readonly offset: number;
  readonly #values: readonly (Datum | Pattern)[];
  readonly #name: string;

  constructor(name: string, values: readonly (Datum | Pattern)[], offset: number) {
    this.#name = name;
    this.#values = values;
    this.offset = offset;
  }

  get count(): number {
    return this.#values.length;
  }

  at(index: number): Datum | Pattern {
    return this.#values[index];
  }

  /**
   * Reads a text. A value of another type is refused, because the text into which JavaScript would convert it is
   * rarely intended.
   */
  text(index: number): string {
    const value = this.#values[index];
    if (typeof value === 'string') return value;
    if (typeof value === 'number') return String(value);
    return this.#refuseValue(index);
  }

  number(index: number): number {
    const value = this.datum(index);
    return typeof value === 'number' || typeof value === 'string'
      ? toNumber(value, this.offset)
      : this.#refuseValue(index);
  }

  optionalNumber(index: number): number | undefined {
    return this.#values[index] === undefined ? undefined : this.number(index);
  }

  datum(index: number): Datum {
    const value = this.#values[index];
    return isPattern(value) ? this.#refuseValue(index) : value;
  }

  data(): readonly Datum[] {
    return this.#values.map((_, index) => this.datum(index));
  }

  /** Refuses a call with fewer or more values than expected. */
  expect(least: number, most = least): void {
    if (this.count >= least && this.count <= most) return;
    refuse(`\`${this.#name}\` with ${this.count} values`, this.offset);
  }

  #refuseValue(index: number): never {
    const value = this.#values[index];
    return refuse(
      `\`${this.#name}\` with ${isPattern(value) ? 'a regular expression' : nameKind(value)}`,
      this.offset,
    );
  }
}

export function isPattern(value: Datum | Pattern): value is Pattern {
  return typeof value === 'object' && value !== null && 'replace' in value;
}
