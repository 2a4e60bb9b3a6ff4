import fc from 'fast-check';
import { expect, test } from 'vitest';
import { complete } from '../../../flows/editor/complete.ts';
import { findDefinition } from '../../../flows/editor/find-definition.ts';
import { componentAt, renameComponent } from '../../../flows/editor/rename-component.ts';
import { suppressFinding } from '../../../flows/editor/suppress-finding.ts';
import { Failure } from '../../../lib/core/errors/failure.ts';
import { componentReferences } from '../../../lib/pipelines/model/component-references.ts';
import { readPipeline } from '../../../lib/pipelines/model/read-pipeline.ts';
import { applyEdits } from '../../../lib/yaml/apply-edits.ts';
import { editorFiles } from './editor-files.ts';

const project = editorFiles({ 'main.orch.yaml': 'pipeline:\n  components:\n    A: {}\n' });

/** Lines of pipelines and tests, in any order, and any characters between them. */
const parts = [
  'pipeline:',
  '  components:',
  '    A:',
  '      type: "sql"',
  '      type: "join"',
  '      transitions:',
  '        success: ["A", B]',
  '        - A',
  '      sources: [&a A, *a]',
  '      parameters:',
  '        query: "$T{A} ${x}"',
  '        joins: [["A", "b"]]',
  '        transformationJob: main',
  '  variables: { x: {} }',
  'pipeline: main',
  'tests:',
  '# millrace-ignore unknown-call: reason',
  '- mock: { A: {} }',
];
const oddCharacter = fc.constantFrom(...'\0\t\r\n\u2028\uD800\uFEFF|&*"\'{}[]:#%@`!>-?,é💥A'.split(''));
const anyText = fc
  .array(fc.oneof(fc.constantFrom(...parts), fc.string({ unit: oddCharacter, maxLength: 6 })), {
    maxLength: 12,
  })
  .chain((lines) => fc.constantFrom('\n', '\r\n', '').map((end) => lines.join(end)));

test('completion, definition, rename and suppression answer at any position of any text, and throw failures only', async () => {
  const file = fc.constantFrom('x.orch.yaml', 'x.tran.yaml', 'x.test.yaml', 'millrace.yaml');
  await fc.assert(
    fc.asyncProperty(anyText, file, fc.nat(), async (text, name, position) => {
      const at = { file: name, text, offset: position % (text.length + 1) };
      await complete(project, at);
      await findDefinition(project, at);
      for (let line = 1; line < 5; line += 1) suppressFinding({ ...at, rule: 'unknown-call', line });
      if (componentAt(at) === undefined) return;
      try {
        renameComponent(at, 'New name');
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
      }
    }),
    { numRuns: 200 },
  );
});

const name = fc.string({
  unit: fc.constantFrom(...Array.from('Ab :#\'"{}[],&*!|>%@`\\-?ü0~')),
  minLength: 1,
  maxLength: 8,
});

test('a rename to any name leaves a pipeline with the same references, or is refused', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(name, { minLength: 2, maxLength: 4 }),
      name,
      fc.constantFrom<(text: string) => string>(JSON.stringify, (text) => `'${text.replaceAll("'", "''")}'`),
      (names, newName, quote) => {
        const list = names.map(quote).join(', ');
        const components = names.map((one) => `    ${quote(one)}: { transitions: { success: [${list}] } }\n`);
        const text = `pipeline:\n  components:\n${components.join('')}`;
        const before = readPipeline('x.orch.yaml', text);
        fc.pre(before.problems.length === 0);
        const [first = ''] = names;
        const offset = text.indexOf(quote(first)) + 1;
        let edits;
        try {
          edits = renameComponent({ file: 'x.orch.yaml', text, offset }, newName);
        } catch (error) {
          expect(error).toBeInstanceOf(Failure);
          return;
        }
        const after = readPipeline('x.orch.yaml', applyEdits(text, edits).text);
        const expected = componentReferences(before).map((one) => (one.name === first ? newName : one.name));
        expect(after.problems).toEqual([]);
        expect(componentReferences(after).map((one) => one.name)).toEqual(expected);
      },
    ),
    { numRuns: 200 },
  );
});
