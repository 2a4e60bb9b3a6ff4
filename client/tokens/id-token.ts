import * as z from 'zod';
import { Failure } from '../../lib/core/errors/failure.ts';
import type { Redactor } from '../../lib/core/text/redactor.ts';
import { readTokenFile, validateToken } from '../calls/authentication.ts';
import type { CallParts } from '../calls/call-parts.ts';
import type { WorkloadIdentity } from '../interface/client-options.ts';
import { errorOf } from '../calls/conclude.ts';
import { perform } from './issue-token.ts';
import { parseHttpUrl } from '../request/platform-address.ts';
import { parseJson } from './token-request.ts';
import type { WireRequest } from '../transport/wire.ts';

const answerSchema = z.looseObject({ value: z.string().min(1) });

/**
 * The ID token of the workload, new for each exchange. The caller masks it.
 *
 * @throws {Failure} `no-token` if there is none; what a call throws if GitHub does not answer.
 */
export async function readIdToken(
  { idToken: source, tokenUrl }: WorkloadIdentity,
  userAgent: string,
  parts: CallParts,
  redactor: Redactor,
): Promise<string> {
  if ('token' in source) return validateToken(source.token, 'idToken');
  if ('file' in source) return validateToken(await readTokenFile(source.file, 'idToken'), 'idToken');
  const { requestUrl, requestToken, audience = tokenUrl } = source;
  const request = idTokenRequest(requestUrl, requestToken, audience, userAgent);
  const { call, facts } = await perform(request, parts, redactor);
  const { end } = call;
  if (end.kind !== 'answered' || end.answer.status >= 500 || end.answer.status === 429)
    throw errorOf({ id: 'authentication', role: 'member' }, call, facts, parts.clock.now());
  const answer = answerSchema.safeParse(parseJson(end.answer.text));
  if (end.answer.status < 300 && answer.success) return validateToken(answer.data.value, 'idToken');
  throw new Failure('no-token', {
    message: `GitHub was asked for an ID token and gave none (${String(end.answer.status)}).`,
    hint: 'Add `id-token: write` under `permissions:` of the job. Pull requests from forks and from Dependabot get no ID token.',
  });
}

/** GitHub's address already has a query. */
function idTokenRequest(address: string, token: string, audience: string, userAgent: string): WireRequest {
  const url = parseHttpUrl(address, 'requestUrl');
  url.searchParams.set('audience', audience);
  return {
    method: 'GET',
    origin: url.origin,
    path: url.pathname + url.search,
    headers: { accept: 'application/json', authorization: `Bearer ${token}`, 'user-agent': userAgent },
    body: undefined,
    fresh: false,
  };
}
