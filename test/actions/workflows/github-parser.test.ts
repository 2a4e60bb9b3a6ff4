import { readdirSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import {
  releaseWorkflow,
  reviewWorkflow,
  testWorkflow,
  unknownCopy,
} from '../../../flows/init/workflow-text.ts';
import { TextDocument } from 'vscode-languageserver-textdocument';

const root = fileURLToPath(new URL('../../..', import.meta.url));

// GitHub's package imports JSON without saying so, which Node refuses.
registerHooks({
  load(url, context, next) {
    if (!url.endsWith('.json') || !url.includes('/@actions/')) return next(url, context);
    const source = `export default ${readFileSync(fileURLToPath(url), 'utf8')}`;
    return { format: 'module', shortCircuit: true, source };
  },
});
const { validate } = await import('@actions/languageservice');

/** The reusable workflows of this clone, for the jobs that call them. */
const calledWorkflows = {
  getFileContent: ({ path }: { readonly path: string }) =>
    Promise.resolve({ name: path, content: readFileSync(join(root, path), 'utf8') }),
};

async function complaints(path: string, text: string): Promise<string[]> {
  const document = TextDocument.create(pathToFileURL(path).href, 'yaml', 1, text);
  return (await validate(document, { fileProvider: calledWorkflows })).map(
    ({ range, message }) =>
      `${String(range.start.line + 1)}: ${typeof message === 'string' ? message : message.value}`,
  );
}

function yamlFiles(folder: string): string[] {
  return readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.yml'))
    .map((name) => `${folder}/${name}`);
}

/** The workflows that a Markdown page shows whole; others are steps only. */
function shownIn(page: string): [string, string][] {
  const text = readFileSync(join(root, page), 'utf8');
  return Array.from(text.matchAll(/^```yaml\n(.*?)^```$/gmsu), ([, block = '']) => block)
    .filter((block) => /^jobs:/mu.test(block))
    .map((block, index) => [`${page} (${String(index + 1)})`, block]);
}

const actions = [
  'action.yml',
  ...readdirSync(join(root, 'actions'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'kit')
    .map(({ name }) => `actions/${name}/action.yml`),
];
const workflows = [...yamlFiles('.github/workflows'), ...yamlFiles('examples/workflows')];

test.each([...actions, ...workflows])('GitHub’s parser accepts %s', async (file) => {
  expect(await complaints(join(root, file), readFileSync(join(root, file), 'utf8'))).toEqual([]);
});

test.each(['README.md', 'actions/release/README.md', 'docs/actions/workflows.md'].flatMap(shownIn))(
  'GitHub’s parser accepts the workflow of %s',
  async (page, block) => {
    expect(await complaints(join(root, `.github/workflows/${encodeURIComponent(page)}.yml`), block)).toEqual(
      [],
    );
  },
);

/** What `millrace init` writes. */
const written = [
  ['review', reviewWorkflow],
  ['test', testWorkflow],
  ['release', releaseWorkflow],
] as const;
const choices = {
  directory: "team's a: b",
  branch: 'release/1.x',
  actions: unknownCopy,
  hasProject: false,
  hasTests: true,
};

test.each(written)('GitHub’s parser accepts the %s workflow of `millrace init`', async (name, write) => {
  const text = write(choices);
  expect(await complaints(join(root, `.github/workflows/${name}.yml`), text)).toEqual([]);
  await expectPinned(text);
});

test('GitHub’s parser reports an invalid workflow', async () => {
  const workflow = 'on: push\njobs:\n  a:\n    runs-on: x\n    step:\n      - run: y\n';
  expect(await complaints(join(root, '.github/workflows/x.yml'), workflow)).toEqual([
    expect.stringContaining("Unexpected value 'step'"),
  ]);
  const action = 'name: x\ndescription: d\nruns:\n  using: composite\n  steps:\n    - run: y\n';
  expect(await complaints(join(root, 'x/action.yml'), action)).toEqual([expect.stringContaining('shell')]);
});

test.each(workflows.filter((file) => file.startsWith('examples/')))(
  '%s uses only existing inputs of actions, and pins the actions',
  (file) => expectPinned(readFileSync(join(root, file), 'utf8')),
);

test('`millrace init` sets jobs up as the examples do', () => {
  const used = (text: string) => Array.from(text.matchAll(/uses: (actions\/.*)$/gm), ([, action]) => action);
  const example = used(readFileSync(join(root, 'examples/workflows/review-local.yml'), 'utf8'));
  expect(example).toHaveLength(2);
  for (const [, write] of written) expect(used(write(choices))).toEqual(example);
});

async function expectPinned(workflow: string): Promise<void> {
  const { parse } = await import('yaml');
  const { jobs } = parse(workflow) as {
    jobs: Record<string, { steps: { uses?: string; with?: Record<string, unknown> }[] }>;
  };
  for (const { uses = '', with: given = {} } of Object.values(jobs).flatMap(({ steps }) => steps)) {
    expect(uses).toMatch(/@[0-9a-f]{40}$/u);
    const [, path] = /^your-account\/millrace\/(.+)@/u.exec(uses) ?? [];
    if (path === undefined) continue;
    const { inputs } = parse(readFileSync(join(root, path, 'action.yml'), 'utf8')) as { inputs: object };
    expect(Object.keys(inputs)).toEqual(expect.arrayContaining(Object.keys(given)));
  }
}
