// The code inside `js-yaml`, but 60 kB smaller in every action.
import {
  CHOMPING_MODE,
  COLLECTION_STYLE,
  EVENT_ID,
  getScalarValue,
  type MappingEvent,
  parseEvents,
  SCALAR_STYLE,
  type ScalarEvent,
  type SequenceEvent,
} from 'js-yaml/browser';
import { withoutEndBlanks } from './text-position.ts';
import type { YamlEntry, YamlList, YamlMap, YamlNode, YamlScalar } from './yaml-node.ts';

/** Formats of unquoted values in YAML's core schema (YAML 1.2.2 §10.3.2), as in the package `yaml`. */
const forms: readonly { readonly form: RegExp; read(text: string): number | boolean | null }[] = [
  { form: /^(?:~|[Nn]ull|NULL)$/, read: () => null },
  { form: /^(?:[Tt]rue|TRUE)$/, read: () => true },
  { form: /^(?:[Ff]alse|FALSE)$/, read: () => false },
  { form: /^[-+]?[0-9]+$/, read: (text) => Number.parseInt(text, 10) },
  { form: /^0o[0-7]+$/, read: (text) => Number.parseInt(text.slice(2), 8) },
  { form: /^0x[0-9a-fA-F]+$/, read: (text) => Number.parseInt(text.slice(2), 16) },
  { form: /^\.(?:nan|NaN|NAN)$/, read: () => Number.NaN },
  { form: /^[-+]?\.(?:inf|Inf|INF)$/, read: (text) => (text.startsWith('-') ? -Infinity : Infinity) },
  {
    form: /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/,
    read: (text) => Number.parseFloat(text),
  },
];

/**
 * Texts on which the two packages differ or may differ: a lone CR, a byte order mark inside, directives, document
 * markers (except one at the start), tabs at the end of an indentation, and escapes of halves of characters.
 */
const rare =
  /\r(?!\n)|\uFEFF|^ *(?:%|\.\.\.)|^ +---|^---(?!\r?\n)|\n *(?:%|(?:---|\.\.\.)(?:\s|$))|(?:^|\n)[ -]*\t|\\(?:u|U0000)[dD][89a-fA-F]/;

/** `yaml` refuses a key of more than 1,024 characters. */
const maxKeyLength = 1000;

/**
 * Parses common YAML with `js-yaml`, which takes a fifteenth of the time of `yaml`. Returns undefined for YAML that
 * is invalid, rare or parsed differently by the two packages: `yaml` must parse it and report its problems. Otherwise
 * the result equals the result of `yaml` in every offset (decision 011).
 */
export function readCommonYaml(
  text: string,
): { readonly root: YamlNode | undefined; readonly faults: readonly [] } | undefined {
  if (rare.test(text)) return undefined;
  try {
    return { root: new CommonYaml(text).root(), faults: [] };
  } catch {
    // The package `yaml` finds the reason and reports it.
    return undefined;
  }
}

/** Builds the tree from the flat events; throws `NotCommon` if it would have to guess. */
class CommonYaml {
  readonly #text: string;
  readonly #events: ReturnType<typeof parseEvents>;
  #next = 0;
  /** The end of the last token: the search for markers without an event begins here. */
  #at = 0;

  constructor(text: string) {
    this.#text = text;
    this.#events = parseEvents(text, {});
  }

  root(): YamlNode | undefined {
    if (this.#events.length === 0) return undefined;
    this.#take();
    const root = this.#node(false);
    this.#take();
    const whole = this.#next === this.#events.length;
    if (!whole || root === undefined || root.kind === 'scalar') throw new NotCommon();
    return root;
  }

  /** The next value with its content; undefined for an absent value. */
  #node(inFlow: boolean): YamlNode | undefined {
    const event = this.#take();
    if (event.type !== EVENT_ID.SCALAR && event.type !== EVENT_ID.SEQUENCE && event.type !== EVENT_ID.MAPPING)
      throw new NotCommon();
    if (event.anchorStart >= 0 || event.tagStart >= 0) throw new NotCommon();
    if (event.type === EVENT_ID.SCALAR) return event.valueStart < 0 ? undefined : this.#scalar(event);
    return event.style === COLLECTION_STYLE.FLOW ? this.#flow(event, inFlow) : this.#block(event);
  }

  #scalar(event: ScalarEvent): YamlScalar {
    const text = getScalarValue(this.#text, event);
    const { valueStart, valueEnd, style } = event;
    if (style === SCALAR_STYLE.PLAIN) {
      this.#at = valueEnd;
      return { kind: 'scalar', value: plainValue(text), text, start: valueStart, end: valueEnd };
    }
    if (style === SCALAR_STYLE.DOUBLE_QUOTED && /\\\r?\n/.test(this.#text.slice(valueStart, valueEnd)))
      throw new NotCommon();
    if (style === SCALAR_STYLE.SINGLE_QUOTED || style === SCALAR_STYLE.DOUBLE_QUOTED) {
      this.#at = valueEnd + 1;
      return { kind: 'scalar', value: text, text, start: valueStart - 1, end: valueEnd + 1 };
    }
    const start = this.#find(style === SCALAR_STYLE.LITERAL_BLOCK ? '|' : '>');
    if (/\d/.test(this.#text.slice(start, start + 3))) throw new NotCommon();
    if (event.chomping === CHOMPING_MODE.KEEP && !this.#text.endsWith('\n')) throw new NotCommon();
    this.#at = valueEnd;
    return { kind: 'scalar', value: text, text, start, end: withoutEndBlanks(this.#text, start, valueEnd) };
  }

  #flow(event: SequenceEvent | MappingEvent, inFlow: boolean): YamlList | YamlMap {
    const { start } = event;
    // A pair in a list, `[a: b]`, is a map without braces.
    if (this.#text[start] !== (event.type === EVENT_ID.MAPPING ? '{' : '[') || start < this.#at)
      throw new NotCommon();
    this.#at = start + 1;
    if (event.type === EVENT_ID.MAPPING) {
      const entries = this.#entries(() => this.#key(true), true);
      return { kind: 'map', entries, start, end: this.#close('}', start, inFlow) };
    }
    const items = this.#items(true);
    return { kind: 'list', items, start, end: this.#close(']', start, inFlow) };
  }

  #block(event: SequenceEvent | MappingEvent): YamlList | YamlMap {
    const { start } = event;
    if (event.type === EVENT_ID.SEQUENCE) {
      const items = this.#items(false);
      return { kind: 'list', items, start, end: items.at(-1)?.end ?? start };
    }
    let first = true;
    const entries = this.#entries(() => {
      const key = this.#key(false);
      this.#onOwnLine(key.start, first);
      first = false;
      return key;
    }, false);
    return { kind: 'map', entries, start, end: [...entries.values()].at(-1)?.value.end ?? start };
  }

  #items(inFlow: boolean): readonly YamlNode[] {
    const items: YamlNode[] = [];
    while (!this.#ends()) {
      const item = this.#node(inFlow);
      // `js-yaml` has no position for an absent item.
      if (item === undefined) throw new NotCommon();
      if (!inFlow && item.kind === 'scalar') this.#onLineOfDash(item.start);
      items.push(item);
    }
    return items;
  }

  #entries(readKey: () => YamlScalar, inFlow: boolean): Map<string, YamlEntry> {
    const entries = new Map<string, YamlEntry>();
    while (!this.#ends()) {
      const key = readKey();
      if (entries.has(key.text)) throw new NotCommon();
      const { start, end } = key;
      const value = this.#node(inFlow) ?? { kind: 'scalar', value: null, text: '', start, end };
      // After an empty line and a comment, `yaml` reads a plain value and the next key as one key.
      if (value.kind === 'scalar' && this.#text.slice(end, value.start).includes('#')) throw new NotCommon();
      entries.set(key.text, { key, value });
    }
    return entries;
  }

  #key(inFlow: boolean): YamlScalar {
    const key = this.#node(inFlow);
    if (key?.kind !== 'scalar' || key.end - key.start > maxKeyLength) throw new NotCommon();
    // A merge key, which the other reader refuses. In quotes it is a key like any other.
    if (this.#text.slice(key.start, key.end) === '<<') throw new NotCommon();
    const after = this.#text[key.end] === ' ' ? key.end + 1 : key.end;
    if (this.#text[after] !== ':') throw new NotCommon();
    return key;
  }

  /** In block form, only dashes may precede a key on its line, and only the first key; `js-yaml` allows more. */
  #onOwnLine(start: number, first: boolean): void {
    for (let at = start - 1; at >= 0 && this.#text[at] !== '\n'; at -= 1)
      if (this.#text[at] !== ' ' && !(first && this.#text[at] === '-')) throw new NotCommon();
  }

  /** A dash must be on the line of its value: a value on its own line may have a comment before it, and `yaml` misreads some of them. */
  #onLineOfDash(start: number): void {
    let before = start - 1;
    while (this.#text[before] === ' ') before -= 1;
    if (this.#text[before] !== '-') throw new NotCommon();
  }

  /** The end of a flow collection, which has no event. Over several lines, the packages differ too much. */
  #close(bracket: string, start: number, inFlow: boolean): number {
    this.#at = this.#find(bracket) + 1;
    if (!inFlow && /[\n#]/.test(this.#text.slice(start, this.#at))) throw new NotCommon();
    return this.#at;
  }

  /** The position of a marker after the last token, with only spaces, comments and other markers before it. */
  #find(mark: string): number {
    for (let at = this.#at; at < this.#text.length; at += 1) {
      const unit = this.#text.charAt(at);
      if (unit === mark) return at;
      if (unit === '#') at = endOfLine(this.#text, at) - 1;
      else if (!' \t\r\n,:-'.includes(unit)) break;
    }
    throw new NotCommon();
  }

  /** Whether the current collection ends here; if so, moves past its end. */
  #ends(): boolean {
    if (this.#events[this.#next]?.type !== EVENT_ID.POP) return false;
    this.#next += 1;
    return true;
  }

  #take() {
    const event = this.#events[this.#next];
    if (event === undefined) throw new NotCommon();
    this.#next += 1;
    return event;
  }
}

class NotCommon extends Error {}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

/** The value of a plain scalar: its text, unless it has the format of a number, a boolean or null. */
function plainValue(text: string): string | number | boolean | null {
  // Most values are words; the check of the first character makes them fast.
  if (!/^[-+.0-9~NnTtFf]/.test(text)) return text;
  const match = forms.find(({ form }) => form.test(text));
  return match === undefined ? text : match.read(text);
}
