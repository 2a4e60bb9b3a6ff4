import { type Content, html, type Markup } from '../../../../lib/html/markup.ts';
import type { PromotionRecord } from '../../../records/promotion-record.ts';
import { describeLetter } from '../../api/operations/dead-letters.ts';
import { describeLane } from '../../api/operations/describe-lane.ts';
import { pausesFor } from '../../api/operations/pauses.ts';
import type { Form } from '../parts/form.ts';
import { liveOf, verifiedOf } from '../parts/lane-cells.ts';
import { facts } from '../../../../lib/html/parts.ts';
import { actorText } from '../../../records/actor-text.ts';
import { describeSubject, commitMark, moment, placeBack, refName, sentence } from '../parts/parts.ts';
import type { Visit } from '../parts/visit.ts';
import { pauseScope } from '../parts/pause-line.ts';
import type { Act } from './acts.ts';
import { shownPlan } from '../../../promotion/plan/shown-plan.ts';
import { planRows } from '../parts/plan-rows.ts';
import { scopeFields } from './scope-fields.ts';
import { versionChoice } from './version-choice.ts';

/** The subject of an action. */
interface Subject {
  readonly name: string;
  readonly promotion?: PromotionRecord;
  readonly facts: readonly (readonly [string, Content])[];
  /** The version that a roll-back disables. */
  readonly version?: string;
  /** The lane of which the person chooses a version. */
  readonly lane?: Parameters<typeof versionChoice>[2]['lane'];
  /** The holds to lift: those shown, not those set in between. */
  readonly holds?: readonly string[];
}

/**
 * The confirmation page of an action; undefined if its subject does not exist. `wrong`: why the last attempt was
 * refused.
 */
export async function actPage(
  act: Act,
  visit: Visit,
  wrong?: { readonly error: string; readonly form: Form },
): Promise<Markup | undefined> {
  const subject = await subjectOf(act, visit);
  if (subject === undefined) return undefined;
  const back = placeBack(act.kind, visit.id);
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
      ${subject.lane === undefined ? null : await versionChoice(act, visit, { lane: subject.lane, form: wrong?.form ?? {} })}
      ${act.names === 'scope' ? scopeFields(visit, wrong?.form ?? {}) : null}
      ${act.reason === 'none' ? null : reasonField(act, wrong?.form ?? {})}
      <p class="buttons">
        <button type="submit" class="${act.careful === true ? 'careful' : 'go'}">${act.label}</button>
        <a class="act" href="${back}">Back</a>
      </p>
    </form>`;
}

function seen({ task, version = '', plan }: PromotionRecord): Markup {
  return html`<input type="hidden" name="commit" value="${task.commit}" />
    <input type="hidden" name="version" value="${version}" />
    ${plan === undefined ? null : html`<input type="hidden" name="plan" value="${plan.digest}" />`}`;
}

function reasonField({ reason: needed }: Act, form: Form): Markup {
  const required = needed === 'required';
  const [name, label] = needed === 'comment' ? ['comment', 'Comment'] : ['reason', 'Reason'];
  return html`<p class="field">
    <label for="${name}">${label} ${required ? null : html`<span class="hint">optional</span>`}</label>
    <textarea id="${name}" name="${name}" rows="3" maxlength="500" ${required ? html`required` : null}>
${form[name] ?? ''}</textarea>
  </p>`;
}

/** A text that may be long: it has a row of its own. */
const wide = (text: Content): Markup => html`<span class="wide">${text}</span>`;

/** The verdicts that a person can give, by the step with the unknown result. */
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
      return html`<p>This step leaves nothing unknown: resume the lane and retry the promotion.</p>`;
  }
}

function choice(question: string, yes: string | undefined, no: string): Markup {
  const option = (value: string, label: string): Markup =>
    html`<label><input type="radio" name="happened" value="${value}" /> ${label}</label>`;
  return html`<fieldset>
    <legend>${question}</legend>
    ${yes === undefined ? null : option('yes', yes)} ${option('no', no)}
    ${yes === undefined ? html`<p class="hint">If it was, enter its id instead.</p>` : null}
  </fieldset>`;
}

async function pauseSubject({ id, operator, ports }: Visit): Promise<Subject | undefined> {
  const pause = (await pausesFor(operator, ports)).find((candidate) => candidate.id === id);
  if (pause === undefined) return undefined;
  return {
    name: pauseScope(pause),
    facts: [
      ['Reason', wide(pause.reason)],
      ['Paused by', actorText(pause.by, pause.via)],
      ['Since', moment(pause.since)],
    ],
  };
}

async function letterSubject({ id, ports }: Visit): Promise<Subject | undefined> {
  const letter = await ports.deadLetters.get(id);
  if (letter === undefined) return undefined;
  const about = describeLetter(letter);
  const promotion = about.promotion === null ? undefined : await ports.store.promotion(about.promotion);
  const subject = describeSubject(about) || (promotion && promotionName(promotion));
  return {
    name: subject || 'a job',
    facts: [
      ['Job', html`<code>${id}</code>`],
      ['Queue', letter.queue],
      ['Cause', wide(letter.cause)],
    ],
  };
}

async function subjectOf({ kind, name, names }: Act, visit: Visit): Promise<Subject | undefined> {
  const { id, ports } = visit;
  if (kind === 'worker') return { name: 'the worker', facts: [] };
  if (kind === 'pauses') return pauseSubject(visit);
  if (kind === 'dead-letters') return letterSubject(visit);
  if (kind === 'lanes') {
    const record = await ports.store.lane(id);
    if (record === undefined) return undefined;
    const lane = await describeLane(record, ports);
    const { live, holds } = lane;
    return {
      name: lane.name,
      ...(name === 'roll-back' && live.version ? { version: live.version } : {}),
      ...(names === 'version'
        ? {
            lane: {
              from: name === 'roll-back' ? lane.to : lane.from,
              repository: lane.repository,
              liveCommit: live.commit,
            },
          }
        : {}),
      ...(name === 'resume' ? { holds: holds.map(({ id: hold }) => hold) } : {}),
      facts: [
        ['Path', `${lane.from ?? ''} → ${lane.to ?? ''}`],
        ['Live', liveOf(lane)],
        ['Verified', verifiedOf(lane)],
        ['Repository', lane.repository],
        ...holds.map(({ reason, by, via }) => ['Hold', wide(`${reason} (${actorText(by, via)})`)] as const),
      ],
    };
  }
  const promotion = await ports.store.promotion(id);
  if (promotion === undefined) return undefined;
  const { task, version, message, rolledBack, report } = promotion;
  const status = rolledBack === undefined ? (message ?? report.text) : report.text;
  return {
    name: promotionName(promotion),
    promotion,
    facts: [
      ['Path', `${task.lane.from} → ${task.lane.to}`],
      ['Version', version ?? 'not known yet'],
      ['Commit', commitMark(task.commit)],
      ['Ref', refName(task.ref)],
      ['Repository', task.repository.fullName],
      ['Pushed by', task.pusher?.login],
      ...planRows(promotion.plan && shownPlan(promotion.plan), {
        webUrl: ports.github.webUrl,
        repository: task.repository.fullName,
      }),
      ['Status', wide(sentence(status))],
      ['Unknown result', promotion.intent && `${promotion.intent.effect}: ${promotion.intent.what}`],
    ],
  };
}

function promotionName({ task, version }: PromotionRecord): string {
  return `${version ?? task.commit.slice(0, 12)} in ${task.lane.name}`;
}
