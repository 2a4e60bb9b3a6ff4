import { describeChoice } from '../../../../flows/versions/version-choices.ts';
import { type Content, html, type Markup } from '../../../../lib/html/markup.ts';
import { type Column, pill, table } from '../../../../lib/html/parts.ts';
import {
  type Offer,
  type OfferedVersion,
  offerPromote,
  offerRollBack,
} from '../../api/operations/offer-versions.ts';
import type { ApiAnswer } from '../../api/operations/answers.ts';
import type { Form } from '../parts/form.ts';
import { gitHubLink } from '../parts/github-links.ts';
import { commitMark, moment } from '../parts/parts.ts';
import type { Visit } from '../parts/visit.ts';
import type { Act } from './acts.ts';

/** Versions that are offered on the page: a screen full. A person may type an older one. */
const maxOffered = 30;

/** The fields for a version that is typed instead of chosen: a form has each field once. */
const others = { version: 'otherVersion', to: 'otherTo' } as const;

interface LaneFacts {
  /** The environment that the offered versions are in. */
  readonly from: string;
  readonly repository: string;
  /** The commit of the live version, as the platform says it. */
  readonly liveCommit: string | null;
}

/**
 * The field to choose a version of a lane. Each version has its commit, its age, whether it was verified, and what
 * it changes.
 */
export async function versionChoice(
  { name }: Pick<Act, 'name'>,
  visit: Visit,
  { lane, form }: { readonly lane: LaneFacts; readonly form: Form },
): Promise<Content> {
  const isRollBack = name === 'roll-back';
  const offer = isRollBack ? await offerRollBack(visit) : await offerPromote(visit);
  const field = isRollBack ? ('to' as const) : ('version' as const);
  const entered = form[others[field]] || form[field];
  if ('body' in offer)
    return html`<p class="problem" role="alert">The versions cannot be shown: ${reasonOf(offer)}.</p>
      ${isRollBack ? null : [typed(others[field], 'Version', entered ?? ''), anyVersionField(form)]}`;
  const { versions, would, problem } = offer;
  const shown = versions.slice(0, maxOffered);
  const chosen = entered ?? would?.live ?? '';
  const isOther = entered !== undefined && !shown.some(({ version }) => version === entered);
  return html`${problem === null ? null : html`<p class="problem" role="alert">${problem.replace(/\.$/, '')}.</p>`}
  ${would === null ? null : html`<p>${becomesLive(would, offer)} To go back further, choose an older version.</p>`}
  ${table(
    'Versions, newest first',
    shown,
    columns({ field, chosen, offer, lane, webUrl: visit.ports.github.webUrl }),
    isRollBack
      ? `No earlier version is enabled in ${offer.environment} and was verified there.`
      : `No version is enabled in ${lane.from}.`,
  )}
  ${isOther || versions.length > shown.length ? typed(others[field], 'Another version', isOther ? chosen : '') : null}
  ${!isRollBack && (form['anyVersion'] !== undefined || versions.some(({ denial }) => denial !== null)) ? anyVersionField(form) : null}`;
}

function becomesLive({ live, disables }: NonNullable<Offer['would']>, { environment }: Offer): Content {
  return html`<b>${live}</b> becomes live in ${environment}: ${disables.join(', ')}
    ${disables.length === 1 ? 'is' : 'are'} disabled.`;
}

interface Choice {
  /** Name of the field that the choice fills. */
  readonly field: string;
  readonly chosen: string;
  readonly offer: Offer;
  readonly lane: LaneFacts;
  readonly webUrl: string;
}

function columns({ field, chosen, offer, lane, webUrl }: Choice): readonly Column<OfferedVersion>[] {
  return [
    {
      name: 'Version',
      show: ({ version, isLive }) =>
        html`<label class="choice"
            ><input
              type="radio"
              name="${field}"
              value="${version}"
              ${version === chosen ? html`checked` : null}
            />
            <span class="version">${version}</span></label
          >
          ${isLive ? html`<span class="hint">live now</span>` : null}`,
    },
    {
      name: 'Commit',
      kind: 'short',
      show: ({ commit }) => (commit === null ? '–' : commitMark(commit)),
    },
    { name: `In ${lane.from}`, kind: 'short', show: ({ since }) => moment(since) },
    {
      name: `Verified in ${offer.environment}`,
      kind: 'short',
      show: ({ isVerified }) =>
        isVerified === true ? pill('good', 'verified') : pill('calm', 'never verified'),
    },
    {
      name: 'What it changes',
      kind: 'text',
      show: (choice) =>
        html`${describeChoice(choice, offer.environment)}
        ${choice.denial === null ? null : html`<p class="hint">${choice.denial}</p>`}
        ${compareLink(choice, lane, webUrl)}`,
    },
  ];
}

/** GitHub's comparison of the live commit and the chosen one, from the older to the newer. */
function compareLink({ commit, isLive }: OfferedVersion, lane: LaneFacts, webUrl: string): Content {
  const { liveCommit, repository } = lane;
  if (commit === null || liveCommit === null || isLive || commit === liveCommit) return null;
  const range = [liveCommit, commit].map(encodeURIComponent).join('...');
  return gitHubLink({ webUrl, repository }, `compare/${range}`, 'Compare the commits');
}

function typed(field: string, label: string, value: string): Markup {
  return html`<p class="field">
    <label for="typed">${label}</label>
    <input
      id="typed"
      name="${field}"
      value="${value}"
      maxlength="255"
      autocomplete="off"
      spellcheck="false"
    />
  </p>`;
}

function anyVersionField({ anyVersion }: Form): Markup {
  return html`<p class="field">
    <label
      ><input
        type="checkbox"
        name="anyVersion"
        value="yes"
        ${anyVersion === undefined ? null : html`checked`}
      />
      Also if the lane’s
      <code>versions</code> leave it out</label
    >
  </p>`;
}

function reasonOf({ body }: ApiAnswer): string {
  return typeof body === 'object' && body !== null && 'error' in body ? String(body.error) : 'not known';
}
