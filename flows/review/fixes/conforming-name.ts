import { componentReferences } from '../../../lib/pipelines/model/component-references.ts';
import { evaluate } from '../../../lib/pipelines/evaluate.ts';
import type { PreparedRule } from '../../../lib/pipelines/prepare-rules.ts';
import { type PipelineDocument, readPipeline } from '../../../lib/pipelines/model/read-pipeline.ts';

/** The id of the rule about names. */
export const namingRule = 'component-naming-convention';

/** Longer names have thousands of words, and nobody reads them. */
const maxLength = 200;

/**
 * A spelling of a name that the naming rule accepts and that is unused in the file, as close to the name as
 * possible; undefined if there is none. Without the rule, the name itself.
 */
export function conformingName(
  name: string,
  document: PipelineDocument,
  rules: readonly PreparedRule[],
  taken: ReadonlySet<string> = new Set(),
): string | undefined {
  const used = new Set([...componentReferences(document).map((reference) => reference.name), ...taken]);
  const free = spellings(name).filter((spelling) => !used.has(spelling));
  const entries = free.map((spelling) => `${JSON.stringify(spelling)}: {}`);
  const sample = readPipeline(document.path, `{ pipeline: { components: { ${entries.join(', ')} } } }`);
  const results = evaluate(
    rules.filter(({ ruleName }) => ruleName === namingRule),
    sample,
  );
  if (results.some(({ status }) => status === 'ERROR')) return undefined;
  const refused = new Set(
    results.flatMap(({ violations }) => violations.map((violation) => violation.component)),
  );
  return free.find((spelling) => !refused.has(spelling));
}

/** The spellings of a name with the usual conventions, the closest first. */
function spellings(name: string): readonly string[] {
  if (name.length > maxLength) return [];
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '');
  return [
    ...new Set(
      [name, plain].flatMap((text) => [
        text,
        ...joined(text.trim()),
        ...ofWords(text),
        ...joined(separated(text, '')),
      ]),
    ),
  ].filter((spelling) => spelling !== '');
}

/** With another character between the words, and in one case. */
function joined(name: string): readonly string[] {
  const all = [name, ...['_', '-', ' '].map((separator) => separated(name, separator))];
  return all.flatMap((spelling) => [spelling, spelling.toLowerCase(), spelling.toUpperCase()]);
}

function separated(name: string, separator: string): string {
  return name
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .join(separator);
}

/** As words, which may also begin with a capital letter inside the name. */
function ofWords(name: string): readonly string[] {
  const words = name.match(/\p{Lu}+(?!\p{Ll})\p{N}*|\p{Lu}?[^\P{L}\p{Lu}]+\p{N}*|\p{N}+/gu) ?? [];
  const lower = words.map((word) => word.toLowerCase());
  const capital = lower.map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  const [first = '', ...others] = lower;
  return [
    ...['_', '-', ' '].flatMap((separator) => [
      lower.join(separator),
      lower.join(separator).toUpperCase(),
      capital.join(separator),
    ]),
    capital.join(''),
    first + capital.slice(1).join(''),
    [capital[0] ?? '', ...others].join(' '),
    [capital[0] ?? '', ...others].join('_'),
  ];
}
