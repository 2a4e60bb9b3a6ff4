import { inspect } from 'node:util';

/**
 * A value that must not be seen. Printing, logging, inspecting or serialising it gives `[secret]`; only `reveal`
 * gives the value, at the place where it is sent.
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
