import { readings } from './redaction-readings.ts';

/** Takes secrets out of text by value, so that it does not matter how they got into it. */
export interface Redactor {
  /** Adds a secret; values under four characters are ignored, they would mask parts of ordinary words. */
  add(secret: SecretValue): void;
  /** Adds a secret that others replace, such as a token: the newest 16 are masked, older ones are forgotten. */
  addRotating(secret: SecretValue): void;
  /** The text with each secret replaced by `[secret]`. Takes time in proportion to the text. */
  text(text: string): string;
  /** A JSON value with all of its strings redacted; a string whose field names a secret is masked whole. */
  value<Value>(value: Value): Value;
}

export type SecretValue = string | { reveal(): string };

export const mask = '[secret]';

const minLength = 4;
/** The letters of a shorter secret may follow each other across blanks by chance. */
const minCutLength = 8;
/** Four characters of base64 are three bytes: too common to mask. */
const minBase64Length = 6;
const maxRotating = 16;

const secretName =
  /^((proxy-)?authorization|(set-)?cookie|.*(api-?key|secret|password|passphrase|private-?key|token))$/i;

/** Whether a field or a header of this name holds a secret, whatever its value looks like. */
export function namesSecret(name: string): boolean {
  return secretName.test(name);
}

interface KnownSecret {
  readonly value: string;
  readonly isRotating: boolean;
  readonly forms: readonly string[];
}

/**
 * Makes the redactor that everything uses: a secret is found as it is, line by line where it has several, with any of
 * its characters escaped as in JSON, URLs, forms or HTML, cut by line breaks, blanks or invisible characters, and in
 * base64, also inside a longer encoded text.
 */
export function createRedactor(secrets: Iterable<SecretValue> = []): Redactor {
  let known: readonly KnownSecret[] = [];
  let forms: readonly string[] = [];
  let cutForms: readonly string[] = [];
  let shortestForm = Infinity;

  const learn = (secret: SecretValue, isRotating: boolean): void => {
    const value = typeof secret === 'string' ? secret : secret.reveal();
    if (known.some((one) => one.value === value)) return;
    known = [...known, { value, isRotating, forms: secretForms(value) }];
    const rotating = known.filter((one) => one.isRotating);
    const forgotten = rotating.length > maxRotating ? rotating[0] : undefined;
    known = known.filter((one) => one !== forgotten);
    forms = [...new Set(known.flatMap((one) => one.forms))];
    cutForms = [...new Set(forms.map(withoutGaps))].filter(({ length }) => length >= minCutLength);
    shortestForm = Math.min(...forms.map(({ length }) => length));
  };
  const redactText = (text: string): string => {
    if (text.length < shortestForm) return text;
    const spans: Span[] = [];
    for (const reading of readings(text)) {
      for (const form of reading.skipsGaps ? cutForms : forms) {
        // Nearly no text holds a secret: the offsets in the original are found out only for one that does.
        let at = reading.text.indexOf(form);
        while (at !== -1) {
          const span = reading.spanOf(at, at + form.length);
          // Without gaps, `pass word` is in `password`: only what a gap or an escape goes through counts here.
          if (!reading.skipsGaps || span.to - span.from > form.length) spans.push(span);
          at = reading.text.indexOf(form, at + form.length);
        }
      }
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

/** Secrets may overlap: what several spans cover together is masked once. */
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

/** Every form in which a secret is searched for, once escapes are undone and gaps are left out. */
export function secretForms(secret: string): string[] {
  const values = partsOf(secret).flatMap((part) => [
    part,
    // A text in which something is escaped is read without its escapes: so must a secret that looks escaped.
    ...readings(part).flatMap(({ text, skipsGaps }) => (skipsGaps ? [] : [text])),
    part.replaceAll(' ', '+'),
  ]);
  return [...new Set([...values, ...partsOf(secret).flatMap(base64Forms)])].filter(
    ({ length }) => length >= minLength,
  );
}

/** The value, and the lines of one that has several; `-----BEGIN …` is not secret. */
function partsOf(secret: string): string[] {
  const whole = secret.toWellFormed().trim();
  const lines = whole.split(/\r?\n/).map((line) => line.trim());
  const secretLines = lines.filter((line) => line.length >= 8 && !line.startsWith('-----'));
  return [whole, ...secretLines].filter((part) => part.length >= minLength);
}

/**
 * The secret in base64, and what any base64 text holds that encodes it among other bytes (`id:secret`, say): the
 * characters that do not depend on its neighbours, for each of the three positions that it can have in the groups.
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
