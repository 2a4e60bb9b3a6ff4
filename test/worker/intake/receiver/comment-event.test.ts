import { expect, test } from 'vitest';
import { reduceComment } from '../../../../worker/records/comment-event.ts';
import { commentOn } from '../../../environment/worker/comment-on.ts';

const facts = { delivery: 'd', digest: 'x', receivedAt: 1 };
const reduce = (change: Parameters<typeof commentOn>[0]) => reduceComment(commentOn(change), facts);

test('of a comment only ids, the login and the command are kept', () => {
  const event = reduce({
    text: '/millrace approve to-prod\n\nLooks good, the figures are in a-secret-place.',
  });
  expect(event).toEqual({
    repositoryId: 77,
    repositoryName: 'example/warehouse',
    pull: 1,
    comment: 4711,
    author: { id: 11, login: 'ada' },
    command: { act: 'approve', lane: 'to-prod' },
    createdAt: Date.parse('2031-01-01T12:00:00Z'),
    ...facts,
  });
});

test.each([
  ['/millrace approve', undefined],
  ['  /millrace approve  ', undefined],
  ['/millrace approve to-test', 'to-test'],
  ['/millrace  approve   to-test\r\nthank you', 'to-test'],
  ['/millrace reject to-test\nwrong figures', 'to-test', 'reject'],
  ['/millrace plan', undefined, 'plan'],
  ['/millrace plan to-test', 'to-test', 'plan'],
  // What is meant as a command gets an answer that says what is wrong; it decides nothing.
  ['/millrace approve\n/millrace approve to-prod', undefined, 'unknown'],
  ['/millrace approve to-test to-prod', undefined, 'unknown'],
  ['/millrace approve ../../etc', undefined, 'unknown'],
  ['/millrace approve TO-TEST', undefined, 'unknown'],
  ['/millrace approved', undefined, 'unknown'],
  ['/millrace reject to-test wrong figures', undefined, 'unknown'],
  ['/millrace plan to-test plan:1a2b3c4d5e6f', undefined, 'unknown'],
  ['/millrace deploy', undefined, 'unknown'],
  ['/millrace\tapprove', undefined, 'unknown'],
  ['/millrace', undefined, 'unknown'],
])('%j is a command', (text, lane, act = 'approve') => {
  expect(reduce({ text })).toMatchObject({ command: { act, lane } });
});

test.each([
  'lgtm',
  '',
  'please /millrace approve',
  '> /millrace approve',
  '```\n/millrace approve\n```',
  'I would not\n/millrace approve',
  '/MILLRACE approve',
  '/millraces approve',
  '<!-- millrace:answer:4711 -->\n/millrace approve',
])('%j is none', (text) => {
  expect(reduce({ text })).toEqual({ ignored: 'the comment contains no command' });
});

test.each([
  ['edited', { action: 'edited' }, 'only new comments count'],
  ['deleted', { action: 'deleted' }, 'only new comments count'],
  ['on an issue', { onIssue: true }, 'the comment is not on a pull request'],
  ['of a bot', { type: 'Bot' }, 'a bot wrote the comment'],
  ['of a program in a person’s name', { app: true }, 'a bot wrote the comment'],
  [
    'sent by another person',
    { sender: { id: 12, login: 'mallory' } },
    'the sender is not the comment’s author',
  ],
] as const)('a comment that is %s does nothing', (_, change, ignored) => {
  expect(reduce({ text: '/millrace approve', ...change })).toEqual({ ignored });
});

test.each([{}, null, [], { action: 'created', comment: { body: 7 } }])('%j is not a comment', (body) => {
  expect(reduceComment(body, facts)).toEqual({ ignored: 'the body is not a comment' });
});
