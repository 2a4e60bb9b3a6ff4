import type { Role } from '../../contract/operation.ts';
import { refuse } from '../refusal.ts';
import type { World } from '../world.ts';

/** Who calls: the credential behind the bearer token. */
export interface Caller {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  /** Access in every environment; where absent, each environment's `defaultUserAccessLevel` counts (spec §2.3). */
  readonly accessLevel: string | null;
}

interface Row extends Omit<Caller, 'accessLevel'> {
  readonly access_level: string | null;
  readonly expires_at: number | null;
  readonly revoked: number;
}

/**
 * The caller behind an `authorization` header (spec §5 rules 1 and 2). The scheme is compared without regard to case:
 * §4.2 writes `bearer`, §5 `Bearer`.
 * @throws Refusal 401
 */
export function authenticate(world: World, header: string | undefined): Caller {
  if (header === undefined) throw refuse(401, 'The header authorization is missing.');
  const [, token] = /^bearer +(\S+) *$/i.exec(header) ?? [];
  if (token === undefined) throw refuse(401, 'The header authorization must read "Bearer <token>".');
  const row = world.store.get<Row>(
    `SELECT c.id, c.name, c.email, c.role, c.access_level, t.expires_at, t.revoked
     FROM token t JOIN credential c ON c.id = t.credential_id WHERE t.token = ?`,
    token,
  );
  if (row === undefined) throw refuse(401, 'The access token is not known.');
  if (row.revoked === 1) throw refuse(401, 'The access token was revoked.');
  if (row.expires_at !== null && row.expires_at <= world.clock.now())
    throw refuse(401, 'The access token has expired.');
  return { id: row.id, name: row.name, email: row.email, role: row.role, accessLevel: row.access_level };
}

const rank = { member: 0, admin: 1, superAdmin: 2 } as const satisfies Record<Role, number>;
const roleName = { member: 'member', admin: 'Admin', superAdmin: 'Super Admin' } as const;

/** @throws Refusal 403 where the account role is too low (spec §5 rules 4 and 5). */
export function requireRole(caller: Caller, role: Role): void {
  if (rank[caller.role] >= rank[role]) return;
  const needed = role === 'admin' ? 'Admin or Super Admin' : roleName[role];
  throw refuse(
    403,
    `This operation needs the ${needed} role; the credential has the role ${roleName[caller.role]}.`,
  );
}
