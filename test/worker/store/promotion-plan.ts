import type { PromotionPlan } from '../../../worker/records/plan.ts';

interface Given {
  readonly lane?: string;
  readonly id?: string;
  readonly policy?: PromotionPlan['lane']['policy'] | undefined;
  readonly ref?: string;
}

/** What a promotion of a lane from dev to test is to do, for tests that are about its records alone. */
export function promotionPlan(
  version: string,
  { lane = 'to-test', id = `77/p/${lane}`, policy = 'latest', ref = `refs/tags/${version}` }: Given = {},
): PromotionPlan {
  return {
    repository: { id: 77, fullName: 'example/warehouse' },
    ref,
    commit: 'a'.repeat(40),
    delivery: 'd',
    version: { kind: 'named', name: version },
    lane: {
      name: lane,
      id,
      project: 'p',
      credential: 'c',
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
