import { isRecord } from '../../../lib/core/values/is-record.ts';
import { isList } from '../../../lib/core/values/is-list.ts';
import { messageOf } from '../../../lib/core/errors/message-of.ts';
import { byKey, type Json, NumberText } from './canonical-json.ts';
import { canonicalText, numberText } from './json-texts.ts';

/**
 * XML as the warehouse keeps it in semi-structured values: an element is an object with its name (`@`), its content (`$`)
 * and its attributes (`@name`). The content of no item is an empty text, the content of one is this item, the content of several is a
 * list of texts and elements. The warehouse also keeps the positions of the children, by their names: they are left out.
 */
interface Element {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly items: Item[];
}

/** Text, or a child as JSON. */
type Item = { text: string } | { readonly json: string };

// XML 1.0 §2.3, without the other blanks of `\s`.
const SPACE = /[ \t\r\n]*/y;
const NAME = /[\p{L}_:][\p{L}\p{N}_:.\-·]*/uy;
const EQUALS = /[ \t\r\n]*=[ \t\r\n]*/y;
const ATTRIBUTE_TEXT = /"([^"<]*)"|'([^'<]*)'/y;
/** Its first group is the exponent, which may be empty. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?((?:[eE][+-]?\d{1,3})?)$/;
const REFERENCE = /&(?:#(\d{1,7})|#x([\da-fA-F]{1,6})|(\w+));|&/g;
/** JSON is written by functions that call themselves. */
const MAX_LEVELS = 500;
const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/**
 * Converts XML to the JSON with which the engine stores it. With `converts`, content that looks like a number or a
 * boolean value becomes a number or a boolean. Throws Error.
 */
export function readXml(text: string, converts: boolean): string {
  return new Reader(text, converts).document();
}

/** Explains why a text is not XML. Undefined if the text is XML. */
export function xmlFault(text: string): string | undefined {
  try {
    new Reader(text, false).document();
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

class Reader {
  readonly #text: string;
  readonly #converts: boolean;
  #at = 0;

  constructor(text: string, converts: boolean) {
    this.#text = text;
    this.#converts = converts;
  }

  document(): string {
    this.#skipMisc();
    if (!this.#isNext('<')) throw this.#fault('an element is expected');
    const root = this.#element();
    this.#skipMisc();
    if (this.#at < this.#text.length) throw this.#fault('there is more after the root element');
    return root;
  }

  #element(): string {
    const open: Element[] = [];
    for (;;) {
      const { element, isClosed } = this.#startTag();
      if (!isClosed) open.push(element);
      if (open.length > MAX_LEVELS)
        throw new Error(`Millrace does not support XML of more than ${MAX_LEVELS} levels`);
      const root = isClosed ? this.#close(element, open) : undefined;
      const ended = root ?? this.#content(open);
      if (ended !== undefined) return ended;
    }
  }

  /** Adds an element to the one around it; the root element is returned. */
  #close(element: Element, open: readonly Element[]): string | undefined {
    const json = jsonOf(element, this.#converts);
    const parent = open.at(-1);
    parent?.items.push({ json });
    return parent === undefined ? json : undefined;
  }

  /** Reads up to the next start tag; returns the root element if its end tag comes first. */
  #content(open: Element[]): string | undefined {
    for (;;) {
      const element = open.at(-1);
      if (element === undefined) throw this.#fault('an element is expected');
      const end = this.#text.indexOf('<', this.#at);
      if (end < 0) throw this.#fault(`the end of the element ${element.name} is missing`);
      if (end > this.#at) addText(element, this.#resolve(this.#text.slice(this.#at, end)));
      this.#at = end;
      if (this.#isNext('</')) {
        this.#endTag(element);
        open.pop();
        const root = this.#close(element, open);
        if (root !== undefined) return root;
      } else if (this.#isNext('<![CDATA[')) addText(element, this.#upTo('<![CDATA[', ']]>'));
      else if (this.#isNext('<!--')) this.#upTo('<!--', '-->');
      else if (this.#isNext('<?')) this.#upTo('<?', '?>');
      else return undefined;
    }
  }

  #startTag(): { element: Element; isClosed: boolean } {
    this.#at += 1;
    const name = this.#match(NAME)?.[0];
    if (name === undefined) throw this.#fault('the name of an element is expected');
    const attributes = new Map<string, string>();
    for (;;) {
      const before = this.#at;
      this.#match(SPACE);
      const isClosed = this.#isNext('/>');
      if (isClosed || this.#isNext('>')) {
        this.#at += isClosed ? 2 : 1;
        return { element: { name, attributes, items: [] }, isClosed };
      }
      if (before === this.#at) throw this.#fault('a space or the end of the tag is expected');
      this.#attribute(attributes);
    }
  }

  #attribute(attributes: Map<string, string>): void {
    const name = this.#match(NAME)?.[0];
    if (name === undefined) throw this.#fault('the name of an attribute is expected');
    if (this.#match(EQUALS) === undefined) throw this.#fault(`the value of the attribute ${name} is missing`);
    const value = this.#match(ATTRIBUTE_TEXT);
    if (value === undefined) throw this.#fault(`the value of the attribute ${name} is not a text in quotes`);
    if (attributes.has(name)) throw this.#fault(`the attribute ${name} appears twice`);
    attributes.set(name, this.#resolve(value[1] ?? value[2] ?? ''));
  }

  #endTag({ name }: Element): void {
    this.#at += 2;
    const endName = this.#match(NAME)?.[0];
    this.#match(SPACE);
    if (endName !== name || !this.#isNext('>')) throw this.#fault(`the end tag of ${name} is expected`);
    this.#at += 1;
  }

  /** Spaces, comments and instructions around the root element. */
  #skipMisc(): void {
    if (this.#at === 0 && this.#text.startsWith('\uFEFF')) this.#at = 1;
    for (;;) {
      this.#match(SPACE);
      if (this.#isNext('<!--')) this.#upTo('<!--', '-->');
      else if (this.#isNext('<?')) this.#upTo('<?', '?>');
      else if (this.#isNext('<!DOCTYPE')) {
        if (this.#upTo('<!DOCTYPE', '>').includes('['))
          throw new Error('Millrace does not support definitions in the DOCTYPE of XML');
      } else return;
    }
  }

  #upTo(start: string, end: string): string {
    const from = this.#at + start.length;
    const to = this.#text.indexOf(end, from);
    if (to < 0) throw this.#fault(`${end} is missing`);
    this.#at = to + end.length;
    return this.#text.slice(from, to);
  }

  #resolve(text: string): string {
    if (!text.includes('&')) return text;
    return text.replace(REFERENCE, (all, decimal?: string, hexadecimal?: string, name = '') => {
      const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal);
      if (code > 0 && code <= 0x10_ff_ff) return String.fromCodePoint(code);
      const entity = Object.hasOwn(ENTITIES, name) ? ENTITIES[name] : undefined;
      if (entity === undefined) throw this.#fault(`the entity ${all} is not known`);
      return entity;
    });
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match === null) return undefined;
    this.#at += match[0].length;
    return match;
  }

  #isNext(text: string): boolean {
    return this.#text.startsWith(text, this.#at);
  }

  #fault(what: string): Error {
    return new Error(`Error parsing XML: ${what}, at character ${this.#at + 1}`);
  }
}

function addText({ items }: Element, text: string): void {
  if (text === '') return;
  const last = items.at(-1);
  if (last !== undefined && 'text' in last) last.text += text;
  else items.push({ text });
}

function jsonOf({ name, attributes, items }: Element, converts: boolean): string {
  const content: string[] = [];
  for (const item of items) {
    const text = 'text' in item ? item.text.trim() : undefined;
    if ('json' in item) content.push(item.json);
    else if (text) content.push((converts ? nativeValue(text) : undefined) ?? canonicalText(text));
  }
  const [only = '""'] = content;
  const list = content.length > 1 ? `[${content.join(',')}]` : only;
  const element = `{"$":${list},"@":${canonicalText(name)}`;
  if (attributes.size === 0) return `${element}}`;
  const named = [...attributes]
    .toSorted(byKey)
    .map(([key, value]) => `,${canonicalText(`@${key}`)}:${canonicalText(value)}`);
  return `${element}${named.join('')}}`;
}

/** A number or a truth value as JSON, if it shows as the same text; zeros at the end of a number are dropped. */
function nativeValue(text: string): string | undefined {
  if (text === 'true' || text === 'false') return text;
  const [, exponent] = NUMBER.exec(text) ?? [];
  if (exponent === undefined || /^-0(?:\.0*)?$/.test(text)) return undefined;
  const fits = exponent === '' ? text.replaceAll(/\D/g, '').length <= 38 : Number.isFinite(Number(text));
  return fits ? numberText(Number(text), text) : undefined;
}

/**
 * The XML of an element that is stored as JSON. Undefined for a value that is not an element, such as an object with
 * `@` and `$` that has other members which cannot belong to an element.
 */
export function xmlText(json: Json): string | undefined {
  if (!isObject(json)) return undefined;
  const { '@': name, $: content, ...others } = json;
  if (typeof name !== 'string' || content === undefined || !isName(name)) return undefined;
  const attributes = Object.entries(others).map(([key, value]) => {
    const text = key.startsWith('@') && isName(key.slice(1)) ? scalarText(value) : undefined;
    return text === undefined ? undefined : ` ${key.slice(1)}="${text.replaceAll('"', '&quot;')}"`;
  });
  const items = (isList(content) ? content : [content]).map((item) => xmlText(item) ?? scalarText(item));
  const parts = [...attributes, '>', ...items];
  if (parts.includes(undefined)) return undefined;
  return `<${name}${parts.join('')}</${name}>`;
}

/** Whether a value is an XML element or contains one at any depth. */
export function hasElement(json: Json): boolean {
  const open = [json];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    const members = isList(value) ? value : isObject(value) ? Object.values(value) : [];
    const items = members.flatMap((member) => (isList(member) ? member : [member]));
    if (!items.some(isObject) && xmlText(value) !== undefined) return true;
    for (const member of members) open.push(member);
  }
  return false;
}

function isObject(json: Json): json is { readonly [key: string]: Json } {
  return isRecord(json) && !(json instanceof NumberText);
}

function isName(text: string): boolean {
  NAME.lastIndex = 0;
  return NAME.exec(text)?.[0] === text;
}

/** The XML of a text, a number or a truth value; undefined for another value. */
function scalarText(json: Json): string | undefined {
  if (json instanceof NumberText) return json.text.replace(/e(?=\d)/, 'e+');
  return json === null || typeof json === 'object' ? undefined : escapeXml(String(json));
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
