import { isUtf8 } from 'node:buffer';

/** As JSON writes characters, and as URLs do: which ones, and in digits of which case, differs from writer to writer. */
const escapes = /\\u[0-9a-f]{4}|\\["\\/bfnrt]|(?:%[0-9a-f]{2})+/gi;

/**
 * Masks what is one of `secrets` once its escapes are undone (`+` is `\u002B` to some, `/` is `\/` to others): whoever
 * parses it has the secret. Takes time in proportion to the text, whatever it holds.
 */
export function maskEscaped(text: string, secrets: readonly string[], mask: string): string {
  const { plain, placeOf } = withoutEscapes(text);
  const spans: { readonly from: number; readonly to: number }[] = [];
  for (const secret of secrets) {
    for (let at = plain.indexOf(secret); at !== -1; at = plain.indexOf(secret, at + secret.length))
      spans.push({ from: placeOf(at), to: placeOf(at + secret.length) });
  }
  let masked = '';
  let done = 0;
  for (const { from, to } of spans.toSorted((a, b) => a.from - b.from || b.to - a.to)) {
    // Secrets may overlap; their mask stands once.
    if (from >= done) masked += text.slice(done, from) + mask;
    done = Math.max(done, to);
  }
  return masked + text.slice(done);
}

/** The text with its escapes undone, and where in the original a character of it stands. */
export function withoutEscapes(text: string): {
  readonly plain: string;
  placeOf(index: number): number;
} {
  let plain = '';
  let done = 0;
  // From each of these on, both texts run side by side up to the next.
  const inPlain = [0];
  const inText = [0];
  for (const { 0: escape, index } of text.matchAll(escapes)) {
    plain += text.slice(done, index);
    done = index;
    for (const { character, width } of charactersOf(escape)) {
      inPlain.push(plain.length);
      inText.push(done);
      plain += character;
      done += width;
    }
    inPlain.push(plain.length);
    inText.push(done);
  }
  plain += text.slice(done);
  const placeOf = (index: number): number => {
    const nth = lastUpTo(inPlain, index);
    return (inText[nth] ?? 0) + index - (inPlain[nth] ?? 0);
  };
  return { plain, placeOf };
}

const shortEscapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** What an escape stands for, and how many characters of it each takes. */
function charactersOf(escape: string): { readonly character: string; readonly width: number }[] {
  if (escape.startsWith('%')) {
    const bytes = Buffer.from(escape.replaceAll('%', ''), 'hex');
    if (!isUtf8(bytes)) return Array.from(bytes.toString('latin1'), (character) => ({ character, width: 3 }));
    return Array.from(bytes.toString('utf8'), (character) => ({
      character,
      width: 3 * Buffer.byteLength(character),
    }));
  }
  if (/^\\u/i.test(escape))
    return [{ character: String.fromCharCode(Number.parseInt(escape.slice(2), 16)), width: escape.length }];
  const letter = escape.slice(1);
  return [{ character: shortEscapes[letter.toLowerCase()] ?? letter, width: escape.length }];
}

/** The place of the last of some ascending numbers that is not above `limit`. */
function lastUpTo(numbers: readonly number[], limit: number): number {
  let low = 0;
  let high = numbers.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((numbers[middle] ?? 0) <= limit) low = middle;
    else high = middle - 1;
  }
  return low;
}
