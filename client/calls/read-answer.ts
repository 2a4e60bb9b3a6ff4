import {
  describeSchemaIssue,
  nearestIssues,
  type SchemaIssue,
  valueAt,
} from '../../lib/core/errors/schema-issue.ts';
import { answerSchema } from './answer-schema.ts';
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
