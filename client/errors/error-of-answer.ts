import type { Role } from '../../lib/contract/description/operation.ts';
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
import type { WireAnswer } from '../transport/wire.ts';
import { type ErrorBody, errorBody } from '../../lib/contract/description/error-body.ts';
import { oneLine } from '../../lib/core/text/sanitize-text.ts';
import { shorten } from '../../lib/core/text/shorten.ts';

/** What error messages need of an operation; the request for a token has no row in the contract. */
export interface ErrorSubject {
  readonly id: string;
  readonly role: Role;
}

/** The error for an answer other than 2xx: one class per condition of spec §7 and unknowns §1. */
export function errorOfAnswer(
  operation: ErrorSubject,
  answer: WireAnswer,
  callFacts: CallFacts,
  retryAfterMs: number | undefined,
): ClientError {
  const { status } = answer;
  const { body, platformMessage, detail, violations } = readErrorBody(answer.text);
  const facts = { ...callFacts, status, body };
  const message = (condition: string): string =>
    `${operation.id} was answered ${status}: ${condition}${platformMessage === undefined ? '.' : `. The platform says: “${platformMessage}”`}${listedReasons(violations, platformMessage)}`;

  if (status < 400) return redirected(operation.id, answer, facts);
  if (status >= 500 || status === 408)
    return new PlatformFailed(message('the platform failed'), facts, retryAfterMs);
  switch (status) {
    case 401:
      return new Unauthorized(message('the token is missing, wrong, expired or revoked'), facts);
    case 403:
      return forbidden(operation, body, { facts, message });
    case 404:
      return new NotFound(message('not found, or the credential has no access'), {
        ...facts,
        ...(operation.id === 'reviews.create' ? { hint: notReviewable } : {}),
      });
    case 409:
      // The tag is the only conflict of a start in the specification (§4.4 rule 2, §7).
      return operation.id === 'executions.start'
        ? new TagConflict(message(`an execution with the ${tagText(facts)} is still running`), facts)
        : new Conflict(message('it already exists, or its state does not allow the call'), facts);
    case 410:
      return new VersionDisabled(message('the version is disabled'), facts);
    case 429:
      return new RateLimited(message(`too many requests${waitText(retryAfterMs)}`), facts, retryAfterMs);
    case 413:
      return new RequestInvalid({
        ...facts,
        violations,
        platformMessage: `the request is too large for the platform, or for a proxy before it${platformMessage === undefined ? '' : `. The platform says: “${platformMessage}”`}`,
        hint: 'Ask the administrators of the platform and of the proxy for a higher limit of the request body, or send fewer or smaller files.',
      });
    default:
      return new RequestInvalid({
        ...facts,
        violations,
        platformMessage: violations.length === 0 ? platformMessage : detail,
      });
  }
}

/** The listed violations without those that repeat the platform's message; empty if none remain. */
function listedReasons(violations: readonly Violation[], platformMessage: string | undefined): string {
  const listed = violationTexts(violations).filter((text) => text !== platformMessage);
  return listed.length === 0 ? '' : `: ${listed.join('; ')}`;
}

const roleNames = {
  member: 'the permission',
  admin: 'the role Admin or Super Admin',
  superAdmin: 'the role Super Admin',
} as const;

interface AnswerTexts {
  readonly facts: CallFacts;
  readonly message: (condition: string) => string;
}

/** A 403 for the role of the account (spec §5), or for an access level (§2.3) if the platform names one (unknowns §1). */
function forbidden(
  { role }: ErrorSubject,
  body: ErrorBody | undefined,
  { facts, message }: AnswerTexts,
): RoleRequired {
  const { requiredAccessLevel: needed, environmentName }: Readonly<Record<string, unknown>> = body ?? {};
  if (typeof needed !== 'string')
    return new RoleRequired(message(`the credential lacks ${roleNames[role]}`), facts);
  const level = shorten(oneLine(needed), maxNameLength);
  const place =
    typeof environmentName === 'string' ? ` in “${shorten(oneLine(environmentName), maxNameLength)}”` : '';
  return new RoleRequired(message(`the credential lacks the access level ${level}${place}`), {
    ...facts,
    hint: `Give the credential the access level ${level}${place} on the platform, or use another credential.`,
  });
}

const maxNameLength = 100;

function tagText({ executionTag }: CallFacts): string {
  return executionTag === undefined ? 'same tag' : `tag “${executionTag}”`;
}

function waitText(ms: number | undefined): string {
  return ms === undefined ? '' : `; the platform asks to wait ${Math.ceil(ms / 1000)} s`;
}

function redirected(operation: string, answer: WireAnswer, facts: CallFacts): ClientError {
  // Only the host: the rest of a redirect to a login page may contain secrets.
  const host = URL.parse(answer.headers['location'] ?? '')?.host;
  const target = host === undefined ? 'elsewhere' : `to ${host}`;
  return new AnswerUnreadable(
    `${operation} was answered ${answer.status}, a redirect ${target}. It is not followed, so that the credential is not sent to another host.`,
    facts,
    true,
  );
}

/** A review reads the commit from the repository that is linked to the project (spec §4.5). */
const notReviewable =
  'Check that the project is linked to its repository on the platform, that the commit was pushed to this branch, and that the project id and MILLRACE_BASE_URL are right. `millrace review --local` reviews on this machine, without the platform.';

interface ReadErrorBody {
  /** `undefined` if the body has none of the three forms. */
  readonly body: ErrorBody | undefined;
  /** The platform's message, on one line and shortened to a readable length. */
  readonly platformMessage: string | undefined;
  /** The platform's message about the whole request, in addition to the violations. */
  readonly detail?: string | undefined;
  readonly violations: readonly Violation[];
}

const maxQuoteLength = 300;

/** Parses the three forms of spec §7 and unknowns §1. Other text is only quoted; HTML is dropped. */
function readErrorBody(text: string): ReadErrorBody {
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

/** The platform’s message on one line, shortened to a readable length; undefined if it is empty. */
function platformSentence(text: string): string | undefined {
  const line = oneLine(text).replaceAll(/\s+/g, ' ');
  if (line === '') return undefined;
  return shorten(line, maxQuoteLength);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
