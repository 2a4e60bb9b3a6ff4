import { inspect } from 'node:util';

/**
 * A secret value. Printing, logging, inspecting or serialising it yields `[secret]`; only `reveal` returns the value.
 * Call it only in code that sends the value.
 */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return '[secret]';
  }

  toJSON(): string {
    return '[secret]';
  }

  [inspect.custom](): string {
    return '[secret]';
  }
}
