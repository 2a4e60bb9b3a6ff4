import type { ErrorBody } from '../../lib/contract/description/error-body.ts';
import type { ErrorCode } from '../../lib/core/errors/error-catalogue.ts';
import { Failure } from '../../lib/core/errors/failure.ts';

/** What is known about the failed call. */
export interface CallFacts {
  /** The operation's id; `authentication` for the request for a token. */
  readonly operation: string;
  /** HTTP status of the last answer; absent if there was no answer. */
  readonly status?: number | undefined;
  /** The request id from the answer, else the one from the request. */
  readonly requestId?: string | undefined;
  /** Number of attempts to send the request. */
  readonly attempts?: number | undefined;
  /** The answer's body, if it has one of the three forms of spec §7 and unknowns §1. */
  readonly body?: ErrorBody | undefined;
  /** The version and the tag of the call, which identify its effect on the platform. */
  readonly versionName?: string | undefined;
  readonly executionTag?: string | undefined;
  /** True if the request was not repeated because the client's retry budget was spent. */
  readonly budgetSpent?: boolean | undefined;
  /** What the client read back from the platform after the answer was lost, and the result. */
  readonly readBack?: string | undefined;
  /** How to fix it, if the hint of the code does not fit. */
  readonly hint?: string | undefined;
  readonly cause?: unknown;
}

/** An invalid field and the reason. The field is absent if the platform returns only sentences. */
export interface Violation {
  readonly field?: string;
  readonly message: string;
}

/** Base of all errors of the client: a `Failure` with a stable code and the facts of its call. */
export abstract class ClientError extends Failure {
  override readonly name: string;
  readonly operation: string;
  readonly status: number | undefined;
  readonly requestId: string | undefined;
  readonly attempts: number;
  readonly body: ErrorBody | undefined;
  /** Whether the caller can fix the error: the request, the credential, or the name is wrong. */
  readonly isUserFault: boolean = false;
  /** True if the same call may succeed later and is safe to repeat. */
  readonly isRetryable: boolean = false;
  /** True if it is unknown whether the call took effect. */
  readonly isUnknown: boolean = false;

  constructor(code: ErrorCode, message: string, facts: CallFacts, details: Record<string, unknown> = {}) {
    const { operation, status, requestId, attempts = 0, body, hint, cause } = facts;
    const { versionName, executionTag, budgetSpent, readBack } = facts;
    const callDetails = {
      operation,
      status,
      requestId,
      attempts,
      versionName,
      executionTag,
      budgetSpent: budgetSpent === true ? true : undefined,
      readBack,
      ...details,
    };
    super(code, {
      message,
      ...(hint === undefined ? {} : { hint }),
      details: Object.fromEntries(Object.entries(callDetails).filter(([, value]) => value !== undefined)),
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

/** `value-unsendable`: the header, path or form key cannot carry the value. Nothing was sent. */
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

/** `file-changed`: the content of a file differs in size from its announced size. The upload was aborted. */
export class FileChanged extends ClientError {
  override readonly isUserFault = true;
  constructor(facts: { operation: string; path: string; expected: number; read: number }) {
    const { operation, path, expected, read } = facts;
    const readAmount = read > expected ? 'more' : `only ${read}`;
    super(
      'file-changed',
      `${operation}: “${path}” changed during the upload: expected ${expected} bytes, read ${readAmount}.`,
      { operation },
      { path, expected },
    );
  }
}

/** `file-refused`: a file of an upload cannot be read; `cause` has the reason. The upload was aborted. */
export class FileUnreadable extends ClientError {
  override readonly isUserFault = true;
  constructor(facts: { operation: string; path: string; reason: string; cause: unknown }) {
    const { operation, path, reason, cause } = facts;
    const message = `${operation}: “${path}” cannot be read: ${reason}.`;
    super('file-refused', message, { operation, cause }, { path });
  }
}

/** Each violation as text, with its field if it has one. */
export function violationTexts(violations: readonly Violation[]): string[] {
  return violations.map(({ field, message }) => (field === undefined ? message : `${field}: ${message}`));
}

/** `request-invalid`: fields are invalid, found before sending or answered with 400. */
export class RequestInvalid extends ClientError {
  override readonly isUserFault = true;
  readonly violations: readonly Violation[];
  constructor(facts: CallFacts & { violations: readonly Violation[]; platformMessage?: string | undefined }) {
    const listed = violationTexts(facts.violations);
    const subject = facts.status === undefined ? 'the request is invalid' : `was answered ${facts.status}`;
    const platformMessage = facts.platformMessage?.replace(/\.$/, '');
    const reasons =
      listed.length === 0
        ? (platformMessage ?? 'no reason was given')
        : [
            ...(platformMessage === undefined || listed.includes(platformMessage)
              ? []
              : [`“${platformMessage}”`]),
            listed.join('; '),
          ].join(': ');
    super(
      'request-invalid',
      `${facts.operation}: ${subject}: ${reasons}.`.replace(/([.?])\.$/, '$1'),
      facts,
      {
        violations: facts.violations,
      },
    );
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

/** `forbidden` (403): the credential lacks the role (spec §5) or the access level (spec §2.3). */
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

/** `conflict` (409): the thing to create already exists. Never transient. */
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

/**
 * `version-disabled` (410; unknowns §2), also if a read-back after a lost answer finds the version disabled
 * (unknowns §3).
 */
export class VersionDisabled extends ClientError {
  override readonly isUserFault = true;
  constructor(message: string, facts: CallFacts) {
    super('version-disabled', message, facts);
  }
}

/** `rate-limited` (429), after all attempts, or if the requested wait exceeds the deadline. */
export class RateLimited extends ClientError {
  override readonly isRetryable = true;
  /** The wait that the platform asked for, in milliseconds. */
  readonly retryAfterMs: number | undefined;
  constructor(message: string, facts: CallFacts, retryAfterMs: number | undefined) {
    super('rate-limited', message, facts, retryAfterMs === undefined ? {} : { retryAfterMs });
    this.retryAfterMs = retryAfterMs;
  }
}

/** `platform-failed` (5xx) of an operation that may be repeated. */
export class PlatformFailed extends ClientError {
  override readonly isRetryable = true;
  /** The wait that the platform asked for, in milliseconds. */
  readonly retryAfterMs: number | undefined;
  constructor(message: string, facts: CallFacts, retryAfterMs?: number) {
    super('platform-failed', message, facts, retryAfterMs === undefined ? {} : { retryAfterMs });
    this.retryAfterMs = retryAfterMs;
  }
}

/** `unreachable`: the request was never sent (refused, DNS, connect time-out, certificate). */
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
  /** True for a web page or a redirect: a server in front of the platform answered instead. */
  readonly isForeign: boolean;
  constructor(message: string, facts: CallFacts, isForeign = false) {
    super('answer-unreadable', message, facts);
    this.isForeign = isForeign;
  }
}

/**
 * `outcome-unknown`: the answer to an operation that must not be repeated was lost or is a server error, which proves
 * nothing (unknowns §3), and the read-back on the platform gave no result. Carries the version or the tag to search
 * for.
 */
export class OutcomeUnknown extends ClientError {
  override readonly isUnknown = true;
  override readonly isRetryable: boolean;
  readonly versionName: string | undefined;
  readonly executionTag: string | undefined;
  /** What the client read back, and the result; absent if the API does not show the effect. */
  readonly readBack: string | undefined;
  constructor(message: string, facts: CallFacts, isRetryable = false) {
    super('outcome-unknown', message, facts);
    this.isRetryable = isRetryable;
    this.versionName = facts.versionName;
    this.executionTag = facts.executionTag;
    this.readBack = facts.readBack;
  }
}

/**
 * `cancelled`: the caller's signal aborted; its reason is the `cause`. `isUnknown` if the operation must not be
 * repeated and its request had been sent.
 */
export class Cancelled extends ClientError {
  override readonly isUnknown: boolean;
  constructor(message: string, facts: CallFacts, isUnknown: boolean) {
    super('cancelled', message, facts);
    this.isUnknown = isUnknown;
  }
}
