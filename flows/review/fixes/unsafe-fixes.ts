import type { Edit, Finding } from '../../../lib/core/outcomes/finding.ts';
import type { PreparedRule } from '../../../lib/pipelines/prepare-rules.ts';
import { type PipelineDocument, readPipeline } from '../../../lib/pipelines/model/read-pipeline.ts';
import { renameIn } from '../../../lib/pipelines/model/rename-in.ts';
import { scalarEditor } from '../../../lib/yaml/edit-scalar.ts';
import { keepsOtherValues } from '../../../lib/yaml/keeps-other-values.ts';
import { conformingName, namingRule } from './conforming-name.ts';
import { endBranch } from './end-branch.ts';

/** The fixes of one file that change names or behaviour. */
export interface UnsafeFixes {
  /** Edits that belong together, by the fingerprint of the finding. */
  readonly edits: ReadonlyMap<string, readonly Edit[]>;
  /** Why there is none, as a sentence, by the fingerprint of the finding. */
  readonly unfixable: ReadonlyMap<string, string>;
}

type Fixer = (finding: Finding, file: File) => readonly Edit[] | string;

interface File {
  readonly document: PipelineDocument;
  readonly rules: readonly PreparedRule[];
  /** The names that other fixes give to components. */
  readonly taken: Set<string>;
}

const fixers: ReadonlyMap<string, Fixer> = new Map([
  [namingRule, rename],
  ['start-and-end-components', end],
  ['millrace/literal-environment', useDefault],
]);

/** The reason why a fix is refused that would change more than the finding. */
export const changesOthers =
  'The fix would change another value of the file too, such as an alias of its anchor. Correct the finding by hand.';

/** Whether findings of the rule can have an unsafe fix. */
export function mayFixUnsafely({ rule, errorType, state }: Finding): boolean {
  return fixers.has(rule) && errorType === undefined && state !== 'fixed';
}

/** The unsafe fixes for findings of one file. */
export function unsafeFixes(
  path: string,
  text: string,
  findings: readonly Finding[],
  rules: readonly PreparedRule[],
): UnsafeFixes {
  const edits = new Map<string, readonly Edit[]>();
  const unfixable = new Map<string, string>();
  const document = readPipeline(path, text);
  if (document.problems.length > 0) return { edits, unfixable };
  const file = { document, rules, taken: new Set<string>() };
  for (const finding of findings.filter(mayFixUnsafely)) {
    const fix = fixers.get(finding.rule)?.(finding, file) ?? [];
    if (typeof fix === 'string') unfixable.set(finding.fingerprint, fix);
    else edits.set(finding.fingerprint, fix);
  }
  // A new transition must not name a component that another fix renames.
  const ends = findings.filter(({ rule }) => rule === 'start-and-end-components');
  if (file.taken.size > 0) for (const { fingerprint } of ends) edits.delete(fingerprint);
  return { edits, unfixable };
}

function rename({ component = '' }: Finding, { document, rules, taken }: File): readonly Edit[] | string {
  const name = conformingName(component, document, rules, taken);
  if (name === undefined)
    return `No usual spelling of "${component}" matches the pattern and is unused in the file. Rename the component by hand.`;
  const edits = renameIn(document, component, name);
  if ('message' in edits) {
    const line = edits.place === undefined ? '' : ` (line ${edits.place.line})`;
    return `${edits.message.replace(/\.$/, '')}${line}. Rename the component by hand.`;
  }
  taken.add(name);
  return edits;
}

function end({ component }: Finding, { document, rules }: File): readonly Edit[] | string {
  if (component === undefined)
    return 'Add a start component by hand: only you know where the pipeline begins.';
  return endBranch(document, component, conformingName('End Success', document, rules));
}

function useDefault({ component = '', subject = '' }: Finding, { document }: File): readonly Edit[] | string {
  const node = document.components.get(component)?.parameter(subject);
  const edit = node && scalarEditor(document.source, node)('[Environment Default]');
  if (edit === undefined)
    return 'The value has several lines, is an alias or has an anchor. Replace the value by hand.';
  return keepsOtherValues(document.source, [edit]) ? [edit] : changesOthers;
}
