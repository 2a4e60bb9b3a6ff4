import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { expect, test } from 'vitest';
import { openPrivateFolder } from '../../../flows/samples/private-folder.ts';

test('a private folder takes the place of those that ended processes of this machine have left', () => {
  const temporary = mkdtempSync(path.join(tmpdir(), 'millrace-test-'));
  const [host, pid, ended] = [hostname(), process.pid, 2 ** 30];
  const others = {
    'millrace-samples-ended': { host, pid: ended },
    'millrace-samples-running': { host, pid },
    'millrace-samples-elsewhere': { host: `${host}-2`, pid: ended },
    'millrace-samples-new': undefined,
    other: { host, pid: ended },
  };
  for (const [name, owner] of Object.entries(others)) {
    mkdirSync(path.join(temporary, name));
    if (owner !== undefined) writeFileSync(path.join(temporary, name, 'owner.json'), JSON.stringify(owner));
  }
  const kept = Object.keys(others).filter((name) => name !== 'millrace-samples-ended');
  {
    using folder = openPrivateFolder(temporary);
    expect(new Set(readdirSync(temporary))).toEqual(new Set([...kept, path.basename(folder.path)]));
  }
  expect(new Set(readdirSync(temporary))).toEqual(new Set(kept));
  rmSync(temporary, { recursive: true });
});
