import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { installBudget } from '../../tools/package/install-budget.ts';
import { root } from './repository-files.ts';

/** What npm puts into the package, apart from build/: `test/tools/setup/pack.deep.test.ts` compiles and installs it. */
function packedFiles(): ReadonlySet<string> {
  const { PATH, HOME } = process.env;
  const listed = execFileSync(
    'npm',
    ['pack', '--dry-run', '--json', '--ignore-scripts', '--loglevel=error'],
    {
      cwd: root,
      encoding: 'utf8',
      env: { PATH, HOME },
    },
  );
  const [{ files } = { files: [] }] = JSON.parse(listed) as { files: { path: string }[] }[];
  return new Set(files.map(({ path }) => path));
}

describe('the npm package', () => {
  const packed = packedFiles();
  const isThere = (path: string) =>
    packed.has(path) || [...packed].some((one) => one.startsWith(`${path.replace(/\/$/, '')}/`));
  const pages = [...packed].filter((path) => path.endsWith('.md'));
  const textOf = (page: string) => readFileSync(join(root, page), 'utf8');

  test.each(pages)('contains the link targets of %s', (page) => {
    const links = Array.from(textOf(page).matchAll(/\]\(([^)\s#]+)(?:#[^)]*)?\)/g), ([, link = '']) => link);
    const dead = links
      .filter((link) => !/^[a-z]+:/.test(link))
      .filter((link) => !isThere(posix.join(posix.dirname(page), link)));
    expect(dead).toEqual([]);
  });

  test('contains pages and examples, but no tests, sources or actions', () => {
    const topLevel = new Set([...packed].map((path) => path.split('/')[0]));
    topLevel.delete('build');
    const files = ['CHANGELOG.md', 'CONTRIBUTING.md', 'LICENSE', 'README.md'];
    expect(topLevel).toEqual(new Set([...files, 'actions', 'docs', 'examples', 'package.json']));
    const actions = [...packed].filter((path) => path.startsWith('actions/'));
    expect(actions.filter((path) => posix.basename(path) !== 'README.md')).toEqual([]);
    expect([...packed].filter((path) => path.startsWith('docs/') && path.endsWith('.ts'))).toEqual([]);
  });

  test('brings one copy of undici', () => {
    const lock = JSON.parse(textOf('package-lock.json')) as { packages: object };
    const copies = Object.keys(lock.packages).filter((path) => path.endsWith('node_modules/undici'));
    expect(copies).toEqual(['node_modules/undici']);
  });

  test('contains the OpenAPI description and the schemas', () => {
    expect([...packed]).toEqual(
      expect.arrayContaining(['docs/openapi.json', 'docs/schemas/millrace.schema.json']),
    );
  });

  test('contains each schema that a page gives for editors, at its path after the installation', () => {
    const hints = pages.flatMap((page) =>
      Array.from(textOf(page).matchAll(/\$schema=(\S+)/g), ([, path = '']) => path),
    );
    expect(hints.length).toBeGreaterThan(1);
    for (const hint of hints) {
      const installed = /^(?:\.\/)?node_modules\/millrace\/(.+)$/.exec(hint)?.[1] ?? hint;
      expect(installed).not.toBe(hint);
      expect([...packed]).toContain(installed);
    }
  });
});

test('docs/install.md states the size that `npm run check` allows', () => {
  const { 'the package': own, 'its dependencies': others, 'the engine': engine } = installBudget;
  const page = readFileSync(join(root, 'docs/install.md'), 'utf8').replaceAll('\n', ' ');
  expect(page).toContain(`take at most ${(own + others).toFixed(1)} MB (${own} and ${others})`);
  expect(page).toContain(`the engine takes at most ${engine} MB more`);
});
