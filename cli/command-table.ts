import type { AddCommand } from './kit/command.ts';

/** A command in the table, whose code is not loaded yet. */
export interface CommandEntry {
  readonly name: string;
  /** As the command itself describes it; a test compares both. */
  readonly summary: string;
  /** Loads what adds the command to the program. */
  readonly load: () => Promise<AddCommand>;
}

const loadRetryAndCancel = async () =>
  (await import('./commands/worker/retry-and-cancel.ts')).addRetryAndCancel;

/**
 * All commands, in the order of the help. Only the code of the called command is loaded: this halves the start-up
 * time.
 */
export const commandTable: readonly CommandEntry[] = [
  {
    name: 'init',
    summary: 'Set up a repository: settings, rules, baseline, workflows, hook, test.',
    load: async () => (await import('./commands/project/init.ts')).addInit,
  },
  {
    name: 'review',
    summary: 'Check pipeline files against the quality rules.',
    load: async () => (await import('./commands/project/review.ts')).addReview,
  },
  {
    name: 'test',
    summary: 'Run the tests of pipelines on this machine.',
    load: async () => (await import('./commands/project/test.ts')).addTest,
  },
  {
    name: 'diff',
    summary: 'Show what a change of pipelines changes in the data, on the rows of the tests.',
    load: async () => (await import('./commands/project/diff.ts')).addDiff,
  },
  {
    name: 'compile',
    summary: 'Find columns that pipelines read and no pipeline writes.',
    load: async () => (await import('./commands/project/compile.ts')).addCompile,
  },
  {
    name: 'affected',
    summary: 'Show which pipelines, entry points and tests a change affects.',
    load: async () => (await import('./commands/project/affected.ts')).addAffected,
  },
  {
    name: 'lineage',
    summary: 'Show where a column comes from, and who reads it.',
    load: async () => (await import('./commands/project/lineage.ts')).addLineage,
  },
  {
    name: 'schemas',
    summary: 'Import the columns of tables that no pipeline of the project creates.',
    load: async () => (await import('./commands/project/schemas.ts')).addSchemas,
  },
  {
    name: 'graph',
    summary: 'Draw the calls between pipelines, and the tables that they use.',
    load: async () => (await import('./commands/project/graph.ts')).addGraph,
  },
  {
    name: 'snapshot',
    summary: 'Write a JSON description of what the pipelines are and do, to compare versions.',
    load: async () => (await import('./commands/project/snapshot.ts')).addSnapshot,
  },
  {
    name: 'lsp',
    summary: 'Start the language server, which shows findings in an editor.',
    load: async () => (await import('./commands/project/lsp.ts')).addLsp,
  },
  {
    name: 'mcp',
    summary: 'Start the MCP server. Its tools let an assistant read, but change nothing.',
    load: async () => (await import('./commands/project/mcp.ts')).addMcp,
  },
  {
    name: 'publish',
    summary: 'Publish the project as an artifact version.',
    load: async () => (await import('./commands/project/publish.ts')).addPublish,
  },
  {
    name: 'publish-shared',
    summary: 'Publish the shared pipelines of the project as a version.',
    load: async () => (await import('./commands/project/publish-shared.ts')).addPublishShared,
  },
  {
    name: 'verify',
    summary: 'Verify the signed evidence of a version, without a network.',
    load: async () => (await import('./commands/evidence/verify.ts')).addVerify,
  },
  {
    name: 'evidence',
    summary: 'Create a pair of Ed25519 keys that sign evidence.',
    load: async () => (await import('./commands/evidence/evidence.ts')).addEvidence,
  },
  {
    name: 'plan',
    summary: 'Show what a promotion will change, without changing anything.',
    load: async () => (await import('./commands/project/plan.ts')).addPlan,
  },
  {
    name: 'promote',
    summary: 'Promote a version from one environment to another.',
    load: async () => (await import('./commands/project/promote.ts')).addPromote,
  },
  {
    name: 'run',
    summary: 'Execute a published pipeline, and wait until the execution ends.',
    load: async () => (await import('./commands/project/run.ts')).addRun,
  },
  {
    name: 'rollback',
    summary: 'Disable the live version, so that the previous version is live again.',
    load: async () => (await import('./commands/project/rollback.ts')).addRollback,
  },
  {
    name: 'drift',
    summary: 'Compare the enabled versions of the environments with the tags in git.',
    load: async () => (await import('./commands/project/drift.ts')).addDrift,
  },
  {
    name: 'provision',
    summary: 'Create what a project needs from a file: connections, environments, repository.',
    load: async () => (await import('./commands/project/provision.ts')).addProvision,
  },
  {
    name: 'variables',
    summary: 'Set project variables and their values per environment from YAML files.',
    load: async () => (await import('./commands/project/variables.ts')).addVariables,
  },
  {
    name: 'streaming',
    summary: 'Create streaming pipelines from files; start, stop and show them.',
    load: async () => (await import('./commands/project/streaming.ts')).addStreaming,
  },
  {
    name: 'audit',
    summary: "Read the platform's audit log, or the worker's audit.",
    load: async () => (await import('./commands/project/audit.ts')).addAudit,
  },
  {
    name: 'api',
    summary: 'Call any operation of the platform’s API, and print the response as JSON.',
    load: async () => (await import('./commands/project/api.ts')).addApi,
  },
  {
    name: 'doctor',
    summary: 'Check the set-up, and show how to fix each problem.',
    load: async () => (await import('./commands/project/doctor.ts')).addDoctor,
  },
  {
    name: 'platform',
    summary: 'Start the local platform: the whole API on this machine.',
    load: async () => (await import('./commands/platform/platform.ts')).addPlatform,
  },
  {
    name: 'worker',
    summary: 'Start the webhook worker with the configuration of worker.yaml (or --config).',
    load: async () => (await import('./commands/worker/worker.ts')).addWorker,
  },
  {
    name: 'webhook',
    summary: 'Send a signed webhook, as GitHub does, to the demo of the worker or to the worker at --url.',
    load: async () => (await import('./commands/worker/webhook.ts')).addWebhook,
  },
  {
    name: 'lanes',
    summary: 'Show the lanes of a running worker, or one lane with its history.',
    load: async () => (await import('./commands/worker/lanes.ts')).addLanes,
  },
  {
    name: 'promotions',
    summary: 'Show the newest promotions of a worker, or one with its history.',
    load: async () => (await import('./commands/worker/promotions.ts')).addPromotions,
  },
  {
    name: 'deliveries',
    summary: 'Show what GitHub delivered to the worker in the last week.',
    load: async () => (await import('./commands/worker/deliveries.ts')).addDeliveries,
  },
  {
    name: 'metrics',
    summary: 'Show the delivery metrics of the repositories and lanes of a worker.',
    load: async () => (await import('./commands/worker/metrics.ts')).addMetrics,
  },
  {
    name: 'export',
    summary: 'Write the records of a worker to a file, one JSON record a line (NDJSON).',
    load: async () => (await import('./commands/worker/export.ts')).addExport,
  },
  {
    name: 'approve',
    summary: 'Approve a waiting promotion, for exactly this commit, version and plan.',
    load: async () => (await import('./commands/worker/approve.ts')).addApprove,
  },
  {
    name: 'reject',
    summary: 'Reject a waiting promotion with a reason, which ends it.',
    load: async () => (await import('./commands/worker/reject.ts')).addReject,
  },
  {
    name: 'hold',
    summary: 'Hold a lane: its promotions stop until you resume it.',
    load: async () => (await import('./commands/worker/hold.ts')).addHold,
  },
  {
    name: 'pause',
    summary: 'Pause the worker: nothing that changes the platform begins until you resume.',
    load: async () => (await import('./commands/worker/pause.ts')).addPause,
  },
  {
    name: 'refresh',
    summary: 'Ask the platform now which version is live in the target environment of a lane.',
    load: async () => (await import('./commands/worker/refresh.ts')).addRefresh,
  },
  {
    name: 'resume',
    summary:
      'Resume a held lane, end a pause (--pause), or let a promotion through a freeze or without evidence.',
    load: async () => (await import('./commands/worker/resume.ts')).addResume,
  },
  {
    name: 'retry',
    summary: 'Retry a finished promotion with a new promotion.',
    load: loadRetryAndCancel,
  },
  {
    name: 'cancel',
    summary: 'Cancel a promotion, and terminate its execution on the platform.',
    load: loadRetryAndCancel,
  },
  {
    name: 'resolve',
    summary:
      'Say what really happened in a promotion whose outcome is unknown (indeterminate), so that it can continue.',
    load: async () => (await import('./commands/worker/resolve.ts')).addResolve,
  },
  {
    name: 'replay',
    summary: 'List the dead letters of the worker (jobs that it has given up), or replay one.',
    load: async () => (await import('./commands/worker/replay.ts')).addReplay,
  },
  {
    name: 'completion',
    summary: 'Print the completion script of a shell.',
    load: async () => (await import('./commands/project/completion.ts')).addCompletion,
  },
];
