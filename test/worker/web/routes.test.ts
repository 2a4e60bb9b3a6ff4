import { expect, test } from 'vitest';
import { type OperatorRole, operatorRoles } from '../../../lib/config/worker/operator-schema.ts';
import { routes } from '../../../worker/web/api/routes.ts';
import { testRedis } from '../../environment/redis.ts';
import { oneLane, person } from '../promotion/gates/one-lane.ts';

const redis = testRedis();

/** Who may do what, written down once more by hand: a route that changes its role must be changed here too. */
const expected: Readonly<Record<string, OperatorRole>> = {
  'GET /me': 'viewer',
  'GET /lanes': 'viewer',
  'GET /lanes/:id': 'viewer',
  'POST /lanes/:id/refresh': 'viewer',
  'POST /lanes/:id/hold': 'approver',
  'POST /lanes/:id/resume': 'approver',
  'POST /lanes/:id/roll-back': 'admin',
  'GET /lanes/:id/roll-back': 'admin',
  'GET /lanes/:id/promote': 'admin',
  'POST /lanes/:id/promote': 'admin',
  'GET /pauses': 'viewer',
  'POST /pause': 'admin',
  'POST /pauses/:id/resume': 'admin',
  'GET /promotions': 'viewer',
  'GET /promotions/:id': 'viewer',
  'POST /promotions/:id/approve': 'approver',
  'GET /promotions/:id/approve': 'approver',
  'POST /promotions/:id/reject': 'approver',
  'GET /promotions/:id/reject': 'approver',
  'POST /promotions/:id/override-freeze': 'admin',
  'POST /promotions/:id/pass-evidence': 'admin',
  'POST /promotions/:id/cancel': 'approver',
  'POST /promotions/:id/retry': 'approver',
  'POST /promotions/:id/resolve': 'admin',
  'GET /promotions/:id/resolve': 'admin',
  'GET /bulk/resume': 'approver',
  'POST /bulk/resume': 'approver',
  'GET /bulk/resolve': 'admin',
  'POST /bulk/resolve': 'admin',
  'GET /bulk/retry': 'approver',
  'POST /bulk/retry': 'approver',
  'GET /dead-letters': 'viewer',
  'POST /dead-letters/:id/replay': 'admin',
  'GET /deliveries': 'viewer',
  'GET /config': 'viewer',
  'GET /audit': 'viewer',
  'GET /export': 'viewer',
  'GET /metrics': 'viewer',
};

test('every route asks for the role that the documentation promises', () => {
  expect(Object.fromEntries(routes.map(({ method, path, role }) => [`${method} ${path}`, role]))).toEqual(
    expected,
  );
});

test('on every route every role below the one it asks for is refused, and what is not in the list is not there', async () => {
  const lane = await oneLane(redis);
  const promotion = await lane.push('v1.0.0');
  const pathOf = (path: string): string =>
    path.slice(1).replace(':id', path.startsWith('/lanes') ? encodeURIComponent(lane.lane) : promotion);
  for (const { method, path, role } of routes) {
    for (const has of operatorRoles) {
      const { status } = await lane.ask(person('ada', has), method, pathOf(path), {});
      const enough = operatorRoles.indexOf(has) >= operatorRoles.indexOf(role);
      // Being none of the approvers is refused with 403 as well, by another rule.
      const refused = status === 403 && !(enough && /\/(?:approve|reject)$/.test(path));
      expect(refused, `${method} ${path} as ${has}: ${status}`).toBe(!enough);
    }
  }
  const root = person('root', 'admin');
  for (const [method, path] of [
    ['POST', 'lanes'],
    ['GET', 'lanes/a/b/c'],
    ['GET', `promotions/${promotion}/cancel`],
    ['POST', `promotions/${promotion}/delete`],
    ['GET', '__proto__'],
    ['GET', 'constructor'],
    ['GET', ''],
  ] as const) {
    expect(await lane.ask(root, method, path), `${method} ${path}`).toMatchObject({ status: 404 });
  }
});

test('on every route lanes, runs and acts of other repositories are not there', async () => {
  const lane = await oneLane(redis);
  const promotion = await lane.push('v1.0.0');
  await lane.ask('ada', 'POST', `lanes/${encodeURIComponent(lane.lane)}/hold`, { reason: 'x' });
  const stranger = { ...person('stranger', 'admin'), repositories: [42] };
  for (const { method, path, about } of routes) {
    const id = path.startsWith('/lanes') ? encodeURIComponent(lane.lane) : promotion;
    const answer = await lane.ask(stranger, method, path.slice(1).replace(':id', id), { reason: 'x' });
    if (about === 'own') expect(JSON.stringify(answer.body), path).not.toMatch(/promotion-v1|to-test/);
    else expect(answer, `${method} ${path}`).toMatchObject({ status: 404 });
  }
  expect(await lane.ask(stranger, 'GET', 'promotions')).toMatchObject({ body: { promotions: [] } });
  expect(await lane.ask(stranger, 'GET', 'audit')).toMatchObject({ body: { entries: [] } });
  const own = { ...person('own', 'viewer'), repositories: [77] };
  expect(await lane.ask(own, 'GET', 'promotions')).toMatchObject({
    body: { promotions: [{ id: promotion }] },
  });
  expect(await lane.ask(own, 'GET', 'audit')).toMatchObject({
    body: { entries: [{ act: 'hold', by: 'ada' }] },
  });
});

test('every action leaves one named audit entry; reads and refusals leave none', async () => {
  const lane = await oneLane(redis, { gates: { approvals: 1 } });
  const id = encodeURIComponent(lane.lane);
  const promotion = await lane.push('v1.0.0');
  await lane.advance(promotion);
  const acts = async () =>
    (await lane.ports.store.auditEntries(100)).toReversed().map(({ by, act }) => `${by} ${act}`);
  for (const path of ['lanes', 'promotions', `promotions/${promotion}`, `lanes/${id}`, 'audit', 'me'])
    await lane.ask('ada', 'GET', path);
  await lane.ask('mallory', 'POST', `promotions/${promotion}/approve`, { commit: 'x', version: 'y' });
  await lane.ask(person('eve', 'viewer'), 'POST', `lanes/${id}/hold`, { reason: 'x' });
  expect(await acts()).toEqual([]);
  await lane.ask('ada', 'POST', `lanes/${id}/hold`, { reason: 'x' });
  await lane.release('grace');
  await lane.approve('ada', promotion);
  await lane.ask('grace', 'POST', `promotions/${promotion}/cancel`);
  await lane.advance(promotion);
  await lane.ask('ada', 'POST', `promotions/${promotion}/retry`);
  const again = await lane.ask('ada', 'POST', `promotions/${promotion}/retry`);
  expect(again).toMatchObject({ status: 409 });
  expect(await acts()).toEqual(['ada hold', 'grace resume', 'ada approve', 'grace cancel', 'ada retry']);
});

test('the audit is read page by page and narrowed by person', async () => {
  const lane = await oneLane(redis);
  const id = encodeURIComponent(lane.lane);
  await lane.push('v1.0.0');
  for (const by of ['ada', 'grace', 'ada']) await lane.ask(by, 'POST', `lanes/${id}/hold`, { reason: by });
  interface Page {
    readonly next: string | null;
    readonly entries: readonly { id: string; by: string; at: string }[];
  }
  const first = (await lane.ask('ada', 'GET', 'audit?limit=2')).body as Page;
  expect(first.entries.map(({ by }) => by)).toEqual(['ada', 'grace']);
  expect(first.entries[0]?.at).toBe('2031-01-01T12:00:00.000Z');
  const rest = (await lane.ask('ada', 'GET', `audit?before=${first.next ?? ''}`)).body as Page;
  expect(rest.entries).toHaveLength(1);
  expect(rest.next).toBeNull();
  expect(await lane.ask('ada', 'GET', 'audit?by=grace')).toMatchObject({
    body: { entries: [{ by: 'grace' }] },
  });
  // Redis has no entries of the last three ids, and says so with an error.
  for (const before of ['x', '0-0', '99999999999999999999-1', '1-99999999999999999999'])
    expect(await lane.ask('ada', 'GET', `audit?before=${before}`), before).toMatchObject({ status: 400 });
});

test('other keys of a lane or a promotion in Redis are not accepted as lanes or promotions', async () => {
  const lane = await oneLane(redis);
  const promotion = await lane.push('v1.0.0');
  for (const part of ['promotions', 'queue', 'heads', 'history', 'report'])
    for (const path of [
      `lanes/${encodeURIComponent(`${lane.lane}:${part}`)}`,
      `promotions/${promotion}:${part}`,
    ])
      expect(await lane.ask('ada', 'GET', path), path).toMatchObject({ status: 404 });
});
