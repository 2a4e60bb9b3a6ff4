import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findEngine, Lacking } from './container-engine.ts';

/** A folder whose only programs are these scripts. */
function programs(scripts: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'millrace-engines-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(scripts))
    writeFileSync(path.join(folder, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  return folder;
}

const answerOf = async (folder: string): Promise<unknown> =>
  findEngine(folder, { PATH: folder }).catch((error: unknown) => error);

test('without a container engine, the check names what the machine lacks', async () => {
  const answer = await answerOf(programs({}));
  expect(answer).toBeInstanceOf(Lacking);
  expect(String(answer)).toMatch(/docker: not installed; podman: not installed[^]*Install docker/);
});

test('a client without its engine, and an engine without compose, do not count', async () => {
  const answer = await answerOf(
    programs({
      docker: 'echo "Cannot connect to the daemon" >&2; exit 1',
      podman: '[ "$1" = compose ] && exit 125; echo "podman version 1.2.3"',
    }),
  );
  expect(String(answer)).toMatch(
    /docker: Cannot connect to the daemon; podman-compose: not installed; podman compose:/,
  );
});

test('podman with podman-compose is taken where docker does not work', async () => {
  const folder = programs({
    podman: 'echo "podman version 1.2.3"',
    'podman-compose': 'echo "podman-compose version 4.5.6"',
  });
  await expect(findEngine(folder, { PATH: folder })).resolves.toMatchObject({
    name: 'podman',
    description: 'podman version 1.2.3, podman-compose version 4.5.6',
  });
});
