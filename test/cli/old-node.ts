import { execFile } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { neededNode } from '../../lib/core/values/version.ts';

const execute = promisify(execFile);

export interface OldNode {
  readonly node: string;
  readonly args: readonly string[];
  readonly version: string;
}

/** This Node with the number of an older version. */
export const numberedOld: OldNode = {
  node: process.execPath,
  args: [
    '--import',
    `data:text/javascript,Object.defineProperty(process.versions, 'node', { value: '20.20.2' })`,
  ],
  version: '20.20.2',
};

/** An older Node of this machine; where there is none, this one with an older number. */
export async function findOldNode(): Promise<OldNode> {
  for (const place of (process.env['PATH'] ?? '').split(delimiter)) {
    const node = join(place, 'node');
    const found = await execute(node, ['--version']).catch(() => undefined);
    const version = found?.stdout.trim().slice(1) ?? '';
    if (version !== '' && Number.parseInt(version, 10) < neededNode) return { node, args: [], version };
  }
  return numberedOld;
}

/** What the command prints on an old Node, and how it ends. */
export async function runOnOldNode({ node, args }: OldNode, main: string): Promise<unknown> {
  return await execute(node, [...args, main, '--help']).catch(
    (error: { code?: number; stdout?: string; stderr?: string }) => error,
  );
}

/** The end that `runOnOldNode` must give. */
export function refusalOf({ version }: OldNode): object {
  return {
    code: 2,
    stdout: '',
    stderr: `error: Millrace needs Node ${neededNode} or later. This is Node ${version}.\n`,
  };
}

/** Imports of all forms, also without names, and what is exported from elsewhere. */
export function importStatements(text: string): string[] {
  return Array.from(text.matchAll(/^(?:import|export)\s[^;(=]*'[^']+';$/gm), ([statement]) => statement);
}

/** All that `cli/main` may import before it knows that its Node is new enough. Old Nodes lack many names of built-in modules. */
export const importsBeforeCheck = (extension: 'js' | 'ts'): string[] => [
  "import nodeModule from 'node:module';",
  "import path from 'node:path';",
  "import process from 'node:process';",
  `import { neededNode } from '../lib/core/values/version.${extension}';`,
];
