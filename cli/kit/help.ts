import { type Command, Help, type Option } from 'commander';
import { meantSentence } from '../../lib/core/text/did-you-mean.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import type { Io } from '../terminal/io.ts';
import { programName, withProgramName } from '../terminal/program-name.ts';
import { schemaFileOf, withoutResult } from './result-schema.ts';

interface HelpNotes {
  readonly examples: readonly string[];
  /** Required input that commander cannot mark at a single option or argument. */
  readonly required?: string;
}

/** Keyed by the words of the command. A test parses each example with the real program. */
const notes: Readonly<Record<string, HelpNotes>> = {
  init: {
    examples: [
      'millrace init',
      'millrace init --yes --environments dev,test,prod',
      'millrace init --baseline --hook --dry-run --diff',
    ],
  },
  review: {
    examples: [
      'millrace review --local --working-tree daily',
      'millrace review --local --working-tree --watch',
      'millrace review --local --working-tree --fix --unsafe-fixes --dry-run',
      'millrace review --base main --agent-version 9.0.0',
    ],
    required: '--local, or --agent-version, or review.agent-version in millrace.yaml',
  },
  test: {
    examples: [
      'millrace test',
      'millrace test daily/load.orch.yaml --filter "late orders" --coverage',
      'millrace test --list --json',
      'millrace test --init daily/load',
      'millrace test daily --update --dry-run',
      'millrace test --add-row 9k3o9d --dry-run',
      'millrace test --shard 2/8 --format blob > shard-2.json',
    ],
  },
  'test merge': { examples: ['millrace test merge shard-*.json --format junit'] },
  diff: {
    examples: [
      'millrace diff',
      'millrace diff --base main --format markdown',
      'millrace diff --given samples',
    ],
  },
  compile: { examples: ['millrace compile', 'millrace compile --base main --format markdown'] },
  affected: {
    examples: ['millrace affected --base main', 'millrace affected --base main --format matrix'],
  },
  schemas: {
    examples: [
      'millrace schemas import columns.csv',
      'millrace schemas import columns.csv --environment-default PROD.PUBLIC --force',
    ],
  },
  lineage: {
    examples: [
      'millrace lineage CUSTOMERS',
      'millrace lineage ORDERS.AMOUNT --up',
      'millrace lineage ORDERS.AMOUNT --format mermaid',
      'millrace lineage --format openlineage --namespace warehouse',
    ],
    required: 'the table or column, except with --format openlineage',
  },
  graph: { examples: ['millrace graph --around daily/load --format markdown'] },
  snapshot: {
    examples: ['millrace snapshot', 'millrace snapshot --commit v1.4.0 --columns --output-file v1.4.0.json'],
  },
  mcp: { examples: ['millrace mcp', 'millrace mcp --working-directory projects/finance'] },
  lsp: { examples: ['millrace lsp', 'millrace lsp --working-directory projects/finance'] },
  publish: {
    examples: [
      'millrace publish --tag v1.2.0',
      'millrace publish --version 1.2.0 --environment dev --dry-run',
    ],
    required: '--version or --tag',
  },
  'publish-shared': {
    examples: ['millrace publish-shared --tag v1.2.0 --keep-enabled 3'],
    required: '--version or --tag',
  },
  verify: {
    examples: [
      'millrace verify v1.4.0 --worker-config worker.yaml',
      'millrace verify v1.4.0 --repository example/warehouse --public-key MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=',
    ],
    required: '--worker-config, or --repository and --public-key',
  },
  evidence: { examples: ['millrace evidence keygen --out release.key --name "release 2026"'] },
  plan: {
    examples: [
      'millrace plan --version v1.4.0 --from test --to prod',
      'millrace plan --version v1.4.0 --from test --to prod --format markdown',
    ],
  },
  promote: { examples: ['millrace promote --version v1.2.0 --from dev --to test'] },
  run: {
    examples: [
      'millrace run daily/load --environment test --timeout 30m',
      'millrace run daily/load --environment test --variable day=2026-01-31 --no-wait',
      'millrace run --attach 3f0f9c52-7d1e-4b6a-9a53-1c2d3e4f5a6b',
    ],
    required: 'the pipeline and --environment, or --attach',
  },
  rollback: {
    examples: [
      'millrace rollback --environment test --version v1.2.0',
      'millrace rollback --lane test-to-prod --reason "wrong totals"',
      'millrace rollback --shared --prefix finance --dry-run',
    ],
    required: '--environment, --lane or --shared; --reason with --lane',
  },
  drift: { examples: ['millrace drift --environment test prod --fail-on behind'] },
  provision: { examples: ['millrace provision setup.yaml --plan', 'millrace provision setup.yaml'] },
  variables: {
    examples: ['millrace variables diff variables.yaml', 'millrace variables apply variables.yaml --prune'],
  },
  streaming: {
    examples: [
      'millrace streaming apply orders.yaml',
      'millrace streaming start orders --wait --timeout 10m',
    ],
  },
  audit: {
    examples: [
      'millrace audit --from 7d --format csv',
      'millrace audit --follow --cursor audit.json',
      'millrace audit --worker --lane test-to-prod --limit 10',
    ],
  },
  api: {
    examples: [
      'millrace api artifacts.list --param environmentName=test',
      'millrace api artifacts.list --help',
      'millrace api --list',
    ],
  },
  doctor: { examples: ['millrace doctor', 'millrace doctor --worker-config worker.yaml'] },
  platform: { examples: ['millrace platform --write-env .env.local'] },
  'platform exec': { examples: ['millrace platform exec -- npm test'] },
  worker: { examples: ['millrace worker --demo', 'millrace worker --config worker.yaml --port 8080'] },
  webhook: {
    examples: [
      'millrace webhook send push --tag v1.2.0',
      'millrace webhook send push --branch main --dry-run',
      'millrace webhook send issue_comment --text "/millrace approve to-prod"',
      'millrace webhook send ping --url https://millrace.example.com',
      'millrace webhook send push --tag v1.2.0 --url http://127.0.0.1:8080 --repository example/warehouse',
    ],
    required: '--tag or --branch with push; --promotion with check_run',
  },
  'worker token': { examples: ['millrace worker token'] },
  'worker backup': { examples: ['millrace worker backup millrace-monday.ndjson'] },
  'worker restore': {
    examples: [
      'millrace worker restore millrace-monday.ndjson --replace --dry-run',
      'millrace worker restore millrace-monday.ndjson --replace --reason "the disk of Redis was lost"',
    ],
  },
  'worker hold-all': { examples: ['millrace worker hold-all --reason "restored the backup of Monday"'] },
  lanes: { examples: ['millrace lanes', 'millrace lanes test-to-prod', 'millrace lanes --watch'] },
  metrics: { examples: ['millrace metrics --repository example/warehouse --days 7'] },
  promotions: {
    examples: ['millrace promotions --lane test-to-prod --limit 10', 'millrace promotions 4711 --follow'],
  },
  deliveries: { examples: ['millrace deliveries --limit 20'] },
  export: {
    examples: ['millrace export --out millrace.ndjson', 'millrace export --out new.ndjson --since 7d'],
  },
  approve: {
    examples: [
      'millrace approve to-prod',
      'millrace approve 4711 --version v1.2.0 --comment "checked with finance"',
    ],
  },
  reject: { examples: ['millrace reject to-prod --reason "the figures of March are wrong"'] },
  hold: { examples: ['millrace hold test-to-prod --reason "month end"'] },
  refresh: { examples: ['millrace refresh test-to-prod'] },
  pause: {
    examples: [
      'millrace pause --reason "the platform is being upgraded"',
      'millrace pause --environment prod --reason audit',
    ],
  },
  resume: {
    examples: [
      'millrace resume test-to-prod --reason "month end is over"',
      'millrace resume --all --cause state-lost --dry-run',
      'millrace resume --pause 1790000000000-1',
      'millrace resume --override-freeze 4711 --reason "agreed with the auditors"',
      'millrace resume --pass-evidence 4711 --reason "the outage of today, ticket 815"',
    ],
    required: 'the lane, or --all, or --pause, or --override-freeze or --pass-evidence with --reason',
  },
  retry: {
    examples: ['millrace retry 4711 --dry-run', 'millrace retry --all --environment test --since 2h'],
    required: 'the promotion, or --all',
  },
  cancel: { examples: ['millrace cancel 4711'] },
  resolve: {
    examples: [
      'millrace resolve 4711 --happened yes --reason "seen on the platform"',
      'millrace resolve --all --happened no --dry-run',
    ],
    required: 'the promotion with --execution or --happened, or --all with --happened',
  },
  replay: { examples: ['millrace replay', 'millrace replay 17 --dry-run'] },
  completion: { examples: ['millrace completion bash', 'millrace completion zsh'] },
};

/** Marks required options, and ends the help of each command with its requirements and examples. */
export function completeHelp(program: Command, io: Io): void {
  const name = programName(io);
  const usual = new Help();
  for (const command of allCommands(program)) {
    const words = wordsOf(command);
    const describe = (option: Option): string =>
      option.long === '--json' && !withoutResult.includes(words)
        ? `${usual.optionDescription(option)}: docs/schemas/commands/${schemaFileOf(words)} describes it`
        : usual.optionDescription(option);
    command.configureHelp({
      optionDescription: (option) =>
        withProgramName(`${describe(option)}${option.mandatory ? ' (required)' : ''}`, io),
      argumentDescription: (argument) => withProgramName(usual.argumentDescription(argument), io),
    });
    const { examples = [], required } = notes[words] ?? {};
    if (required !== undefined) command.addHelpText('after', `\nRequired: ${required}.`);
    if (examples.length > 0)
      command.addHelpText(
        'after',
        `\nExamples:\n${examples.map((example) => `  ${example.replace(/^millrace/, name)}`).join('\n')}`,
      );
  }
}

/** Rewrites `help <command>` to `<command> --help`. Throws Failure 'usage' for an unknown command. */
export function withHelpAsOption(program: Command, argv: readonly string[]): readonly string[] {
  const asked = argv[0] === 'help';
  const end = argv.indexOf('--');
  const ownWords = end < 0 ? argv : argv.slice(0, end);
  if (!asked && !ownWords.includes('--help') && !ownWords.includes('-h')) return argv;
  const words = ownWords.slice(asked ? 1 : 0).filter((word) => !word.startsWith('-'));
  let command = program;
  const commandWords: string[] = [];
  for (const word of words) {
    const next = command.commands.find((candidate) => candidate.name() === word);
    if (next === undefined && command.commands.length > 0 && (asked || command === program))
      throw unknownCommand(word, command);
    if (next === undefined) break;
    command = next;
    commandWords.push(word);
  }
  // `api` has help for each operation.
  return asked ? [...commandWords, ...(commandWords[0] === 'api' ? words.slice(1, 2) : []), '--help'] : argv;
}

function unknownCommand(word: string, parent: Command): Failure {
  const names = parent.commands.map((command) => command.name());
  return new Failure('usage', {
    message: `Unknown command '${word}'.${meantSentence(word, names)}`,
    hint: `See \`${[...(wordsOf(parent) === '' ? ['millrace'] : ['millrace', wordsOf(parent)]), '--help'].join(' ')}\`.`,
  });
}

/** All commands and their subcommands, without the program itself. */
export function allCommands(program: Command): readonly Command[] {
  return program.commands.flatMap((command) => [command, ...allCommands(command)]);
}

/** The words that invoke a command, without the program's name. */
export function wordsOf(command: Command): string {
  const { parent } = command;
  return parent === null ? '' : `${wordsOf(parent)} ${command.name()}`.trim();
}
