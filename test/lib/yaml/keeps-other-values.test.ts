import { expect, test } from 'vitest';
import { keepsOtherValues } from '../../../lib/yaml/keeps-other-values.ts';
import { readYaml } from '../../../lib/yaml/read-yaml.ts';
import { LineIndex } from '../../../lib/yaml/text-position.ts';

/** Whether the other values stay, where `‹old|new›` in the text are the edits. */
function keeps(marked: string): boolean {
  const parts = marked.split(/‹([^|]*)\|([^›]*)›/);
  let text = '';
  const places: { start: number; end: number; text: string }[] = [];
  for (let index = 0; index < parts.length; index += 3) {
    text += parts[index] ?? '';
    const [old, written] = parts.slice(index + 1, index + 3);
    if (old === undefined || written === undefined) break;
    places.push({ start: text.length, end: text.length + old.length, text: written });
    text += old;
  }
  const lines = new LineIndex(text);
  const edits = places.map((place) => {
    const to = lines.at(place.end);
    return { ...lines.at(place.start), endLine: to.line, endColumn: to.column, text: place.text };
  });
  return keepsOtherValues(readYaml(text, { file: 'a.yaml' }), edits);
}

test.each([
  ['a value', 'a: ‹x|"y z"›\nb: 1'],
  ['a key', '‹a|b›: x\nc: [d]'],
  ['an item', 'a: [b, ‹c, |›d]'],
  ['a line', 'a:\n‹  - b\n|›  - c\nd: 1'],
  ['all of a list and its key', 'a:\n  b: 1\n‹  c:\n    - d\n|›e: 2'],
  ['a new entry', 'a:\n  b: 1\n‹|  c: { d: 2 }\n›e: 2'],
  ['a value for a bare key', 'a:‹| 1›\nb: 2'],
  ['an alias', 'a: &x [1]\nb: ‹*x|[2]›\nc: *x'],
  ['an anchored value that nothing uses', 'a: &x ‹1|2›'],
  ['an anchored value and its alias', 'a: &x ‹1|2›\nb: ‹*x|1›'],
  ['two values', '\uFEFFa: ‹x|yy›\r\nb: { c: ‹z|›, d: 1 }'],
  ['a line before a list', '‹|# why\n›- a\n- b'],
  ['a comment', 'a: 1\n‹|# why\n›b: 2'],
])('an edit of %s keeps the others', (_title, marked) => {
  expect(keeps(marked)).toBe(true);
});

test.each([
  ['a value that an alias has too', 'a: &x ‹1|2›\nb: *x'],
  ['a value inside of what an alias has too', 'a: &x { c: [‹1|2›] }\nb: *x'],
  ['a key inside of what an alias has too', 'a: &x { ‹c|d›: 1 }\nb: *x'],
  ['an anchor that an alias needs', 'a: ‹&x 1|1›\nb: *x'],
  ['an anchor that an alias then has from before', 'z: &x 0\na: ‹&x 1|1›\nb: *x'],
  ['a value, with a comment over its neighbour', 'a: [‹b|c #›, d]'],
  ['the indentation of a neighbour', 'a:\n  b: 1\n‹  |›c: 2'],
  ['a new parent for a neighbour', 'a:\n  b: 1\n‹|d:\n›  c: 2'],
  ['a quotation mark', "a: ‹b|'b›\nc: 'd'"],
  ['a value to one that is not YAML', 'a: ‹b|{›\nc: d'],
  ['a tag of a neighbour', 'a: ‹|!!str ›1'],
  ['a part of a neighbour', 'a: b\nc: ‹|x›d'],
])('an edit of %s does not keep the others', (_title, marked) => {
  expect(keeps(marked)).toBe(false);
});
