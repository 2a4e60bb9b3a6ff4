import type { Role } from '../lib/contract/operation.ts';
import {
  AnswerUnreadable,
  type CallFacts,
  type ClientError,
  Conflict,
  NotFound,
  PlatformFailed,
  RateLimited,
  RequestInvalid,
  RoleRequired,
  TagConflict,
  Unauthorized,
  VersionDisabled,
  type Violation,
  violationTexts,
} from './errors.ts';
import { readErrorBody } from './read-error-body.ts';
import type { WireAnswer } from './wire.ts';

/** As much of an operation as its errors speak of; the token's request has no row in the contract. */
export interface ErrorSubject {
  readonly id: string;
  readonly role: Role;
}

/** The error for an answer that is none of 2xx: one class per condition of spec §7 and unknowns §1. */
export function errorOfAnswer(
  operation: ErrorSubject,
  answer: WireAnswer,
  known: CallFacts,
  retryAfterMs: number | undefined,
): ClientError {
  const { status } = answer;
  const { body, said, detail, violations } = readErrorBody(answer.text);
  const facts = { ...known, status, body };
  const message = (condition: string): string =>
    `${operation.id} was answered ${status}: ${condition}${said === undefined ? '.' : `. The platform says: “${said}”`}${reasons(violations, said)}`;

  if (status < 400) return redirected(operation.id, answer, facts);
  if (status >= 500 || status === 408)
    return new PlatformFailed(message('the platform failed'), facts, retryAfterMs);
  switch (status) {
    case 401:
      return new Unauthorized(message('the token is missing, wrong, expired or revoked'), facts);
    case 403:
      return new RoleRequired(message(`the credential lacks ${roleInWords[operation.role]}`), facts);
    case 404:
      return new NotFound(message('nothing of that name is there, or the credential may not see it'), facts);
    case 409:
      // The only conflict that the specification knows of a start is the tag (§4.4 rule 2, §7).
      return operation.id === 'executions.start'
        ? new TagConflict(message(`an execution with the ${tagInWords(facts)} is still running`), facts)
        : new Conflict(message('it exists already, or its state does not allow it'), facts);
    case 410:
      return new VersionDisabled(message('the version is disabled'), facts);
    case 429:
      return new RateLimited(message(`too many requests${waitInWords(retryAfterMs)}`), facts, retryAfterMs);
    default:
      return new RequestInvalid({ ...facts, violations, said: violations.length === 0 ? said : detail });
  }
}

/** What it lists beside its summary; '' where that is nothing more. */
function reasons(violations: readonly Violation[], said: string | undefined): string {
  const listed = violationTexts(violations).filter((text) => text !== said);
  return listed.length === 0 ? '' : `: ${listed.join('; ')}`;
}

const roleInWords = {
  member: 'the permission',
  admin: 'the role Admin or Super Admin',
  superAdmin: 'the role Super Admin',
} as const;

function tagInWords({ executionTag }: CallFacts): string {
  return executionTag === undefined ? 'same tag' : `tag “${executionTag}”`;
}

function waitInWords(ms: number | undefined): string {
  return ms === undefined ? '' : `; it asks to wait ${Math.ceil(ms / 1000)} s`;
}

function redirected(operation: string, answer: WireAnswer, facts: CallFacts): ClientError {
  // Host only: the rest of a redirect to a login page may hold secrets of its own.
  const host = URL.parse(answer.headers['location'] ?? '')?.host;
  const target = host === undefined ? 'elsewhere' : `to ${host}`;
  return new AnswerUnreadable(
    `${operation} was answered ${answer.status}, a redirect ${target}; it is not followed, so that the credential stays here.`,
    facts,
    true,
  );
}
