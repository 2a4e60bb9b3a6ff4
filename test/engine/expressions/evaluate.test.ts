import { expect, test } from 'vitest';
import { readExpression } from '../../../engine/expressions/expression.ts';
import { findExpressionEnd } from '../../../engine/expressions/tokenize.ts';
import { errorOf, scope, valueOf } from './in-scope.ts';

test.each([
  // Forms seen in public projects.
  ['a.toUpperCase()', 'ALPHA'],
  ['config.connector.length', 2],
  ['config.code[config.connector.indexOf(connector)]', 'S'],
  ['flag == "y" ? a.toUpperCase() : b', 'ALPHA'],
  ["String(new Date().getMonth() + 1).padStart(2, '0')", '11'],
  [
    "new Date().toISOString().replace(/[^0-9]/g, '_').substring(0, 19)",
    '2026_11_03T04_05_06'.replaceAll('T', '_'),
  ],
  ['a.toLowerCase() == "alpha" || b.toLowerCase() == "y"', true],
  ["count == 1 && (max == 0 || flag === '1900-01-01')", true],
  ['config.connector.indexOf(connector) >= 0', true],
  // Operators, as in JavaScript.
  ['"1" + 2', '12'],
  ['"6" * "7"', 42],
  ['1 + 2 * 3 % 2', 1],
  ['-"3" - -3', 0],
  ['"10" < "9"', true],
  ['"10" < 9', false],
  ['"1" == 1', true],
  ['"1" === 1', false],
  ['null == undefined', true],
  ['null == 0', false],
  ['empty || "default"', 'default'],
  ['max && nope', 0],
  ['!"" && !0 && !null', true],
  ['1 < 2 == true', true],
  ['true ? false ? 1 : 2 : 3', 2],
  // Texts, lists, dates.
  [String.raw`'it\'s \u0041\x42\u{1F600}\n'`, "it's AB😀\n"],
  ['"a,b,c".split(",").slice(1).join("-")', 'b-c'],
  ['[1, "1", [2]].includes("1")', true],
  ['"abc"[1] + "abc".at(-1) + "abc".substr(-2, 1)', 'bcb'],
  ['"a-a".replace("a", "$&$$1") + "a-a".replaceAll("a", "b")', 'a$1-ab-b'],
  [String.raw`"John Smith".replace(/(\w+)\s(\w+)/, "$2, $1")`, 'Smith, John'],
  ['"baaac".replace(/a*/g, "-")', '-b--c-'],
  ['"a]b/c".replace(/[\\]/]/g, "")', 'abc'],
  ['6 / 2 / 3', 1],
  ['"x\\u00a0y".replace(/\\s/, "")', 'xy'],
  ['new Date("2024-02-29").getTime()', Date.UTC(2024, 1, 29)],
  ['new Date("2024-02-29T10:00:00+02:00").toISOString()', '2024-02-29T08:00:00.000Z'],
  ['new Date("2024-02-29T10:00").getHours()', 10],
  ['new Date(2024, 0, 31).getDate()', 31],
  ['new Date().getTime() - Date.now()', 0],
  ['(1.005).toFixed(1)', '1.0'],
  ['parseInt("12px") + Math.max(1, 2) + Number("3")', 17],
])('%s is %o', (text, value) => {
  expect(valueOf(text)).toEqual(value);
});

test.each([
  // Escapes from the subset.
  [
    'a.constructor',
    'refused 2: Millrace does not support this in an expression: the member `constructor` of a text',
  ],
  ['a.constructor("return 1")()', 'refused 25: Millrace does not support this in an expression: `(` here'],
  ['a["constructor"]', 'refused 1: Millrace does not support this in an expression: a text as an index'],
  ['config.__proto__', 'failed 7: there is no "__proto__"; there is connector, code'],
  ['config["constructor"]', 'failed 6: there is no "constructor"; there is connector, code'],
  ['__proto__', 'failed 0: the variable "__proto__" is not defined'],
  ['toString', 'failed 0: the variable "toString" is not defined'],
  ['process.exit(1)', 'failed 0: the variable "process" is not defined'],
  ['eval("1")', 'refused 0: Millrace does not support this in an expression: the function `eval`'],
  [
    'Function("return 1")',
    'refused 0: Millrace does not support this in an expression: the function `Function`',
  ],
  ['require("fs")', 'refused 0: Millrace does not support this in an expression: the function `require`'],
  ['import("fs")', 'refused 0: Millrace does not support this in an expression: `import`'],
  ['this', 'refused 0: Millrace does not support this in an expression: `this`'],
  ['new RegExp("a")', 'refused 4: Millrace does not support this in an expression: `new RegExp`'],
  ['[1].map(String)', 'failed 8: the variable "String" is not defined'],
  [
    'a.valueOf.call(1)',
    'refused 2: Millrace does not support this in an expression: the member `valueOf` of a text',
  ],
  // Syntax that the subset does not have.
  ['a = 1', 'refused 2: Millrace does not support this in an expression: `=` here'],
  ['a ?? b', 'refused 2: Millrace does not support this in an expression: `??` here'],
  ['a?.b', 'refused 1: Millrace does not support this in an expression: `?.` here'],
  ['(x) => x', 'refused 4: Millrace does not support this in an expression: `=>` here'],
  ['`a`', 'refused 0: Millrace does not support this in an expression: a template literal'],
  ['1 // x', 'refused 2: Millrace does not support this in an expression: a comment'],
  ['{}', 'refused 0: Millrace does not support this in an expression: `{` here'],
  ['2 ** 3', 'refused 2: Millrace does not support this in an expression: `**` here'],
  ['a; b', 'refused 1: Millrace does not support this in an expression: `;` here'],
  ['typeof a', 'refused 0: Millrace does not support this in an expression: `typeof`'],
  ['010', 'refused 0: Millrace does not support this in an expression: the number 010'],
  ['0x10', 'refused 0: Millrace does not support this in an expression: the number 0x10'],
  // Errors that JavaScript has too.
  ['', 'failed 0: the expression is empty'],
  ['1 +', 'failed 3: the expression is not complete: a part is missing at its end'],
  ['(1', 'failed 2: expected `)`'],
  ['"a', 'failed 0: a text has no closing quote: add it'],
  ['null.length', 'failed 5: null has no "length"'],
  ['config.code[9].length', 'failed 15: undefined has no "length"'],
  ['nope.x', 'failed 0: the variable "nope" is not defined'],
  [
    'new Date("x").getTime()',
    'refused 0: Millrace does not support this in an expression: a date in this form; write YYYY-MM-DD or YYYY-MM-DDThh:mm:ssZ',
  ],
  ['new Date(0 / 0).toISOString()', 'failed 16: the date is not valid'],
  // What JavaScript computes, but nobody means.
  [
    'config + ""',
    'refused 7: Millrace does not support this in an expression: `+` with a grid or another object',
  ],
  [
    'config.code == "J"',
    'refused 12: Millrace does not support this in an expression: the comparison of a list',
  ],
  [
    'String(new Date())',
    'refused 0: Millrace does not support this in an expression: converting a date to text',
  ],
  // Patterns that are not linear, or that RE2 reads in another way.
  [
    String.raw`a.replace(/(a)\1/, "")`,
    String.raw`refused 10: Millrace does not support this in an expression: ` +
      String.raw`\1`.replace(/.*/, '`$&` in a regular expression'),
  ],
  [
    'a.replace(/a(?=b)/, "")',
    'refused 10: Millrace does not support this in an expression: a named group or lookaround in a regular expression',
  ],
  [
    'a.replace(/(?i)a/, "")',
    'refused 10: Millrace does not support this in an expression: a named group or lookaround in a regular expression',
  ],
  [
    'a.replace(/[]/, "")',
    'refused 10: Millrace does not support this in an expression: an empty class in a regular expression',
  ],
  [
    'a.replace(/a/y, "")',
    'refused 10: Millrace does not support this in an expression: the flag y of a regular expression',
  ],
  [
    'a.replaceAll(/a/, "")',
    'refused 2: Millrace does not support this in an expression: `replaceAll` with a regular expression without the flag g',
  ],
  [
    '/a/',
    'refused 0: Millrace does not support this in an expression: a regular expression outside `replace`',
  ],
])('%s is an error with its position', (text, error) => {
  expect(errorOf(text)).toBe(error);
});

test.each([
  [
    '"x".repeat(1e9)',
    /^failed 4: a text in the expression is longer than 1000000 characters, which is the limit$/,
  ],
  ['"x".repeat(1000).padStart(1e9)', /a text in the expression is longer than 1000000 characters/],
  [
    `"${'x'.repeat(2000)}".repeat(500).replaceAll("", "xxxxxxxx")`,
    /a text in the expression is longer than 1000000 characters/,
  ],
  [
    '"x".repeat(9999).replace(/x/g, "y".repeat(9999))',
    /a text in the expression is longer than 1000000 characters/,
  ],
  ['"x".repeat(900000).split("")', /more than 100000 items/],
  ['"x".repeat(99999).split("").concat(1, [2])', /more than 100000 items/],
  ['"x".repeat(900000).replace(/(x{1,50}){1,10}y/g, "")', /this regular expression/],
  [`${'('.repeat(101)}1${')'.repeat(101)}`, /^refused 100: .*more than 100 levels$/],
  [`${'!'.repeat(101)}1`, /more than 100 levels$/],
  [`1${'+1'.repeat(1001)}`, /more than 1000 operators$/],
  [`a${'.a'.repeat(1001)}`, /more than 1000 operators$/],
  [`"${'x'.repeat(10_000)}"`, /more than 10000 characters$/],
])('the limits stop %.40s', (text, error) => {
  expect(errorOf(text)).toMatch(error);
});

test('a regular expression that takes half of an emoji in JavaScript is refused, and others run', () => {
  expect(errorOf('"a😀".replace(/./g, "x")')).toContain('without the flag u');
  expect(errorOf('"a😀".replace(/[^a]/g, "x")')).toContain('without the flag u');
  expect(valueOf('"a😀".replace(/./gu, "x")')).toBe('xx');
  expect(valueOf('"a.😀".replace(/[a-z]|\\./g, "x")')).toBe('xx😀');
});

test('a long chain of operators is computed', () => {
  expect(valueOf(`1${'+1'.repeat(1000)}`)).toBe(1001);
});

test('text and truth of an expression', () => {
  expect(readExpression('null').toText(scope)).toBe('');
  expect(readExpression('1 == 1').toText(scope)).toBe('true');
  expect(() => readExpression('config.code').toText(scope)).toThrow('converting a list to text');
  expect(() => readExpression('config.code[7]').toText(scope)).toThrow('the expression has no value');
  expect(readExpression('"false"').holds(scope)).toBe(true);
  expect(readExpression('empty').holds(scope)).toBe(false);
  expect([readExpression(' a ').name, readExpression('a.b').name]).toEqual(['a', undefined]);
});

test.each([
  ['name}', 4],
  [' a ? "}" : b } rest', 13],
  ["a.replace(/[}]\\}/g, '{')} x", 24],
  ['a / b} / c', 5],
  ['{ {} } }', 7],
  ['"}', 'a text has no closing quote: add it'],
  ['name', undefined],
])('the end of ${%s is found', (text, end) => {
  const find = () => findExpressionEnd(`\${${text}`, 2);
  if (typeof end === 'string') expect(find).toThrow(end);
  else expect(find()).toBe(end === undefined ? undefined : end + 2);
});
