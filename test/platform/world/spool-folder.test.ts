import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { expect, onTestFinished, test } from 'vitest';
import { spoolFolder } from '../../../platform/world/spool-folder.ts';

test('a start removes the temporary folders of platforms that were killed, and no others', () => {
  const temporary = mkdtempSync(path.join(tmpdir(), 'millrace spool folders '));
  onTestFinished(() => rmSync(temporary, { recursive: true, force: true }));
  const make = (name: string, owner: object | undefined) => {
    const folder = path.join(temporary, name);
    mkdirSync(folder);
    if (owner !== undefined) writeFileSync(path.join(folder, 'owner.json'), JSON.stringify(owner));
    return folder;
  };
  const { pid: ended } = spawnSync(process.execPath, ['--version']);
  const host = hostname();
  const abandoned = make('millrace-streaming-abandoned', { host, pid: ended });
  const kept = [
    make('millrace-streaming-running', { host, pid: process.pid }),
    make('millrace-streaming-elsewhere', { host: `${host}-other`, pid: ended }),
    make('millrace-streaming-unknown', undefined),
    make('another-folder', { host, pid: ended }),
    spoolFolder(':memory:', temporary),
  ];
  const last = spoolFolder(':memory:', temporary);
  expect(existsSync(abandoned)).toBe(false);
  expect([...kept, last].filter((folder) => !existsSync(folder))).toEqual([]);
});
