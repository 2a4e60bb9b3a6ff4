import type { Logger } from '../../lib/core/ports/ports.ts';
import { mask, namesSecret, type Redactor } from '../../lib/core/text/redactor.ts';
import type { AttemptEnd } from './attempt.ts';

/** The headers with secrets masked, by name and by value. */
export function redactHeaders(
  headers: Readonly<Record<string, string>>,
  redactor: Redactor,
): Record<string, string> {
  const redacted = { ...headers };
  for (const name in headers) {
    const value = headers[name] ?? '';
    const masked = namesSecret(name) ? mask : redactor.text(value);
    // Few headers are masked: an unmodified copy is cheap.
    if (masked !== value) redacted[name] = masked;
  }
  return redacted;
}

/** An attempt's end whose texts may appear in an error. A 2xx answer stays unchanged for the caller. */
export function redactEnd(end: AttemptEnd, redactor: Redactor): AttemptEnd {
  switch (end.kind) {
    case 'answered': {
      const { answer } = end;
      if (answer.status >= 200 && answer.status < 300) return end;
      const headers = redactor.value(answer.headers);
      return { kind: 'answered', answer: { ...answer, headers, text: redactor.text(answer.text) } };
    }
    case 'never-sent':
    case 'lost':
      return { ...end, problem: redactor.text(end.problem) };
    case 'too-large':
    case 'undecodable':
    case 'cancelled':
      return end;
  }
}

/** A logger that masks secrets in every message and field. */
export function redactedLogger(logger: Logger, redactor: Redactor): Logger {
  const line =
    (level: keyof Logger): Logger['debug'] =>
    (message, fields) => {
      try {
        logger[level](redactor.text(message), fields === undefined ? undefined : redactor.value(fields));
      } catch {
        // A failing logger must not fail the call.
      }
    };
  return { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') };
}
