import { expect, test } from 'vitest';
import { readPromotion } from '../../../worker/records/promotion-record.ts';

test('pushers and authors that become known later are added to those of the plan', () => {
  const plan = {
    pusher: { login: 'ada', id: 1 },
    otherPushers: [{ login: 'grace', id: 2 }],
    authors: ['mallory'],
    version: { kind: 'commit' },
  };
  const record = readPromotion({
    id: 'retry',
    lane: 'lane',
    state: 'queued',
    plan: JSON.stringify(plan),
    'pusher:ada': '{"login":"ada","id":1}',
    'pusher:trent': '{"login":"trent","id":3}',
    'author:mallory': '',
    'author:Peggy': '21',
    'earlier-author:trudy': '22',
  });
  expect(record?.plan).toMatchObject({
    pusher: { login: 'ada' },
    otherPushers: [{ login: 'grace' }, { login: 'trent' }],
    authors: ['mallory', 'Peggy', 'trudy'],
    authorIds: { Peggy: 21, trudy: 22 },
  });
});
