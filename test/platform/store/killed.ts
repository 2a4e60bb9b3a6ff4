import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Child, serve } from '../child.ts';
import { orchestration } from '../../environment/orchestration.ts';
import { form } from '../talk.ts';

const clients = 12;

interface Write {
  readonly what: string;
  readonly requestId: string;
}

/** What a client does over and over: every kind of change, uploads large enough to be hit in the middle. */
async function work(child: Child, name: string, answered: (write: Write) => void): Promise<void> {
  const { project } = child;
  const send = async (method: string, path: string, body?: unknown, headers?: Record<string, string>) => {
    const answer = await child.send(method, `${project}${path}`, body, headers);
    const requestId = answer.headers.get('x-request-id') ?? '';
    if (answer.status < 300) answered({ what: `${method} ${path} ${name}`, requestId });
    return answer;
  };
  const files = { 'a.orch.yaml': `${orchestration}# ${name}\n`, 'big.sql': `${name} `.repeat(40_000) };
  await send('POST', '/artifacts', form(files), {
    versionName: name,
    environmentName: 'dev',
    commitHash: 'abc',
  });
  await send('POST', '/variables', { name, type: 'TEXT', behaviour: 'SHARED', value: 'x' });
  await send('POST', `/variables/${name}/environment-overrides`, {
    overrides: [{ environmentName: 'dev', value: 'y' }],
  });
  await send('POST', '/artifacts/promotions', {
    sourceEnvironmentName: 'dev',
    targetEnvironmentName: 'test',
    versionName: name,
  });
  await send('PATCH', '/artifacts', { environmentName: 'test', versionName: name, enabled: false });
  await send('POST', '/pipeline-executions', {
    pipelineName: 'a',
    environmentName: 'dev',
    versionName: name,
  });
}

/** What lies in a folder whose platform is dead, as far as it has to fit together. */
function inspect(data: string) {
  const database = new DatabaseSync(join(data, 'platform.sqlite'));
  const column = (sql: string) =>
    database
      .prepare(sql)
      .all()
      .map((row) => String(Object.values(row)[0]));
  const found = {
    integrity: column('PRAGMA integrity_check'),
    requests: new Set(column('SELECT request_id FROM effect')),
    named: new Set(column('SELECT sha256 FROM artifact_file')),
    halfMade: column(
      `SELECT version_name FROM artifact a WHERE (SELECT count(*) FROM artifact_file f WHERE f.artifact_id = a.id) <> 2
         OR NOT EXISTS (SELECT 1 FROM deployment d WHERE d.artifact_id = a.id)`,
    ),
  };
  database.close();
  return found;
}

/** The files that are kept, by their names; the content of each must be what its name says. */
function keptFiles(data: string): string[] {
  const entries = readdirSync(join(data, 'files'), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => {
      const content = readFileSync(join(parentPath, name));
      return createHash('sha256').update(content).digest('hex') === name ? name : `half of ${name}`;
    });
}

/** Declares the test with this many kills. */
export function testKilled(kills: number): void {
  test(
    `killed ${String(kills)} times under load, it starts each time with every answered write and nothing half made`,
    { timeout: 60_000 + kills * 10_000 },
    async () => {
      const data = mkdtempSync(join(tmpdir(), 'platform-killed-'));
      onTestFinished(() => rmSync(data, { recursive: true, force: true }));
      const answered: Write[] = [];
      for (let round = 0; round < kills; round += 1) {
        await using child = await serve(data);
        // From the second start on, what the last kill left was cleared away before anything is answered.
        if (round > 0) {
          expect(readdirSync(join(data, 'files', 'arriving'))).toEqual([]);
          expect(keptFiles(data).every((name) => /^[0-9a-f]{64}$/.test(name))).toBe(true);
        }
        const before = answered.length;
        // Another moment each time: after the first answer, in the middle of uploads, between two writes.
        const enough = before + 1 + ((round * 7) % 31);
        const client = async (number: number) => {
          for (let i = 0; ; i += 1)
            await work(child, `v${String(round)}-${String(number)}-${String(i)}`, (write) => {
              answered.push(write);
              if (answered.length >= enough) void child.kill();
            });
        };
        await Promise.allSettled(Array.from({ length: clients }, (_, number) => client(number)));
        await child.kill();
        expect(answered.length).toBeGreaterThan(before);
        const { integrity, requests, named, halfMade } = inspect(data);
        expect(integrity).toEqual(['ok']);
        expect(halfMade).toEqual([]);
        expect(answered.filter(({ requestId }) => !requests.has(requestId))).toEqual([]);
        for (const sha256 of named)
          expect(existsSync(join(data, 'files', sha256.slice(0, 2), sha256)), sha256).toBe(true);
      }
      const child = await serve(data);
      await child.kill();
      expect(keptFiles(data).toSorted()).toEqual([...inspect(data).named].toSorted());
    },
  );
}
