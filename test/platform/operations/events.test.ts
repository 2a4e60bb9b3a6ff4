import { expect, test } from 'vitest';
import type { Seed } from '../../../platform/index.ts';
import { eventNames as names } from '../../conformance/event-names.ts';
import { resultsOf, type Talk, talk } from '../talk.ts';

const write = { headers: { 'x-millrace-platform': '1' } };
const events = async (platform: Talk) => resultsOf(await platform.get('/v1/events?size=100'));

test('all 44 names of §6 can be recorded by a request, and appear in the audit log', async () => {
  expect(names).toHaveLength(44);
  await using platform = await talk();
  const answer = await platform.post(
    '/_platform/events',
    names.map((name) => ({ name })),
    write,
  );
  expect(answer.status).toBe(200);
  const { eventIds } = answer.body as { eventIds: string[] };
  const entries = await events(platform);
  expect(entries.map(({ eventName }) => eventName).toReversed()).toEqual(names);
  expect(entries.map(({ eventId }) => eventId).toReversed()).toEqual(eventIds);
  const projectOf = (name: string) => entries.find(({ eventName }) => eventName === name)?.['eventProjectId'];
  expect(projectOf('Schedule created')).toBe(platform.platform.projectId);
  expect(projectOf('Invite created')).toBeNull();
});

test('an event has the subject, description and actor that were given', async () => {
  await using platform = await talk();
  const event = {
    name: 'User granted access to project',
    project: 'warehouse',
    subject: 'Ann',
    description: 'Ann may use it',
    actor: 'ben@example.com',
  };
  await platform.post('/_platform/events', event, write);
  expect(await events(platform)).toMatchObject([
    {
      eventName: event.name,
      eventType: 'USER_GRANTED_ACCESS_TO_PROJECT',
      eventSubjectName: 'Ann',
      eventDescription: 'Ann may use it',
      eventProjectId: platform.platform.projectId,
      actorEmail: 'ben@example.com',
      additionalInfo: '_platform/events',
    },
  ]);
});

test.each([
  [{ name: 'Nothing happened' }, 400],
  [{ name: 'Invite created', who: 'x' }, 400],
  [{ name: 'Invite created', ago: '1h', after: '1h' }, 400],
  [{ name: 'Schedule created', project: 'nowhere' }, 404],
  [[], 400],
])('an event that cannot be recorded is refused, and nothing is recorded: %j', async (event, status) => {
  await using platform = await talk();
  expect((await platform.post('/_platform/events', event, write)).status).toBe(status);
  const several = [{ name: 'Invite created' }, event];
  expect((await platform.post('/_platform/events', several, write)).status).toBeGreaterThan(399);
  expect(await events(platform)).toEqual([]);
});

const seed: Seed = {
  projects: [{ name: 'p' }],
  credentials: [{ name: 'boss', role: 'superAdmin' }],
  events: [
    { name: 'Account created', ago: '100d' },
    { name: 'Invite created', subject: 'Ann', ago: '5d' },
    { name: 'Invite redeemed', subject: 'Ann', after: '30s' },
  ],
};

test('the seed’s events have their age; one of the future appears when its time has come', async () => {
  await using platform = await talk({ seed });
  const seen = async () => (await events(platform)).map(({ eventName }) => eventName);
  expect(await seen()).toEqual(['Invite created']);
  await platform.platform.clock.advance('29s');
  expect(await seen()).toEqual(['Invite created']);
  await platform.platform.clock.advance('1s');
  expect(await seen()).toEqual(['Invite redeemed', 'Invite created']);
});

test.each([
  [{ projects: [], events: [{ name: 'Schedule created' as const }] }, /events\[0\]\.project is missing/],
  [
    { events: [{ name: 'Schedule created' as const, project: 'q' }] },
    /events\[0\]\.project names "q", which is not a project/,
  ],
])('a seed whose event has no project to belong to is refused', async (wrong, message) => {
  await expect(talk({ seed: { ...seed, ...wrong } })).rejects.toThrow(message);
});

test('the form of the inspector records an event, and offers all names', async () => {
  await using platform = await talk();
  const page = await fetch(`${platform.platform.baseUrl}/_platform/audit`, {
    headers: { accept: 'text/html' },
  });
  const html = await page.text();
  expect(names.filter((name) => !html.includes(`<option>${name}</option>`))).toEqual([]);
  const { status, headers } = await fetch(`${platform.platform.baseUrl}/_platform/events`, {
    method: 'POST',
    redirect: 'manual',
    headers: { accept: 'text/html', 'sec-fetch-site': 'same-origin' },
    body: new URLSearchParams({ name: 'Prompt submitted', subject: '', description: 'asked' }),
  });
  expect([status, headers.get('location')]).toEqual([303, '/_platform/audit']);
  expect(await events(platform)).toMatchObject([
    { eventName: 'Prompt submitted', eventDescription: 'asked' },
  ]);
});
