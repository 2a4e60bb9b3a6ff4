import { expect, test } from 'vitest';
import { readText, readYesNo } from '../../../engine/parameters/parameter-reader.ts';
import { parameterOf } from './reader.ts';

function resolved(yaml: string) {
  const { node, reader } = parameterOf(yaml);
  return readText(node, reader);
}

test.each([
  ['p: a ${name} b', 'a orders b'],
  ['p: ${ name }${name}', 'ordersorders'],
  // A value is not searched again, and a number keeps its zeros.
  ['p: ${other} ${count} ${count + 1}', '${name} 007 8'],
  ["p: ${name.replace(/[}]/g, '}')}!", 'orders!'],
  ['p: \'${name == "orders" ? "}" : "{"}\'', '}'],
  // What is not an expression stays as written.
  ['p: ${mapping.Target.length} $T{name} $name ${name', '2 $T{name} $name ${name'],
  ['p: "[${unset}]"', '[]'],
  ['p: ${sysvar.project.id}', 'p1'],
])('%s is resolved', (yaml, text) => {
  expect(resolved(yaml)?.text).toBe(text);
});

test.each(['p:', 'p: ""'])('%s is not set', (yaml) => {
  expect(resolved(yaml)).toBeUndefined();
});

test.each(['~', 'null', 'Null'])('an unquoted %s is refused', (word) => {
  expect(() => resolved(`p: ${word}`)).toThrow(
    `a.yaml:1:4: Millrace does not support an unquoted ${word} for p; write "${word}" for the text, or "" for an empty text`,
  );
});

test('a resolved text leads back to the file: to what is written, or to the expression', () => {
  const text = resolved('p: |\n  SELECT ${lines}\n  FROM ${name} x\n');
  const placeOf = (word: string) => {
    const { line, column } = text?.placeOf(text.text.indexOf(word)) ?? {};
    return `${line}:${column}`;
  };

  expect(text?.text).toBe('SELECT one\ntwo\nFROM orders x\n');
  expect(placeOf('SELECT')).toBe('2:3');
  expect(placeOf('one')).toBe('2:10');
  expect(placeOf('two')).toBe('2:10');
  expect(placeOf('FROM')).toBe('3:3');
  expect(placeOf('ders')).toBe('3:8');
  expect(placeOf('x')).toBe('3:16');
});

test.each([
  ['p: |\n  a\n  ${nope}', 'a.yaml:3:5: the variable "nope" is not defined'],
  ['p: ${name + nope}', 'a.yaml:1:13: the variable "nope" is not defined'],
  ['p: a ${name.big()}', 'Millrace does not support the method `big` of a text'],
  ['p: a ${mapping}', 'a.yaml:1:8: Millrace does not support converting a grid or another object to text'],
  ['p: ${}', 'a.yaml:1:6: the expression is empty'],
  ["p: ${name + '}", 'a.yaml:1:13: a text has no closing quote: add it'],
  ['p: ${mapping.nope.length}', 'a.yaml:1:14: there is no "nope"; there is source, Target'],
  ['p: ${sysvar.nope}', 'a.yaml:1:13: there is no "nope"; there is project'],
  ['p: [a]', 'a.yaml:1:4: expected a text'],
])('%s is an error with its place', (yaml, message) => {
  expect(() => resolved(yaml)).toThrow(message);
});

test('a text that grows beyond the limit is refused', () => {
  const yaml = `p: ${'${"x".repeat(400000)}'.repeat(3)}`;
  expect(() => resolved(yaml)).toThrow(
    'a.yaml:1:46: the text has more than 1000000 characters, which is the limit, after its variables were replaced',
  );
});

test.each([
  ['Yes', true],
  ['yes', true],
  ['"True"', true],
  ['No', false],
  ['FALSE', false],
  ['', true],
  ['""', true],
  ['\'${name == "orders" ? "No" : "Yes"}\'', false],
])('Yes or No: %s', (written, answer) => {
  const { node, reader } = parameterOf(`p: ${written}`);
  expect(readYesNo(node, reader, true)).toBe(answer);
});

test('another word than Yes or No is an error', () => {
  const { node, reader } = parameterOf('p: maybe');
  expect(() => readYesNo(node, reader, true)).toThrow('a.yaml:1:4: expected Yes or No for p, found "maybe"');
});
