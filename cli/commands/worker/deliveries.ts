import { commandAction, type AddCommand, defineCommand } from '../../kit/command.ts';
import { describeSubject } from '../../operate/describe-subject.ts';
import type { DeliveryAnswer } from '../../operate/operator-answers.ts';
import type { CommonOptions } from '../../kit/session.ts';
import { parseCount } from '../../terminal/parse-count.ts';
import { tableLines } from '../../../lib/core/text/table-lines.ts';

interface Options extends CommonOptions {
  readonly limit: number;
}

/** `millrace deliveries`: lists what GitHub delivered to the worker, and what the worker did with each delivery. */
export const addDeliveries: AddCommand = (program, shell) => {
  defineCommand(program, 'deliveries', 'Show what GitHub delivered to the worker in the last week.')
    .option('--limit <number>', 'maximum number of deliveries, at most 200', parseCount, 50)
    .action(
      commandAction<Options>(shell, async (session, { limit }) => {
        const { askWorker } = await import('../../operate/operator-api.ts');
        const { deliveriesAnswer } = await import('../../operate/operator-answers.ts');
        const path = `deliveries?limit=${String(limit)}`;
        const { deliveries } = await askWorker(session, { method: 'GET', path }, deliveriesAnswer);
        const rows = deliveries.map((delivery) => [
          delivery.at ?? '',
          `${delivery.event} ${delivery.delivery === '' ? 'without id' : delivery.delivery}`,
          describeSubject(delivery),
          answerOf(delivery),
          resultOf(delivery),
        ]);
        session.output.result(
          { deliveries },
          deliveries.length === 0
            ? ['No deliveries in the last week.']
            : tableLines(['TIME', 'DELIVERY', 'ABOUT', 'ANSWER', 'RESULT'], rows),
        );
        return 'passed';
      }),
    );
};

/** A push that the worker found by comparing heads has no answer, and the status 0. */
function answerOf({ result, status, reason }: DeliveryAnswer): string {
  return `${result} (${status === 0 ? reason : `${String(status)}, ${reason}`})`;
}

function resultOf({ ingestResult, noPromotion, result }: DeliveryAnswer): string {
  const text = ingestResult ?? (result === 'accepted' ? 'not ingested yet' : '');
  return noPromotion ? `${noPromotion}: ${text}` : text;
}
