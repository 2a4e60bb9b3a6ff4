import { type Content, html } from '../../../lib/html/markup.ts';
import type { ShownLane } from '../api/describe-lane.ts';
import { moment, placeOf } from './parts.ts';

/** The live version as the platform answered last, and when; a failing platform is shown first. */
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
export function verifiedOf({ verified, live }: Pick<ShownLane, 'verified' | 'live'>): Content {
  if (verified === null) return '–';
  const when = html`<span class="hint">${moment(verified.at)}</span>`;
  return verified.version === live.version
    ? html`${same} ${when}`
    : html`<b class="version">${verified.version}</b> ${when}`;
}

/** The version that the lane wants, with a link to its promotion. */
export function wantedOf({
  wanted,
  live,
  verified,
}: Pick<ShownLane, 'wanted' | 'live' | 'verified'>): Content {
  if (wanted === null) return '–';
  if (wanted.version !== null && wanted.version === live.version && wanted.version === verified?.version)
    return same;
  const name = wanted.version ?? wanted.commit.slice(0, 12);
  return html`<a class="version" href="${placeOf('promotions', wanted.promotion)}">${name}</a>`;
}

const same = html`<span class="hint">same</span>`;
