import type { ErrorBody } from '../lib/contract/error-body.ts';
import type { ErrorCode } from '../lib/core/error-catalogue.ts';
import { Failure } from '../lib/core/failure.ts';

/** What is known of the call that failed. */
export interface CallFacts {
  /** The operation's id; `authentication` where a token could not be had. */
  readonly operation: string;
  /** Of the last answer; absent where there was none. */
  readonly status?: number | undefined;
  /** The platform's own where it named one, else the one that the request bore. */
  readonly requestId?: string | undefined;
  /** How often the request was sent, or tried to be. */
  readonly attempts?: number | undefined;
  /** The answer's body where it is one of the three forms of spec §7 and unknowns §1. */
  readonly body?: ErrorBody | undefined;
  /** The version and the tag that the call bore: what to look for on the platform. */
  readonly versionName?: string | undefined;
  readonly executionTag?: string | undefined;
  /** It was not sent again because the client's retry budget was spent. */
  readonly budgetSpent?: boolean | undefined;
  /** What was looked at on the platform after the answer was lost, and what was seen. */
  readonly looked?: string | undefined;
  readonly cause?: unknown;
}

/** A field that is wrong, and why. The field is absent where the platform only gives sentences. */
export interface Violation {
  readonly field?: string;
  readonly message: string;
}

/** Every error of the client: a `Failure` with a stable code that also knows its call. */
export abstract class ClientError extends Failure {
  override readonly name: string;
  readonly operation: string;
  readonly status: number | undefined;
  readonly requestId: string | undefined;
  readonly attempts: number;
  readonly body: ErrorBody | undefined;
  /** The caller can mend it: the request, the credential, or the name is wrong. */
  readonly isUserFault: boolean = false;
  /** The same call may succeed later and does no harm. */
  readonly isRetryable: boolean = false;
  /** Whether the effect took place cannot be told. */
  readonly isUnknown: boolean = false;

  constructor(code: ErrorCode, message: string, facts: CallFacts, details: Record<string, unknown> = {}) {
    const { operation, status, requestId, attempts = 0, body, cause } = facts;
    const { versionName, executionTag, budgetSpent, looked } = facts;
    const known = {
      operation,
      status,
      requestId,
      attempts,
      versionName,
      executionTag,
      budgetSpent: budgetSpent === true ? true : undefined,
      looked,
      ...details,
    };
    super(code, {
      message,
      details: Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined)),
      ...(cause === undefined ? {} : { cause }),
    });
    this.name = new.target.name;
    this.operation = operation;
    this.status = status;
    this.requestId = requestId;
    this.attempts = attempts;
    this.body = body;
  }
}

interface UnsendableField {
  readonly operation: string;
  readonly field: string;
  readonly reason: string;
}

/** `value-unsendable`: a value that its place (header, path, form key) cannot carry. Nothing was sent. */
export class ValueUnsendable extends ClientError {
  override readonly isUserFault = true;
  constructor({ operation, field, reason }: UnsendableField) {
    super('value-unsendable', `${operation}: ${field} cannot be sent: ${reason}.`, { operation }, { field });
  }
}

/** `version-invalid`: a version name that a header cannot carry, or `latest` (spec §4.8 rule 1). Nothing was sent. */
export class VersionInvalid extends ClientError {
  override readonly isUserFault = true;
  constructor({ operation, field, reason }: UnsendableField) {
    super('version-invalid', `${operation}: ${field} cannot be used: ${reason}.`, { operation }, { field });
  }
}

/** `file-changed`: a file yielded another number of bytes than it said. The upload was broken off. */
export class FileChanged extends ClientError {
  override readonly isUserFault = true;
  constructor(facts: { operation: string; path: string; expected: number; read: number }) {
    const { operation, path, expected, read } = facts;
    const found = read > expected ? 'more' : `only ${read}`;
    super(
      'file-changed',
      `${operation}: “${path}” changed while it was uploaded: ${expected} bytes were announced, ${found} came.`,
      { operation },
      { path, expected },
    );
  }
}

/** `file-refused`: a file of an upload cannot be read; the `cause` says why. The upload was broken off. */
export class FileUnreadable extends ClientError {
  override readonly isUserFault = true;
  constructor(facts: { operation: string; path: string; reason: string; cause: unknown }) {
    const { operation, path, reason, cause } = facts;
    const message = `${operation}: “${path}” cannot be read: ${reason}.`;
    super('file-refused', message, { operation, cause }, { path });
  }
}

/** Each violation with its field, where it names one. */
export function violationTexts(violations: readonly Violation[]): string[] {
  return violations.map(({ field, message }) => (field === undefined ? message : `${field}: ${message}`));
}

/** `request-invalid`: fields are wrong, found before sending or answered with 400. */
export class RequestInvalid extends ClientError {
  override readonly isUserFault = true;
  readonly violations: readonly Violation[];
  constructor(facts: CallFacts & { violations: readonly Violation[]; said?: string | undefined }) {
    const listed = violationTexts(facts.violations);
    const subject = facts.status === undefined ? 'the request is wrong' : `was answered ${facts.status}`;
    const said = facts.said?.replace(/\.$/, '');
    const reasons =
      listed.length === 0
        ? (said ?? 'no reason was given')
        : [...(said === undefined || listed.includes(said) ? [] : [`“${said}”`]), listed.join('; ')].join(
            ': ',
          );
    super('request-invalid', `${facts.operation}: ${subject}: ${reasons}.`.replace(/\.\.$/, '.'), facts, {
      violations: facts.violations,
    });
    this.violations = facts.violations;
  }
}

/** `unauthorized` (401): the token is missing, wrong, expired or revoked. */
export class Unauthorized extends ClientError {
  override readonly isUserFault = true;
  constructor(message: string, facts: CallFacts) {
    super('unauthorized', message, facts);
  }
}

/** `forbidden` (403): the credential lacks the role (spec §5). */
export class RoleRequired extends ClientError {
  override readonly isUserFault = true;
  constructor(message: string, facts: CallFacts) {
    super('forbidden', message, facts);
  }
}

/** `not-found` (404). */
export class NotFound extends ClientError {
  override readonly isUserFault = true;
  constructor(message: string, facts: CallFacts) {
    super('not-found', message, facts);
  }
}

/** `conflict` (409): what was to be created exists. Never transient. */
export class Conflict extends ClientError {
  override readonly isUserFault = true;
  constructor(message: string, facts: CallFacts, details: Record<string, unknown> = {}) {
    super('conflict', message, facts, details);
  }
}

/** `execution-tag-conflict` (409): an execution with the tag is still running (spec §4.4 rule 2). */
export class TagConflict extends ClientError {
  readonly executionTag: string | undefined;
  constructor(message: string, facts: CallFacts) {
    super('execution-tag-conflict', message, facts);
    this.executionTag = facts.executionTag;
  }
}

/** `version-disabled` (410; unknowns §2), also where a version whose answer was lost is there and disabled (unknowns §3). */
export class VersionDisabled extends ClientError {
  override readonly isUserFault = true;
  constructor(message: string, facts: CallFacts) {
    super('version-disabled', message, facts);
  }
}

/** `rate-limited` (429), after all attempts or because the wait asked for is longer than the deadline. */
export class RateLimited extends ClientError {
  override readonly isRetryable = true;
  /** How long the platform asked to wait, in milliseconds. */
  readonly retryAfterMs: number | undefined;
  constructor(message: string, facts: CallFacts, retryAfterMs: number | undefined) {
    super('rate-limited', message, facts, retryAfterMs === undefined ? {} : { retryAfterMs });
    this.retryAfterMs = retryAfterMs;
  }
}

/** `platform-failed` (5xx) of an operation that may be repeated. */
export class PlatformFailed extends ClientError {
  override readonly isRetryable = true;
  /** How long the platform asked to wait, in milliseconds. */
  readonly retryAfterMs: number | undefined;
  constructor(message: string, facts: CallFacts, retryAfterMs?: number) {
    super('platform-failed', message, facts, retryAfterMs === undefined ? {} : { retryAfterMs });
    this.retryAfterMs = retryAfterMs;
  }
}

/** `unreachable`: the request provably never left (refused, DNS, connect time-out, certificate). */
export class Unreachable extends ClientError {
  override readonly isRetryable = true;
  constructor(message: string, facts: CallFacts) {
    super('unreachable', message, facts);
  }
}

/** `no-answer`: time-out or broken connection of an operation that may be repeated. */
export class NoAnswer extends ClientError {
  override readonly isRetryable = true;
  constructor(message: string, facts: CallFacts) {
    super('no-answer', message, facts);
  }
}

/** `answer-unreadable`: HTML, broken JSON, a redirect, or missing fields. */
export class AnswerUnreadable extends ClientError {
  /** A web page or a redirect: something in front of the platform answered in its place. */
  readonly isForeign: boolean;
  constructor(message: string, facts: CallFacts, isForeign = false) {
    super('answer-unreadable', message, facts);
    this.isForeign = isForeign;
  }
}

/**
 * `outcome-unknown`: the answer to an operation that must not be repeated was lost or is a server error, which
 * proves nothing (unknowns §3), and the client could not see on the platform whether it took place. Carries the
 * version or the tag to look for.
 */
export class OutcomeUnknown extends ClientError {
  override readonly isUnknown = true;
  override readonly isRetryable: boolean;
  readonly versionName: string | undefined;
  readonly executionTag: string | undefined;
  /** What the client looked at, and what it saw; absent where the API shows nothing of the effect. */
  readonly looked: string | undefined;
  constructor(message: string, facts: CallFacts, isRetryable = false) {
    super('outcome-unknown', message, facts);
    this.isRetryable = isRetryable;
    this.versionName = facts.versionName;
    this.executionTag = facts.executionTag;
    this.looked = facts.looked;
  }
}

/**
 * `cancelled`: the caller's signal aborted; its reason is the `cause`. `isUnknown` where the request of an
 * operation that must not be repeated was on its way.
 */
export class Cancelled extends ClientError {
  override readonly isUnknown: boolean;
  constructor(message: string, facts: CallFacts, isUnknown: boolean) {
    super('cancelled', message, facts);
    this.isUnknown = isUnknown;
  }
}
