import { variableName } from '../../lib/pipelines/model/variable-name.ts';
import { ExpressionError, fail, refuse } from './expression-error.ts';
import { limits } from './limits.ts';

export type Token = { readonly offset: number; readonly end: number } & (
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'name'; readonly value: string }
  | { readonly kind: 'regex'; readonly source: string; readonly flags: string }
  | { readonly kind: 'sign'; readonly value: string }
  | { readonly kind: 'end' }
);

/** Longest first, so that `===` is not read as `==` and `=`. The parser refuses the signs that it does not know. */
const signs = (
  '>>>= ... === !== **= <<= >>= >>> &&= ||= ??= => == != <= >= && || ?? ?. ++ -- += -= *= /= %= &= |= ^= << >> ** ' +
  '+ - * / % < > = ! ? : . , ; ( ) [ ] { } & | ^ ~ @ #'
).split(' ');

const space = /[\s\uFEFF]+/uy;
const number = /(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y;
const name = new RegExp(variableName, 'uy');

/**
 * Reads the token at `offset`, after any white space. The token before it, `previous`, determines whether `/` is a
 * division or begins a regular expression.
 */
export function nextToken(text: string, offset: number, previous: Token | undefined): Token {
  const start = offset + (match(space, text, offset)?.length ?? 0);
  const character = text[start];
  if (character === undefined) return { kind: 'end', offset: start, end: start };
  if (text.startsWith('//', start) || text.startsWith('/*', start)) refuse('a comment', start);
  if (character === '"' || character === "'") return readText(text, start, character);
  if (character === '`') refuse('a template literal', start);
  if (character === '/' && !endsOperand(previous)) return readRegex(text, start);
  return readPlain(text, start, character);
}

function readPlain(text: string, start: number, character: string): Token {
  const digits = match(number, text, start);
  if (digits !== undefined) return readNumber(text, start, digits);
  const word = match(name, text, start);
  if (word !== undefined) return { kind: 'name', value: word, offset: start, end: start + word.length };
  const sign = signs.find((candidate) => text.startsWith(candidate, start));
  if (sign === undefined) refuse(`the character ${JSON.stringify(character)}`, start);
  return { kind: 'sign', value: sign, offset: start, end: start + sign.length };
}

function readNumber(text: string, start: number, digits: string): Token {
  const end = start + digits.length;
  if (/^0\d/.test(digits) || match(name, text, end) !== undefined) {
    refuse(`the number ${digits}${match(name, text, end) ?? ''}`, start);
  }
  return { kind: 'number', value: Number(digits), offset: start, end };
}

function match(pattern: RegExp, text: string, offset: number): string | undefined {
  pattern.lastIndex = offset;
  return pattern.exec(text)?.[0];
}

function endsOperand(token: Token | undefined): boolean {
  if (token === undefined) return false;
  return token.kind === 'sign' ? [')', ']', '}'].includes(token.value) : token.kind !== 'end';
}

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  v: '\v',
  '\n': '',
};

function readText(text: string, start: number, quote: string): Token {
  let value = '';
  let at = start + 1;
  for (;;) {
    const character = text[at];
    if (character === undefined || character === '\n' || character === '\r')
      fail('a text has no closing quote: add it', start);
    if (character === quote) return { kind: 'text', value, offset: start, end: at + 1 };
    if (character === '\\') {
      const escape = readEscape(text, at);
      value += escape.value;
      at = escape.end;
    } else {
      value += character;
      at += 1;
    }
  }
}

function readEscape(text: string, at: number): { readonly value: string; readonly end: number } {
  const letter = text[at + 1] ?? '';
  const [, four, two, many] =
    /^(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|u\{([0-9a-fA-F]{1,6})\})/.exec(text.slice(at + 1, at + 10)) ??
    [];
  const digits = four ?? two ?? many;
  if (digits !== undefined) {
    const code = Number.parseInt(digits, 16);
    const length = many === undefined ? digits.length + 2 : digits.length + 4;
    if (code > 0x10ffff) fail(`the escape \\${text.slice(at + 1, at + length)} is not a character`, at);
    return { value: String.fromCodePoint(code), end: at + length };
  }
  if (/[ux0-9]/.test(letter)) refuse(`the escape \\${letter}`, at);
  return { value: escapes[letter] ?? letter, end: at + 2 };
}

function readRegex(text: string, start: number): Token {
  let inClass = false;
  let at = start + 1;
  for (; ; at += 1) {
    const character = text[at];
    if (character === undefined || character === '\n')
      fail('a regular expression has no closing /: add it', start);
    if (character === '\\') at += 1;
    else if (character === '[') inClass = true;
    else if (character === ']') inClass = false;
    else if (character === '/' && !inClass) break;
  }
  const flags = match(/[a-zA-Z]*/y, text, at + 1) ?? '';
  return {
    kind: 'regex',
    source: text.slice(start + 1, at),
    flags,
    offset: start,
    end: at + 1 + flags.length,
  };
}

/**
 * Finds the `}` that ends an expression whose text begins at `start`, just after `${`. Returns its offset, or
 * undefined if there is none. Braces inside texts and regular expressions are ignored.
 */
export function findExpressionEnd(text: string, start: number): number | undefined {
  let depth = 0;
  let previous: Token | undefined;
  for (let at = start; ;) {
    const token = nextToken(text, at, previous);
    if (token.kind === 'end') return undefined;
    if (token.end - start > limits.length) refuse(`more than ${limits.length} characters`, start);
    if (token.kind === 'sign' && token.value === '{') depth += 1;
    if (token.kind === 'sign' && token.value === '}') {
      if (depth === 0) return token.offset;
      depth -= 1;
    }
    previous = token;
    at = token.end;
  }
}

/**
 * Splits an expression into tokens, without the token that marks the end. Undefined for a text that is too long or
 * cannot be split.
 */
export function expressionTokens(text: string): readonly Token[] | undefined {
  if (text.length > limits.length) return undefined;
  const tokens: Token[] = [];
  try {
    for (let token = nextToken(text, 0, undefined); token.kind !== 'end';) {
      tokens.push(token);
      token = nextToken(text, token.end, token);
    }
    return tokens;
  } catch (error) {
    if (error instanceof ExpressionError) return undefined;
    throw error;
  }
}
