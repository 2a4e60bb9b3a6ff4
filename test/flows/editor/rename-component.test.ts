import { describe, expect, test } from 'vitest';
import { componentAt, renameComponent } from '../../../flows/editor/rename-component.ts';
import { applyEdits } from '../../../lib/yaml/apply-edits.ts';
import { cursorIn } from './editor-files.ts';

/** The text after a rename of the component at `|`. */
function renamed(marked: string, name: string, file = 'x.tran.yaml'): string {
  const at = cursorIn(file, marked);
  return applyEdits(at.text, renameComponent(at, name)).text;
}

const transformation = `pipeline:
  components:
    Old: # Old
      type: "table-input"
      parameters: { componentName: "Old", description: "Old", schema: Old }
    'Joined':
      type: "join"
      sources: [Ol|d, "Old"]
      parameters:
        mainTable: 'Old'
        joins: [["Old", "Old", "Left"]]
    Query:
      type: "sql"
      sources:
      - Old
      parameters:
        query: |-
          SELECT * FROM $T{Old} JOIN Old ON '$T{Other}'
    Older: { type: "detect-changes", sources: ["Old", Joined], parameters: { masterTable: "Old" } }
`;

describe('the rename of a component', () => {
  test('changes what names it, with its quotation marks, and nothing else', () => {
    expect(renamed(transformation, "It's new")).toBe(`pipeline:
  components:
    "It's new": # Old
      type: "table-input"
      parameters: { componentName: "It's new", description: "Old", schema: Old }
    'Joined':
      type: "join"
      sources: ["It's new", "It's new"]
      parameters:
        mainTable: 'It''s new'
        joins: [["It's new", "Old", "Left"]]
    Query:
      type: "sql"
      sources:
      - "It's new"
      parameters:
        query: |-
          SELECT * FROM $T{It's new} JOIN Old ON '$T{Other}'
    Older: { type: "detect-changes", sources: ["It's new", Joined], parameters: { masterTable: "It's new" } }
`);
  });

  test('includes transitions and iteration targets, also to a word that YAML would read as a value', () => {
    const text =
      'pipeline:\n  components:\n    O|ld: {}\n    B:\n      transitions: { success: [Old], "true": Old }\n      iterationTarget: Old\n';
    expect(renamed(text, 'yes', 'x.orch.yaml')).toBe(
      'pipeline:\n  components:\n    "yes": {}\n    B:\n      transitions: { success: ["yes"], "true": "yes" }\n      iterationTarget: "yes"\n',
    );
  });

  test.each([
    ['A', 'The pipeline has another component "A".'],
    ['', 'A component needs a name.'],
    ['a\nb', 'A name is one line of printable characters.'],
    ['x'.repeat(501), 'A name has at most 500 characters.'],
    ['a}b', 'Renaming "Old" would change another part of the file.'],
  ])('to %j is refused', (name, message) => {
    const text =
      'pipeline:\n  components:\n    A: {}\n    O|ld: {}\n    Q:\n      type: sql\n      sources: [Old]\n      parameters: { query: "$T{Old}" }\n';
    expect(() => renamed(text, name)).toThrow(message);
  });

  test.each([
    ['an alias', 'Old: {}\n    B: { transitions: { success: &n Old, failure: *n } }'],
    [
      'a query with escapes',
      'Old: {}\n    Q: { type: sql, sources: [Old], parameters: { query: "$T{O\\x6cd}" } }',
    ],
    ['a name over two lines', 'Old all: {}\n    B:\n      sources: ["Old\n        all"]'],
  ])('with %s is refused, with the place', (_, components) => {
    const text = `pipeline:\n  components:\n    |${components}\n`;
    expect(() => renamed(text, 'New')).toThrow('is written as an alias, with an anchor');
  });

  test('of a file that is not a valid pipeline is refused', () => {
    expect(() => renamed('pipeline:\n  components:\n    O|ld: {}\n    Old: {}\n', 'New')).toThrow(
      'The file is not a valid pipeline',
    );
  });

  test('begins only at the name of a component that exists', () => {
    const at = (marked: string) => componentAt(cursorIn('x.orch.yaml', marked))?.name;
    expect(at('pipeline:\n  components:\n    A: { transitions: { success: ["|A"] } }\n')).toBe('A');
    expect(at('pipeline:\n  components:\n    A: { transitions: { success: [|B] } }\n')).toBeUndefined();
    expect(at('pipeline:\n  components:\n    A: { type: "|A" }\n')).toBeUndefined();
    expect(componentAt(cursorIn('x.test.yaml', 'pipeline: |A\n'))).toBeUndefined();
  });
});
