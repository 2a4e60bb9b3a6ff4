import { readings } from './redaction-readings.ts';

/** Masks secrets in text by value, wherever they occur. */
export interface Redactor {
  /** Adds a secret. Ignores values under four characters, which would mask parts of ordinary words. */
  add(secret: SecretValue): void;
  /** Adds a secret that will be replaced, such as a token. Only the newest 16 are kept. */
  addRotating(secret: SecretValue): void;
  /** The text with each secret replaced by `[secret]`. The time is proportional to the length of the text. */
  text(text: string): string;
  /** A JSON value with all its strings redacted; a string whose field names a secret is masked completely. */
  value<Value>(value: Value): Value;
}

export type SecretValue = string | { reveal(): string };

export const mask = '[secret]';

const minLength = 4;
/** A shorter secret may appear across spaces by chance. */
const minCutLength = 8;
/** At a cut, a part of a secret is masked if it has at least this length; a shorter part reveals nothing. */
const minStartLength = 8;
/** Ends a text that was cut. */
const ellipsis = '…';
/** Four characters of base64 are three bytes: too common to mask. */
const minBase64Length = 6;
const maxRotating = 16;

const secretName =
  /^((proxy-)?authorization|(set-)?cookie|.*(api-?key|secret|password|passphrase|private-?key|token|assertion))$/i;

/** Whether the name of a field or a header marks its value as a secret. */
export function namesSecret(name: string): boolean {
  return secretName.test(name);
}

interface KnownSecret {
  readonly value: string;
  readonly isRotating: boolean;
  readonly forms: readonly string[];
}

/**
 * Creates the redactor that all parts use. It finds a secret as it is; each line of it, if it has several; with
 * characters escaped as in JSON, URLs, forms or HTML; split by line breaks, spaces or invisible characters; in base64,
 * also inside a longer encoded text; and its start, if the text was cut with `…`.
 */
export function createRedactor(secrets: Iterable<SecretValue> = []): Redactor {
  let knownSecrets: readonly KnownSecret[] = [];
  let forms: readonly string[] = [];
  let cutForms: readonly string[] = [];
  let minFormLength = Infinity;

  const learn = (secret: SecretValue, isRotating: boolean): void => {
    const value = typeof secret === 'string' ? secret : secret.reveal();
    if (knownSecrets.some((entry) => entry.value === value)) return;
    knownSecrets = [...knownSecrets, { value, isRotating, forms: secretForms(value) }];
    const rotating = knownSecrets.filter((entry) => entry.isRotating);
    const forgotten = rotating.length > maxRotating ? rotating[0] : undefined;
    knownSecrets = knownSecrets.filter((entry) => entry !== forgotten);
    forms = [...new Set(knownSecrets.flatMap((entry) => entry.forms))];
    cutForms = [...new Set(forms.map(withoutGaps))].filter(({ length }) => length >= minCutLength);
    minFormLength = Math.min(...forms.map(({ length }) => length));
  };
  const redactText = (text: string): string => {
    if (text.length < Math.min(minFormLength, minStartLength)) return text;
    const spans: Span[] = [];
    for (const reading of readings(text)) {
      for (const form of reading.skipsGaps ? cutForms : forms) {
        // Few texts contain a secret: the offsets in the original are computed only for those.
        let at = reading.text.indexOf(form);
        while (at !== -1) {
          const span = reading.spanOf(at, at + form.length);
          // Without gaps, `pass word` matches `password`: only a match across a gap or an escape counts here.
          if (!reading.skipsGaps || span.to - span.from > form.length) spans.push(span);
          at = reading.text.indexOf(form, at + form.length);
        }
      }
      if (!reading.skipsGaps)
        for (const { from, to } of startsBeforeCuts(reading.text, forms))
          spans.push(reading.spanOf(from, to));
    }
    return spans.length === 0 ? text : maskSpans(text, spans);
  };
  const redactValue = (value: unknown): unknown => {
    if (typeof value === 'string') return redactText(value);
    if (Array.isArray(value)) return value.map(redactValue);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, entry]) => [
        redactText(key),
        typeof entry === 'string' && namesSecret(key) ? mask : redactValue(entry),
      ]),
    );
  };
  for (const secret of secrets) learn(secret, false);
  return {
    add: (secret) => learn(secret, false),
    addRotating: (secret) => learn(secret, true),
    text: redactText,
    value: redactValue as <Value>(value: Value) => Value,
  };
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/** The starts of secrets before an ellipsis. */
function startsBeforeCuts(text: string, forms: readonly string[]): readonly Span[] {
  const spans: Span[] = [];
  for (let to = text.indexOf(ellipsis); to !== -1; to = text.indexOf(ellipsis, to + 1)) {
    for (const form of forms) {
      const before = text.slice(Math.max(0, to - form.length + 1), to);
      const start = form.slice(0, minStartLength);
      let at = before.indexOf(start);
      while (at !== -1 && !form.startsWith(before.slice(at))) at = before.indexOf(start, at + 1);
      if (at !== -1) spans.push({ from: to - before.length + at, to });
    }
  }
  return spans;
}

/** Secrets may overlap: overlapping spans get one mask. */
function maskSpans(text: string, spans: readonly Span[]): string {
  let masked = '';
  let done = 0;
  let end = -1;
  for (const { from, to } of spans.toSorted((a, b) => a.from - b.from || b.to - a.to)) {
    if (from >= end) {
      masked += text.slice(done, from) + mask;
      end = to;
    } else end = Math.max(end, to);
    done = end;
  }
  return masked + text.slice(done);
}

/** Every form of a secret to search for, after unescaping and without gaps. */
export function secretForms(secret: string): string[] {
  const values = partsOf(secret).flatMap((part) => [
    part,
    // An escaped text is also read unescaped, so a secret that looks escaped must be unescaped too.
    ...readings(part).flatMap(({ text, skipsGaps }) => (skipsGaps ? [] : [text])),
    part.replaceAll(' ', '+'),
  ]);
  return [...new Set([...values, ...partsOf(secret).flatMap(base64Forms)])].filter(
    ({ length }) => length >= minLength,
  );
}

/** The value, and its lines if it has several; a line `-----BEGIN …` is not secret. */
function partsOf(secret: string): string[] {
  const whole = secret.toWellFormed().trim();
  const lines = whole.split(/\r?\n/).map((line) => line.trim());
  const secretLines = lines.filter((line) => line.length >= 8 && !line.startsWith('-----'));
  return [whole, ...secretLines].filter((part) => part.length >= minLength);
}

/**
 * The secret in base64, and its part in a longer base64 text (for example `id:secret`): the characters that do not
 * depend on the neighbouring bytes, for each of the three alignments to the base64 groups.
 */
function base64Forms(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const inside = [0, 1, 2].map((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64url');
    return encoded.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
  });
  const urlSafe = [bytes.toString('base64url'), ...inside].filter(({ length }) => length >= minBase64Length);
  const standard = urlSafe.map((form) => form.replaceAll('-', '+').replaceAll('_', '/'));
  return [bytes.toString('base64'), ...urlSafe, ...standard];
}

function withoutGaps(text: string): string {
  return readings(text).find(({ skipsGaps }) => skipsGaps)?.text ?? text;
}
