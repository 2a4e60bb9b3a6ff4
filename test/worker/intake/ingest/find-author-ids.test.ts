import { expect, test } from 'vitest';
import { Failure } from '../../../../lib/core/errors/failure.ts';
import type { People } from '../../../../lib/github/endpoints/people.ts';
import type { PushEvent } from '../../../../worker/records/push-event.ts';
import { findAuthorIds } from '../../../../worker/intake/ingest/find-author-ids.ts';
import { promotionTask } from '../../store/promotion-task.ts';

const strangers = ['gone', 'secret'];
const authors = [...Array.from({ length: 23 }, (_, index) => `author-${index}`), ...strangers];

/** GitHub, where one author has no access, and the permission of another one cannot be read. */
function people(asked: string[]): Pick<People, 'accessOf'> {
  return {
    async accessOf(fullName, login) {
      asked.push(`${fullName} ${login}`);
      if (login === 'gone') return undefined;
      if (login === 'secret')
        throw new Failure('github-failed', { message: 'no', details: { cause: 'permission' } });
      if (login === 'down') throw new Failure('github-failed', { message: 'down' });
      return { id: 1_000 + Number(login.slice(login.indexOf('-') + 1)), mayWrite: true };
    },
  };
}

async function idsOf(logins: readonly string[] | undefined, authorsMayApprove: boolean) {
  const { lane, version } = promotionTask('v1');
  const last = { ...lane, gates: { ...lane.gates, authorsMayApprove } };
  const asked: string[] = [];
  const ids = await findAuthorIds(
    (logins === undefined ? {} : { authors: logins }) as PushEvent,
    { fullName: 'example/warehouse' } as never,
    [{ lane: { ...lane, next: [last] }, version }],
    { people: people(asked) as People },
  );
  return { ids, asked };
}

test('the ids of all authors with access are read where a lane, or one after it, forbids that they approve', async () => {
  const { ids, asked } = await idsOf(authors, false);
  expect(ids).toEqual(Object.fromEntries(authors.slice(0, 23).map((login, index) => [login, 1_000 + index])));
  expect(asked).toEqual(authors.map((login) => `example/warehouse ${login}`));
  expect(await idsOf(authors, true)).toEqual({ ids: {}, asked: [] });
  expect(await idsOf(undefined, false)).toEqual({ ids: {}, asked: [] });
  await expect(idsOf(['down'], false)).rejects.toThrow('down');
});
