import { upperAscii } from '../../core/ascii-case.ts';
import { visibleText } from '../../../lib/core/text/visible-text.ts';
import { Refusal, SqlError } from '../../core/refusal.ts';
import type { SourceText } from '../../core/source-text.ts';
import type { WarehouseKind } from '../../core/sql-type.ts';

export type TokenKind = 'word' | 'quoted' | 'text' | 'number' | 'operator' | 'component' | 'end';

/** A token. `value` is the text without quotes and escapes. The `value` of a word is in upper case. */
export interface Token {
  readonly kind: TokenKind;
  readonly raw: string;
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

// Not `\s`, which also matches the blanks of other alphabets: the warehouses know only these.
const SPACE = /(?:[ \t\n\v\f\r]+|--[^\n]*|\/\/[^\n]*|\/\*[\s\S]*?\*\/)+/y;
// `skipNested` adds the comments between `/*` and `*/`.
const SPACE_OF_TWO = /(?:[ \t\n\f\r]+|--[^\n]*)+/y;
const WORD = /[\p{L}_][\p{L}\p{N}_$]*/uy;
const NUMBER = /(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y;
/** What to write instead of a character. */
const hints: ReadonlyMap<string, string> = new Map([
  ['@', 'a stage is outside the warehouse, so mock the component'],
  [
    '`',
    'the warehouse has no such quotation marks: write names without quotation marks, or in double quotes',
  ],
]);
const OPERATOR = /::|=>|->|<=|>=|<>|!=|!?~|\|\||[-+*/%<>=(),.;:[\]{}]/y;
const COMPONENT = /\$T\{([^{}]*)\}/y;
const VARIABLE = /\$\{[^{}]*\}/y;
const DOLLARS = /\$\$([\s\S]*?)\$\$/y;
// Without an alternative for each character, because a long text would exhaust the stack.
const QUOTED = /"([^"]*(?:""[^"]*)*)"/y;
const TEXT = /'([^']*(?:''[^']*)*)'/y;
const TEXT_WITH_ESCAPES = /'([^'\\]*(?:(?:''|\\[\s\S])[^'\\]*)*)'/y;

const ESCAPES = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['b', '\b'],
  ['f', '\f'],
  ['0', '\0'],
]);

/** In UTF-16 units. The limit is far above any real script, and small enough for the memory. */
const MAX_TEXT = 4_000_000;

/** Splits a text into tokens. The last token has the kind `end`. Throws Refusal for a character with which no token can begin. */
export function tokenize(source: SourceText, warehouse: WarehouseKind): readonly Token[] {
  if (source.text.length > MAX_TEXT)
    throw new Refusal(
      `SQL of more than ${MAX_TEXT} characters`,
      source.placeOf(0),
      'split it into several scripts',
    );
  const control = source.text.search(/[\0-\x08\x0e-\x1f]/);
  if (control >= 0) throw new Refusal('a control character', source.placeOf(control));
  const tokens: Token[] = [];
  let offset = skipSpace(source, 0, warehouse);
  while (offset < source.text.length) {
    const token = tokenAt(source, offset, warehouse);
    tokens.push(token);
    offset = skipSpace(source, token.end, warehouse);
  }
  tokens.push({ kind: 'end', raw: '', value: '', start: offset, end: offset });
  return tokens;
}

/**
 * Like `tokenize`, but does not throw. A character with which no token can begin becomes an operator, and the text after the start of an
 * unclosed comment is left out.
 */
export function tokenizeLoosely(source: SourceText, warehouse: WarehouseKind): readonly Token[] {
  const tokens: Token[] = [];
  let offset = 0;
  try {
    for (;;) {
      offset = skipSpace(source, offset, warehouse);
      if (offset >= source.text.length) break;
      const token = looseTokenAt(source, offset, warehouse);
      tokens.push(token);
      offset = token.end;
    }
  } catch (error) {
    if (!isAboutText(error)) throw error;
  }
  tokens.push({ kind: 'end', raw: '', value: '', start: offset, end: offset });
  return tokens;
}

function looseTokenAt(source: SourceText, offset: number, warehouse: WarehouseKind): Token {
  try {
    return tokenAt(source, offset, warehouse);
  } catch (error) {
    if (!isAboutText(error)) throw error;
    const raw = source.text.charAt(offset);
    return { kind: 'operator', raw, value: raw, start: offset, end: offset + 1 };
  }
}

function isAboutText(error: unknown): boolean {
  return error instanceof Refusal || error instanceof SqlError;
}

function tokenAt(source: SourceText, offset: number, warehouse: WarehouseKind): Token {
  const { text } = source;
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = offset;
    return pattern.exec(text);
  };
  const token = (kind: TokenKind, raw: string, value: string): Token => ({
    kind,
    raw,
    value,
    start: offset,
    end: offset + raw.length,
  });
  const word = match(WORD);
  if (word) {
    if (warehouse === 'WAREHOUSE_ONE') refuseUnsureCapital(word[0], source, offset);
    return token('word', word[0], upperAscii(word[0]));
  }
  const number = match(NUMBER);
  if (number) {
    refuseLetterAfter(number[0], source, offset);
    return token('number', number[0], number[0]);
  }
  const first = text[offset] ?? '';
  if (first === "'") return textToken(source, offset, warehouse, match, token);
  if (first === '"') {
    const quoted = match(QUOTED);
    if (!quoted)
      throw new SqlError('the name that begins here has no closing double quote: add it', {
        place: source.placeOf(offset),
      });
    return token('quoted', quoted[0], (quoted[1] ?? '').replaceAll('""', '"'));
  }
  if (first === '$') return dollarToken(source, offset, match, token);
  const operator = match(OPERATOR);
  // Only `WAREHOUSE_TWO` matches regular expressions with it.
  const isOfTwo = operator?.[0].endsWith('~') === true;
  if (operator && !(isOfTwo && warehouse === 'WAREHOUSE_ONE'))
    return token('operator', operator[0], operator[0]);
  if (/[\s\u200B]/.test(first))
    throw new Refusal(
      `the blank "${visibleText(first)}" between words`,
      source.placeOf(offset),
      'use a normal space; this character is allowed only in texts and comments',
    );
  throw new Refusal(`the character ${JSON.stringify(first)}`, source.placeOf(offset), hints.get(first));
}

/** `WAREHOUSE_ONE` stores a name in upper case. The capital of these letters is another letter of ASCII, or several letters. */
function refuseUnsureCapital(word: string, source: SourceText, offset: number): void {
  const letter = (word.match(/\P{ASCII}/gu) ?? []).find((each) => /[A-Z]/.test(each.toUpperCase()));
  if (letter === undefined) return;
  throw new Refusal(
    `the letter "${letter}" in the name ${word}`,
    source.placeOf(offset),
    'write the name in double quotes, exactly as the table spells it',
  );
}

/** Some versions read `1_000` as the number 1 and the alias `_000`; others refuse it. */
function refuseLetterAfter(number: string, source: SourceText, offset: number): void {
  const rest = /^[\p{L}_$][\w$]*/u.exec(
    source.text.slice(offset + number.length, offset + number.length + 40),
  )?.[0];
  if (rest === undefined) return;
  throw new Refusal(
    `"${number}${rest}", a number with letters`,
    source.placeOf(offset),
    'write a space after the number, or remove the letters',
  );
}

type Match = (pattern: RegExp) => RegExpExecArray | null;
type Make = (kind: TokenKind, raw: string, value: string) => Token;

function textToken(
  source: SourceText,
  offset: number,
  warehouse: WarehouseKind,
  match: Match,
  token: Make,
): Token {
  const text = match(warehouse === 'WAREHOUSE_ONE' ? TEXT_WITH_ESCAPES : TEXT);
  if (!text)
    throw new SqlError('the text that begins here has no closing single quote: add it', {
      place: source.placeOf(offset),
    });
  const inner = text[1] ?? '';
  if (warehouse === 'WAREHOUSE_TWO' && inner.includes('\\'))
    throw new Refusal('a backslash in a text', source.placeOf(offset));
  const value = inner.replace(/''|\\([\s\S])/g, (all: string, escaped: string | undefined) => {
    if (escaped === undefined) return "'";
    if (/[xu1-7]/.test(escaped)) throw new Refusal(`the escape ${all}`, source.placeOf(offset));
    return ESCAPES.get(escaped) ?? escaped;
  });
  return token('text', text[0], value);
}

function dollarToken(source: SourceText, offset: number, match: Match, token: Make): Token {
  const component = match(COMPONENT);
  if (component) return token('component', component[0], (component[1] ?? '').trim());
  const variable = match(VARIABLE);
  if (variable)
    throw new SqlError(`the variable ${variable[0]} has no value`, { place: source.placeOf(offset) });
  const dollars = match(DOLLARS);
  if (dollars) return token('text', dollars[0], dollars[1] ?? '');
  const name = /^\$\w*/.exec(source.text.slice(offset, offset + 60))?.[0] ?? '$';
  throw new Refusal(
    name,
    source.placeOf(offset),
    'the engine has no session variables and no column positions such as $1',
  );
}

/** `//` starts a comment in one kind of warehouse only, and only the other kind counts comments inside of a comment. */
function skipSpace(source: SourceText, offset: number, warehouse: WarehouseKind): number {
  const after =
    warehouse === 'WAREHOUSE_ONE' ? afterSpace(SPACE, source, offset) : skipNested(source, offset);
  refuseLoneReturn(source.text.slice(offset, after), offset, source);
  if (source.text.startsWith('/*', after))
    throw new SqlError('the comment that begins here is not closed: add */', {
      place: source.placeOf(after),
    });
  return after;
}

function afterSpace(pattern: RegExp, { text }: SourceText, offset: number): number {
  pattern.lastIndex = offset;
  return offset + (pattern.exec(text)?.[0].length ?? 0);
}

function skipNested(source: SourceText, offset: number): number {
  const after = afterSpace(SPACE_OF_TWO, source, offset);
  if (!source.text.startsWith('/*', after)) return after;
  let depth = 0;
  const marks = /\/\*|\*\//g;
  marks.lastIndex = after;
  for (let mark = marks.exec(source.text); mark !== null; mark = marks.exec(source.text)) {
    depth += mark[0] === '/*' ? 1 : -1;
    if (depth === 0) return skipNested(source, marks.lastIndex);
  }
  return after;
}

/** After a CR without an LF, one program sees the next line, and another one the rest of the comment. */
function refuseLoneReturn(skipped: string, offset: number, source: SourceText): void {
  if (!skipped.includes('\r')) return;
  let start = offset;
  for (const line of skipped.split('\n')) {
    const comment = line.search(/--|\/\//);
    const end = start + line.length === offset + skipped.length ? line.length : line.length - 1;
    const at = comment < 0 ? -1 : line.indexOf('\r', comment);
    // A CR at the end of the line belongs to CRLF.
    if (at >= 0 && at < end)
      throw new Refusal(
        'a comment that ends with CR',
        source.placeOf(start + at),
        'save the file with LF or CRLF as line ends',
      );
    start += line.length + 1;
  }
}

/** A statement of a script: its tokens, followed by a token of the kind `end`. */
export interface ScriptPart {
  readonly tokens: readonly Token[];
  readonly text: string;
  readonly offset: number;
}

/** Splits tokens into statements at `;`. Empty statements are left out. */
export function splitStatements(source: SourceText, tokens: readonly Token[]): readonly ScriptPart[] {
  const parts: ScriptPart[] = [];
  let from = 0;
  for (const [index, token] of tokens.entries()) {
    if (token.raw !== ';' && token.kind !== 'end') continue;
    const inside = tokens.slice(from, index);
    from = index + 1;
    const [first] = inside;
    if (first === undefined) continue;
    const end: Token = { kind: 'end', raw: '', value: '', start: token.start, end: token.start };
    const text = source.text.slice(first.start, inside.at(-1)?.end);
    parts.push({ tokens: [...inside, end], text, offset: first.start });
  }
  return parts;
}
