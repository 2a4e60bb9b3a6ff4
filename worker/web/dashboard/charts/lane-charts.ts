import type { Content } from '../../../../lib/html/markup.ts';
import { table } from '../../../../lib/html/parts.ts';
import type { LaneReads } from '../../../store/lanes/lane-reads.ts';
import type { Records } from '../../../promotion/context/ports.ts';
import type { PromotionRecord } from '../../../records/promotion-record.ts';
import { type Phase, phasesOf, verifyPrefix } from '../waterfall/phases.ts';
import { historyChart, historyText, type Point } from './history-chart.ts';

/** Newest promotions of the lane that are drawn. */
const maxDrawn = 30;

interface Ended {
  readonly promotion: PromotionRecord;
  readonly phases: readonly Phase[];
}

interface Series {
  readonly name: string;
  readonly points: readonly Point[];
}

/** Success and duration of the lane's promotions, and of each pipeline that verifies them, as small charts. */
export async function laneCharts(lane: string, { store }: Records<LaneReads>): Promise<Content> {
  const ids = await store.promotionIdsOf([lane], maxDrawn);
  const read = await Promise.all(
    ids.toReversed().map(async (id) => {
      const promotion = await store.promotion(id);
      if (promotion?.endedAt === undefined || promotion.startedAt === undefined) return undefined;
      return { promotion, phases: phasesOf(promotion, await store.history({ promotion: id })) };
    }),
  );
  const ended = read.filter((entry) => entry !== undefined);
  const series = [promotionsOf(ended), ...pipelinesOf(ended)].filter(({ points }) => points.length > 0);
  if (series.length === 0) return null;
  return table(
    `History: the last ${maxDrawn} promotions`,
    series,
    [
      { name: 'What', show: ({ name }) => name },
      { name: 'Result', show: ({ points }) => historyText(points) },
      {
        name: 'Duration, oldest first',
        show: ({ name, points }) => historyChart(points.slice(-maxDrawn), name),
      },
    ],
    '',
  );
}

/** Promotions that passed or failed, from when they had the lane until their end. */
function promotionsOf(ended: readonly Ended[]): Series {
  const points = ended.flatMap(({ promotion: { outcome, startedAt = 0, endedAt = 0 } }) =>
    outcome === 'passed' || outcome === 'failed'
      ? [{ ms: Math.max(0, endedAt - startedAt), isGood: outcome === 'passed' }]
      : [],
  );
  return { name: 'Promotions', points };
}

function pipelinesOf(ended: readonly Ended[]): readonly Series[] {
  const executions = ended.flatMap(({ phases }) =>
    phases.flatMap(({ name, from, to, end, ran }) =>
      name.startsWith(verifyPrefix) && to !== undefined && (end === 'done' || end === 'failed')
        ? [
            {
              name: name.slice(verifyPrefix.length),
              ms: ran ? ran.to - ran.from : to - from,
              isGood: end === 'done',
            },
          ]
        : [],
    ),
  );
  return [...Map.groupBy(executions, ({ name }) => name)].map(([name, points]) => ({ name, points }));
}
