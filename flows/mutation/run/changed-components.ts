import { kindOf } from '../../../lib/pipelines/model/pipeline-kind.ts';
import { namedVariables } from '../../../lib/pipelines/model/named-variables.ts';
import { usesVariable } from '../../../lib/pipelines/model/uses-variable.ts';
import { spellingOf } from '../../../lib/yaml/yaml-node.ts';
import { isSameScript } from '../../data-graph/change/file-difference.ts';
import { pipelineMeaning } from '../../data-graph/snapshot/pipeline-meaning.ts';
import type { BaseProject } from '../../diff/base-project.ts';
import type { TestProject } from '../../pipeline-tests/files/test-project.ts';
import type { Fault } from '../faults/fault.ts';
import { readable } from './readable.ts';

/**
 * Whether the component of a planted change (or its file with SQL) is new or does something different from the
 * base, in its own content or through a variable that it uses. Its form and its position do not count.
 */
export function isInChange(
  base: Pick<BaseProject, 'project' | 'changed' | 'renamed'>,
  project: TestProject,
): (fault: Pick<Fault, 'file' | 'component'>) => boolean {
  const known = new Map<string, ReadonlySet<string> | undefined>();
  return ({ file, component }) => {
    if (!base.changed.has(file)) return false;
    if (component === undefined || kindOf(file) === undefined) return !isSameScript(file, project, base);
    if (!known.has(file)) known.set(file, changedComponents(file, base, project));
    return known.get(file)?.has(component) !== false;
  };
}

/** Undefined if the pipeline cannot be compared: then all components count. */
function changedComponents(
  file: string,
  base: Pick<BaseProject, 'project' | 'renamed'>,
  project: TestProject,
): ReadonlySet<string> | undefined {
  const now = readable(() => project.pipeline(file));
  const before = readable(() => base.project.pipeline(base.renamed.get(file) ?? file));
  if (now === undefined || before === undefined || before.problems.length > 0) return undefined;
  const [meaning, old] = [pipelineMeaning(now, project.kind), pipelineMeaning(before, project.kind)];
  const changedIn = (parts: 'components' | 'variables') => {
    const digests = new Map(old[parts].map(({ name, digest }) => [name, digest]));
    return meaning[parts].flatMap(({ name, digest }) => (digests.get(name) === digest ? [] : [name]));
  };
  const variables = changedIn('variables');
  const users = [...now.components].flatMap(([name, component]) => {
    const text = [component.node('parameters'), component.node('postProcessing')].map(spellingOf).join(' ');
    const named = new Set(namedVariables(component).map((variable) => variable.name));
    return variables.some((variable) => named.has(variable) || usesVariable(text, variable)) ? [name] : [];
  });
  return new Set([...changedIn('components'), ...users]);
}
