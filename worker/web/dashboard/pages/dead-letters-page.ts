import { type Content, html } from '../../../../lib/html/markup.ts';
import { describeLetter } from '../../api/operations/dead-letters.ts';
import type { DeadLetter } from '../../../store/jobs/dead-letters.ts';
import { letterActs } from '../acts/offered-acts.ts';
import { pill, table } from '../../../../lib/html/parts.ts';
import { subjectMark, longText, moment, placeOf } from '../parts/parts.ts';
import type { Page } from './page.ts';

const maxLetters = 200;

/** The page of the jobs that the worker has given up. */
export const deadLettersPage: Page = {
  path: '/dead-letters',
  about: 'all',
  async show(visit) {
    const letters = await visit.ports.deadLetters.list(maxLetters);
    const main = html`<h1>Dead letters</h1>
      ${table(
        'Work that was given up, newest first',
        letters,
        [
          { name: 'Time', kind: 'short', show: ({ at }) => moment(at) },
          { name: 'Work', show: ({ id, queue }) => html`${queue} <code>${id}</code>` },
          { name: 'About', show: (letter) => aboutLetter(letter) },
          {
            name: 'Cause',
            show: ({ kind, cause }) => html`${pill('bad', kind)} ${longText(cause)}`,
          },
          { name: 'Actions', kind: 'short', show: ({ id }) => letterActs(id, visit) },
        ],
        html`No dead letters. Work that failed again and again appears here, with its cause; then you can
        replay it.`,
      )}`;
    return { title: 'Dead letters', main };
  },
};

function aboutLetter(letter: DeadLetter): Content {
  const { promotion, ...about } = describeLetter(letter);
  if (promotion === null) return subjectMark(about);
  return html`<a href="${placeOf('promotions', promotion)}"><code>${promotion.slice(0, 12)}</code></a>
    ${subjectMark(about)}`;
}
