import type { FastifyInstance } from 'fastify';
import { keepBody } from '../world/exchange.ts';
import { tokenOperation } from '../faults/fault-schema.ts';
import { Refusal } from '../refusal/refusal.ts';
import type { World } from '../world/world.ts';

interface Form {
  readonly grant: string | null;
  readonly clientId: string | null;
  readonly clientSecret: string | null;
}

/** OAuth 2.0 client credentials (spec §5 rule 3 shows none; unknowns §1): form-encoded, no refresh token. */
export function registerTokenEndpoint(server: FastifyInstance, world: World): void {
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
      const answer = issue(world, readForm(request.body, request.headers.authorization));
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
    grant: body.get('grant_type'),
    clientId: body.get('client_id') ?? id ?? null,
    clientSecret: body.get('client_secret') ?? (basic === undefined ? null : secret.join(':')),
  };
}

function issue(world: World, { grant, clientId, clientSecret }: Form) {
  if (grant !== 'client_credentials')
    throw refused(400, 'unsupported_grant_type', 'grant_type must be client_credentials.');
  const credential = world.store.get<{ id: string }>(
    'SELECT id FROM credential WHERE client_id = ? AND client_secret = ?',
    clientId,
    clientSecret,
  );
  if (credential === undefined) throw refused(401, 'invalid_client', 'The client id or secret is wrong.');
  const lifetime = world.settings.tokenLifetime;
  const token = world.ids.token('access');
  const now = world.clock.now();
  world.store.transaction(() => {
    // Expired tokens are refused with or without their rows, so their rows are deleted to limit the table.
    world.store.run('DELETE FROM token WHERE expires_at < ?', now - 24 * 60 * 60 * 1000);
    world.store.run('INSERT INTO token VALUES (?, ?, ?, 0)', token, credential.id, now + lifetime);
  });
  return { access_token: token, token_type: 'Bearer', expires_in: Math.floor(lifetime / 1000) };
}

function refused(status: number, error: string, description: string): Refusal {
  return new Refusal(status, { error, error_description: description, status });
}
