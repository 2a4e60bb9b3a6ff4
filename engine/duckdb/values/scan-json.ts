import { compareTexts } from '../../../lib/core/text/compare-texts.ts';
import { canonicalText, JsonRefusal, numberText, refuseLong } from './json-texts.ts';
import { UNDEFINED_JSON, UNDEFINED_WORD } from './undefined-element.ts';

/**
 * The canonical form of a JSON text, computed in a single pass, which is many times faster than parsing the text
 * first. Undefined for a text that is not JSON, and for JSON that needs JavaScript's own parser. Accepts arrays with
 * missing elements, as the warehouse does.
 */
export function scanJson(text: string): string | undefined {
  const scanner = new Scanner(text);
  const value = scanner.value();
  return value !== undefined && scanner.isAtEnd() ? value : undefined;
}

const NUMBER = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y;
/** Characters of a text between quotes that JSON.stringify may write in another form. */
const SPECIAL = /[\0-\x1f\\\ud800-\udfff]/;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const UNDEFINED_START = 0x75;
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

class Scanner {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  isAtEnd(): boolean {
    return Number.isNaN(this.#next());
  }

  value(): string | undefined {
    switch (this.#next()) {
      case OPEN_OBJECT:
        return this.#object();
      case OPEN_LIST:
        return this.#list();
      case QUOTE:
        return this.#string();
      default:
        return this.#word('true') ?? this.#word('false') ?? this.#word('null') ?? this.#number();
    }
  }

  #list(): string | undefined {
    this.#at += 1;
    if (this.#take(CLOSE_LIST)) return '[]';
    const items: string[] = [];
    do {
      const item = this.#item();
      if (item === undefined) return undefined;
      items.push(item);
    } while (this.#take(COMMA));
    return this.#take(CLOSE_LIST) ? `[${items.join(',')}]` : undefined;
  }

  /** The warehouse reads `[1,,undefined,]` too. */
  #item(): string | undefined {
    const next = this.#next();
    if (next === COMMA || next === CLOSE_LIST || this.#takeUndefined()) return UNDEFINED_JSON;
    return this.value();
  }

  #object(): string | undefined {
    this.#at += 1;
    if (this.#take(CLOSE_OBJECT)) return '{}';
    const members: (readonly [string, string])[] = [];
    let isSorted = true;
    do {
      const key = this.#next() === QUOTE ? this.#string() : undefined;
      const value = key !== undefined && this.#take(COLON) ? this.#member() : undefined;
      if (key === undefined || value === undefined) return undefined;
      const before = members.at(-1);
      isSorted &&= before === undefined || before[0] < key;
      members.push([key, value]);
    } while (this.#take(COMMA));
    if (!this.#take(CLOSE_OBJECT)) return undefined;
    // With their quotes, keys with escapes and keys that begin with another key sort in a different order.
    return isSorted && members.every(([key]) => !SPECIAL_KEY.test(key)) ? textOf(members) : sorted(members);
  }

  #member(): string | undefined {
    if (this.#takeUndefined())
      throw new JsonRefusal('undefined as a value in a JSON object: write null, or leave the key out');
    return this.value();
  }

  /** Looks at one character first: this runs for every value. */
  #takeUndefined(): boolean {
    return this.#next() === UNDEFINED_START && this.#word(UNDEFINED_WORD) !== undefined;
  }

  #string(): string | undefined {
    const start = this.#at;
    let end = this.#text.indexOf('"', start + 1);
    while (end >= 0 && this.#isEscaped(end)) end = this.#text.indexOf('"', end + 1);
    if (end < 0) return undefined;
    this.#at = end + 1;
    const written = this.#text.slice(start, end + 1);
    if (!SPECIAL.test(written)) return written;
    const text = decoded(written);
    return text === undefined ? undefined : canonicalText(text);
  }

  #isEscaped(quote: number): boolean {
    let at = quote;
    while (this.#text[at - 1] === '\\') at -= 1;
    return (quote - at) % 2 === 1;
  }

  #number(): string | undefined {
    NUMBER.lastIndex = this.#at;
    const [written, fraction, exponent] = NUMBER.exec(this.#text) ?? [];
    if (written === undefined) return undefined;
    this.#at += written.length;
    if (fraction === undefined && exponent === undefined) {
      refuseLong(written);
      return written === '-0' ? '0' : written;
    }
    return numberText(Number(written), written);
  }

  #word(word: string): string | undefined {
    if (!this.#text.startsWith(word, this.#at)) return undefined;
    this.#at += word.length;
    return word;
  }

  #take(code: number): boolean {
    if (this.#next() !== code) return false;
    this.#at += 1;
    return true;
  }

  /** The next character that is not a space; NaN at the end. */
  #next(): number {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return code;
      this.#at += 1;
    }
  }
}

/** Characters that sort before the quote at the end of a key, or that are escaped. */
const SPECIAL_KEY = /[ !\\]/;

function sorted(members: readonly (readonly [string, string])[]): string {
  const byName = new Map(members.map(([key, value]) => [String(JSON.parse(key)), [key, value] as const]));
  if (byName.size < members.length) throw new SyntaxError('an object contains the same key twice');
  return textOf([...byName].toSorted(([a], [b]) => compareTexts(a, b)).map(([, member]) => member));
}

function textOf(members: readonly (readonly [string, string])[]): string {
  return `{${members.map(([key, value]) => `${key}:${value}`).join(',')}}`;
}

function decoded(written: string): string | undefined {
  try {
    return String(JSON.parse(written));
  } catch {
    return undefined;
  }
}
