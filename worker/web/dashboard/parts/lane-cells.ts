import { type Content, html } from '../../../../lib/html/markup.ts';
import type { ShownLane } from '../../api/operations/describe-lane.ts';
import { moment, placeOf } from './parts.ts';

/**
 * The live version as the platform answered last, and when it answered. If the platform does not answer, that is
 * shown first.
 */
export function liveOf({ live }: Pick<ShownLane, 'live'>): Content {
  const { state, version, at, changedSince, problem } = live;
  const answer =
    state === 'version' ? html`<b class="version">${version}</b>` : state === 'none' ? 'none' : 'not known';
  const age = at === null ? null : html`<span class="hint">as of ${moment(at)}</span>`;
  if (problem !== null)
    return html`<span class="hint"
        >The platform has not answered since ${moment(problem.since)}: ${problem.reason}.</span
      >
      ${at === null ? 'not known' : html`<span class="hint">Last answer:</span> ${answer} ${age}`}`;
  const since = changedSince
    ? html`<span class="hint">It may have changed since; polling again.</span>`
    : null;
  return html`${answer} ${age} ${since}`;
}

/** The version that the lane verified last, and when. */
export function verifiedOf({ verified }: Pick<ShownLane, 'verified'>): Content {
  if (verified === null) return '–';
  return html`<b class="version">${verified.version}</b> <span class="hint">${moment(verified.at)}</span>`;
}

/** The version that the lane wants, with a link to its promotion. */
export function wantedOf({ wanted }: Pick<ShownLane, 'wanted'>): Content {
  if (wanted === null) return '–';
  const name = wanted.version ?? wanted.commit.slice(0, 12);
  return html`<a class="version" href="${placeOf('promotions', wanted.promotion)}">${name}</a>`;
}

/**
 * The verified version for a table of lanes. If it is the live version, only the word “same”, so that differences
 * are easy to see.
 */
export function verifiedCell({ verified, live }: Pick<ShownLane, 'verified' | 'live'>): Content {
  if (verified === null || verified.version !== live.version) return verifiedOf({ verified });
  return html`${same} <span class="hint">${moment(verified.at)}</span>`;
}

/** The wanted version for a table of lanes. If it is the live version, only the word “same”. */
export function wantedCell({ wanted, ...lane }: Pick<ShownLane, 'wanted' | 'live' | 'verified'>): Content {
  const { live, verified } = lane;
  const isSame =
    wanted !== null &&
    wanted.version !== null &&
    wanted.version === live.version &&
    wanted.version === verified?.version;
  return isSame ? same : wantedOf({ wanted });
}

const same = html`<span class="hint">same</span>`;
