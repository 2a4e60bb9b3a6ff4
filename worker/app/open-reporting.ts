import type { Redis } from 'ioredis';
import type { GitHubPort } from '../../lib/github/github-port.ts';
import type { ProxySettings } from '../../lib/http/proxy-settings.ts';
import type { WorkerPorts } from './open-ports.ts';
import { blockingGate } from '../promotion/gates/blocking-gate.ts';
import type { PromotionRecord } from '../records/promotion-record.ts';
import { createWriteBudget } from '../rate-limit/write-budget.ts';
import { createAnswerer } from '../reporting/github/answers/create-answerer.ts';
import { createAnswerOutbox } from '../reporting/github/answers/answer-outbox.ts';
import { createReporter } from '../reporting/github/create-reporter.ts';
import { environmentFacts } from '../reporting/github/stores/environment-facts.ts';
import { createRefusalReporter } from '../reporting/github/report-refusal.ts';
import { createReportStores } from '../reporting/github/stores/report-stores.ts';
import { createShowAgain } from '../reporting/github/show-again.ts';
import { createNotifier, type NotifyTarget } from '../reporting/webhook/create-notifier.ts';
import { createOutbox } from '../reporting/webhook/outbox.ts';
import { openPoster } from '../reporting/webhook/post-notification.ts';
import { keysUnder } from '../store/scripts/keys.ts';

interface ReportingOptions {
  /** Masks the secrets that the worker knows. */
  readonly redact: (text: string) => string;
  readonly github: GitHubPort;
  readonly proxy: ProxySettings | undefined;
  readonly notify: () => readonly NotifyTarget[];
}

/** Opens the reporting to GitHub, the answers to comments, and the reporting to the targets of notifications. `close` closes its connections. */
export function openReporting(
  { github, proxy, notify, redact }: ReportingOptions,
  ports: WorkerPorts,
  records: Redis,
) {
  const { settings, clock, random, logger, failures } = ports;
  const keys = keysUnder(settings.prefix);
  const budget = createWriteBudget(records, {
    prefix: settings.prefix,
    clock,
    limits: settings.githubLimits,
    onLeft: (account, writes) => ports.metrics.githubBudget.set({ account }, writes),
  });
  const blocking = (promotion: PromotionRecord) => blockingGate(promotion, ports.config, clock.now());
  const gateOf = (promotion: PromotionRecord) => blocking(promotion)?.gate;
  const stores = createReportStores(records, keys, { clock, refusedMs: settings.refusedMs });
  const poster = openPoster(proxy);
  const notifier = createNotifier({
    targets: notify,
    outbox: createOutbox(records, settings.prefix, clock),
    store: ports.store,
    post: poster.post,
    needsApproval: (promotion) => gateOf(promotion) === 'approval',
    url: () => ports.config.url,
    clock,
    random,
    logger,
  });
  const report = createReporter({
    github,
    store: ports.store,
    ...stores,
    budget,
    clock,
    random,
    logger,
    failures,
    url: () => ports.config.url,
    onStatusUpdate: (promotion) => notifier.offer(promotion),
    addJob: (id, seq) => ports.queues.addReport(id, seq),
    gateOf,
    reportForMs: settings.reportForMs,
    reportRetryMs: settings.reportRetryMs,
    leaseMs: settings.reportLeaseMs,
    environmentOf: (id, environment) => environmentFacts(ports.config, id, environment),
  });
  const answerer = createAnswerer({
    github,
    outbox: createAnswerOutbox(records, keys, clock),
    store: ports.store,
    budget,
    isOn: () => ports.config.github.answerComments,
    missingApprovals(promotion) {
      const gate =
        promotion.state === 'finished' || promotion.cancel !== undefined ? undefined : blocking(promotion);
      return gate?.gate === 'approval' ? gate.text : undefined;
    },
    url: () => ports.config.url,
    redact,
    clock,
    random,
    logger,
    failures,
    answerForMs: settings.reportForMs,
    leaseMs: settings.reportLeaseMs,
  });
  return {
    report,
    answerComment: answerer.offer,
    sendAnswers: answerer.sendDue,
    showAgain: createShowAgain(stores.records, ports),
    reportRefusal: createRefusalReporter({ github, budget, logger }),
    sendNotifications: notifier.sendDue,
    close: poster.close,
  };
}
