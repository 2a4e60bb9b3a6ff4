import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type Arbitrary, array, assert, constantFrom, property, tuple } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { typicalPipeline } from '../../../tools/bench/pipeline-project.ts';
import { readAnyYaml } from '../../../lib/yaml/read-any-yaml.ts';
import { readCommonYaml } from '../../../lib/yaml/read-common-yaml.ts';
import { anyPipeline, chooser, whims } from '../pipelines/any-pipeline.ts';
import { writeInStyle } from '../pipelines/write-in-style.ts';

/** Where the fast reader reads a text at all, `yaml` gives the very same tree and has no fault to find. */
function readsAlike(text: string): boolean {
  const common = readCommonYaml(text);
  if (common !== undefined) expect(common, JSON.stringify(text)).toStrictEqual(readAnyYaml(text));
  return common !== undefined;
}

/** Compares the two on made texts; how many both have read. */
function alikeOn(texts: Arbitrary<string>, numRuns: number): number {
  let both = 0;
  assert(
    property(texts, (text) => {
      if (readsAlike(text)) both += 1;
    }),
    { numRuns, seed: 11 },
  );
  return both;
}

const joined = (chunks: readonly string[], maxLength: number) =>
  array(constantFrom(...chunks), { maxLength }).map((parts) => parts.join(''));

/** Inside of scalars: what folds, escapes, ends or only looks as if. */
const ofScalars = [
  ' ',
  '\n',
  '\n  ',
  '\n   ',
  '\n\n  ',
  '\r\n  ',
  'x',
  '"',
  "'",
  '\t',
  '#',
  ' #',
  ':',
  ': ',
  '- ',
];
ofScalars.push(
  '|',
  '>',
  '\\',
  '\\n',
  '\\x41',
  '\\u00e9',
  'é',
  '😀',
  '[',
  '{',
  ',',
  ']',
  '}',
  '1',
  '.',
  '%',
  '\r',
);
const ofNumbers = [
  '1',
  '2',
  '0',
  '.',
  'e',
  'E',
  '+',
  '-',
  '0x',
  '0o',
  '~',
  'n',
  'null',
  'True',
  'FALSE',
  'f',
];
ofNumbers.push('.inf', '-.Inf', '.NaN', '.nan', '.Nan', 'inf', '_', '9'.repeat(20));
const ofFlow = [
  '[',
  ']',
  '{',
  '}',
  ',',
  ', ',
  ': ',
  ':',
  ' ',
  '"x"',
  "'y'",
  'x',
  '1',
  '~',
  '-',
  '?',
  '? ',
  '#',
];
ofFlow.push('null', 'x y', '"a":', '[a]', '{b: c}', '[]', '{}', '*', '&', '!', '\n', '\n  ');
const ofBlocks = [
  '- ',
  '-',
  '\n',
  '\n  ',
  '\n    ',
  'x',
  ': ',
  ':',
  'y: 1',
  'z: 2',
  '- a\n',
  'b:',
  '  ',
  '# c\n',
];
ofBlocks.push(
  '\n# c',
  '[]',
  '""',
  '"q" ',
  '|\n      t',
  '>-\n  t\n',
  '? ',
  '&a ',
  '*a',
  '!t ',
  '---\n',
  '\t',
  '%',
  '...',
);

describe('both readers give the same tree', () => {
  test.each([
    ['double quotes', joined(ofScalars, 9).map((it) => `k: "${it}"\nl: 1\n`), 1500, 250],
    ['single quotes', joined(ofScalars, 9).map((it) => `k: '${it}'\nl: 1\n`), 1500, 250],
    ['no quotes', joined(ofScalars, 9).map((it) => `k: x${it}\nl: 1\n`), 1500, 250],
    ['no quotes, as a key', joined(ofScalars, 6).map((it) => `${it}: x\n`), 1500, 150],
    ['numbers and words', joined(ofNumbers, 5).map((it) => `a: ${it}\n`), 2000, 1000],
    ['numbers and words as keys', joined(ofNumbers, 4).map((it) => `{ ${it}: 1 }`), 500, 150],
    [
      'block texts',
      tuple(
        constantFrom('|', '>', '|-', '>-', '|+', '>+', '|2', '> # c', '|- '),
        constantFrom('', ' ', '  ', '    '),
        joined(ofScalars, 9),
        constantFrom('\nl: 1\n', '', '\n', '\n\n l: 1'),
      ).map(([mark, indent, it, end]) => `k: ${mark}\n${indent}${it}${end}`),
      1500,
      250,
    ],
    ['brackets', joined(ofFlow, 9).map((it) => `k: [${it}]\nl: 1\n`), 2000, 100],
    ['braces', joined(ofFlow, 9).map((it) => `k: {${it}}\nl: 1\n`), 2000, 100],
    ['blocks', joined(ofBlocks, 12).map((it) => `a:\n${it}\n`), 3000, 100],
    ['blocks in a list', joined(ofBlocks, 10).map((it) => `a:\n  - ${it}\nz: 1\n`), 2000, 100],
    ['anything', joined([...ofBlocks, ...ofFlow, ...ofScalars], 12), 2000, 20],
  ])('of texts made of %s', (_title, texts, runs, least) => {
    // Where hardly any is read by both, the comparison says nothing.
    expect(alikeOn(texts, runs)).toBeGreaterThan(least);
    const withCarriageReturns = texts.map((text) => text.replaceAll(/\r?\n/g, '\r\n'));
    expect(alikeOn(withCarriageReturns, runs / 4)).toBeGreaterThan(least / 8);
  });

  test('of pipelines in any style', () => {
    const texts = tuple(anyPipeline, whims).map(([model, numbers]) =>
      writeInStyle(model, chooser(numbers)).text.replace(/^\uFEFF/, ''),
    );
    expect(alikeOn(texts, 400)).toBeGreaterThan(40);
  });

  test('of every YAML file in this repository, and the fast one reads them all', () => {
    const root = path.resolve(import.meta.dirname, '../../..');
    const files = ['examples', '.github', 'actions', 'test', 'tools'].flatMap((folder) =>
      readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.ya?ml$/.test(name))
        .map((name) => path.join(root, folder, name)),
    );
    expect(files.length).toBeGreaterThan(20);
    expect(files.filter((file) => !readsAlike(readFileSync(file, 'utf8')))).toEqual([]);
  });
});

describe('the fast reader', () => {
  test.each([
    ['a typical pipeline', typicalPipeline(1)],
    ['the same with CRLF', typicalPipeline(2).replaceAll('\n', '\r\n')],
    ['nothing', ''],
    ['comments alone', '# nothing\n\n'],
    ['a mark of the document at the start', '---\na: 1\n'],
    ['keys without values', 'a:\nb:\n  c:\nd: [x]'],
    ['quotes of both kinds, as keys too', `"a b": 'it''s'\n'c': "\\u00e9\\r\\n\\t"`],
    ['values over several lines', 'a: one\n  two\n\n  three\nb: "one\n  two"\nc: \'one\n\n  two\''],
    ['block texts', 'a: |\n  x\n    y\n\nb: >-\n  x\n  y\n\n  z\nc:\n- |+ # kept\n  x\n\n- y\n'],
    ['brackets and braces on one line', 'a: { b: [x, "y", [], {}], c: , d: ~ }\ne: [1, 0x1F, .5, true, ]'],
    ['lists in lists and maps in lists', '- - a\n  - b\n- c: 1\n  d: 2\n-  - - x'],
    ['a list as deep as its key', 'a:\n- x\n- y\nb: z'],
    [
      'comments everywhere',
      '# a\na: # b\n  # c\n  b: 1 # d\n # e\n  c: "#f" # g\n- h: i'.split('\n- ')[0] ?? '',
    ],
    ['letters outside ASCII', 'größe: ä\n日本: [😀 x]'],
    ['tabs in values', 'a: "x\ty"\nb: x\ty\nc: |\n  x\ty\t\n'],
    ['a quoted key that looks like a merge key', `a: { "<<": 1 }\n'<<': <<`],
  ])('reads %s', (_title, text) => {
    expect(readsAlike(text)).toBe(true);
  });

  test.each([
    ['an anchor', 'a: &x 1'],
    ['an alias', 'a: *x'],
    ['a merge key', 'a: 1\n<<: { b: 1 }'],
    ['a merge key in braces', 'a: { <<: 1 }'],
    ['a tag', 'a: !!str 1'],
    ['a directive', '%YAML 1.2\n---\na: 1'],
    ['two documents', 'a: 1\n---\nb: 2'],
    ['the end of a document', 'a: 1\n...\n'],
    ['a duplicate key', 'a: 1\n"a": 2'],
    ['a key of several values', '{ [a]: b }'],
    ['a key behind a question mark', '? a\n: b'],
    ['a key of more than a thousand letters', `${'k'.repeat(1001)}: 1`],
    ['an item that is not written', '- a\n-\n- b'],
    ['a pair in brackets', 'a: [b: c]'],
    ['brackets over several lines', 'a: [b,\n  c]'],
    ['a lone carriage return', 'a: 1\rb: 2'],
    ['a byte order mark', '\uFEFFa: 1'],
    ['a tab for an indentation', 'a:\n\tb: 1'],
    ['a block text that says its indent', 'a: |2\n    x\n'],
    ['a kept block text that ends in the middle of a line', '- |+\n\n '],
    ['a lone value', 'a'],
    ['a bracket without its end', 'a: [b'],
    ['a quote without its end', 'a: "b'],
    ['two keys on one line, behind brackets', 'a:\n- {}b: 1'],
    ['a line end behind a backslash', 'a: "x\\\n\n  y"'],
    ['a plain value behind an empty line and a comment', 'a:\n\n# c\n  x\nb: 1'],
    ['the same in a list', '-\n\n# c\n  x\n- y'],
    ['a hundred levels', `${'['.repeat(100)}x${']'.repeat(100)}`],
  ])('leaves %s to the other', (_title, text) => {
    expect(readCommonYaml(text)).toBeUndefined();
  });
});
