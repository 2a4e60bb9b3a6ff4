import * as z from 'zod';
import type { Role } from '../../lib/contract/description/operation.ts';
import { refuse } from '../refusal/refusal.ts';
import type { World } from './world.ts';

/** The caller: the credential of the bearer token. */
export interface Caller {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  /** Access level where `projects` names none (spec §2.3; `access-level.ts` says what is in force). */
  readonly accessLevel: string | null;
  /**
   * The projects that the caller may see, each with its access level, or with access levels by environment. Default:
   * all projects to which users were invited.
   */
  readonly projects: Readonly<Record<string, string | Readonly<Record<string, string>> | null>> | null;
}

interface Row extends Omit<Caller, 'accessLevel' | 'projects'> {
  readonly projects: string | null;
  readonly access_level: string | null;
  readonly expires_at: number | null;
  readonly revoked: number;
}

/**
 * Finds the caller of an `authorization` header (spec §5 rules 1 and 2). The scheme is case-insensitive: §4.2 writes
 * `bearer`, §5 `Bearer`.
 * @throws Refusal 401
 */
export function authenticate(world: World, header: string | undefined): Caller {
  if (header === undefined) throw refuse(401, 'The header authorization is missing.');
  const [, token] = /^bearer +(\S+) *$/i.exec(header) ?? [];
  if (token === undefined) throw refuse(401, 'The header authorization must read "Bearer <token>".');
  const row = world.store.get<Row>(
    `SELECT c.id, c.name, c.email, c.role, c.access_level, c.projects, t.expires_at, t.revoked
     FROM token t JOIN credential c ON c.id = t.credential_id WHERE t.token = ?`,
    token,
  );
  if (row === undefined) throw refuse(401, 'The access token is unknown.');
  if (row.revoked === 1) throw refuse(401, 'The access token was revoked.');
  if (row.expires_at !== null && row.expires_at <= world.clock.now())
    throw refuse(401, 'The access token has expired.');
  const { id, name, email, role, access_level: accessLevel } = row;
  const projects = row.projects === null ? null : accessLevels.parse(JSON.parse(row.projects));
  return { id, name, email, role, accessLevel, projects };
}

const accessLevels = z.record(z.string(), z.union([z.string(), z.record(z.string(), z.string())]).nullable());

const rank = { member: 0, admin: 1, superAdmin: 2 } as const satisfies Record<Role, number>;
const roleName = { member: 'member', admin: 'Admin', superAdmin: 'Super Admin' } as const;

/** @throws Refusal 403 if the account role is too low (spec §5 rules 4 and 5). */
export function requireRole(caller: Caller, role: Role): void {
  if (rank[caller.role] >= rank[role]) return;
  const needed = role === 'admin' ? 'Admin or Super Admin' : roleName[role];
  throw refuse(
    403,
    `This operation needs the ${needed} role; the credential has the role ${roleName[caller.role]}.`,
  );
}
