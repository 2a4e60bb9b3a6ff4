import type { Range } from '../../lib/core/outcomes/finding.ts';
import { asCalled, type CallFolder } from '../../lib/pipelines/model/call-root.ts';
import { kindOf, type PipelineKind, withoutSuffix } from '../../lib/pipelines/model/pipeline-kind.ts';
import { type PipelineDocument, readPipeline } from '../../lib/pipelines/model/read-pipeline.ts';
import { quoted } from '../../lib/yaml/edit-scalar.ts';
import { nodeAt, type NodeAt } from '../../lib/yaml/node-at.ts';
import { readYaml } from '../../lib/yaml/read-yaml.ts';
import { LineIndex } from '../../lib/yaml/text-position.ts';
import { isTestFile } from '../pipeline-tests/files/find-tests.ts';
import { type EditorProject, pipelinesOf } from './editor-project.ts';
import { type At, testedPipeline } from './find-definition.ts';
import { type Role, roleInPipeline, roleInTest, variableBefore } from './role-at.ts';

/** A proposal for completion: `text` replaces the range. */
export interface Proposal {
  readonly label: string;
  readonly is: Role['is'];
  /** The type of a component or a variable. */
  readonly detail: string | undefined;
  readonly text: string;
  readonly range: Range;
}

export interface Completion {
  readonly proposals: readonly Proposal[];
  /** There are more proposals than these. */
  readonly more: boolean;
}

/** An editor shows a few; a project may have ten thousand pipelines. */
const maxProposals = 500;

/** Written in place of the missing word: YAML has no position for an empty value. No file contains it. */
const mark = '\uE000';

const nothing: Completion = { proposals: [], more: false };

/** The names of components, variables and called pipelines that can be written at a position. */
export async function complete(project: EditorProject, at: At): Promise<Completion> {
  const context = await contextAt(project, at);
  if (context === undefined) return nothing;
  const { role, written, document } = context;
  const names = await namesFor(project, role, document);
  const word = written.before.toLowerCase();
  const fitting = names.filter(({ label }) => label.toLowerCase().includes(word));
  const proposals = fitting.slice(0, maxProposals).map(({ label, detail }): Proposal => {
    return { label, detail, is: role.is, text: written.write(label), range: written.range };
  });
  return { proposals, more: fitting.length > maxProposals };
}

interface Context {
  readonly role: Role;
  readonly written: Written;
  /** The pipeline whose components and variables count. */
  readonly document: PipelineDocument | undefined;
}

/** What the cursor is in, read from the text with a mark at the cursor. */
async function contextAt(project: EditorProject, at: At): Promise<Context | undefined> {
  const { file, text, offset } = at;
  const isPipeline = kindOf(file) !== undefined;
  if (!isPipeline && !isTestFile(file)) return undefined;
  const marked = text.slice(0, offset) + mark + text.slice(offset);
  const source = readYaml(marked, { file });
  const word = nodeAt(source.root, offset);
  if (word === undefined || !marked.slice(word.span.start, word.span.end).includes(mark)) return undefined;
  const before = marked.slice(word.span.start, offset);
  const document = isPipeline ? readPipeline(file, marked) : await testedPipeline(project, source.root);
  const role =
    isPipeline && document !== undefined ? roleInPipeline(document, word, before) : roleInTest(word);
  // The name of a declared component or variable is new: there is nothing to propose.
  if (role === undefined || (isPipeline && word.isKey)) return undefined;
  return { role, written: writtenAt(word, at), document };
}

interface Name {
  readonly label: string;
  readonly detail: string | undefined;
}

async function namesFor(
  project: EditorProject,
  role: Role,
  document: PipelineDocument | undefined,
): Promise<readonly Name[]> {
  switch (role.is) {
    case 'component': {
      const names = role.among ?? [...(document?.components.keys() ?? [])];
      return names
        .filter((name) => !role.taken.includes(name) && !name.includes(mark))
        .map((label) => ({ label, detail: document?.components.get(label)?.type }));
    }
    case 'variable': {
      const declared = Array.from(document?.variables.values() ?? [], ({ name, type }) => ({
        label: name,
        detail: type,
      }));
      const outside = project.config.review.variables.filter((name) => /^\w+$/.test(name));
      const others = outside.filter((name) => document?.variables.has(name) !== true);
      return [...declared, ...others.map((label) => ({ label, detail: 'project variable' }))];
    }
    case 'call':
      return pathsOf(await pipelinesOf(project), role.kind, project.request.callFolder);
  }
}

/** As most files write them: without the suffix, unless an orchestration and a transformation share the path. */
function pathsOf(
  paths: ReadonlySet<string>,
  kind: PipelineKind | undefined,
  folder: CallFolder | undefined,
): readonly Name[] {
  const stems = Map.groupBy(paths, withoutSuffix);
  return [...paths]
    .filter((path) => kind === undefined || kindOf(path) === kind)
    .flatMap((path) => {
      const stem = withoutSuffix(path);
      const isAlone = kind !== undefined || stems.get(stem)?.length === 1;
      const label = asCalled(isAlone ? stem : path, folder);
      return label === undefined ? [] : [{ label, detail: kindOf(path) }];
    });
}

/** What is already written of the word, and how the whole word is written. */
interface Written {
  readonly before: string;
  readonly range: Range;
  write(name: string): string;
}

function writtenAt({ span }: NodeAt, { text, offset }: At): Written {
  const line = text.slice(span.start, offset);
  const variable = variableBefore(line);
  const lines = new LineIndex(text);
  if (variable !== undefined) {
    const rest = /^\w*\}?/.exec(text.slice(offset))?.[0] ?? '';
    return {
      before: variable,
      range: lines.range(offset - variable.length, offset + rest.length),
      write: (name) => `${name}}`,
    };
  }
  const quote = /^["']/.exec(line)?.[0];
  const start = span.start + (quote === undefined ? 0 : 1);
  const end = endOfWord(text, span.end - mark.length, offset, quote);
  return {
    before: text.slice(start, offset),
    range: lines.range(start, end),
    write: (name) => (quote === undefined ? quoted(name, quote) : quoted(name, quote).slice(1, -1)),
  };
}

/** The end of the word on the line of the cursor, without its closing quotation mark. */
function endOfWord(text: string, end: number, offset: number, quote: string | undefined): number {
  const rest = text.slice(offset, Math.max(end, offset));
  const lineEnd = /\r?\n/.exec(rest)?.index;
  // A quotation mark that is not closed takes the following lines with it.
  if (lineEnd !== undefined) return offset;
  return quote !== undefined && rest.endsWith(quote) ? offset + rest.length - 1 : offset + rest.length;
}
