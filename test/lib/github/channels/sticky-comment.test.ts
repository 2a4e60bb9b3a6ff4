import { describe, expect, test } from 'vitest';
import { putStickyComment, stickyMarker } from '../../../../lib/github/channels/sticky-comment.ts';
import { oneRepository, repository } from '../../../environment/github/one-repository.ts';

const here = oneRepository();

describe('the sticky comment', () => {
  const comment = {
    pullRequest: 1,
    get commit() {
      return here.head;
    },
    key: 'review a--b',
    body: 'one',
    shortBody: 'short',
    create: true,
  };
  const bodies = () => here.github.repository(repository).comments.map(({ body }) => body);
  const marked = (text: string, key = comment.key) => `${stickyMarker(key)}\n${text}`;

  test('is created once, unchanged when equal, and updated otherwise', async () => {
    const connection = here.connect('writer');
    await putStickyComment(connection, comment);
    await putStickyComment(connection, comment);
    await putStickyComment(connection, { ...comment, body: 'two' });
    expect(here.github.repository(repository).comments.map(({ body }) => body)).toEqual([
      `${stickyMarker(comment.key)}\ntwo`,
    ]);
    const writes = here.github.requests.filter(({ method }) => method !== 'GET');
    expect(writes.map(({ method }) => method)).toEqual(['POST', 'PATCH']);
  });

  test('is found on the second page, and not confused with the one of another project', async () => {
    const connection = here.connect('writer');
    const { comments } = here.github.repository(repository);
    for (let id = 1; id <= 120; id += 1) comments.push({ id, issue: 1, login: 'someone', body: 'hello' });
    await putStickyComment(connection, { ...comment, key: 'other' });
    await putStickyComment(connection, comment);
    await putStickyComment(connection, { ...comment, body: 'two' });
    expect(comments).toHaveLength(122);
  });

  test('of another user who quotes the marker is not changed', async () => {
    const { comments } = here.github.repository(repository);
    comments.push({ id: 1, issue: 1, login: 'stranger', body: `${stickyMarker(comment.key)}\nmine` });
    await putStickyComment(here.connect('person'), comment);
    expect(comments[0]?.body).toContain('mine');
    expect(comments[1]?.login).toBe('octocat');
  });

  test('of the token’s own user is updated', async () => {
    await putStickyComment(here.connect('person'), comment);
    await putStickyComment(here.connect('person'), { ...comment, body: 'two' });
    expect(here.github.repository(repository).comments).toHaveLength(1);
  });

  test('that GitHub refuses as too long is sent again in its short form', async () => {
    await putStickyComment(here.connect('writer'), { ...comment, body: 'x'.repeat(70_000) });
    expect(here.github.repository(repository).comments[0]?.body).toContain('short');
  });

  test('is not created where `create` is false', async () => {
    const { url } = await putStickyComment(here.connect('writer'), { ...comment, create: false });
    expect(url).toBeUndefined();
    expect(here.github.repository(repository).comments).toEqual([]);
  });

  test('of two runs that create it at the same moment stays one, with the text of the later run', async () => {
    const [one, other] = [here.connect('writer'), here.connect('writer')];
    // Both search before either has written.
    const bothFinished = Promise.withResolvers<undefined>();
    let finished = 0;
    const together = (connection: typeof one): typeof one => {
      let isFirst = true;
      const { comments } = connection;
      const findAll: typeof comments.findAll = async (...given) => {
        const found = await comments.findAll(...given);
        if (!isFirst) return found;
        isFirst = false;
        finished += 1;
        if (finished === 2) bothFinished.resolve(undefined);
        await bothFinished.promise;
        return found;
      };
      return { ...connection, comments: { ...comments, findAll } };
    };
    const results = await Promise.all([
      putStickyComment(together(one), comment),
      putStickyComment(together(other), { ...comment, body: 'two' }),
    ]);
    expect(bodies()).toHaveLength(1);
    expect(new Set(results.map(({ url }) => url)).size).toBe(1);
  });

  test('that two earlier runs left twice is one again after the next run', async () => {
    const { comments } = here.github.repository(repository);
    for (const id of [1, 2, 3])
      comments.push({ id, issue: 1, login: 'github-actions[bot]', body: marked(`old ${id}`) });
    comments.push({ id: 4, issue: 1, login: 'github-actions[bot]', body: marked('kept', 'other') });
    await putStickyComment(here.connect('writer'), { ...comment, create: false });
    expect(bodies()).toEqual([marked('one'), marked('kept', 'other')]);
  });

  test('that another user deletes while it is written is created again', async () => {
    await putStickyComment(here.connect('writer'), comment);
    here.github.interfere(({ method }) => {
      if (method === 'PATCH') here.github.repository(repository).comments.length = 0;
      return undefined;
    });
    const { url } = await putStickyComment(here.connect('writer'), { ...comment, body: 'two' });
    expect(bodies()).toEqual([marked('two')]);
    expect(url).toContain('/pull/1');
  });

  test('of a run for an older commit is not written, and the note says why', async () => {
    await putStickyComment(here.connect('writer'), comment);
    const older = { ...comment, commit: '1'.repeat(40), body: 'older' };
    const { url, note } = await putStickyComment(here.connect('writer'), older);
    expect([bodies(), url]).toEqual([[marked('one')], undefined]);
    expect(note).toContain('has a newer commit than 111111111111');
  });

  test('in a locked conversation is refused with that reason, and without a permission', async () => {
    const [pull] = here.github.repository(repository).pulls;
    if (pull !== undefined) pull.isLocked = true;
    const error = await putStickyComment(here.connect('writer'), comment).catch((fault: unknown) => fault);
    expect(error).toMatchObject({ details: { cause: 'locked' }, hint: expect.stringContaining('is locked') });
  });
});
