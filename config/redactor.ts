import type { Secret } from './secret.ts';

/** Shorter values would mask half of every text; nothing that short protects anything. */
const shortest = 4;

/**
 * Masks secrets by value in any text: as they are, line by line, URL-encoded, JSON-escaped, and in base64
 * wherever they stand inside a longer encoded text (`Basic` of user and password). Values under four characters
 * are left alone.
 */
export function redactor(secrets: Iterable<Secret | string>): (text: string) => string {
  const forms = new Set<string>();
  for (const secret of secrets) {
    const value = typeof secret === 'string' ? secret : secret.reveal();
    for (const form of formsOf(value)) if (form.length >= shortest) forms.add(form);
  }
  if (forms.size === 0) return (text) => text;
  // The longest first: a secret that begins like another one must not leave its tail behind.
  const longestFirst = [...forms].toSorted((a, b) => b.length - a.length);
  const pattern = new RegExp(
    longestFirst.map((form) => form.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|'),
    'g',
  );
  return (text) => text.replace(pattern, '[secret]');
}

function formsOf(value: string): string[] {
  const whole = value.toWellFormed().trim();
  if (whole.length < shortest) return [];
  const lines = whole.split(/\r?\n/).map((line) => line.trim());
  // Of a key in several lines, `-----BEGIN …` is no secret.
  const values = [whole, ...lines.filter((line) => line.length >= 8 && !line.startsWith('-----'))];
  return values.flatMap((one) => [one, ...escaped(one), ...base64Forms(one)]);
}

function escaped(value: string): string[] {
  const percent = encodeURIComponent(value);
  // encodeURIComponent leaves five marks that other encoders do not, and writes hexadecimal in capitals.
  const strict = percent.replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
  const form = strict.replaceAll('%20', '+');
  const encoded = [percent, strict, form, encodeURI(value)];
  const lower = encoded.map((text) => text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()));
  return [...encoded, ...lower, JSON.stringify(value).slice(1, -1)];
}

/**
 * Base64 works on three bytes at a time, so a value inside a longer one has three spellings; the characters at
 * either end that depend on its neighbours are left out.
 */
function base64Forms(value: string): string[] {
  const bytes = Buffer.from(value);
  const forms = [0, 1, 2].map((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64url');
    const sure = Math.floor(((offset + bytes.length) * 8) / 6);
    return encoded.slice(Math.ceil((offset * 8) / 6), sure);
  });
  // Four characters of base64 are three bytes: too common to mask.
  const long = forms.filter((form) => form.length >= 6);
  const standard = long.map((form) => form.replaceAll('-', '+').replaceAll('_', '/'));
  const whole = bytes.toString('base64');
  return [
    whole,
    whole.replace(/=+$/, ''),
    bytes.toString('base64url'),
    ...long,
    ...standard,
    ...standard.map(encodeURIComponent),
  ];
}
