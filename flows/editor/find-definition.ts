import { type Range, wholeFile } from '../../lib/core/outcomes/finding.ts';
import { resolveCall } from '../../lib/pipelines/model/calls.ts';
import { kindOf } from '../../lib/pipelines/model/pipeline-kind.ts';
import { type PipelineDocument, readPipeline } from '../../lib/pipelines/model/read-pipeline.ts';
import { nodeAt, type NodeAt } from '../../lib/yaml/node-at.ts';
import { readYaml } from '../../lib/yaml/read-yaml.ts';
import { textOf, childOf, type YamlNode } from '../../lib/yaml/yaml-node.ts';
import { inRepository } from '../../lib/git/in-repository.ts';
import { isTestFile } from '../pipeline-tests/files/find-tests.ts';
import { calledFrom, type EditorProject, pipelineIn, pipelinesOf, textIn } from './editor-project.ts';
import { type Role, roleInPipeline, roleInTest, variableAround, wordOf } from './role-at.ts';

/** A place in a file of the repository. */
export interface Definition {
  readonly file: string;
  readonly range: Range;
}

/** A position in the text of a file. */
export interface At {
  /** Relative to the repository. */
  readonly file: string;
  readonly text: string;
  readonly offset: number;
}

/** Finds where the component, the variable or the called pipeline at a position is defined. */
export async function findDefinition(project: EditorProject, at: At): Promise<Definition | undefined> {
  if (kindOf(at.file) !== undefined) {
    const document = readPipeline(at.file, at.text);
    const word = nodeAt(document.source.root, at.offset);
    if (word === undefined) return undefined;
    const role = roleInPipeline(document, word, at.text.slice(word.span.start, at.offset));
    return definitionOf(project, { word, role, document, at });
  }
  if (!isTestFile(at.file)) return undefined;
  const { root } = readYaml(at.text, { file: at.file });
  const word = nodeAt(root, at.offset);
  if (word === undefined) return undefined;
  const document = await testedPipeline(project, root);
  return definitionOf(project, { word, role: roleInTest(word), document, at });
}

/** The pipeline that a test file tests. */
export async function testedPipeline(
  project: EditorProject,
  root: YamlNode | undefined,
): Promise<PipelineDocument | undefined> {
  const name = textOf(childOf(root, 'pipeline'));
  const path = name === undefined ? undefined : resolveCall(name, await pipelinesOf(project));
  return path === undefined ? undefined : pipelineIn(project, path);
}

interface Found {
  readonly word: NodeAt;
  readonly role: Role | undefined;
  /** The pipeline whose components and variables count. */
  readonly document: PipelineDocument | undefined;
  readonly at: At;
}

async function definitionOf(
  project: EditorProject,
  { word: located, role, document, at }: Found,
): Promise<Definition | undefined> {
  const word = wordOf(located) ?? '';
  const used = located.isKey ? undefined : variableAround(at.text, located.span, at.offset);
  const isInParameters = kindOf(at.file) !== undefined && located.path[3] === 'parameters';
  if (used !== undefined && isInParameters) return variableNamed(project, document, used.name);
  switch (role?.is) {
    case 'component':
      return inDocument(document, document?.components.get(word)?.range);
    case 'variable':
      return variableNamed(project, document, word);
    case 'call': {
      const called = await calledFrom(project, { target: word, kind: role.kind });
      if (called === undefined) return undefined;
      return { file: inRepository(project.request.directory, called), range: wholeFile };
    }
    case undefined:
      return undefined;
  }
}

function inDocument(
  document: PipelineDocument | undefined,
  range: Range | undefined,
): Definition | undefined {
  return document === undefined || range === undefined ? undefined : { file: document.path, range };
}

/** A variable of the pipeline, or one of the project that the settings list. */
async function variableNamed(
  project: EditorProject,
  document: PipelineDocument | undefined,
  name: string,
): Promise<Definition | undefined> {
  const declared = inDocument(document, document?.variables.get(name)?.range);
  if (declared !== undefined) return declared;
  const index = project.config.review.variables.indexOf(name);
  const text = index < 0 ? undefined : await textIn(project, project.configFile);
  if (text === undefined) return undefined;
  const range = readYaml(text, { file: project.configFile }).rangeOf(['review', 'variables', index]);
  return range && { file: project.configFile, range };
}
