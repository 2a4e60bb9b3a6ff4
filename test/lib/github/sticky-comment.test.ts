import { describe, expect, test } from 'vitest';
import { putStickyComment, stickyMarker } from '../../../lib/github/sticky-comment.ts';
import { oneRepository, repository } from '../../environment/github/one-repository.ts';

const here = oneRepository();

describe('the sticky comment', () => {
  const comment = { pullRequest: 1, key: 'review a--b', body: 'one', shortBody: 'short', create: true };

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

  test('is found on the second page, and not confused with that of another project', async () => {
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
    expect(await putStickyComment(here.connect('writer'), { ...comment, create: false })).toBeUndefined();
    expect(here.github.repository(repository).comments).toEqual([]);
  });
});
