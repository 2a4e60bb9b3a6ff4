import type { Secret } from './secret.ts';

/** Shorter values would mask half of every text; nothing that short protects anything. */
const shortest = 4;

/**
 * Masks secrets by value in any text: as they are, line by line, with any of their characters URL-encoded,
 * JSON-escaped or HTML-escaped, and in base64 wherever they stand inside a longer encoded text (`Basic` of user
 * and password). Values under four characters are left alone.
 */
export function redactor(secrets: Iterable<Secret | string>): (text: string) => string {
  const values = new Set<string>();
  for (const secret of secrets) {
    for (const value of partsOf(typeof secret === 'string' ? secret : secret.reveal())) values.add(value);
  }
  if (values.size === 0) return (text) => text;
  // The longest first: a secret that begins like another one must not leave its tail behind.
  const longestFirst = [...values].toSorted((a, b) => b.length - a.length);
  const plain = longestFirst.map((value) => Array.from(value, patternOf).join(''));
  const encoded = [...new Set(longestFirst.flatMap(base64Forms))].toSorted((a, b) => b.length - a.length);
  const pattern = new RegExp([...plain, ...encoded.map(literal)].join('|'), 'g');
  return (text) => text.replace(pattern, '[secret]');
}

/** The value, and the lines of one that has several; `-----BEGIN …` is no secret. */
function partsOf(value: string): string[] {
  const whole = value.toWellFormed().trim();
  const lines = whole.split(/\r?\n/).map((line) => line.trim());
  const telling = lines.filter((line) => line.length >= 8 && !line.startsWith('-----'));
  return [whole, ...telling].filter((part) => part.length >= shortest);
}

const htmlNames: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** One character in each of its spellings: encoders differ in which characters they encode, and in the case of digits. */
function patternOf(character: string): string {
  // The character itself last: `%` must not match the first third of `%25`.
  const spellings = [...escapes(character), literal(character)];
  if (character === ' ') spellings.push('\\+');
  return `(?:${spellings.join('|')})`;
}

function escapes(character: string): string[] {
  const anyCase = (digits: string) => digits.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
  const percent = Array.from(
    Buffer.from(character),
    (byte) => `%${anyCase(byte.toString(16).padStart(2, '0'))}`,
  ).join('');
  const json = JSON.stringify(character).slice(1, -1);
  const code = character.codePointAt(0) ?? 0;
  const names = [htmlNames[character]].filter((name) => name !== undefined);
  const numbers = /[a-z0-9]/i.test(character)
    ? []
    : [`&#0*${code};`, `&#[xX]0*${anyCase(code.toString(16))};`];
  return [percent, ...(json === character ? [] : [literal(json)]), ...names, ...numbers];
}

/**
 * Base64 works on three bytes at a time, so a value inside a longer one has three spellings; the characters at
 * either end that depend on its neighbours are left out.
 */
function base64Forms(value: string): string[] {
  const bytes = Buffer.from(value);
  const inside = [0, 1, 2].map((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64url');
    return encoded.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
  });
  // Four characters of base64 are three bytes: too common to mask.
  const url = [bytes.toString('base64url'), ...inside.filter((form) => form.length >= 6)];
  const standard = url.map((form) => form.replaceAll('-', '+').replaceAll('_', '/'));
  return [...url, bytes.toString('base64'), ...standard, ...standard.map(encodeURIComponent)];
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
