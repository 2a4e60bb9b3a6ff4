import { array, assert, constantFrom, property } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readYaml } from '../../../lib/yaml/read-yaml.ts';

/** Parts of YAML, for random texts. */
const chunks = [
  'a',
  ': ',
  '- ',
  '\n',
  '\r\n',
  '  ',
  '\t',
  '[',
  ']',
  '{',
  '}',
  ',',
  '"',
  "'",
  '|',
  '>',
  '&x ',
  '*x ',
  '? ',
].concat(['!t ', '#', '---\n', '%', '\uFEFF', 'ü', '😀', '\\', '1.0', 'true', 'null', '~', '<<']);

const read = (text: string) => readYaml(text, { file: 'some.yaml' });

/** `line:column message` of each problem. */
const problemsOf = (text: string) =>
  read(text).problems.map(({ line, column, message }) => `${line}:${column} ${message}`);

describe('the value', () => {
  test('numbers, booleans, nulls and texts are distinguished as in YAML 1.2', () => {
    expect(read('a: 1\nb: 1.5\nc: true\nd:\ne: null\nf: "1"\ng: yes\nh: 0x1F\ni: 2026-01-01').value).toEqual({
      a: 1,
      b: 1.5,
      c: true,
      d: null,
      e: null,
      f: '1',
      g: 'yes',
      h: 31,
      i: '2026-01-01',
    });
  });

  test('keys are kept as written, whatever type a reader would give them', () => {
    const value = read('{ 1.0: a, true: b, null: c, 1e3: d, "x y": e, ~: f, 0x1F: g }').value;
    expect(value).toEqual({
      '1.0': 'a',
      true: 'b',
      null: 'c',
      '1e3': 'd',
      'x y': 'e',
      '~': 'f',
      '0x1F': 'g',
    });
  });

  test('a byte order mark and CRLF change nothing', () => {
    const source = read('\uFEFFa: 1\r\nb:\r\n- x\r\n');
    expect(source.value).toEqual({ a: 1, b: ['x'] });
    expect(source.keyRangeOf(['a'])).toEqual({ line: 1, column: 1, endLine: 1, endColumn: 2 });
    expect(source.rangeOf(['b', 0])).toEqual({ line: 3, column: 3, endLine: 3, endColumn: 4 });
  });

  test('a list may begin behind a byte order mark', () => {
    const source = read('\uFEFF- a\n- b\n');
    expect(source.problems).toEqual([]);
    expect(source.value).toEqual(['a', 'b']);
    expect(source.rangeOf([1])).toEqual({ line: 2, column: 3, endLine: 2, endColumn: 4 });
    expect(source.rangeOf([])).toEqual({ line: 1, column: 1, endLine: 2, endColumn: 4 });
  });

  test('an empty text and one of comments hold null, which is not a problem', () => {
    for (const text of ['', '\n', '# nothing\n', '---\n']) {
      expect(read(text).value).toBe(null);
      expect(read(text).problems).toEqual([]);
    }
  });

  test('an alias means the value of its anchor, the last of that name before it', () => {
    expect(read('a: &x [1]\nb: *x\nc: &x {d: 2}\ne: *x').value).toEqual({
      a: [1],
      b: [1],
      c: { d: 2 },
      e: { d: 2 },
    });
  });

  test('a merge key is a key like any other', () => {
    expect(read('a: &x {b: 1}\nc:\n  <<: *x').value).toEqual({ a: { b: 1 }, c: { '<<': { b: 1 } } });
  });

  test('the key __proto__ is data and changes no prototype', () => {
    const value = read('__proto__: { polluted: true }').value;
    expect(Object.getOwnPropertyNames(value)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect('polluted' in {}).toBe(false);
  });

  test('the tree keeps the order of keys that look like numbers', () => {
    const { root } = read('b: 1\n2: 1\n1: 1\na: 1');
    expect(root?.kind === 'map' ? [...root.entries.keys()] : []).toEqual(['b', '2', '1', 'a']);
  });
});

describe('ranges', () => {
  const text = [
    'plain: value', // 1
    '"quoted key": "quoted value"', // 2
    'flow: { a: [x, "y"], b: 2 }', // 3
    'block:', // 4
    '  - first', // 5
    '  - second: deep', // 6
    '    third: |', // 7
    '      script', // 8
    '', // 9
    'empty:', // 10
    'größe: ä', // 11
  ].join('\n');
  const source = read(text);
  const at = (line: number, column: number, endColumn: number, endLine = line) => ({
    line,
    column,
    endLine,
    endColumn,
  });

  test.each([
    ['a plain value', ['plain'], at(1, 8, 13)],
    ['a quoted value with its quotes', ['quoted key'], at(2, 15, 29)],
    ['a flow map with its braces', ['flow'], at(3, 7, 28)],
    ['an item of a flow list', ['flow', 'a', 1], at(3, 16, 19)],
    ['a block list from its first dash to its last value', ['block'], at(5, 3, 13, 8)],
    ['an item of a block list', ['block', 0], at(5, 5, 10)],
    ['a value inside an item', ['block', 1, 'second'], at(6, 13, 17)],
    ['a block text from its mark to its last line', ['block', 1, 'third'], at(7, 12, 13, 8)],
    ['an empty value, whose position is its key', ['empty'], at(10, 1, 6)],
    ['a value behind letters outside ASCII', ['größe'], at(11, 8, 9)],
  ])('%s', (_title, path, range) => {
    expect(source.rangeOf(path)).toEqual(range);
  });

  test.each([
    ['a plain key', ['plain'], at(1, 1, 6)],
    ['a quoted key with its quotes', ['quoted key'], at(2, 1, 13)],
    ['a key in a flow map', ['flow', 'b'], at(3, 22, 23)],
    ['an item of a list, which has no key', ['block', 0], at(5, 5, 10)],
    ['a key of letters outside ASCII', ['größe'], at(11, 1, 6)],
  ])('%s', (_title, path, range) => {
    expect(source.keyRangeOf(path)).toEqual(range);
  });

  test('a path that leads nowhere has no range', () => {
    for (const path of [
      ['none'],
      ['plain', 'deeper'],
      ['block', 2],
      ['block', 'first'],
      ['flow', 'a', 'x'],
    ]) {
      expect(source.rangeOf(path)).toBeUndefined();
      expect(source.keyRangeOf(path)).toBeUndefined();
    }
  });

  test('the root has the range of the whole', () => {
    expect(read('a: 1\nb: 2\n').rangeOf([])).toEqual(at(1, 1, 5, 2));
    expect(read('').rangeOf([])).toBeUndefined();
  });

  test.each([
    ['fast', 'a: 1'],
    ['by the other reader', 'a: &x 1'],
  ])('a block that is read %s ends with its last value, not with the comment after it', (_title, first) => {
    const { rangeOf } = read(`${first}\nb: # one\n  - x\n  - y # two\n# three\nc:\n  d: |\n    z\n\n`);
    expect(rangeOf(['b'])).toEqual(at(3, 3, 6, 4));
    expect(rangeOf(['c'])).toEqual(at(7, 3, 6, 8));
    expect(rangeOf([])).toEqual(at(1, 1, 6, 8));
  });

  test('a path leads through an alias to the place of the anchor, and ends at the alias', () => {
    const aliased = read('a: &x { b: 1 }\nc: *x');
    expect(aliased.rangeOf(['c'])).toEqual(at(2, 4, 6));
    expect(aliased.rangeOf(['c', 'b'])).toEqual(at(1, 12, 13));
  });
});

describe('problems', () => {
  test('a duplicate key is a problem at its second place, quoted or not', () => {
    expect(problemsOf('a: 1\nb: 2\n"a": 3')).toEqual(['3:1 The key "a" appears twice']);
    expect(problemsOf('x: { true: 1, "true": 2 }')).toEqual(['1:15 The key "true" appears twice']);
  });

  test('1 and 1.0 are two keys', () => {
    expect(problemsOf('1: a\n1.0: b')).toEqual([]);
  });

  test('a second document is a problem where it begins', () => {
    expect(problemsOf('a: 1\n---\nb: 2')).toEqual([
      '2:1 A second document begins here; a file must contain only one',
    ]);
  });

  test('broken YAML is a problem at its line and column', () => {
    expect(read('a: [1, 2\nb: 3').problems[0]).toMatchObject({ file: 'some.yaml', line: 2, column: 1 });
    expect(read('a:\n\tb: 1').problems[0]).toMatchObject({ line: 2, column: 1 });
  });

  describe('a directive that changes how values are read is a problem at its line', () => {
    test.each([
      ['%YAML 1.1', '1:1'],
      ['%YAML 1.3', '1:1'],
      ['%YAML 2.0 # comment', '1:1'],
      ['%TAG ! tag:yaml.org,2002:', '1:1'],
      ['%OTHER x', '1:1'],
      ['# comment\n\n%YAML 1.2\n%YAML\t1.1', '4:1'],
      ['\uFEFF%YAML 1.1', '1:1'],
      ['%YAML 1.1\r', '1:1'],
    ])('%j', (directives, place) => {
      const [problem = '', ...others] = problemsOf(`${directives}\n---\na: 2026-01-05\n`);
      expect(problem).toMatch(new RegExp(`^${place} The directive .* YAML 1\\.2`));
      expect(others).toEqual([]);
    });

    test('%YAML 1.2 is read, and a percent sign inside of a value is not a directive', () => {
      for (const start of ['%YAML 1.2\n---\n', '%YAML 1.2 # comment\n%YAML  1.2\r\n---\n'])
        expect(read(`${start}a: 2026-01-05\nb: yes`)).toMatchObject({
          value: { a: '2026-01-05', b: 'yes' },
          problems: [],
        });
      expect(problemsOf('a: |\n  %YAML 1.1\nb: "%TAG x"')).toEqual([]);
    });
  });

  describe('a tag that changes what a value is, or does not fit it, is a problem at its line', () => {
    test.each([
      '!!timestamp 2026-01-05',
      '!!binary aGVsbG8=',
      '!!set { x, y }',
      '!!omap [x: 1]',
      '!!pairs [x: 1]',
      '!!merge x',
      '!local 1',
      '!local { x: 1 }',
      '!<tag:yaml.org,2002:timestamp> 2026-01-05',
      '!!int abc',
      '!!int 1_000',
      '!!bool yes',
      '!!null x',
      '!!str [x]',
      '!!map [x]',
      '!!seq { x: 1 }',
      '!!int # 2026\n    7.5',
      '&x !!timestamp 2026-01-05',
      '!!timestamp &x 2026-01-05',
      '!',
    ])('%j', (value) => {
      const column = value.startsWith('&x') ? 9 : 6;
      const fits = value === '!';
      expect(problemsOf(`a:\n  b: ${value}\n`)).toEqual(
        fits ? [] : [expect.stringMatching(new RegExp(`^2:${column} The tag !.* `))],
      );
      expect(problemsOf(`- ${value.replace('    ', '  ')}\n`)).toHaveLength(fits ? 0 : 1);
    });

    test.each([
      ['of a key', '!!timestamp 2026-01-05: 1', '1:1'],
      ['of the root', '--- !local\na: 1', '1:5'],
      ['of a block', 'a: !local\n  b: 1', '1:4'],
      ['of an item', 'a: [x, !local y]', '1:8'],
    ])('%s', (_title, text, place) => {
      expect(problemsOf(text)).toEqual([expect.stringMatching(new RegExp(`^${place} The tag !`))]);
    });

    test('a tag that only says what the value is stays, and !!str makes a text', () => {
      const source = read(
        'a: !!str 1\nb: !!int "1"\nc: !!float 1.5\nd: !!bool true\ne: !!null\nf: !!seq [1]\ng: !!map { x: 1 }\nh: ! 2',
      );
      expect(source.problems).toEqual([]);
      expect(source.value).toEqual({
        a: '1',
        b: 1,
        c: 1.5,
        d: true,
        e: null,
        f: [1],
        g: { x: 1 },
        h: '2',
      });
    });
  });

  describe('a merge key is a problem at its line', () => {
    test.each([
      ['in a block', 'x: &x { a: 1 }\ny:\n  <<: *x\n  b: 1', '3:3'],
      ['in braces', 'x: { b: 1, <<: { a: 1 } }', '1:12'],
      ['of the root', '<<: { a: 1 }', '1:1'],
      ['with a list', '<<: [{ a: 1 }]', '1:1'],
      ['with a question mark', '? <<\n: { a: 1 }', '1:3'],
      ['with an anchor', '&m <<: { a: 1 }', '1:4'],
      ['as an alias', 'k: &m <<\n*m : { a: 1 }', '2:1'],
    ])('%s', (_title, text, place) => {
      expect(problemsOf(text)).toEqual([expect.stringMatching(new RegExp(`^${place} A merge key "<<" `))]);
    });

    test('but a quoted "<<" is a key, and << a value', () => {
      expect(read(`"<<": 1\na: { '<<': 2 }\nb: <<\nc: [<<]`)).toMatchObject({
        value: { '<<': 1, a: { '<<': 2 }, b: '<<', c: ['<<'] },
        problems: [],
      });
    });
  });

  test('a key of several values is a problem', () => {
    expect(problemsOf('? [a, b]\n: c')).toEqual(['1:3 A key must be a single value']);
  });

  test('an alias without an anchor, and one inside its own anchor, are problems', () => {
    expect(problemsOf('a: *x')).toEqual(['1:4 The alias *x has no anchor &x before it']);
    expect(problemsOf('a: &x [1, *x]')).toEqual(['1:11 The alias *x is inside its own anchor &x']);
  });

  test('a bomb of aliases is a problem and is not unfolded', () => {
    const lines = Array.from({ length: 12 }, (_, level) => {
      const items = Array.from({ length: 10 }, () => (level === 0 ? 'x' : `*a${level - 1}`));
      return `k${level}: &a${level} [${items.join(', ')}]`;
    });
    expect(problemsOf(lines.join('\n'))[0]).toMatch(/of this file expand to too many values$/);
  });

  test('many small aliases are not a bomb', () => {
    expect(problemsOf(`a: &x 1\nb: [${'*x, '.repeat(2000)}]`)).toEqual([]);
  });

  test('brackets without end are a problem, not a full stack', () => {
    for (const nest of ['['.repeat(50_000), '{a: '.repeat(50_000), '- '.repeat(50_000)]) {
      const source = read(nest);
      expect(source.problems.length).toBeGreaterThan(0);
      expect(source.problems.length).toBeLessThanOrEqual(100);
      void source.value;
    }
  });

  test.each([
    ['lists', '[', ']'],
    ['maps', '{ a: ', '}'],
  ])('%s a hundred levels deep are read, one level more is a problem', (_title, open, close) => {
    expect(problemsOf(`${open.repeat(100)}x${close.repeat(100)}`)).toEqual([]);
    expect(problemsOf(`${open.repeat(101)}x${close.repeat(101)}`)[0]).toMatch(
      /nested more than 100 levels deep$/,
    );
  });

  test.each([
    ['[', ']'],
    ['{ a: ', '}'],
  ])(
    'twenty thousand levels of "%s" are the same problem, wherever the stack of the parser ends',
    (open, close) => {
      const text = `[{ "id": ${open.repeat(20_000)}${close.repeat(20_000)} }]`;
      const at = (depth: number): string[] => (depth === 0 ? problemsOf(text) : at(depth - 1));
      const problems = at(0);
      expect(problems.length).toBeGreaterThan(0);
      for (const problem of problems) expect(problem).toMatch(/nested more than 100 levels deep$/);
      for (const depth of [1_000, 3_000, 5_000]) expect(at(depth)).toEqual(problems);
    },
  );

  test('no text makes the reader throw, and every problem lies inside the text', () => {
    const chunk = constantFrom(...chunks);
    assert(
      property(array(chunk, { maxLength: 40 }), (parts) => {
        const text = parts.join('');
        const source = read(text);
        void source.value;
        const lines = text.split(/\r\n|\r|\n/).length;
        for (const { line, column, endLine } of source.problems) {
          expect(line).toBeGreaterThanOrEqual(1);
          expect(column).toBeGreaterThanOrEqual(1);
          expect(endLine).toBeLessThanOrEqual(lines);
        }
      }),
      { numRuns: 700, seed: 1 },
    );
  });
});
