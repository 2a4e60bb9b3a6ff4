import type { WarehouseKind } from '../../../core/sql-type.ts';

/** What is known about a regular expression before it is applied to a text. */
export interface RegularExpression {
  /** The number of groups. */
  readonly groups: number;
  /**
   * Whether the expression may match an empty text. This includes an empty match inside a text, such as the match of
   * `\b`.
   */
  readonly mayBeEmpty: boolean;
  /** Whether an alternative is followed by a longer alternative that begins with it, as in `ab|abc`. */
  readonly hasShorterFirst: boolean;
  /**
   * The first part of the expression that the warehouse does not document, or whose meaning may differ there.
   * Undefined if there is none.
   */
  readonly undocumented: string | undefined;
}

/**
 * Parses a regular expression in POSIX syntax with those Perl classes that the warehouse has. DuckDB reports errors
 * such as a missing parenthesis later.
 */
export function readRegularExpression(source: string, kind: WarehouseKind): RegularExpression {
  const reader = new Reader(source, kind);
  const { mayBeEmpty } = reader.alternatives();
  const { groups, hasShorterFirst, isOpen, undocumented } = reader;
  return { groups, mayBeEmpty: mayBeEmpty && !isOpen, hasShorterFirst, undocumented };
}

interface Part {
  readonly mayBeEmpty: boolean;
  /** Its text without parentheses around a single alternative. */
  readonly text: string;
}

const QUANTIFIER = /[*+?]|\{\d+(?:,\d*)?\}/y;
const CLASS = /\[:(\w+):\]/y;
const CLASSES = new Set(
  'alnum alpha blank cntrl digit graph lower print punct space upper xdigit'.split(' '),
);

/** The letters that a backslash gives another meaning. The end of a line and a tab mean the same everywhere. */
const LETTERS: Readonly<Record<WarehouseKind, string>> = {
  WAREHOUSE_ONE: 'dDsSwWbBntr',
  WAREHOUSE_TWO: 'dDsSwW',
};

/** Groups are read by functions that call themselves. */
const MAX_LEVELS = 100;

class Reader {
  groups = 0;
  hasShorterFirst = false;
  /** Whether the end of a group is missing. */
  isOpen = false;
  undocumented: string | undefined;
  readonly #source: string;
  readonly #kind: WarehouseKind;
  #at = 0;
  #levels = 0;

  constructor(source: string, kind: WarehouseKind) {
    this.#source = source;
    this.#kind = kind;
  }

  /** Up to the end or to a closing parenthesis. */
  alternatives(): Part {
    const parts = [this.#branch()];
    while (this.#take('|')) parts.push(this.#branch());
    const texts = parts.map(({ text }) => text);
    this.hasShorterFirst ||= texts.some((text, index) =>
      texts.slice(index + 1).some((later) => later !== text && later.startsWith(text)),
    );
    const [only = ''] = texts;
    return {
      mayBeEmpty: parts.some((part) => part.mayBeEmpty),
      text: texts.length === 1 ? only : `(${texts.join('|')})`,
    };
  }

  #branch(): Part {
    let mayBeEmpty = true;
    let text = '';
    while (this.#at < this.#source.length && !/[|)]/.test(this.#next())) {
      const part = this.#piece();
      mayBeEmpty &&= part.mayBeEmpty;
      text += part.text;
    }
    return { mayBeEmpty, text };
  }

  /** An atom with what follows it: how often it occurs. */
  #piece(): Part {
    const start = this.#at;
    const atom = this.#atom();
    const isPlace = /^(?:[$^]|\\[bB])$/.test(this.#source.slice(start, this.#at));
    const quantifier = this.#match(QUANTIFIER)?.[0];
    if (quantifier === undefined) return atom;
    const more = this.#match(QUANTIFIER)?.[0];
    if (more !== undefined) this.#note(`${quantifier}${more}`);
    if (isPlace) this.#note(this.#source.slice(start, this.#at));
    const isOptional = /^(?:[*?]|\{0+[,}])/.test(quantifier);
    return { mayBeEmpty: atom.mayBeEmpty || isOptional, text: `${atom.text}${quantifier}` };
  }

  #atom(): Part {
    const start = this.#at;
    const first = this.#next();
    if (first === '(') return this.#group();
    if (first === '[') this.#brackets();
    else if (first === '\\') this.#escape(LETTERS[this.#kind]);
    else {
      this.#at += first.length;
      if (first === '{') this.#note('{ without a number of repetitions');
    }
    const text = this.#source.slice(start, this.#at);
    return { mayBeEmpty: /^(?:[$^]|\\[bB])$/.test(text), text };
  }

  #group(): Part {
    this.#at += 1;
    this.groups += 1;
    if (this.#next() === '?') this.#note(`(${this.#source.slice(this.#at, this.#at + 2)}`);
    if (this.#levels === MAX_LEVELS) {
      this.#note(`parentheses of more than ${MAX_LEVELS} levels`);
      this.#at = this.#source.length;
    }
    this.#levels += 1;
    const part = this.alternatives();
    this.#levels -= 1;
    this.isOpen ||= !this.#take(')');
    return part;
  }

  #escape(letters: string): void {
    this.#at += 1;
    const escaped = this.#next();
    this.#at += escaped.length;
    // Other programs take \< and \> for the ends of a word.
    const isMark =
      /^[!-/:-@[-`{-~ ]$/.test(escaped) && (this.#kind === 'WAREHOUSE_ONE' || !/[<>`']/.test(escaped));
    if (escaped !== '' && !isMark && !letters.includes(escaped)) this.#note(`\\${escaped}`);
  }

  #brackets(): void {
    this.#at += 1;
    this.#take('^');
    this.#take(']');
    while (this.#at < this.#source.length && !this.#take(']')) {
      const name = this.#match(CLASS)?.[1];
      if (name !== undefined) {
        if (!CLASSES.has(name)) this.#note(`[:${name}:]`);
      } else if (/^\[[:.=]/.test(this.#source.slice(this.#at))) {
        this.#note(this.#source.slice(this.#at, this.#at + 2));
        this.#at += 2;
      } else if (this.#next() === '\\') {
        if (this.#kind === 'WAREHOUSE_TWO') this.#note('a backslash in brackets');
        this.#escape(LETTERS[this.#kind].replace(/[bB]/g, ''));
      } else this.#at += this.#next().length;
    }
  }

  #note(part: string): void {
    this.undocumented ??= part;
  }

  #next(): string {
    const code = this.#source.codePointAt(this.#at);
    return code === undefined ? '' : String.fromCodePoint(code);
  }

  #take(character: string): boolean {
    if (this.#next() !== character) return false;
    this.#at += 1;
    return true;
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#source);
    if (match === null) return undefined;
    this.#at += match[0].length;
    return match;
  }
}
