import * as z from 'zod';
import {
  describeSchemaIssue,
  nearestIssues,
  type SchemaIssue,
  valueAt,
} from '../../lib/core/errors/schema-issue.ts';
import type { Callable } from '../request/callable.ts';
import { AnswerUnreadable, type CallFacts } from '../errors/errors.ts';
import type { WireAnswer } from '../transport/wire.ts';

/**
 * Parses the body of a 2xx answer by the contract; accepts unknown fields and enumeration values. Where the
 * specification does not show the answer, a text that is not JSON counts as an empty answer.
 *
 * @throws {AnswerUnreadable} for HTML, broken JSON and missing fields.
 */
export function readAnswer(operation: Callable, answer: WireAnswer, facts: CallFacts): unknown {
  if (operation.answer === undefined) return undefined;
  const text = answer.text.trim();
  const unreadable = (reason: string, isForeign = false): AnswerUnreadable =>
    new AnswerUnreadable(
      `${operation.id} was answered ${answer.status}, but ${reason}.`,
      { ...facts, status: answer.status },
      isForeign,
    );
  if (looksLikeHtml(answer)) throw unreadable('with a web page instead of JSON', true);
  const json = text === '' ? undefined : parse(text, () => unreadable('its JSON is invalid'), operation);
  const parsed = answerSchema(operation.answer).safeParse(json);
  if (parsed.success) return parsed.data;
  throw unreadable(text === '' ? 'without a body' : wrongField(parsed.error.issues[0], json));
}

/** `results.0.versionName does not match the specification: it is missing` */
function wrongField(issue: SchemaIssue | undefined, json: unknown): string {
  const [nearest] = issue === undefined ? [] : nearestIssues(issue);
  const field = nearest === undefined || nearest.path.length === 0 ? 'the body' : nearest.path.join('.');
  const reason =
    nearest === undefined ? '' : `: it ${describeSchemaIssue(nearest, valueAt(json, nearest.path))}`;
  return `${field} does not match the specification${reason}`;
}

/** Whether an answer is a web page: a login or error page of something between the client and the platform. */
function looksLikeHtml(answer: WireAnswer): boolean {
  return /^\s*<(!doctype|html|head|body|\?xml)/i.test(answer.text);
}

function parse(text: string, broken: () => AnswerUnreadable, operation: Callable): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // `Accepted.` after a promotion counts as an empty answer; a truncated object does not.
    if (operation.answerNotShown === true && operation.paged !== true && !/^[[{"]/.test(text))
      return undefined;
    throw broken();
  }
}

/** Compiling takes a third of a millisecond; it pays off after this number of answers. */
const minUsesToCompile = 50;

const timesUsed = new WeakMap<z.ZodType, number>();
const compiled = new WeakMap<z.ZodType, z.ZodType>();

/**
 * The schema that reads an answer. For an operation that is called often it is the compiled form, which takes a
 * quarter of the time. Where the host forbids code generation, `z.compile` returns the schema unchanged.
 */
export function answerSchema(schema: z.ZodType): z.ZodType {
  const fast = compiled.get(schema);
  if (fast !== undefined) return fast;
  const times = (timesUsed.get(schema) ?? 0) + 1;
  timesUsed.set(schema, times);
  if (times < minUsesToCompile) return schema;
  const made = z.compile(schema);
  compiled.set(schema, made);
  return made;
}
