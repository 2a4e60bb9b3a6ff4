import type { FastifyInstance } from 'fastify';
import { keepBody } from '../world/exchange.ts';
import { tokenOperation } from '../faults/fault-schema.ts';
import { Refusal } from '../refusal/refusal.ts';
import type { World } from '../world/world.ts';
import { createIdTokenVerifier, IdTokenRefused } from './verify-id-token.ts';

interface Form {
  readonly body: URLSearchParams;
  readonly clientId: string | null;
  readonly clientSecret: string | null;
}

type Verify = (idToken: string) => Promise<{ readonly iss?: string; readonly sub?: string }>;

const exchange = 'urn:ietf:params:oauth:grant-type:token-exchange';
const assertion = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const tokenTypes: readonly (string | null)[] = ['jwt', 'id_token'].map(
  (name) => `urn:ietf:params:oauth:token-type:${name}`,
);
const accessToken = 'urn:ietf:params:oauth:token-type:access_token';

/**
 * The token URL (spec §5 rule 3 shows none; unknowns §1): client credentials of OAuth 2.0, form-encoded, no refresh
 * token. Beyond the specification: an ID token of a trusted issuer in place of the secret, by RFC 8693 (token exchange)
 * or RFC 7523 §2.2 (assertion of the client).
 */
export function registerTokenEndpoint(server: FastifyInstance, world: World): void {
  const verify = createIdTokenVerifier(world.seed.issuers);
  void server.register((scope, _options, done) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      (request, body, parsed) => {
        if (request.watched !== undefined) request.watched.exchange.body = keepBody(String(body));
        parsed(null, new URLSearchParams(String(body)));
      },
    );
    scope.post('/oauth/token', { config: { operation: tokenOperation } }, async (request, reply) => {
      const form = readForm(request.body, request.headers.authorization);
      const verified: Verify = async (token) => verify(token, `${server.listeningOrigin}/oauth/token`);
      const answer = await answerTo(world, form, verified);
      return reply.header('cache-control', 'no-store').send(answer);
    });
    done();
  });
}

function readForm(body: unknown, authorization: string | undefined): Form {
  if (!(body instanceof URLSearchParams))
    throw refused(400, 'invalid_request', 'The body must be application/x-www-form-urlencoded.');
  const basic = /^basic +(\S+)$/i.exec(authorization ?? '')?.[1];
  const [id, ...secret] = basic === undefined ? [] : Buffer.from(basic, 'base64').toString('utf8').split(':');
  return {
    body,
    clientId: body.get('client_id') ?? id ?? null,
    clientSecret: body.get('client_secret') ?? (basic === undefined ? null : secret.join(':')),
  };
}

/** RFC 8693 §2.2.2 and RFC 7521 §4.2.1 name the errors. */
async function answerTo(world: World, form: Form, verify: Verify) {
  const { body } = form;
  const grant = body.get('grant_type');
  if (grant === exchange) {
    if (!tokenTypes.includes(body.get('subject_token_type')))
      throw refused(400, 'invalid_request', 'subject_token_type must be the type of a JWT or an ID token.');
    if (![null, accessToken].includes(body.get('requested_token_type')))
      throw refused(400, 'invalid_request', 'requested_token_type must be the type of an access token.');
    const id = await identify(world, form, body.get('subject_token'), verify).catch(
      as(400, 'invalid_request'),
    );
    return { ...issue(world, id), issued_token_type: accessToken };
  }
  if (grant !== 'client_credentials') {
    const problem = `grant_type must be client_credentials or ${exchange}.`;
    throw refused(400, 'unsupported_grant_type', problem);
  }
  if (body.get('client_assertion_type') !== assertion) return issue(world, clientOf(world, form));
  const id = await identify(world, form, body.get('client_assertion'), verify).catch(
    as(401, 'invalid_client'),
  );
  return issue(world, id);
}

function clientOf(world: World, { clientId, clientSecret }: Form): string {
  const credential = world.store.get<{ id: string }>(
    'SELECT id FROM credential WHERE client_id = ? AND client_secret = ?',
    clientId,
    clientSecret,
  );
  if (credential === undefined) throw refused(401, 'invalid_client', 'The client id or secret is wrong.');
  return credential.id;
}

/** The id of the credential that belongs to the workload of an ID token. Throws IdTokenRefused. */
async function identify(
  { seed, store }: World,
  { clientId }: Form,
  idToken: string | null,
  verify: Verify,
): Promise<string> {
  const { iss, sub = '' } = await verify(idToken ?? '');
  const credential = seed.credentials.find(
    ({ identity, clientId: ownClientId }) =>
      identity?.issuer === iss &&
      isSubject(identity?.subject ?? '', sub) &&
      (clientId === null || clientId === ownClientId),
  );
  const row =
    credential && store.get<{ id: string }>('SELECT id FROM credential WHERE name = ?', credential.name);
  if (row === undefined) throw new IdTokenRefused('No credential belongs to the subject of the ID token.');
  return row.id;
}

/** A `*` at the end of a credential's subject allows any rest. */
function isSubject(pattern: string, subject: string): boolean {
  return pattern.endsWith('*') ? subject.startsWith(pattern.slice(0, -1)) : subject === pattern;
}

function issue(world: World, credentialId: string) {
  const lifetime = world.settings.tokenLifetime;
  const token = world.ids.token('access');
  const now = world.clock.now();
  world.store.transaction(() => {
    // Expired tokens are refused with or without their rows, so their rows are deleted to limit the table.
    world.store.run('DELETE FROM token WHERE expires_at < ?', now - 24 * 60 * 60 * 1000);
    world.store.run('INSERT INTO token VALUES (?, ?, ?, 0)', token, credentialId, now + lifetime);
  });
  return { access_token: token, token_type: 'Bearer', expires_in: Math.floor(lifetime / 1000) };
}

function refused(status: number, error: string, description: string): Refusal {
  return new Refusal(status, { error, error_description: description, status });
}

/** Turns the refusal of an ID token into a refusal of the request. */
function as(status: number, error: string): (cause: unknown) => never {
  return (cause) => {
    throw cause instanceof IdTokenRefused ? refused(status, error, cause.message) : cause;
  };
}
