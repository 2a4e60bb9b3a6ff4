import { type ErrorBody, errorBody } from '../lib/contract/error-body.ts';
import { oneLine } from '../lib/core/sanitize-text.ts';
import type { Violation } from './errors.ts';

export interface ReadErrorBody {
  /** `undefined` where the body is none of the three forms. */
  readonly body: ErrorBody | undefined;
  /** The platform's own sentence, on one line and cut to a readable length. */
  readonly said: string | undefined;
  /** What it says about all fields together, beside the violations. */
  readonly detail?: string | undefined;
  readonly violations: readonly Violation[];
}

const longest = 300;

/** Reads the three forms of spec §7 and unknowns §1; anything else is only quoted, and HTML not even that. */
export function readErrorBody(text: string): ReadErrorBody {
  const json = parse(text);
  const parsed = errorBody.safeParse(json);
  if (!parsed.success) {
    const quotable = json === undefined && /^\s*</.test(text) ? '' : text;
    return { body: undefined, said: sentenceOf(quotable), violations: [] };
  }
  const body = parsed.data;
  if ('validation-errors' in body) {
    const violations = body['validation-errors'] as readonly Violation[];
    const detail = sentenceOf(String(body['detail']));
    return { body, said: detail, detail, violations };
  }
  if ('violations' in body) {
    const violations = (body['violations'] as readonly string[]).map((message) => ({ message }));
    const detail = sentenceOf(textOf(body['detail']));
    return { body, said: detail ?? sentenceOf(String(body['title'])), detail, violations };
  }
  return { body, said: sentenceOf(body['error']), violations: [] };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** A sentence of the platform on one line and cut to a readable length; undefined where nothing is left of it. */
function sentenceOf(text: string): string | undefined {
  const line = oneLine(text).replaceAll(/\s+/g, ' ');
  if (line === '') return undefined;
  return line.length > longest ? `${line.slice(0, longest)}…` : line;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
