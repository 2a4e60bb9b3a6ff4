import { describe, expect, test } from 'vitest';
import type { SharedPipelines } from '../../../engine/index.ts';
import { execute, pipeline, start, startThen, stepsOf, trail, variable } from './execute.ts';

const print = { type: 'print-variables', parameters: { variablesToPrint: [['day']] } };

function calling(target: string, parameters: Readonly<Record<string, unknown>> = {}) {
  return pipeline({
    Start: startThen('Call'),
    Call: { type: 'run-orchestration', parameters: { orchestrationJob: target, ...parameters } },
  });
}

describe('calls of other pipelines', () => {
  test.each(['daily/child', 'daily/child.orch.yaml'])(
    '%s is found and walked inside the call',
    async (target) => {
      const state = await execute({
        'main.orch.yaml': calling(target),
        'daily/child.orch.yaml': pipeline({ Begin: startThen('Load'), Load: { type: 'sql-executor' } }),
      });
      expect(state.status).toBe('SUCCESS');
      expect(trail(state)).toEqual(['Start', 'Call', 'Begin', 'Load']);
      const call = stepsOf(state, 'Call')[0];
      expect(stepsOf(state, 'Load')[0]).toMatchObject({
        pipeline: 'daily/child.orch.yaml',
        parent: call?.number,
      });
    },
  );

  test('a target that holds a variable is known when it runs', async () => {
    const main = pipeline(
      {
        Start: startThen('Call'),
        Call: { type: 'run-orchestration', parameters: { orchestrationJob: 'load ${country}' } },
      },
      { country: variable('TEXT', 'fr') },
    );
    const state = await execute({
      'main.orch.yaml': main,
      'load fr.orch.yaml': pipeline({ 'Begin fr': startThen() }),
    });
    expect(trail(state)).toEqual(['Start', 'Call', 'Begin fr']);
  });

  test('values that are handed over win over the called pipeline’s defaults', async () => {
    const main = pipeline(
      {
        Start: startThen('Call'),
        Call: {
          type: 'run-orchestration',
          parameters: { orchestrationJob: 'child', setScalarVariables: [['day', '${year}-01-01']] },
        },
      },
      { year: variable('NUMBER', '2030') },
    );
    const child = pipeline({ Start: startThen('Print'), Print: print }, { day: variable('TEXT', 'never') });
    const state = await execute({ 'main.orch.yaml': main, 'child.orch.yaml': child });
    expect(stepsOf(state, 'Print')[0]?.message).toBe('day=2030-01-01');
  });

  test.each([
    ['dya', 'the pipeline has no variable "dya"'],
    ['secret', 'the variable "secret" is private to the pipeline, so a caller cannot set it'],
    ['count', 'the variable "count" is a number and cannot be "x"'],
  ])('a value for "%s" that the called pipeline cannot take fails the call', async (name, reason) => {
    const child = pipeline(
      { Start: startThen() },
      {
        secret: variable('TEXT', '', { visibility: 'PRIVATE' }),
        count: variable('NUMBER', '1'),
      },
    );
    const state = await execute({
      'main.orch.yaml': calling('child', { setScalarVariables: [[name, 'x']] }),
      'child.orch.yaml': child,
    });
    expect(state.status).toBe('FAILED');
    expect(state.message).toContain(`Pipeline "child.orch.yaml" could not start: ${reason}.`);
  });

  test('a failure inside names the inner component and takes the failure branch of the call', async () => {
    const files = (transitions: Record<string, string[]>) => ({
      'main.orch.yaml': pipeline({
        Start: startThen('Call'),
        Call: { type: 'run-orchestration', parameters: { orchestrationJob: 'child' }, transitions },
        Repair: { type: 'sql-executor' },
      }),
      'child.orch.yaml': pipeline({ Start: startThen('Load'), Load: { type: 'sql-executor' } }),
    });
    const script = [
      { pipeline: 'child', component: 'Load', outcome: 'failure' as const, message: 'disk full' },
    ];
    const handled = await execute(files({ failure: ['Repair'] }), { script });
    expect(handled.status).toBe('SUCCESS');
    expect(trail(handled)).toEqual(['Start', 'Call: FAILED', 'Start', 'Load: FAILED', 'Repair']);
    const unhandled = await execute(files({}), { script });
    expect(unhandled.status).toBe('FAILED');
    expect(unhandled.message).toContain(
      'Component "Load" of pipeline "child.orch.yaml" failed: disk full. Simulated',
    );
  });

  test('a branch that ends in an end-failure tells what failed before', async () => {
    const state = await execute(
      {
        'main.orch.yaml': pipeline({
          Start: startThen('Load'),
          Load: { type: 'sql-executor', transitions: { failure: ['Tell'] } },
          Tell: { type: 'send-email', transitions: { success: ['End'] } },
          End: { type: 'end-failure' },
        }),
      },
      { script: [{ pipeline: 'main', component: 'Load', outcome: 'failure', message: 'disk full' }] },
    );
    expect(state.message).toContain('Component "End"');
    expect(state.message).toContain('Component "Load" of pipeline "main.orch.yaml" failed: disk full');
  });

  test.each([
    ['run-orchestration', 'orchestrationJob', 'orchestration'],
    ['run-transformation', 'transformationJob', 'transformation'],
  ])('%s of a pipeline that is not there fails by its name', async (type, parameter, kind) => {
    const main = pipeline({ Start: startThen('Call'), Call: { type, parameters: { [parameter]: 'gone' } } });
    const state = await execute({ 'main.orch.yaml': main });
    expect(state.message).toContain(
      `Component "Call" of pipeline "main.orch.yaml" failed: the ${kind} "gone"`,
    );
  });

  test.each([
    [
      'run-orchestration',
      {},
      'the component does not name the pipeline to run: set the parameter orchestrationJob',
    ],
    [
      'run-shared-pipeline',
      { pipelineName: 'finance' },
      '"finance" is not the name of a shared pipeline, which has the form prefix#id',
    ],
  ])('a %s with %j fails with a reason', async (type, parameters, reason) => {
    const state = await execute({
      'main.orch.yaml': pipeline({ Start: startThen('Call'), Call: { type, parameters } }),
    });
    expect(state.status).toBe('FAILED');
    expect(state.message).toContain(reason);
  });

  test('pipelines may nest as deep as the limit and no deeper', async () => {
    const files = {
      'main.orch.yaml': calling('second'),
      'second.orch.yaml': calling('third'),
      'third.orch.yaml': pipeline({ Start: startThen() }),
    };
    expect((await execute(files, { limits: { depth: 3 } })).status).toBe('SUCCESS');
    const state = await execute(files, { limits: { depth: 2 } });
    expect(state.message).toContain(
      'Pipelines call each other more than 2 levels deep, which is the limit of the engine: "main.orch.yaml" → "second.orch.yaml" → "third.orch.yaml".',
    );
  });

  test('pipelines that call each other in a cycle end FAILED with the cycle, regardless of branches', async () => {
    const call = (target: string) =>
      pipeline({
        Start: startThen('Call'),
        Call: {
          type: 'run-orchestration',
          parameters: { orchestrationJob: target },
          transitions: { failure: ['Repair'] },
        },
        Repair: { type: 'sql-executor' },
      });
    const state = await execute({
      'main.orch.yaml': call('ping'),
      'ping.orch.yaml': call('pong'),
      'pong.orch.yaml': call('ping'),
    });
    expect(state.status).toBe('FAILED');
    expect(state.message).toMatch(
      /call each other more than 30 levels deep, which is the limit of the engine: "(ping|pong)\.orch\.yaml" → "(ping|pong)\.orch\.yaml" → "\1\.orch\.yaml"\./,
    );
    expect(trail(state)).not.toContain('Repair');
  });
});

describe('transformations', () => {
  const main = pipeline({
    Start: startThen('Call'),
    Call: { type: 'run-transformation', parameters: { transformationJob: 'model/daily' } },
  });

  test('components run one by one, each after its sources, whatever the order of the file', async () => {
    const state = await execute({
      'main.orch.yaml': main,
      'model/daily.tran.yaml': pipeline({
        Write: { type: 'rewrite-table', sources: ['Join'] },
        Join: { type: 'join', sources: ['Orders', 'People', 'Nobody'] },
        Orders: { type: 'table-input' },
        People: { type: 'table-input' },
      }),
    });
    expect(trail(state)).toEqual(['Start', 'Call', 'Orders', 'People', 'Join', 'Write']);
    expect(state.finishedAt).toBe('2031-01-01T12:00:04.000Z');
  });

  test('a cycle of sources fails with the names of the components', async () => {
    const state = await execute({
      'main.orch.yaml': main,
      'model/daily.tran.yaml': pipeline({
        In: { type: 'table-input' },
        A: { type: 'filter', sources: ['In', 'B'] },
        B: { type: 'rename', sources: ['A'] },
      }),
    });
    expect(state.status).toBe('FAILED');
    expect(state.message).toContain(
      '"model/daily.tran.yaml" has components that read from each other in a cycle: "A", "B". Remove one of these sources.',
    );
  });

  test('a failing component fails the transformation, and what depends on it does not run', async () => {
    const state = await execute(
      {
        'main.orch.yaml': main,
        'model/daily.tran.yaml': pipeline({
          In: { type: 'table-input' },
          Write: { type: 'rewrite-table', sources: ['In'] },
        }),
      },
      { script: [{ pipeline: 'model/daily', component: 'In', outcome: 'failure', message: 'no table' }] },
    );
    expect(state.message).toContain('Component "In" of pipeline "model/daily.tran.yaml" failed: no table');
    expect(trail(state)).toEqual(['Start', 'Call: FAILED', 'In: FAILED']);
  });

  test('a transformation can be executed without an orchestration', async () => {
    const files = { 'main.tran.yaml': pipeline({ In: { type: 'table-input' } }) };
    expect(trail(await execute(files))).toEqual(['In']);
  });
});

describe('shared pipelines', () => {
  const main = pipeline({
    Start: startThen('Shared'),
    Shared: {
      type: 'run-shared-pipeline',
      parameters: {
        pipelineName: 'finance#load',
        version: '[Latest]',
        setScalarVariables: [['day', 'monday']],
      },
    },
  });

  test('the resolver’s files are walked, and their own calls stay inside them', async () => {
    const files: Record<string, string> = {
      'shared/load.orch.yaml': pipeline(
        {
          Start: startThen('Print'),
          Print: { ...print, transitions: { success: ['Call'] } },
          Call: { type: 'run-orchestration', parameters: { orchestrationJob: 'inner' } },
        },
        { day: variable('TEXT', '') },
      ),
      'inner.orch.yaml': pipeline({ 'Inner of shared': startThen() }),
    };
    const asked: unknown[] = [];
    const shared: SharedPipelines = (...reference) => {
      asked.push(reference);
      return {
        pipeline: 'shared/load.orch.yaml',
        versionName: '2.0',
        paths: Object.keys(files),
        files: (path) => files[path],
      };
    };
    const state = await execute(
      { 'main.orch.yaml': main, 'inner.orch.yaml': pipeline({ 'Inner of project': startThen() }) },
      { shared },
    );
    expect(asked).toEqual([['finance', 'load', '[Latest]']]);
    expect(trail(state)).toEqual(['Start', 'Shared', 'Start', 'Print', 'Call', 'Inner of shared']);
    expect(stepsOf(state, 'Print')[0]?.message).toBe('day=monday');
  });

  test('without a resolver the call is simulated', async () => {
    const state = await execute({ 'main.orch.yaml': main });
    expect(trail(state)).toEqual(['Start', 'Shared']);
    expect(state.finishedAt).toBe('2031-01-01T12:00:01.000Z');
  });

  test('a version that cannot be run fails, naming pipeline and version', async () => {
    const state = await execute({ 'main.orch.yaml': main }, { shared: () => undefined });
    expect(state.message).toContain(
      'the shared pipeline "finance#load" has no version [Latest] that can run: publish this version, or call another version',
    );
  });
});

test('an execution says which pipelines it called, each once, also one that cannot be read', async () => {
  const { clock, execution } = start({
    'main.orch.yaml': pipeline({
      Start: startThen('First'),
      First: {
        type: 'run-orchestration',
        parameters: { orchestrationJob: 'good' },
        transitions: { success: ['Again'] },
      },
      Again: {
        type: 'run-orchestration',
        parameters: { orchestrationJob: 'good' },
        transitions: { success: ['Bad'] },
      },
      Bad: {
        type: 'run-orchestration',
        parameters: { orchestrationJob: 'bad' },
        transitions: { failure: ['End'] },
      },
      End: { type: 'end-success' },
    }),
    'good.orch.yaml': pipeline({ Start: startThen() }),
    'bad.orch.yaml': 'pipeline:\n  components:\n    A: [1\n',
    'never.orch.yaml': pipeline({ Start: startThen() }),
  });
  await clock.advance(10_000_000);
  expect(execution.state().status).toBe('SUCCESS');
  expect(execution.called()).toEqual(['main.orch.yaml', 'good.orch.yaml', 'bad.orch.yaml']);
});
