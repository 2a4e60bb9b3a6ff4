import { type Content, html, type Markup } from '../../../../lib/core/markup.ts';
import type { PromotionRecord } from '../../../records/promotion-record.ts';
import { describeLetter } from '../../api/dead-letters.ts';
import { describeLane } from '../../api/describe-lane.ts';
import { liveOf, verifiedOf } from '../lane-cells.ts';
import { describeSubject, commitMark, actorText, facts, placeOf, refName, sentence } from '../parts.ts';
import type { Visit } from '../visit.ts';
import type { Act } from './acts.ts';

/** What an act is about. */
interface Subject {
  readonly name: string;
  readonly promotion?: PromotionRecord;
  readonly facts: readonly (readonly [string, Content])[];
  /** Version that a roll-back takes out. */
  readonly version?: string;
  /** Holds that a release takes back: the ones that are shown, none that comes meanwhile. */
  readonly holds?: readonly string[];
}

/** The page that asks before an act. `wrong`: why it was not done a moment ago. */
export async function actPage(
  act: Act,
  visit: Visit,
  wrong?: { readonly error: string; readonly form: URLSearchParams },
): Promise<Markup> {
  const subject = await subjectOf(act, visit);
  const back = act.kind === 'dead-letters' ? '/dead-letters' : placeOf(act.kind, visit.id);
  return html`<h1>${act.label}: ${subject.name}</h1>
    ${wrong === undefined ? null : html`<p class="problem" role="alert">${wrong.error}</p>`}
    <p class="means">${act.means}</p>
    ${facts(subject.facts)}
    <form method="post" class="ask">
      <input type="hidden" name="csrf" value="${visit.csrf}" />
      ${act.seen === true && subject.promotion !== undefined ? seen(subject.promotion) : null}
      ${
        subject.version === undefined
          ? null
          : html`<input type="hidden" name="version" value="${subject.version}" />`
      }
      ${
        subject.holds === undefined
          ? null
          : html`<input type="hidden" name="holds" value="${subject.holds.join(',')}" />`
      }
      ${act.name === 'resolve' && subject.promotion !== undefined ? findings(subject.promotion) : null}
      ${act.reason === 'none' ? null : reason(act, wrong?.form.get('reason') ?? '')}
      <p class="buttons">
        <button type="submit" class="${act.careful === true ? 'careful' : 'go'}">${act.label}</button>
        <a class="act" href="${back}">Leave it</a>
      </p>
    </form>`;
}

function seen({ plan, version = '' }: PromotionRecord): Markup {
  return html`<input type="hidden" name="commit" value="${plan.commit}" />
    <input type="hidden" name="version" value="${version}" />`;
}

function reason({ reason: needed }: Act, given: string): Markup {
  const required = needed === 'required';
  return html`<p class="field">
    <label for="reason">Reason ${required ? null : html`<span class="hint">may be left out</span>`}</label>
    <textarea id="reason" name="reason" rows="3" maxlength="500" ${required ? html`required` : null}>
${given}</textarea>
  </p>`;
}

/** What a person may have found out, by the step at which nobody knew. */
function findings({ step }: PromotionRecord): Content {
  const execution = html`<p class="field">
    <label for="execution">Id of the execution on the platform</label>
    <input id="execution" name="executionId" maxlength="100" autocomplete="off" spellcheck="false" />
  </p>`;
  switch (step.name) {
    case 'promote':
      return choice('Was the version promoted?', 'Yes, it is there', 'No, it is not there');
    case 'start':
      return [choice('Was the execution started?', undefined, 'No, nothing was started'), execution];
    case 'watch':
      return [choice('Did the execution succeed?', 'Yes, it succeeded', 'No, it failed'), execution];
    case 'resolve':
    case 'roll-back':
      return html`<p>This step leaves nothing to resolve: resume the lane and retry the promotion.</p>`;
  }
}

function choice(question: string, yes: string | undefined, no: string): Markup {
  const option = (value: string, label: string): Markup =>
    html`<label><input type="radio" name="happened" value="${value}" /> ${label}</label>`;
  return html`<fieldset>
    <legend>${question}</legend>
    ${yes === undefined ? null : option('yes', yes)} ${option('no', no)}
    ${yes === undefined ? html`<p class="hint">Where it was, give its id instead.</p>` : null}
  </fieldset>`;
}

async function subjectOf({ kind, name }: Act, { id, engine }: Visit): Promise<Subject> {
  if (kind === 'dead-letters') {
    const letter = await engine.deadLetters.get(id);
    return {
      name: id,
      facts: [
        ['Queue', letter?.queue],
        ['About', letter && (describeSubject(describeLetter(letter)) || undefined)],
        ['Given up because', letter?.cause],
      ],
    };
  }
  if (kind === 'lanes') {
    const record = await engine.store.lane(id);
    const lane = record && (await describeLane(record, engine));
    const live = lane?.live.version ?? undefined;
    const holds = lane?.holds ?? [];
    return {
      name: lane?.name ?? id,
      ...(name === 'roll-back' && live !== undefined ? { version: live } : {}),
      ...(name === 'resume' ? { holds: holds.map(({ id: hold }) => hold) } : {}),
      facts: [
        ['Way', `${lane?.from ?? ''} → ${lane?.to ?? ''}`],
        ['Live', lane && liveOf(lane)],
        ['Verified', lane && verifiedOf(lane)],
        ['Repository', lane?.repository],
        ...holds.map(({ why, by, via }) => ['Held because', `${why} (${actorText(by, via)})`] as const),
      ],
    };
  }
  const promotion = await engine.store.promotion(id);
  if (promotion === undefined) return { name: id, facts: [] };
  const { plan, version, message } = promotion;
  return {
    name: `${version ?? plan.commit.slice(0, 12)} in ${plan.lane.name}`,
    promotion,
    facts: [
      ['Way', `${plan.lane.from} → ${plan.lane.to}`],
      ['Version', version ?? 'not found yet'],
      ['Commit', commitMark(plan.commit)],
      ['Ref', refName(plan.ref)],
      ['Repository', plan.repository.fullName],
      ['Pushed by', plan.pusher?.login],
      ['Stands', sentence(message ?? promotion.report.text)],
      ['Nobody knows', promotion.intent && `${promotion.intent.effect}: ${promotion.intent.what}`],
    ],
  };
}
