import { type ErrorBody, errorBody } from '../../lib/contract/description/error-body.ts';
import { oneLine } from '../../lib/core/text/sanitize-text.ts';
import type { Violation } from './errors.ts';

export interface ReadErrorBody {
  /** `undefined` where the body has none of the three forms. */
  readonly body: ErrorBody | undefined;
  /** The platform's message, on one line and shortened to a readable length. */
  readonly platformMessage: string | undefined;
  /** The platform's message about the whole request, in addition to the violations. */
  readonly detail?: string | undefined;
  readonly violations: readonly Violation[];
}

const maxQuoteLength = 300;

/** Parses the three forms of spec §7 and unknowns §1. Other text is only quoted; HTML is dropped. */
export function readErrorBody(text: string): ReadErrorBody {
  const json = parse(text);
  const parsed = errorBody.safeParse(json);
  if (!parsed.success) {
    const quotable = json === undefined && /^\s*</.test(text) ? '' : text;
    return { body: undefined, platformMessage: platformSentence(quotable), violations: [] };
  }
  const body = parsed.data;
  if ('validation-errors' in body) {
    const violations = body['validation-errors'] as readonly Violation[];
    const detail = platformSentence(String(body['detail']));
    return { body, platformMessage: detail, detail, violations };
  }
  if ('violations' in body) {
    const violations = (body['violations'] as readonly string[]).map((message) => ({ message }));
    const detail = platformSentence(textOf(body['detail']));
    return { body, platformMessage: detail ?? platformSentence(String(body['title'])), detail, violations };
  }
  return { body, platformMessage: platformSentence(body['error']), violations: [] };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The platform’s message on one line, shortened to a readable length; undefined where it is empty. */
function platformSentence(text: string): string | undefined {
  const line = oneLine(text).replaceAll(/\s+/g, ' ');
  if (line === '') return undefined;
  return line.length > maxQuoteLength ? `${line.slice(0, maxQuoteLength)}…` : line;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
