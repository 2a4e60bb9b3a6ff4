import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { expect, test } from 'vitest';
import { avoidedNames, avoidedNameStarts, avoidedTexts, exceptions } from '../../tools/lint/avoided-words.ts';
import { root } from './repository-files.ts';

const tracked = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).trim().split('\n');
const files = tracked.filter(
  (file) =>
    existsSync(join(root, file)) &&
    /\.(?:ts|mts|mjs|md|lua|ya?ml)$/.test(file) &&
    !file.startsWith('dist/') &&
    !file.startsWith('test/environment/github/openapi/'),
);
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const used = new Set<number>();

function isException(file: string, text: string): boolean {
  const nth = exceptions.findIndex((one) => file.startsWith(one.file) && text.includes(one.text));
  if (nth >= 0) used.add(nth);
  return nth >= 0;
}

test('texts use the words of the glossary', () => {
  const found = files.flatMap((file) =>
    read(file)
      .split('\n')
      .flatMap((line, i) =>
        avoidedTexts
          .filter(({ pattern }) => pattern.test(line) && !isException(file, line))
          .map(({ write }) => `${file}:${i + 1}: ${line.trim()} (write: ${write})`),
      ),
  );
  expect(found).toEqual([]);
});

test('names use the words of the glossary', () => {
  const found = files
    .filter((file) => /\.m?ts$/.test(file))
    .flatMap((file) =>
      [...declaredNames(read(file), file)]
        .filter((name) => adviceFor(name) !== undefined && !isException(file, name))
        .map((name) => `${file}: ${name} (write: ${adviceFor(name) ?? ''})`),
    );
  expect(found).toEqual([]);
});

test('every exception is needed', () => {
  expect(exceptions.filter((_, nth) => !used.has(nth))).toEqual([]);
});

function adviceFor(name: string): string | undefined {
  const parts = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[ _]/);
  if (parts.length > 1 && avoidedNameStarts.includes(parts[0] ?? '')) return 'max…, min…';
  return parts
    .map((part) => (Object.hasOwn(avoidedNames, part) ? avoidedNames[part] : undefined))
    .find((advice) => advice !== undefined);
}

/** Names that a file declares: variables, functions, types, parameters, and members of types and objects. */
function declaredNames(source: string, file: string): Set<string> {
  const names = new Set<string>();
  const add = (node: unknown): void => {
    if (isNode(node) && node['type'] === 'Identifier') names.add(String(node['name']));
    else if (isNode(node) && node['type'] === 'AssignmentPattern') add(node['left']);
  };
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) node.forEach(visit);
    if (!isNode(node)) return;
    const type = String(node['type']);
    if (/Declarat(?:ion|or)$/.test(type) || type === 'FunctionExpression') add(node['id']);
    if (Array.isArray(node['params'])) node['params'].forEach(add);
    if (
      /^(?:Property|PropertyDefinition|MethodDefinition|TSPropertySignature|TSMethodSignature)$/.test(type)
    ) {
      if (node['computed'] !== true) add(node['key']);
      // `{ a: b }` as a pattern declares b.
      add(node['value']);
    }
    Object.values(node).forEach(visit);
  };
  visit(parseSync(file, source).program);
  return names;
}

function isNode(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
