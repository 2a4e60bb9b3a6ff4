import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from './repository-files.ts';

/** What npm puts into the package. What is compiled into build/ has a test of its own (test/tools/setup/pack.test.ts). */
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
