/** The body of the answer to a refused request (spec §7, unknowns §1). */
export type RefusalBody = Readonly<Record<string, unknown>>;

/** Thrown to refuse a request: status and body of the answer, never a stack trace. */
export class Refusal extends Error {
  readonly status: number;
  readonly body: RefusalBody;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, body: RefusalBody, headers: Readonly<Record<string, string>> = {}) {
    super(`Refused with ${String(status)}`);
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/**
 * A refusal with the body `{ error, status }`: the form of the tag conflict in §7, used here for every 401, 403,
 * 404, 409 and 410.
 */
export function refuse(status: 401 | 403 | 404 | 409 | 410 | 413 | 415 | 429 | 507, error: string): Refusal {
  return new Refusal(status, { error, status }, status === 401 ? { 'www-authenticate': 'Bearer' } : {});
}

/** A refusal 400 with one sentence for each violated rule (unknowns §1, third form). */
export function badRequest(instance: string, violations: readonly string[]): Refusal {
  return new Refusal(400, {
    type: 'about:blank',
    title: 'Bad Request',
    status: 400,
    detail: violations[0] ?? 'The request does not fit the specification.',
    instance,
    violations,
  });
}

export interface FieldError {
  readonly field: string;
  readonly message: string;
}

/** A refusal 400 for a streaming definition, with exactly the body of §7. */
export function invalidDefinition(instance: string, errors: readonly FieldError[]): Refusal {
  return new Refusal(400, {
    title: 'Bad Request',
    status: 400,
    detail: 'The streaming pipeline definition is incomplete or invalid.',
    instance,
    'validation-errors': errors,
  });
}
