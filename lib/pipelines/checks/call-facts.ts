import type { Edit, Range } from '../../core/finding.ts';
import { callsOf } from '../calls.ts';
import type { PipelineKind } from '../pipeline-kind.ts';
import type { PipelineDocument } from '../read-pipeline.ts';
import { scalarEditor } from './scalar-edit.ts';

/** A call that can be told before it runs, without the document that it stands in: ten thousand of those fit no memory. */
export interface CallFact {
  readonly component: string;
  readonly target: string;
  readonly kind: PipelineKind;
  /** Where the target stands. */
  readonly range: Range;
  /** The edit that would make it call another pipeline. */
  readonly retarget: (target: string) => Edit | undefined;
}

/** The parameter that holds the target. */
const parameters = { orchestration: 'orchestrationJob', transformation: 'transformationJob' } as const;

/** The calls of a document whose targets are pipelines of the project, not held in variables. */
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
