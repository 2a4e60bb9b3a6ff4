import type { Logger } from '../model/ports.ts';
import type { AttemptEnd } from './attempt.ts';

/** Takes secrets out of text by value, so that it does not matter how they got into it. */
export interface Redaction {
  /** Learns a secret; also its base64 and URL-encoded forms. */
  add(secret: string): void;
  text(text: string): string;
  /** All strings in a JSON value. */
  value<Value>(value: Value): Value;
}

const mask = '***';
/** Shorter ones would tear ordinary words apart. */
const shortest = 4;

export function createRedaction(): Redaction {
  // Longest first: one secret may be the beginning of another.
  let forms: string[] = [];
  const redactText = (text: string): string => {
    let redacted = text;
    for (const form of forms) redacted = redacted.replaceAll(form, mask);
    return redacted;
  };
  const redactValue = (value: unknown): unknown => {
    if (typeof value === 'string') return redactText(value);
    if (Array.isArray(value)) return value.map(redactValue);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, entry]) => [redactText(key), redactValue(entry)]),
    );
  };
  return {
    add(secret) {
      if (secret.length < shortest) return;
      const bytes = Buffer.from(secret);
      const found = [
        secret,
        bytes.toString('base64'),
        bytes.toString('base64url'),
        encodeURIComponent(secret),
        new URLSearchParams([['', secret]]).toString().slice(1),
      ];
      forms = [...new Set([...forms, ...found])].toSorted((a, b) => b.length - a.length);
    },
    text: redactText,
    value: redactValue as <Value>(value: Value) => Value,
  };
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
      return end;
  }
}

/** A logger that never sees a secret, whoever writes to it. */
export function redactedLogger(logger: Logger, redaction: Redaction): Logger {
  const line =
    (level: keyof Logger): Logger['debug'] =>
    (message, fields) =>
      logger[level](redaction.text(message), fields === undefined ? undefined : redaction.value(fields));
  return { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') };
}
