import { expect } from 'vitest';
import { streamingDefinition } from '../environment/streaming-definition.ts';
import { conforms } from './conforms.ts';
import { eventNames } from './event-names.ts';
import { fieldOf, provision, resultsOf } from './project.ts';
import { needsClock, needsEvents, openServer, send } from './server.ts';

const server = await openServer();
const day = 86_400_000;
const events = (query: Readonly<Record<string, string>> = {}) =>
  send(server, 'GET', `/v1/events?${new URLSearchParams(query).toString()}`);

conforms(
  ['GET /v1/events', '§2.10 fields of an entry', '§6 events are recorded', '§2 envelope of a paged list'],
  'what was done in a new project is in the audit log, with the fields of §2.10',
  async () => {
    const from = new Date(Date.now() - day).toISOString();
    const project = await provision(server);
    await project.publish('1');
    const answer = await events({ from, size: '100' });
    expect(answer).toMatchObject({ status: 200, body: { page: 0, size: 100, total: expect.any(Number) } });
    const mine = resultsOf(answer).filter(({ eventProjectId }) => eventProjectId === project.id);
    expect(mine.map(({ eventName }) => eventName)).toEqual(
      expect.arrayContaining(['Project created', 'Environment created', 'Artifact created']),
    );
    for (const entry of mine) {
      for (const name of [
        'eventId',
        'eventName',
        'eventType',
        'eventDescription',
        'eventTimestamp',
        'eventSource',
        'eventSubjectId',
        'eventSubjectName',
        'eventSubjectType',
        'actorId',
        'actorEmail',
      ]) {
        expect([name, typeof entry[name]]).toEqual([name, 'string']);
      }
    }
  },
);

conforms(
  ['§4.7 from and to'],
  'only entries of the asked time come, whatever the offset it is written with',
  async () => {
    await provision(server);
    const future = new Date(Date.now() + day).toISOString();
    expect(resultsOf(await events({ from: future }))).toEqual([]);
    const past = new Date(Date.now() - day);
    const written = `${new Date(past.getTime() + 5.5 * 3_600_000).toISOString().slice(0, 19)}+05:30`;
    const offset = await events({ from: written, size: '100' });
    const zulu = await events({ from: past.toISOString(), size: '100' });
    expect(offset.status).toBe(200);
    expect(fieldOf(offset.body, 'total')).toBe(fieldOf(zulu.body, 'total'));
    expect(resultsOf(await events({ to: past.toISOString(), from: past.toISOString() }))).toEqual([]);
    expect((await events({ from: 'yesterday' })).status).toBe(400);
  },
);

conforms(
  ['§4.7 page and size', '§8 limits'],
  'pages hold 1 to 100 entries, and every entry is on exactly one',
  async () => {
    await provision(server);
    const to = new Date(Date.now() + 1000).toISOString();
    for (const size of ['0', '101', '-1', 'many']) expect((await events({ size })).status).toBe(400);
    for (const size of ['1', '100']) expect((await events({ size })).status).toBe(200);
    const whole = resultsOf(await events({ size: '100', to })).map(({ eventId }) => eventId);
    const paged: unknown[] = [];
    for (let page = 0; paged.length < whole.length; page += 1) {
      const results = resultsOf(await events({ size: '2', page: String(page), to }));
      expect(results.length).toBeGreaterThan(0);
      paged.push(...results.map(({ eventId }) => eventId));
    }
    expect(paged.slice(0, whole.length)).toEqual(whole);
  },
);

conforms(
  ['§6 ninety days', '§8 limits'],
  'what is older than ninety days is no longer there',
  async () => {
    const project = await provision(server);
    const mine = async () =>
      resultsOf(await events({ size: '100' })).filter(({ eventProjectId }) => eventProjectId === project.id);
    expect((await mine()).length).toBeGreaterThan(0);
    await server.advance?.(89);
    expect((await mine()).length).toBeGreaterThan(0);
    await server.advance?.(2);
    expect(await mine()).toEqual([]);
  },
  needsClock(server),
);

conforms(
  ['§6 an entry for each operation with a name'],
  'disabling an artifact, and creating, starting and stopping a streaming pipeline are in the log',
  async () => {
    const project = await provision(server);
    await project.publish('1');
    await project.send('PATCH', '/artifacts', {
      body: { environmentName: 'dev', versionName: '1', enabled: false },
    });
    const definition = streamingDefinition(server.agent, 'postgres');
    const created = await project.send('POST', '/streaming-pipelines', { body: definition });
    const path = `/streaming-pipelines/${String(fieldOf(created.body, 'streamingPipelineId'))}/commands`;
    for (const command of ['start', 'stop']) await project.send('POST', path, { body: { command } });
    const mine = resultsOf(await events({ size: '100' })).filter(
      ({ eventProjectId }) => eventProjectId === project.id,
    );
    // How a server spells the area of streaming events is open (§6).
    const shown = mine.map(({ eventName }) => String(eventName).toLowerCase()).join('\n');
    for (const name of ['artifact disabled', 'created', 'started', 'stopped']) expect(shown).toContain(name);
  },
);

conforms(
  ['§6 all names'],
  'each of the 44 names of §6 can be in the log',
  async () => {
    await server.record?.(eventNames);
    const shown = resultsOf(await events({ size: '100' }))
      .slice(0, eventNames.length)
      .map(({ eventName }) => eventName);
    expect(new Set(shown)).toEqual(new Set(eventNames));
    expect(eventNames).toHaveLength(44);
  },
  needsEvents(server),
);
