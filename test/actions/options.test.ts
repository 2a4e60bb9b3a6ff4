import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inProcess } from '../cli/in-process.ts';
import { readManifest } from '../runner/action-manifest.ts';

const root = join(import.meta.dirname, '..', '..');

/** Why an input has no option of its name. */
const inputsAlone: Readonly<Record<string, string>> = {
  token: 'a secret is never an argument: MILLRACE_TOKEN',
  'client-id': 'is set together with its secret: MILLRACE_CLIENT_ID',
  'client-secret': 'a secret is never an argument: MILLRACE_CLIENT_SECRET',
  'token-url': 'is set together with its secret: MILLRACE_TOKEN_URL',
  identity: 'is set with what belongs to it: MILLRACE_IDENTITY',
  'id-token-audience': 'is set with what belongs to it: MILLRACE_ID_TOKEN_AUDIENCE',
  audience: 'is set together with its secret: MILLRACE_AUDIENCE',
  'github-token': 'the command line does not speak to GitHub',
  'review check': 'makes a check run on GitHub',
  'review comment': 'writes a comment on GitHub',
  'variables comment': 'writes a comment on GitHub',
  'review policy-from': 'there is no pull request whose base could decide',
  'review files': 'they are arguments',
  'publish require-review': 'in a shell: millrace review … && millrace publish …',
  'publish review-branch': 'belongs to require-review',
  'publish agent-version': 'belongs to require-review',
  'publish snapshot': 'belongs to evidence-key',
  'evidence-key': 'a secret is never an argument, and a command has no workflow that it could name',
  'evidence-token': 'a secret is never an argument, and a command has no workflow that it could name',
  deployment: 'is recorded on GitHub',
  'deployment-url': 'is recorded on GitHub',
  'publish-shared without-prefix': 'for a step of the composite action release',
  'run variables': 'one at a time: --variable',
  'drift environments': 'one at a time: --environment',
  'variables files': 'they are arguments',
  'variables mode': 'is an argument: diff or apply',
};

/** Why an option has no input of its name. */
const optionsAlone: Readonly<Record<string, string>> = {
  json: 'an action writes its JSON always, and report-path names it',
  verbose: 'GitHub has its own debug logging',
  config: 'in a repository it is millrace.yaml at the commit',
  help: 'is the README',
  commit: 'is the commit of the event',
  branch: 'is the branch of the event',
  'publish tag': 'is the tag of the event',
  'publish-shared tag': 'is the tag of the event',
  'review config-dir': 'is set in millrace.yaml',
  'review staged': 'a check-out has nothing staged',
  'review working-tree': 'a check-out holds what the commit holds',
  'review fix': 'changes files on disk',
  'review affected': 'needs the engine, which a review does not install',
  'review watch': 'for a person at a terminal',
  'review unsafe-fixes': 'belongs to --fix',
  'review dry-run': 'belongs to --fix and --update-baseline',
  'review update-baseline': 'writes a file that is committed afterwards',
  'review format': 'an action reports in every form',
  'review output-file': 'an action writes a SARIF file and annotations',
  'review statistics': 'for a person at a terminal',
  'review explain': 'for a person at a terminal',
  'run variable': 'several at once: variables',
  'promote lane': 'needs an operator’s token',
  'promote reason': 'belongs to --lane',
  'promote any-version': 'belongs to --lane',
  'rollback lane': 'needs an operator’s token',
  'rollback reason': 'belongs to --lane',
  'drift environment': 'several at once: environments',
  'variables dry-run': 'is mode: plan',
};

async function optionsOf(command: string): Promise<string[]> {
  const { stdout } = await inProcess([command, '--help']);
  return Array.from(stdout.matchAll(/^ {2}(?:-\w, )?--(?:no-)?([a-z-]+)/gmu), ([, name = '']) => name);
}

test.each(['review', 'publish', 'publish-shared', 'promote', 'run', 'rollback', 'drift', 'variables'])(
  'the inputs of %s match the options of the command, except the listed differences',
  async (name) => {
    const inputs = Object.keys((await readManifest(join(root, 'actions', name))).inputs);
    const options = await optionsOf(name);
    const listed = (list: Readonly<Record<string, string>>) => (one: string) =>
      one in list || `${name} ${one}` in list;
    expect(options.filter((one) => !inputs.includes(one) && !listed(optionsAlone)(one))).toEqual([]);
    expect(inputs.filter((one) => !options.includes(one) && !listed(inputsAlone)(one))).toEqual([]);
  },
);

test('every listed difference exists', async () => {
  for (const [list, here, there] of [
    [inputsAlone, 'inputs', 'options'],
    [optionsAlone, 'options', 'inputs'],
  ] as const) {
    for (const entry of Object.keys(list)) {
      const [command = '', name] = entry.split(' ');
      if (name === undefined) continue;
      const sides = {
        inputs: Object.keys((await readManifest(join(root, 'actions', command))).inputs),
        options: await optionsOf(command),
      };
      expect([entry, sides[here].includes(name), sides[there].includes(name)]).toEqual([entry, true, false]);
    }
  }
});
