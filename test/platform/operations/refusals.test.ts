import { expect, test } from 'vitest';
import { operations } from '../../../lib/contract/operations.ts';
import { resultsOf, talk } from '../talk.ts';

/** Who may, as §5 and unknowns §1 say it, not as the contract does; every other operation needs no role. */
const needs: Readonly<Record<string, 'admin' | 'superAdmin'>> = {
  'projects.create': 'admin',
  'connections.create': 'admin',
  'environments.create': 'admin',
  'repositories.link': 'admin',
  'audit.list': 'superAdmin',
  'sharedPipelines.list': 'admin',
  'sharedArtifacts.list': 'admin',
  'sharedArtifacts.details': 'admin',
  'sharedArtifacts.publish': 'admin',
  'sharedArtifacts.setEnabled': 'admin',
};

const seed = {
  projects: [{ name: 'open' }, { name: 'hidden', invited: false }],
  credentials: [
    { name: 'boss', role: 'superAdmin' as const, token: 'superAdmin' },
    { name: 'ann', role: 'admin' as const, token: 'admin' },
    { name: 'ben', role: 'member' as const, token: 'member' },
    { name: 'late', role: 'superAdmin' as const, token: 'expired', state: 'expired' as const },
    { name: 'gone', role: 'superAdmin' as const, token: 'revoked', state: 'revoked' as const },
  ],
};

test('every operation refuses no token (401), a low role (403), and a hidden project (404)', async () => {
  await using platform = await talk({ seed });
  const [open, hidden] = resultsOf(await platform.get('/v1/projects')).map((row) => String(row['id']));
  const roles = ['member', 'admin', 'superAdmin'];
  for (const { id, method, path } of operations) {
    const ask = async (token: string, project = open) => {
      const url = path.replace('{projectId}', project ?? '').replaceAll(/\{\w+\}/g, 'none');
      return (await platform.send(method, url, undefined, { token })).status;
    };
    for (const token of ['', 'unknown', 'expired', 'revoked'])
      expect([id, token, await ask(token)]).toEqual([id, token, 401]);
    const least = roles.indexOf(needs[id] ?? 'member');
    for (const [rank, token] of roles.entries()) {
      const status = await ask(token);
      expect([id, token, status === 403]).toEqual([id, token, rank < least]);
      expect([id, token, status]).not.toEqual([id, token, 401]);
      if (!path.includes('{projectId}') || rank < least) continue;
      const elsewhere = await ask(token, hidden);
      if (token === 'superAdmin') expect([id, elsewhere]).toEqual([id, status]);
      else expect([id, token, elsewhere]).toEqual([id, token, 404]);
    }
  }
  expect(Object.keys(needs).filter((id) => !operations.some((operation) => operation.id === id))).toEqual([]);
  expect(platform.platform.ledger()).toEqual([]);
});
