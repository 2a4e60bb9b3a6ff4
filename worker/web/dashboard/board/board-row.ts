import { withBreakPoints } from '../../../../lib/html/with-break-points.ts';
import { type Content, html, type Markup } from '../../../../lib/html/markup.ts';
import { actorText } from '../../../records/actor-text.ts';
import type { ShownLane } from '../../api/operations/describe-lane.ts';
import type { ShownPromotion } from '../../api/operations/describe-promotion.ts';
import { laneActs } from '../acts/offered-acts.ts';
import { approvalSince, indeterminateLines, progressLine, waitingText } from '../parts/lane-now.ts';
import { moment, placeOf, sentence } from '../parts/parts.ts';
import { outOfStepMark } from '../parts/states.ts';
import type { Visit } from '../parts/visit.ts';
import { pathsOf } from './environment-order.ts';
import { type LaneRow, type ProjectRows, scopeAddress } from './lane-filter.ts';

/** A lane as an edge: its ends are at the top level, as `pathsOf` reads them. */
interface Edge extends LaneRow {
  readonly from: string;
  readonly to: string;
}

/** The row of one project: its environments with their versions, the lanes between them, and what the lanes do now. */
export function boardRow({ repository, project, rows }: ProjectRows, isOnly: boolean, visit: Visit): Markup {
  const edges = rows.map((row) => ({ ...row, from: row.lane.from, to: row.lane.to }));
  const byTarget = new Map(rows.map(({ lane }) => [lane.to, lane]));
  const busy = rows.filter(({ state }) => state.group !== 'quiet');
  return html`<li class="project">
    <div class="inside">
      <h2>
        <a href="${scopeAddress(repository)}">${withBreakPoints(repository)}</a>
        ${isOnly ? null : html`<span class="hint" title="${project}">${project.slice(0, 8)}</span>`}
      </h2>
      <div>
        ${pathsOf(edges).map((path) => pathList(repository, path, byTarget))}
        ${
          busy.length === 0
            ? null
            : html`<ul class="notes">
                ${busy.map((row) => note(row, visit))}
              </ul>`
        }
      </div>
    </div>
  </li>`;
}

function pathList(
  repository: string,
  path: readonly Edge[],
  byTarget: ReadonlyMap<string, ShownLane>,
): Markup {
  const [first] = path;
  return html`<ol class="path">
    ${first === undefined ? null : html`<li>${node(repository, first.from, byTarget.get(first.from), path)}</li>`}
    ${path.map(
      (edge) =>
        html`<li class="hop">
          ${edgePart(edge)} ${node(repository, edge.to, byTarget.get(edge.to), path)}
        </li>`,
    )}
  </ol>`;
}

/** An environment. `into`: a lane into it; without one, the worker does not know what is live there. */
function node(repository: string, name: string, into: ShownLane | undefined, path: readonly Edge[]): Markup {
  if (into === undefined) {
    const pushed = path.find(({ from }) => from === name)?.lane.wanted;
    const version = pushed && (pushed.version ?? pushed.commit.slice(0, 12));
    return html`<div class="node">
      <a href="${scopeAddress(repository)}" ${titleOf(version)}
        ><span class="name">${name}${version ? ', pushed' : null}</span>
        <span class="version">${version ?? '–'}</span></a
      >
    </div>`;
  }
  const lane = path.find(({ to }) => to === name)?.lane ?? into;
  return html`<div class="node ${nodeTone(lane)}">
    <a href="${scopeAddress(repository, name)}" ${titleOf(lane.live.version)}
      ><span class="name">${name}</span> ${liveText(lane)} ${verifiedText(lane)}</a
    >
  </div>`;
}

/** Longer texts are clipped in a node or on an edge. */
const maxShown = 12;

/** The whole text for the mouse, where the drawing clips it; a screen reader has it anyway. */
function titleOf(text: string | null | undefined): Content {
  return text && text.length > maxShown ? html`title="${text}"` : null;
}

function nodeTone({ outOfStep, byAnotherLane }: ShownLane): string {
  if (outOfStep === null) return 'calm';
  if (!outOfStep) return 'good';
  return byAnotherLane ? 'wait' : 'bad';
}

function liveText({ live }: ShownLane): Content {
  const doubt = doubtOf(live);
  const hint = doubt === null ? null : html` <span class="hint">${doubt}</span>`;
  if (live.state === 'not-known') return html`<span class="hint">live not known</span>${hint}`;
  if (live.state === 'none') return html`<span class="hint">no version live</span>${hint}`;
  return html`<span class="unseen">live</span> <b class="version">${live.version}</b>${hint}`;
}

/** Environments are polled every minute: an older answer needs its age. */
const currentSeconds = 120;

/** Why another version may be live by now. The page of the lane says more. */
function doubtOf({ problem, changedSince, at, ageSeconds }: ShownLane['live']): Content {
  if (problem !== null) return html`no answer since ${moment(problem.since)}`;
  if (changedSince) return 'may have changed, polling';
  return at !== null && ageSeconds !== null && ageSeconds > currentSeconds ? html`as of ${moment(at)}` : null;
}

/** Nothing if the verified version is the live one. */
function verifiedText({ live, verified }: ShownLane): Content {
  if (verified === null || verified.version === live.version) return null;
  return html`<span class="differs">verified ${verified.version}</span>`;
}

function edgePart({ lane, state }: Edge): Markup {
  const { active } = lane;
  const line =
    active?.progress && state.group === 'moving'
      ? progressLine(active.progress)
      : html`<span class="line"></span>`;
  const since = active === null ? lane.verified?.at : (active.progress?.since ?? active.startedAt);
  return html`<div class="edge ${state.tone}">
    <a href="${placeOf('lanes', lane.id)}" ${titleOf(lane.name)}
      ><span class="name"><span class="cut">${lane.name}</span> ${since ? moment(since) : null}</span> ${line}
      <span class="state">${state.label}</span></a
    >
  </div>`;
}

/** What moves, or what waits and for what, with the actions that are possible now. */
function note({ lane, state }: LaneRow, visit: Visit): Markup {
  return html`<li class="${state.group}">
    <a href="${placeOf('lanes', lane.id)}">${lane.name}</a>
    <span class="unseen">to ${lane.to}: ${state.label}</span> ${outOfStepMark(lane, state)}
    <div class="clip">${noteText(lane)}</div>
    <span class="acts">${laneActs(lane, visit, 'urgent')}</span>
  </li>`;
}

/** The most important of what the page of the lane says. */
function noteText(lane: ShownLane): Content {
  return [indeterminateLines(lane), reasonText(lane), html` <span class="hint">${waitingText(lane)}</span>`];
}

function reasonText({ holds, active, last, disagreements }: ShownLane): Content {
  const [hold] = holds;
  if (hold !== undefined)
    return html`${hold.reason}
      <span class="hint">${actorText(hold.by, hold.via)}, ${moment(hold.since)}</span>`;
  if (active !== null) return html`${withVersion(active, active.status)} ${approvalSince(active)}`;
  if (last?.outcome && last.outcome !== 'passed') return withVersion(last, last.message ?? last.status);
  return disagreements.join('; ');
}

/** What happens to a version: most texts name it themselves. */
function withVersion({ version, commit }: ShownPromotion, text: string): Content {
  const name = version ?? commit.slice(0, 12);
  return text.includes(name) ? sentence(text) : html`<b class="version">${name}</b> ${sentence(text)}`;
}
