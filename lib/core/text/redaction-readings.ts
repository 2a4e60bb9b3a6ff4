import { isUtf8 } from 'node:buffer';
import { unsafeCharacter } from './sanitize-text.ts';

/** One reading of a text, with the mapping of its offsets to the original. */
export interface Reading {
  readonly text: string;
  /** Whether spaces, line breaks and invisible characters are omitted. */
  readonly skipsGaps: boolean;
  /** The offsets in the original of the range from `from` to `to` (exclusive). */
  spanOf(from: number, to: number): { readonly from: number; readonly to: number };
}

/**
 * Escapes of JSON, URLs and HTML. Which characters are escaped, and the case of the digits, depends on the writer.
 */
const escape = String.raw`\\u[0-9a-fA-F]{4}|\\["\\/bfnrt]|(?:%[0-9a-fA-F]{2})+|&(?:amp|lt|gt|quot|apos|#0*\d{1,7}|#[xX]0*[0-9a-fA-F]{1,6});`;
const gap = String.raw`(?:\s|${unsafeCharacter.source})+`;

const hasEscape = /[\\%&]/;
const hasGap = new RegExp(gap, 'u');
const escapes = new RegExp(escape, 'gu');
const escapesAndGaps = new RegExp(`${escape}|${gap}`, 'gu');

/**
 * The readings of a text: unchanged; unescaped, if it has escapes; and without gaps, if it has gaps. A text that is still
 * escaped after that, such as JSON in JSON, is unescaped a second time.
 */
export function readings(text: string): readonly Reading[] {
  const asIs: Reading = { text, skipsGaps: false, spanOf: (from, to) => ({ from, to }) };
  if (!hasEscape.test(text)) return hasGap.test(text) ? [asIs, read(text, escapesAndGaps, true)] : [asIs];
  const once = read(text, escapes, false);
  return [
    asIs,
    once,
    read(text, escapesAndGaps, true),
    ...(once.text !== text && hasEscape.test(once.text)
      ? [within(once, read(once.text, escapes, false)), within(once, read(once.text, escapesAndGaps, true))]
      : []),
  ];
}

/** A reading of another reading's text, with offsets in the original of the outer reading. */
function within(outer: Reading, inner: Reading): Reading {
  return {
    ...inner,
    spanOf: (from, to) => {
      const span = inner.spanOf(from, to);
      return outer.spanOf(span.from, span.to);
    },
  };
}

/**
 * A part of a reading. From `at` on, it equals the original from `inText` on. `width` is the length of one character in
 * the original.
 */
interface Stretch {
  readonly at: number;
  readonly inText: number;
  readonly width: number | undefined;
}

function read(text: string, pattern: RegExp, skipsGaps: boolean): Reading {
  let plain = '';
  let done = 0;
  const stretches: Stretch[] = [];
  for (const { 0: match, index } of text.matchAll(pattern)) {
    if (index > done) stretches.push({ at: plain.length, inText: done, width: undefined });
    plain += text.slice(done, index);
    done = index;
    if (/^[\\%&]/.test(match)) {
      for (const { character, width } of charactersOf(match)) {
        if (!skipsGaps || !hasGap.test(character)) {
          stretches.push({ at: plain.length, inText: done, width });
          plain += character;
        }
        done += width;
      }
    } else done += match.length;
  }
  stretches.push({ at: plain.length, inText: done, width: undefined });
  plain += text.slice(done);
  const placeOf = (index: number): { readonly from: number; readonly to: number } => {
    const { at, inText, width } = stretches[lastUpTo(stretches, index)] ?? { at: 0, inText: 0 };
    if (width !== undefined) return { from: inText, to: inText + width };
    return { from: inText + index - at, to: inText + index - at + 1 };
  };
  return {
    text: plain,
    skipsGaps,
    spanOf: (from, to) => ({ from: placeOf(from).from, to: placeOf(to - 1).to }),
  };
}

const shortEscapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };
const namedEntities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** The characters that an escape encodes, and how many characters of the escape each takes. */
function charactersOf(escaped: string): { readonly character: string; readonly width: number }[] {
  const width = escaped.length;
  if (escaped.startsWith('&')) {
    const [, hex, decimal, name = ''] = /^&(?:#[xX]([0-9a-fA-F]+)|#(\d+)|(\w+));$/.exec(escaped) ?? [];
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    if (name !== '') return [{ character: namedEntities[name] ?? escaped, width }];
    return [{ character: code <= 0x10ffff ? String.fromCodePoint(code) : escaped, width }];
  }
  if (escaped.startsWith('%')) {
    const bytes = Buffer.from(escaped.replaceAll('%', ''), 'hex');
    if (!isUtf8(bytes)) return Array.from(bytes.toString('latin1'), (character) => ({ character, width: 3 }));
    return Array.from(bytes.toString('utf8'), (character) => ({
      character,
      width: 3 * Buffer.byteLength(character),
    }));
  }
  if (escaped.startsWith('\\u'))
    return [{ character: String.fromCharCode(Number.parseInt(escaped.slice(2), 16)), width }];
  const letter = escaped.slice(1);
  return [{ character: shortEscapes[letter] ?? letter, width }];
}

/** The index of the last stretch that begins at or before `index`. */
function lastUpTo(stretches: readonly Stretch[], index: number): number {
  let low = 0;
  let high = stretches.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((stretches[middle]?.at ?? 0) <= index) low = middle;
    else high = middle - 1;
  }
  return low;
}
