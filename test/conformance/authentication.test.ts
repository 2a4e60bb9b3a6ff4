import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { conforms } from './conforms.ts';
import { fieldOf, provision } from './project.ts';
import { needsAdmin, needsReader, openServer, send } from './server.ts';

const server = await openServer();

conforms(
  ['§5 rule 1', '§5 rule 2'],
  'a call without a token, with another scheme or with an unknown token is refused; `Bearer` is taken in any case',
  async () => {
    const { path } = await provision(server);
    for (const target of ['/v1/projects', `${path}/environments`, `${path}/variables`, '/v1/events']) {
      const status = async (authorization?: string) =>
        (
          await send(server, 'GET', target, {
            token: '',
            headers: authorization === undefined ? {} : { authorization },
          })
        ).status;
      expect([target, await status()]).toEqual([target, 401]);
      expect([target, await status(`Basic ${server.superAdmin}`)]).toEqual([target, 401]);
      expect([target, await status(`Bearer ${randomUUID()}`)]).toEqual([target, 401]);
      expect([target, await status(`bearer ${server.superAdmin}`)]).toEqual([target, 200]);
    }
  },
);

conforms(
  ['§5 rule 4'],
  'the audit log is for Super Admins',
  async () => {
    expect((await send(server, 'GET', '/v1/events')).status).toBe(200);
    expect((await send(server, 'GET', '/v1/events', { token: server.admin ?? '' })).status).toBe(403);
  },
  needsAdmin(server),
);

conforms(
  ['§5 rule 7', '§4.6 rule 2'],
  'without the permission an override fails inside a 200 and is not made',
  async () => {
    const path = `/v1/projects/${server.sharedProject ?? ''}/variables`;
    const name = `conformance_${randomUUID().replaceAll('-', '_')}`;
    await send(server, 'POST', path, { body: { name, type: 'TEXT', behaviour: 'SHARED', value: 'a' } });
    const answer = await send(server, 'POST', `${path}/${name}/environment-overrides`, {
      body: { overrides: [{ environmentName: 'dev', value: 'b' }] },
      token: server.reader ?? '',
    });
    expect(answer.status).toBe(200);
    expect(fieldOf(answer.body, 'failedOverrides') ?? fieldOf(answer.body, 'failedOverride')).toHaveLength(1);
    const made = await send(server, 'GET', `${path}/${name}/environment-overrides`);
    expect(fieldOf(made.body, 'overrides')).toEqual([]);
    await send(server, 'DELETE', `${path}/${name}`);
  },
  needsReader(server),
);

conforms(
  ['§9 rule 1'],
  'every path begins with /v1: without it, or with another version, nothing is there',
  async () => {
    expect((await send(server, 'GET', '/v1/projects')).status).toBe(200);
    expect((await send(server, 'GET', '/projects')).status).toBe(404);
    expect((await send(server, 'GET', '/v2/projects')).status).toBe(404);
  },
);
