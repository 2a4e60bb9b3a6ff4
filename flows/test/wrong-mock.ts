import type { FileProblem } from '../../engine/index.ts';
import type { TestMock } from './test-file.ts';

/** What is wrong with a mock whatever the pipeline does. */
export function wrongMock(mock: TestMock, isTransformation: boolean, type: string): readonly FileProblem[] {
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
