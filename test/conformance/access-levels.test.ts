import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { conforms } from './conforms.ts';
import { fieldOf, form, pipelines, resultsOf } from './project.ts';
import {
  type Answer,
  needsGuarded,
  needsLimited,
  needsReader,
  needsRunner,
  openServer,
  send,
  type Sent,
} from './server.ts';

const server = await openServer();
const ask = (method: string, path: string, sent: Sent) =>
  send(server, method, `/v1/projects/${server.sharedProject ?? ''}${path}`, sent);

/** Publishes to an environment under a new version name; by default as the Super Admin. */
async function publish(
  environmentName = 'dev',
  token?: string,
): Promise<{ version: string; status: number }> {
  const versionName = `conformance-${randomUUID()}`;
  const headers = { versionName, environmentName, commitHash: '4b825dc642cb6eb9a060e54bf8d69288fbee4904' };
  const answer = await ask('POST', '/artifacts', {
    body: form(pipelines),
    headers,
    ...(token === undefined ? {} : { token }),
  });
  return { version: versionName, status: answer.status };
}

const start = (token: string | undefined, environmentName: string, versionName: string) =>
  ask('POST', '/pipeline-executions', {
    body: { pipelineName: 'daily/long', environmentName, versionName },
    ...(token === undefined ? {} : { token }),
  });
const cancel = (token: string | undefined, { body }: Answer) =>
  ask('PATCH', `/pipeline-executions/${String(fieldOf(body, 'pipelineExecutionId'))}`, {
    body: { forceUpdate: true, status: 'CANCELLED' },
    ...(token === undefined ? {} : { token }),
  });
const disable = (token: string, environmentName: string, versionName: string) =>
  ask('PATCH', '/artifacts', { body: { environmentName, versionName, enabled: false }, token });
const createVariable = (token: string, name: string) =>
  ask('POST', '/variables', { body: { name, type: 'TEXT', behaviour: 'SHARED', value: 'a' }, token });
const newName = () => `conformance_${randomUUID().replaceAll('-', '_')}`;

conforms(
  ['§2.3 readOnly', '§2.3 reads of the project'],
  'with readOnly everything can be read, and nothing published, started or cancelled',
  async () => {
    const token = server.reader ?? '';
    const { version } = await publish();
    for (const path of ['/environments', '/artifacts/', '/published-pipelines', '/variables'])
      expect([path, (await ask('GET', path, { token })).status]).toEqual([path, 200]);
    const running = await start(undefined, 'dev', version);
    const id = String(fieldOf(running.body, 'pipelineExecutionId'));
    expect((await ask('GET', `/pipeline-executions/${id}`, { token })).status).toBe(200);
    expect((await cancel(token, running)).status).toBe(403);
    expect((await start(token, 'dev', version)).status).toBe(403);
    expect((await publish('dev', token)).status).toBe(403);
    expect((await disable(token, 'dev', version)).status).toBe(403);
    await cancel(undefined, running);
  },
  needsReader(server),
);

conforms(
  ['§2.3 runner'],
  'with runner executions are started and cancelled, and nothing is published or disabled',
  async () => {
    const token = server.runner ?? '';
    const { version } = await publish();
    const running = await start(token, 'dev', version);
    expect(running.status).toBeLessThan(300);
    expect((await cancel(token, running)).status).toBeLessThan(300);
    expect((await publish('dev', token)).status).toBe(403);
    expect((await disable(token, 'dev', version)).status).toBe(403);
  },
  needsRunner(server),
);

conforms(
  ['§2.3 admin'],
  'with admin a version is published, run, cancelled and disabled',
  async () => {
    const token = server.limited ?? '';
    const { version, status } = await publish('dev', token);
    expect(status).toBeLessThan(300);
    const running = await start(token, 'dev', version);
    expect(running.status).toBeLessThan(300);
    expect((await cancel(token, running)).status).toBeLessThan(300);
    expect((await disable(token, 'dev', version)).status).toBeLessThan(300);
  },
  needsLimited(server),
);

conforms(
  ['§2.3 noAccess'],
  'with noAccess the environment and what is in it do not exist: 404, and absent from lists',
  async () => {
    const token = server.limited ?? '';
    const hidden = server.hidden ?? '';
    const { version } = await publish(hidden);
    const running = await start(undefined, hidden, version);
    const id = String(fieldOf(running.body, 'pipelineExecutionId'));
    const names = async (path: string, name: string) =>
      resultsOf(await ask('GET', `${path}?size=100`, { token })).map((row) => row[name]);
    expect(await names('/environments', 'name')).not.toContain(hidden);
    expect(await names('/artifacts/', 'environmentName')).not.toContain(hidden);
    expect((await ask('GET', `/pipeline-executions/${id}`, { token })).status).toBe(404);
    expect((await cancel(token, running)).status).toBe(404);
    expect((await start(token, hidden, version)).status).toBe(404);
    expect((await publish(hidden, token)).status).toBe(404);
    expect((await disable(token, hidden, version)).status).toBe(404);
    const own = await publish('dev', token);
    const promote = (sourceEnvironmentName: string, targetEnvironmentName: string, versionName: string) =>
      ask('POST', '/artifacts/promotions', {
        body: { sourceEnvironmentName, targetEnvironmentName, versionName },
        token,
      });
    expect((await promote('dev', hidden, own.version)).status).toBe(404);
    expect((await promote(hidden, 'dev', version)).status).toBe(404);
    await cancel(undefined, running);
  },
  needsLimited(server),
);

conforms(
  ['§2.3 default'],
  'without a level of its own a member has the default level of the environment',
  async () => {
    const token = server.member ?? '';
    const guarded = server.guarded ?? '';
    const { version } = await publish(guarded);
    const environments = resultsOf(await ask('GET', '/environments?size=100', { token }));
    expect(environments.map(({ name }) => name)).toContain(guarded);
    expect((await start(token, guarded, version)).status).toBe(403);
    expect((await disable(token, guarded, version)).status).toBe(403);
  },
  needsGuarded(server),
);

conforms(
  ['§2.3 writes of the project'],
  'what belongs to the project is changed only with admin in every environment',
  async () => {
    expect((await createVariable(server.reader ?? '', newName())).status).toBe(403);
    expect((await createVariable(server.limited ?? '', newName())).status).toBe(403);
    const name = newName();
    expect((await createVariable(server.superAdmin, name)).status).toBe(201);
    expect((await ask('DELETE', `/variables/${name}`, { token: server.limited ?? '' })).status).toBe(403);
    expect((await ask('DELETE', `/variables/${name}`, {})).status).toBe(204);
  },
  {
    met: needsLimited(server).met && needsReader(server).met,
    words: `${needsReader(server).words}; ${needsLimited(server).words}`,
  },
);
