import { kindOf } from '../../../lib/pipelines/model/pipeline-kind.ts';
import { entryAt } from '../../../lib/yaml/read-yaml.ts';
import { spellingOf } from '../../../lib/yaml/yaml-node.ts';
import type { BaseProject } from '../../diff/base-project.ts';
import type { TestProject } from '../../pipeline-tests/files/test-project.ts';
import type { Fault } from '../faults/fault.ts';

/** Whether the component of a change, or its file with SQL, is new or differs from the base. */
export function isInChange(
  base: Pick<BaseProject, 'project' | 'changed' | 'renamed'>,
  project: TestProject,
): (fault: Pick<Fault, 'file' | 'component'>) => boolean {
  const known = new Map<string, boolean>();
  const contentOf = (of: TestProject, file: string, component: string) =>
    spellingOf(entryAt(of.pipeline(file)?.source.root, ['pipeline', 'components', component])?.value);
  return ({ file, component }) => {
    if (!base.changed.has(file)) return false;
    if (component === undefined || kindOf(file) === undefined) return true;
    const key = JSON.stringify([file, component]);
    const before = known.get(key);
    if (before !== undefined) return before;
    const oldFile = base.renamed.get(file) ?? file;
    const isChanged = contentOf(project, file, component) !== contentOf(base.project, oldFile, component);
    known.set(key, isChanged);
    return isChanged;
  };
}
