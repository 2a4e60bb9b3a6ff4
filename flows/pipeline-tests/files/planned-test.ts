import { type FileProblem, FileProblems, type Located, problemAt } from '../../../engine/index.ts';
import { resolveCall } from '../../../lib/pipelines/model/calls.ts';
import type { PipelineDocument } from '../../../lib/pipelines/model/read-pipeline.ts';
import { refuseBroken } from './broken-pipeline.ts';
import type { TestCase, TestFile, TestMock } from './test-file.ts';
import type { TestProject } from './test-project.ts';
import { tableNamed } from '../outside/table-named.ts';
import { neverCalls, unknownIn, unknownName, unknownPipeline } from './unknown-names.ts';
import { privateVariable, wrongVariable } from './variable-problems.ts';

/** A test with the pipeline that it runs. */
export interface PlannedTest {
  readonly file: TestFile;
  readonly test: TestCase;
  readonly document: PipelineDocument;
}

/** The pipeline that a test file names. Throws FileProblems if it does not exist or cannot be read. */
export function testedPipeline(
  { pipeline: { text, place } }: TestFile,
  project: TestProject,
): PipelineDocument {
  const path = resolveCall(text, project);
  const document = path === undefined ? undefined : project.pipeline(path);
  if (document === undefined) throw problemAt(place, unknownPipeline(text, project));
  refuseBroken(document);
  return document;
}

/** Resolves the tests of a file. Throws FileProblems for names that the pipeline does not have. */
export function planTests(file: TestFile, project: TestProject): readonly PlannedTest[] {
  const document = testedPipeline(file, project);
  const problems = file.tests.flatMap((test) => [
    ...test.mocks.flatMap((mock) => mockProblems(mock, document, project)),
    ...[...test.expected.ran, ...test.expected.notRan].flatMap((name) => unknownOwn(name, document)),
    ...(test.expected.outcome.component === undefined
      ? []
      : unknownComponent(test.expected.outcome.component, document, project)),
    ...[...test.variables, ...test.expected.variables].flatMap((variable) =>
      wrongVariable(variable, document, project),
    ),
    ...test.variables.flatMap((variable) => privateVariable(variable, document)),
    ...namedTwice(test, document, project),
  ]);
  if (problems.length > 0) throw new FileProblems(problems);
  return file.tests.map((test) => ({ file, test, document }));
}

/** Two names of one table or of one component: the second would replace the first. */
function namedTwice(
  test: TestCase,
  document: PipelineDocument,
  project: TestProject,
): readonly FileProblem[] {
  const tableOf = ({ text, place }: Located) => {
    const { database, schema, table } = tableNamed(text, place, project);
    return JSON.stringify([database, schema, table]);
  };
  const componentOf = ({ text }: Located) => JSON.stringify(findComponent(text, document, project) ?? text);
  const names = (tables: TestMock['tables']) => tables.map(({ name }) => name);
  return [
    ...repeated(names(test.given), tableOf, 'table'),
    ...test.mocks.flatMap(({ tables }) => repeated(names(tables), tableOf, 'table')),
    ...repeated(
      test.mocks.map(({ name }) => name),
      componentOf,
      'component',
    ),
  ];
}

function repeated(
  names: readonly Located[],
  keyOf: (name: Located) => string,
  what: string,
): readonly FileProblem[] {
  const first = new Map<string, Located>();
  return names.flatMap((name) => {
    const other = first.get(keyOf(name));
    if (other === undefined) first.set(keyOf(name), name);
    const message = `"${name.text}" and "${other?.text ?? ''}" are names of one ${what}: remove one of them`;
    return other === undefined ? [] : [{ ...name.place, message }];
  });
}

/**
 * Finds a component by `Component` or `pipeline path#Component`. A component whose own name contains `#` is found
 * first.
 */
export function findComponent(
  name: string,
  document: PipelineDocument,
  project: TestProject,
): { readonly path: string; readonly component: string } | undefined {
  if (document.components.has(name)) return { path: document.path, component: name };
  for (let at = name.indexOf('#'); at > 0; at = name.indexOf('#', at + 1)) {
    const path = resolveCall(name.slice(0, at), project);
    const component = name.slice(at + 1);
    if (path !== undefined && project.pipeline(path)?.components.has(component) === true)
      return { path, component };
  }
  return undefined;
}

function mockProblems(
  mock: TestMock,
  document: PipelineDocument,
  project: TestProject,
): readonly FileProblem[] {
  const target = findComponent(mock.name.text, document, project);
  const called = target === undefined ? undefined : project.pipeline(target.path);
  const component = called?.components.get(target?.component ?? '');
  if (called === undefined || component === undefined) return unknownComponent(mock.name, document, project);
  const isUnused = called.path !== document.path && neverCalls(document, called.path, project);
  const unused = `${document.path} does not call ${called.path}, so that the mock has no effect`;
  return [
    ...(isUnused ? [{ ...mock.name.place, message: unused }] : []),
    ...wrongMock(mock, called.kind === 'transformation', component.type),
    ...mock.variables.flatMap((variable) => wrongVariable(variable, called, project)),
  ];
}

function unknownComponent(name: Located, document: PipelineDocument, project: TestProject): FileProblem[] {
  return findComponent(name.text, document, project) === undefined
    ? [unknownName(name, document, project)]
    : [];
}

function unknownOwn(name: Located, document: PipelineDocument): FileProblem[] {
  return document.components.has(name.text) ? [] : [unknownIn(name, name.text, document)];
}

/** What is wrong with a mock whatever the pipeline does. */
function wrongMock(mock: TestMock, isTransformation: boolean, type: string): readonly FileProblem[] {
  const at = (key: string, message: string): FileProblem => ({ ...mock.placeOf(key), message });
  if (mock.outcome === 'failure') {
    return (['tables', 'rows', 'output', 'variables', 'condition'] as const)
      .filter((key) => mock.keys.has(key))
      .map((key) => at(key, `\`${key}\` has no effect with \`outcome: failure\``));
  }
  const problems: FileProblem[] = [];
  if (mock.message !== undefined) problems.push(at('message', '`message` needs `outcome: failure`'));
  if (mock.output !== undefined && !isTransformation) {
    problems.push(at('output', '`output` is for components of transformations: use `tables` or `rows`'));
  }
  const isIf = type === 'if' && !isTransformation;
  if (isIf && mock.condition === undefined) {
    const message = 'the mock of an `if` needs its answer: `condition: true` or `condition: false`';
    problems.push({ ...mock.name.place, message });
  }
  if (!isIf && mock.condition !== undefined) {
    problems.push(at('condition', '`condition` is for an `if`'));
  }
  return problems;
}
