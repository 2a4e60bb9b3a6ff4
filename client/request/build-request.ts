import type { Operation } from '../../lib/contract/description/operation.ts';
import type { Random } from '../../lib/core/ports/ports.ts';
import { encodePath, encodeQuery } from './encode-path.ts';
import { headerValue } from './header-value.ts';
import { multipartOf } from './multipart.ts';
import { randomHex } from './random-hex.ts';
import { validateInput } from './validate-input.ts';
import { inputNameOf } from '../../lib/contract/description/input-name.ts';
import type { WireRequest } from '../transport/wire.ts';

export interface BuildParts {
  /** Origin and path prefix of the platform, without a trailing slash. */
  readonly origin: string;
  readonly prefix: string;
  readonly userAgent: string;
  readonly random: Random;
}

/**
 * The validated request of an operation.
 *
 * @throws {RequestInvalid} {@link VersionInvalid} {@link ValueUnsendable}
 */
export function buildRequest(
  operation: Operation,
  input: Readonly<Record<string, unknown>>,
  parts: BuildParts,
): WireRequest {
  const validated = validateInput(operation, input);
  const headers: Record<string, string> = {
    accept: 'application/json',
    'user-agent': parts.userAgent,
    // All attempts of a call have the same id. After a lost answer, it finds the request in the platform's log.
    'x-request-id': randomHex(parts.random, 16),
  };
  for (const [name, value] of Object.entries(validated.headers)) {
    if (value !== undefined) headers[name] = headerValue(operation.id, inputNameOf(name), value);
  }
  return {
    method: operation.method,
    origin: parts.origin,
    path:
      parts.prefix +
      encodePath(operation.id, operation.path, validated.params) +
      encodeQuery(operation.id, validated.query),
    headers,
    body: bodyOf(operation, validated, headers, parts.random),
    fresh: operation.retry === 'once' || operation.retry === 'keyed',
  };
}

/** The body. Adds the content headers to `headers`. */
function bodyOf(
  operation: Operation,
  validated: ReturnType<typeof validateInput>,
  headers: Record<string, string>,
  random: Random,
): WireRequest['body'] {
  switch (operation.body.kind) {
    case 'none':
      return undefined;
    case 'json':
      headers['content-type'] = 'application/json';
      return { kind: 'text', text: JSON.stringify(validated.body) };
    case 'multipart': {
      const form = multipartOf(operation.id, validated.files, `millrace-${randomHex(random, 16)}`);
      headers['content-type'] = form.contentType;
      headers['content-length'] = String(form.contentLength);
      return form.body;
    }
  }
}
