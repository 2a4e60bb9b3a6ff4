import type { Logger } from '../lib/core/ports.ts';
import type { AttemptEnd } from './attempt.ts';
import { maskEscaped, withoutEscapes } from './mask-escaped.ts';

/** Takes secrets out of text by value, so that it does not matter how they got into it. */
export interface Redaction {
  /** Learns a secret; also its base64, URL-encoded and JSON-escaped forms, and as a part of a longer base64 text. */
  add(secret: string): void;
  /** One that another will take the place of, such as a token: the last few are known, or a long life would know thousands. */
  addPassing(secret: string): void;
  text(text: string): string;
  /** All strings in a JSON value; whole where the field's name says that it is a secret. */
  value<Value>(value: Value): Value;
}

const mask = '***';
/** Fields and headers whose value is a secret, whatever it looks like. */
const secretName =
  /^((proxy-)?authorization|(set-)?cookie|.*(api-?key|secret|password|passphrase|private-?key|token))$/i;
/** Shorter ones would tear ordinary words apart. */
const shortest = 4;
const shortestInside = 8;
const mostPassing = 16;

export function createRedaction(): Redaction {
  let known: readonly KnownSecret[] = [];
  // Longest first: one secret may be the beginning of another.
  let forms: readonly string[] = [];
  let secrets: readonly string[] = [];
  let shortestForm = Infinity;
  const learn = (secret: string, isPassing: boolean): void => {
    if (secret.length < shortest || known.some((one) => one.secret === secret)) return;
    known = [...known, { secret, isPassing, forms: formsOf(secret) }];
    const passing = known.filter((one) => one.isPassing);
    const forgotten = passing.length > mostPassing ? passing[0] : undefined;
    known = known.filter((one) => one !== forgotten);
    secrets = known.flatMap((one) => [...new Set([one.secret, withoutEscapes(one.secret).plain])]);
    forms = [...new Set(known.flatMap((one) => one.forms))].toSorted((x, y) => y.length - x.length);
    shortestForm = forms.at(-1)?.length ?? Infinity;
  };
  const redactText = (text: string): string => {
    if (text.length < shortestForm) return text;
    let redacted = /[\\%]/.test(text) ? maskEscaped(text, secrets, mask) : text;
    // Nearly no text holds a secret; looking is several times cheaper than replacing.
    for (const form of forms) if (redacted.includes(form)) redacted = redacted.replaceAll(form, mask);
    return redacted;
  };
  const redactValue = (value: unknown): unknown => {
    if (typeof value === 'string') return redactText(value);
    if (Array.isArray(value)) return value.map(redactValue);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, entry]) => [
        redactText(key),
        typeof entry === 'string' && secretName.test(key) ? mask : redactValue(entry),
      ]),
    );
  };
  return {
    add: (secret) => learn(secret, false),
    addPassing: (secret) => learn(secret, true),
    text: redactText,
    value: redactValue as <Value>(value: Value) => Value,
  };
}

interface KnownSecret {
  readonly secret: string;
  readonly isPassing: boolean;
  readonly forms: readonly string[];
}

function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [
    secret,
    ...insideBase64(bytes),
    bytes.toString('base64'),
    bytes.toString('base64url'),
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    new URLSearchParams([['', secret]]).toString().slice(1),
  ];
}

/**
 * What any base64 text holds that encodes the secret among other bytes (`id:secret`, say): the letters that do not
 * depend on what stands before and after it, for each of the three ways in which it can lie across the groups.
 */
function insideBase64(secret: Buffer): string[] {
  return [0, 1, 2].flatMap((before) => {
    const whole = Math.floor(((before + secret.length) * 4) / 3);
    const text = Buffer.concat([Buffer.alloc(before), secret])
      .toString('base64')
      .slice(0, whole);
    const inside = text.slice(Math.ceil((before * 4) / 3));
    return inside.length < shortestInside ? [] : [inside, inside.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

/** The headers with what is secret masked, by name and by value. */
export function redactHeaders(
  headers: Readonly<Record<string, string>>,
  redaction: Redaction,
): Record<string, string> {
  const redacted = { ...headers };
  for (const name in headers) {
    const value = headers[name] ?? '';
    const masked = secretName.test(name) ? mask : redaction.text(value);
    // Nearly none is: a copy with nothing written to it is cheap.
    if (masked !== value) redacted[name] = masked;
  }
  return redacted;
}

/** An attempt's end whose texts may go into an error. A good answer is left as it is: it goes to the caller. */
export function redactEnd(end: AttemptEnd, redaction: Redaction): AttemptEnd {
  switch (end.kind) {
    case 'answered': {
      const { answer } = end;
      if (answer.status >= 200 && answer.status < 300) return end;
      const headers = redaction.value(answer.headers);
      return { kind: 'answered', answer: { ...answer, headers, text: redaction.text(answer.text) } };
    }
    case 'never-sent':
    case 'lost':
      return { ...end, problem: redaction.text(end.problem) };
    case 'too-large':
    case 'undecodable':
    case 'cancelled':
      return end;
  }
}

/** A logger that never sees a secret, whoever writes to it. */
export function redactedLogger(logger: Logger, redaction: Redaction): Logger {
  const line =
    (level: keyof Logger): Logger['debug'] =>
    (message, fields) => {
      try {
        logger[level](redaction.text(message), fields === undefined ? undefined : redaction.value(fields));
      } catch {
        // A line that cannot be written must not take the place of an answer.
      }
    };
  return { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') };
}
