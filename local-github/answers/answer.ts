/** The answer of a route; without a body if `body` is undefined. */
export interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

export const ok = (body: unknown): Answer => ({ status: 200, body });
export const created = (body: unknown): Answer => ({ status: 201, body });

/** A refusal in GitHub's form. */
export class Refusal extends Error {
  readonly status: number;
  readonly errors: readonly unknown[] | undefined;
  readonly headers: Record<string, string>;

  constructor(
    status: number,
    message: string,
    extra: { errors?: readonly unknown[]; headers?: Record<string, string> } = {},
  ) {
    super(message);
    this.status = status;
    this.errors = extra.errors;
    this.headers = extra.headers ?? {};
  }
}

export const notFound = (): Refusal => new Refusal(404, 'Not Found');

/** 422 with the list of what is wrong, as GitHub sends it. */
export function invalid(message: string, errors?: readonly unknown[]): Refusal {
  return new Refusal(422, message, errors === undefined ? {} : { errors });
}

export function refusalAnswer(refusal: Refusal): Answer {
  return {
    status: refusal.status,
    headers: refusal.headers,
    body: {
      message: refusal.message,
      ...(refusal.errors === undefined ? {} : { errors: refusal.errors }),
      documentation_url: 'https://docs.github.com/rest',
      status: String(refusal.status),
    },
  };
}
