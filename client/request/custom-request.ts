import * as z from 'zod';
import type { RetryClass } from '../../lib/contract/description/operation.ts';
import type { BuildParts } from './build-request.ts';
import type { Callable } from './callable.ts';
import { encodePath, encodeQuery } from './encode-path.ts';
import { RequestInvalid, ValueUnsendable } from '../errors/errors.ts';
import { headerValue } from './header-value.ts';
import { multipartOf } from './multipart.ts';
import { randomHex } from './random-hex.ts';
import { violationsOfFiles } from './validate-input.ts';
import type { UploadFile } from './upload-file.ts';
import type { WireRequest } from '../transport/wire.ts';

const anything = z.unknown();

/** A request to an endpoint that is not in the contract. */
export interface CustomRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Relative to the base URL, `/v1` included; `{name}` is replaced by the encoded value of `params`. */
  readonly path: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. Cannot be combined with `files`. */
  readonly body?: unknown;
  /** Sent as multipart, one part per file. */
  readonly files?: readonly UploadFile[];
  /**
   * The retry class, which decides whether the request is sent again. Default `safe` for GET, `once` for all others:
   * sent again only if it was never sent or was refused with 429.
   */
  readonly retry?: Exclude<RetryClass, 'keyed'>;
}

/**
 * The request and its callable. The answer is returned as JSON without validation; `undefined` for an empty answer
 * and for plain text.
 *
 * @throws {ValueUnsendable} {@link RequestInvalid} for files without a path or a size in bytes.
 */
export function buildCustomRequest(
  custom: CustomRequest,
  parts: BuildParts,
): { readonly callable: Callable; readonly request: WireRequest } {
  const id = `${custom.method} ${custom.path}`;
  const retry = custom.retry ?? (custom.method === 'GET' ? 'safe' : 'once');
  validatePath(id, custom);
  const headers: Record<string, string> = {
    accept: 'application/json',
    'user-agent': parts.userAgent,
    'x-request-id': randomHex(parts.random, 16),
  };
  for (const [name, value] of Object.entries(custom.headers ?? {})) {
    validateHeaderName(id, name);
    headers[name.toLowerCase()] = headerValue(id, name, value);
  }
  const path =
    parts.prefix + encodePath(id, custom.path, custom.params ?? {}) + encodeQuery(id, custom.query ?? {});
  const body = bodyOf(id, custom, headers, parts);
  return {
    callable: { id, method: custom.method, retry, role: 'member', answer: anything, answerNotShown: true },
    request: { method: custom.method, origin: parts.origin, path, headers, body, fresh: retry === 'once' },
  };
}

function bodyOf(
  id: string,
  { body, files }: CustomRequest,
  headers: Record<string, string>,
  { random }: BuildParts,
): WireRequest['body'] {
  if (files !== undefined && body !== undefined) {
    throw new ValueUnsendable({
      operation: id,
      field: 'body',
      reason: 'a request can have a body or files, but not both',
    });
  }
  if (files !== undefined) {
    const violations = violationsOfFiles(files);
    if (violations.length > 0) throw new RequestInvalid({ operation: id, violations });
    const form = multipartOf(id, files, `millrace-${randomHex(random, 16)}`);
    headers['content-type'] = form.contentType;
    headers['content-length'] = String(form.contentLength);
    return form.body;
  }
  if (body === undefined) return undefined;
  headers['content-type'] ??= 'application/json';
  return { kind: 'text', text: JSON.stringify(body) };
}

/** Accepts the caller's path unless part of it would change the target. @throws {ValueUnsendable} */
function validatePath(operation: string, { path, params = {} }: CustomRequest): void {
  const refuse = (reason: string): never => {
    throw new ValueUnsendable({ operation, field: 'path', reason });
  };
  if (!path.startsWith('/') || path.startsWith('//')) refuse('it must begin with exactly one slash');
  if (!/^[!$-;=@-[\]-~]*$/.test(path)) {
    refuse(
      'it contains a question mark, a hash, a space or a character that must be encoded; give such values in query or params',
    );
  }
  for (const [, name = ''] of path.matchAll(/\{(\w+)\}/g)) {
    if (params[name] === undefined) refuse(`it contains “{${name}}”, but params has no value for it`);
  }
  const segments = path.split('/').map((segment) => segment.replaceAll(/%2e/gi, '.'));
  if (segments.some((segment) => segment === '.' || segment === '..')) {
    refuse('it has “.” or “..” as one of its parts, which would change the path');
  }
}

const ownHeaders = new Set(['authorization', 'content-length', 'host', 'transfer-encoding', 'connection']);

function validateHeaderName(operation: string, name: string): void {
  if (ownHeaders.has(name.toLowerCase())) {
    throw new ValueUnsendable({ operation, field: name, reason: 'the client sets this header itself' });
  }
  if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/i.test(name)) {
    throw new ValueUnsendable({ operation, field: name, reason: 'it is not a valid header name' });
  }
}
