import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { neededNode } from '../../lib/core/values/version.ts';
import { sourceOf } from '../environment/processes/entry.ts';
import { importsBeforeCheck, importStatements, numberedOld, refusalOf, runOnOldNode } from './old-node.ts';

const root = new URL('../../', import.meta.url);
const main = sourceOf('cli/main');

test('the command on an old Node prints the needed version in one line, and ends with 2', async () => {
  expect(await runOnOldNode(numberedOld, main)).toMatchObject(refusalOf(numberedOld));
});

test('the needed version is the one in package.json', () => {
  const { engines } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as {
    engines: { node: string };
  };
  expect(engines.node).toBe(`>=${neededNode}.0.0`);
});

test('the files loaded before the check of the Node version use no named import that old Nodes lack', () => {
  expect(importStatements(readFileSync(main, 'utf8'))).toEqual(importsBeforeCheck('ts'));
  expect(importStatements(readFileSync(new URL('lib/core/values/version.ts', root), 'utf8'))).toEqual([]);
});
