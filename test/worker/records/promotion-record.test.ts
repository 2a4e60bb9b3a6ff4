import { expect, test } from 'vitest';
import { readPromotion } from '../../../worker/records/promotion-record.ts';

test('pushers and authors that become known later are added to the ones of the task', () => {
  const task = {
    pusher: { login: 'ada', id: 1 },
    otherPushers: [{ login: 'grace', id: 2 }],
    authors: ['mallory'],
    version: { kind: 'commit' },
    lane: {},
  };
  const record = readPromotion({
    id: 'retry',
    lane: 'lane',
    state: 'queued',
    task: JSON.stringify(task),
    'pusher:ada': '{"login":"ada","id":1}',
    'pusher:trent': '{"login":"trent","id":3}',
    'author:mallory': '',
    'author:Peggy': '21',
    'earlier-author:trudy': '22',
  });
  expect(record?.task).toMatchObject({
    pusher: { login: 'ada' },
    otherPushers: [{ login: 'grace' }, { login: 'trent' }],
    authors: ['mallory', 'Peggy', 'trudy'],
    authorIds: { Peggy: 21, trudy: 22 },
  });
});

test('a record of an older worker, and one without what its task and its other fields say, are read alike', () => {
  const common = {
    lane: 'lane',
    state: 'active',
    createdAt: '1000',
    place: '7',
    task: JSON.stringify({ version: { kind: 'named', name: 'v1.0.0' }, lane: {} }),
  };
  const older = readPromotion({ ...common, id: 'one', version: 'v1.0.0', startedAt: '1000' });
  expect(older).toMatchObject({ id: 'one', version: 'v1.0.0', startedAt: 1_000 });
  expect(readPromotion({ ...common, id: 'one' })).toEqual(older);
  const { task, ...rest } = common;
  expect(readPromotion({ ...rest, plan: task, id: 'one' })).toEqual(older);
  // It waits for its lane.
  const { place: _, ...waiting } = common;
  expect(readPromotion({ ...waiting, id: 'one', state: 'queued' })?.startedAt).toBeUndefined();
});
