import type { ClientCredentials, Platform } from '../world/platform.ts';
import type { World } from '../world/world.ts';

interface TokenRow {
  readonly role: 'superAdmin' | 'admin' | 'member';
  readonly token: string;
}

type Access = Pick<Platform, 'projectId' | 'tokens' | 'clientCredentials' | 'execution' | 'environment'>;

/** What a caller needs to use the platform. It is read from the state, so that it is the same after a restart. */
export function describeAccess(world: World, baseUrl: string): Access {
  const { store, settings } = world;
  const projectId = store.get<{ id: string }>('SELECT id FROM project ORDER BY seq LIMIT 1')?.id ?? '';
  const rows = store.all<TokenRow>(
    `SELECT c.role, t.token FROM credential c JOIN token t ON t.credential_id = c.id
     WHERE t.expires_at IS NULL AND t.revoked = 0 ORDER BY c.rowid, t.rowid`,
  );
  const tokenOf = (role: TokenRow['role']) => rows.find((row) => row.role === role)?.token ?? '';
  const tokens = { superAdmin: tokenOf('superAdmin'), admin: tokenOf('admin'), member: tokenOf('member') };
  return {
    projectId,
    tokens,
    clientCredentials: findClient(world, baseUrl),
    execution: settings.execution,
    environment: () => ({
      MILLRACE_BASE_URL: baseUrl,
      MILLRACE_TOKEN: tokens.superAdmin || tokens.admin || tokens.member,
      MILLRACE_PROJECT_ID: projectId,
      MILLRACE_AGENT_VERSION: settings.agentVersion,
    }),
  };
}

function findClient(world: World, baseUrl: string): ClientCredentials | undefined {
  const row = world.store.get<{ clientId: string; clientSecret: string }>(
    `SELECT client_id AS clientId, client_secret AS clientSecret FROM credential
     WHERE client_id IS NOT NULL ORDER BY rowid LIMIT 1`,
  );
  return row && { ...row, tokenUrl: `${baseUrl}/oauth/token` };
}
