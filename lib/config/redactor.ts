import { unsafeCharacter } from '../core/sanitize-text.ts';
import type { Secret } from './secret.ts';

/** Shorter values would mask half of every text; nothing that short protects anything. */
const shortest = 4;

/**
 * Masks secrets by value in any text: as they are, line by line, with any of their characters URL-encoded,
 * JSON-escaped or HTML-escaped, cut by a line break or a blank anywhere, and in base64 wherever they stand inside a longer encoded text (`Basic` of user
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
  const whole = [...new Set(longestFirst.map((value) => value.replace(gaps, '')))].filter(
    ({ length }) => length >= shortestCut,
  );
  // Those that are cut first: what is left of one, where a shorter secret is masked in it, would be shown.
  return (text) => maskCut(text, whole).replace(pattern, mask);
}

const mask = '[secret]';

/** Words of a sentence that happen to make up a shorter secret are left alone. */
const shortestCut = 8;

/**
 * Where a text may be cut: line breaks, also as JSON and URLs write them, the blanks that whoever makes one line of
 * several puts there, and signs that nobody sees.
 */
const gaps = new RegExp(String.raw`(?:\s|${unsafeCharacter.source}|\\[rn]|%0[dDaA])+`, 'gu');

/** Masks secrets that gaps go through. Takes time in proportion to the text. */
function maskCut(text: string, secrets: readonly string[]): string {
  const joined = text.replace(gaps, '');
  if (joined.length === text.length || !secrets.some((secret) => joined.includes(secret))) return text;
  // Where each stretch without a gap begins, in both texts.
  const stretches: { readonly at: number; readonly inText: number }[] = [];
  let done = 0;
  let at = 0;
  for (const { 0: gap, index } of text.matchAll(gaps)) {
    stretches.push({ at, inText: done });
    at += index - done;
    done = index + gap.length;
  }
  stretches.push({ at, inText: done });
  // Asked for ascending places.
  let nth = 0;
  const placeOf = (place: number): number => {
    while ((stretches[nth + 1]?.at ?? Infinity) <= place) nth += 1;
    const { at: begin, inText } = stretches[nth] ?? { at: 0, inText: 0 };
    return inText + place - begin;
  };
  let masked = '';
  let shown = 0;
  for (let from = 0; ;) {
    const [next] = secrets
      .map((secret) => ({ start: joined.indexOf(secret, from), length: secret.length }))
      .filter(({ start }) => start >= 0)
      .toSorted((a, b) => a.start - b.start || b.length - a.length);
    if (next === undefined) return masked + text.slice(shown);
    from = next.start + next.length;
    masked += text.slice(shown, placeOf(next.start)) + mask;
    // The end is that of its last character: a gap behind it is none of its.
    shown = placeOf(from - 1) + 1;
  }
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
