import type { PromotionTask } from '../../../worker/records/promotion-task.ts';

interface Given {
  readonly repository?: number;
  readonly project?: string;
  readonly commit?: string;
  readonly lane?: string;
  readonly id?: string;
  readonly policy?: PromotionTask['lane']['policy'] | undefined;
  readonly ref?: string;
}

/** What a promotion of a lane from dev to test is to do, for tests that are about its records alone. */
export function promotionTask(
  version: string,
  {
    repository = 77,
    project = 'p',
    commit = 'a'.repeat(40),
    lane = 'to-test',
    id = `${repository}/${project}/${lane}`,
    policy = 'latest',
    ref = `refs/tags/${version}`,
  }: Given = {},
): PromotionTask {
  return {
    repository: { id: repository, fullName: 'example/warehouse' },
    ref,
    commit,
    delivery: 'd',
    version: { kind: 'named', name: version },
    lane: {
      name: lane,
      id,
      project,
      credential: 'platform',
      from: 'dev',
      to: 'test',
      policy,
      verify: [],
      onFailure: 'hold',
      gates: { approvals: 0, authorsMayApprove: true, checks: [], soak: 0, freeze: [], windows: [] },
      next: [],
    },
  };
}
