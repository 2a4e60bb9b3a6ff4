import type { Edit, Range } from '../../core/finding.ts';
import { callsOf } from '../calls.ts';
import type { PipelineKind } from '../pipeline-kind.ts';
import type { PipelineDocument } from '../read-pipeline.ts';
import { scalarEditor } from '../../yaml/edit-scalar.ts';

/** A call that is known before it runs, without its document: ten thousand documents do not fit into memory. */
export interface CallFact {
  readonly component: string;
  readonly target: string;
  readonly kind: PipelineKind;
  /** The range of the target. */
  readonly range: Range;
  /** The edit that changes the called pipeline. */
  readonly retarget: (target: string) => Edit | undefined;
}

/** The parameter with the target. */
const parameters = { orchestration: 'orchestrationJob', transformation: 'transformationJob' } as const;

/** The calls of a document whose targets are pipelines of the project, without variables. */
export function callFacts(document: PipelineDocument): readonly CallFact[] {
  return callsOf(document).flatMap(({ component, kind, target, dynamic }) => {
    if (kind === 'shared' || dynamic || target === '') return [];
    const node = component.parameter(parameters[kind]);
    if (node === undefined) return [];
    const range = document.source.toRange(node);
    const retarget = scalarEditor(document.source, node);
    return [{ component: component.name, target, kind, range, retarget }];
  });
}
