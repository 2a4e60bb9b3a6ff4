import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson, parseJson, writeJson } from '../../../../engine/duckdb/values/canonical-json.ts';
import { scanJson } from '../../../../engine/duckdb/values/scan-json.ts';

const viaTree = (text: string) => writeJson(parseJson(text));

test('the scanner gives the same text as a parsed tree, for any JSON', () => {
  const json = fc.json({ stringUnit: 'binary' });
  const indents = fc.constantFrom(undefined, 1, '\t');
  const same = (text: string, indent: number | string | undefined) => {
    const written = JSON.stringify(JSON.parse(text), undefined, indent);
    expect(scanJson(written)).toBe(viaTree(written));
  };
  expect(() => fc.assert(fc.property(json, indents, same), { numRuns: 60 })).not.toThrow();
});

test.each([
  ' { "b" : [ 1 , -0 , 1.50 , 1e30 ] , "a b" : null , "a" : true , "a!" : "" , "A" : false } ',
  '{"\\u0061b":1,"aa":2,"__proto__":3,"1":4}',
  '["\\ud800","\\u001f","\\/","é","\\"","\\\\"]',
  '[12345678901234567890123456789012345678,0.1234567890123456789,1E300,-1.0E-7]',
  '[[],{},"",[[]]]',
])('the scanner gives the same text as a parsed tree: %s', (text) => {
  expect(scanJson(text)).toBe(viaTree(text));
});

test.each([
  ['[1,,2]', '[1,"\\u0000undefined",2]'],
  ['[ undefined , ]', '["\\u0000undefined","\\u0000undefined"]'],
  ['[,[],]', '["\\u0000undefined",[],"\\u0000undefined"]'],
  ['["undefined"]', '["undefined"]'],
])('an array may lack elements, as in the warehouse: %s', (text, written) => {
  expect(scanJson(text)).toBe(written);
});

test.each([
  '',
  'undefined',
  '[undefined1]',
  '{"a":,}',
  '{,}',
  '[',
  '{"a"}',
  '{"a":1,}',
  '01',
  '1 2',
  "'a'",
  '"a\n"',
  '"\\x"',
  'nul',
  '[1 2]',
  '{1:2}',
])('what is not JSON is an error of the parser: %j', (text) => {
  expect(scanJson(text)).toBe(undefined);
  expect(() => canonicalJson(text)).toThrow(SyntaxError);
});
