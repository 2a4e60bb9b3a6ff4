import type { Attributes } from '@opentelemetry/api';
import type { Outcome } from '../../lib/core/outcomes/outcome.ts';
import type { PromotionPlan } from '../records/plan.ts';
import type { PromotionRecord, Step } from '../records/promotion-record.ts';

/** Outcomes as values of OpenTelemetry's conventions for CI/CD. */
export const resultOf: Readonly<Record<Outcome, string>> = {
  passed: 'success',
  failed: 'failure',
  cancelled: 'cancellation',
  superseded: 'skip',
  'nothing-to-do': 'skip',
  'already-done': 'skip',
  'skipped-fork': 'skip',
  indeterminate: 'error',
  error: 'error',
};

/** Repository and ref by OpenTelemetry's conventions for version control. */
export function pushAttributes(ref: string, repository: string, commit?: string): Attributes {
  const isTag = ref.startsWith('refs/tags/');
  return {
    'vcs.provider.name': 'github',
    'vcs.owner.name': repository.split('/')[0] ?? '',
    'vcs.repository.name': repository.split('/')[1] ?? '',
    'vcs.ref.head.name': ref.replace(/^refs\/(?:heads|tags)\//, ''),
    'vcs.ref.head.type': isTag ? 'tag' : 'branch',
    ...(commit === undefined ? {} : { 'vcs.ref.head.revision': commit }),
  };
}

/** A promotion as a pipeline run of OpenTelemetry: the lane is the pipeline. */
export function promotionAttributes({ id, plan, version }: PromotionRecord): Attributes {
  const { lane, ref, repository, commit }: PromotionPlan = plan;
  return {
    'cicd.pipeline.name': lane.name,
    'cicd.pipeline.action.name': 'RUN',
    'cicd.pipeline.run.id': id,
    'deployment.environment.name': lane.to,
    'millrace.lane.id': lane.id,
    ...(version === undefined ? {} : { 'millrace.version': version }),
    ...pushAttributes(ref, repository.fullName, commit),
  };
}

/** A step of a promotion as a task of the pipeline. */
export function stepAttributes(promotion: PromotionRecord, step: Step): Attributes {
  const verify = 'verify' in step ? step.verify : undefined;
  const pipeline = verify === undefined ? undefined : promotion.plan.lane.verify[verify]?.pipeline;
  const type = step.name === 'promote' ? 'deploy' : verify === undefined ? undefined : 'test';
  return {
    'cicd.pipeline.name': promotion.plan.lane.name,
    'cicd.pipeline.run.id': promotion.id,
    'cicd.pipeline.task.name': pipeline === undefined ? step.name : `${step.name} ${pipeline}`,
    'cicd.pipeline.task.run.id': `${promotion.id}/${step.name}${verify === undefined ? '' : `-${verify}`}`,
    ...(type === undefined ? {} : { 'cicd.pipeline.task.type': type }),
    ...('executionId' in step ? { 'millrace.execution.id': step.executionId } : {}),
  };
}
