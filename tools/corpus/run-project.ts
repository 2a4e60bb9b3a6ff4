import { messageOf } from '../../lib/core/errors/message-of.ts';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, lstatSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { testFileOf, testFiles } from '../../flows/pipeline-tests/files/find-tests.ts';
import { openProject } from './find-projects.ts';
import type { Answer, Task } from './task.ts';

/** The result for one pipeline of a project. */
export interface PipelineRecord extends Omit<Answer, 'status' | 'tests'> {
  readonly pipeline: string;
  /** `has-test`: it has a test file already; `left-out`: a name in its path begins with a dot. */
  readonly status: Exclude<Answer['status'], 'ran'> | 'has-test' | 'left-out';
}

/** The result of the tests of one file, which was written now or existed before. */
export interface TestRecord extends Answer {
  readonly file: string;
}

export interface ProjectRecord {
  /** Relative to the given folder. */
  readonly project: string;
  readonly pipelines: readonly PipelineRecord[];
  readonly tests: readonly TestRecord[];
  /** The reason why the project cannot be opened. */
  readonly error?: string;
}

export interface RunOptions {
  /** The time limit for each pipeline, and for the tests of each file. */
  readonly timeLimitMs: number;
  /** Called before each pipeline and test file. */
  readonly onStep: (sentence: string) => void;
}

const nothingDone = { reasons: [], seconds: 0, cpuSeconds: 0 } as const;

/** Writes the first tests of a copy of a project, and runs all tests of the copy. */
export async function runProject(
  folder: string,
  project: string,
  options: RunOptions,
): Promise<ProjectRecord> {
  const temporary = mkdtempSync(path.join(tmpdir(), 'millrace-corpus-'));
  const directory = path.join(temporary, 'project');
  try {
    copyProject(path.join(folder, project), directory);
    return { project, ...(await runCopy(directory, options)) };
  } catch (error) {
    return {
      project,
      pipelines: [],
      tests: [],
      error: messageOf(error),
    };
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** Without git's own files and packages, and without links, which may lead out of the folder. */
function copyProject(from: string, to: string): void {
  cpSync(from, to, {
    recursive: true,
    filter: (source) =>
      !['.git', 'node_modules'].includes(path.basename(source)) && !lstatSync(source).isSymbolicLink(),
  });
}

async function runCopy(directory: string, options: RunOptions): Promise<Omit<ProjectRecord, 'project'>> {
  const opened = openProject(directory);
  const { pipelines: all } = opened;
  const pipelines: PipelineRecord[] = [];
  await using writing = openWorker(directory, options.timeLimitMs);
  for (const [index, pipeline] of all.entries()) {
    options.onStep(`${pipeline} (${index + 1} of ${all.length})`);
    if (opened.isHidden(pipeline)) {
      const what = 'a name in its path begins with a dot, and files.include does not match it';
      pipelines.push({ ...nothingDone, pipeline, status: 'left-out', reasons: [{ kind: 'left out', what }] });
    } else if (opened.has(testFileOf(pipeline))) {
      pipelines.push({ ...nothingDone, pipeline, status: 'has-test' });
    } else {
      const { tests: _, status, ...answer } = await writing.run({ kind: 'init', pipeline });
      pipelines.push({ pipeline, ...answer, status: status === 'ran' ? 'crashed' : status });
    }
  }
  // A process reads the list of the files once, so the tests that were written need a new process.
  await using testing = openWorker(directory, options.timeLimitMs);
  const tests: TestRecord[] = [];
  for (const file of testFiles(openProject(directory))) {
    options.onStep(file);
    tests.push({ file, ...(await testing.run({ kind: 'test', file })) });
  }
  return { pipelines, tests };
}

interface ProjectWorker extends AsyncDisposable {
  run(task: Task): Promise<Answer>;
}

/** Does tasks in a process, and starts a new one after a task that was ended. */
function openWorker(directory: string, timeLimitMs: number): ProjectWorker {
  let child: ChildProcess | undefined;
  const end = async () => {
    if (child === undefined) return;
    const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined;
    child.kill('SIGKILL');
    await ended;
    child = undefined;
  };
  return {
    async run(task) {
      child ??= await start(directory);
      const answer = await answerOf(child, task, timeLimitMs);
      if (answer.status === 'time-limit' || answer.status === 'crashed') await end();
      return answer;
    },
    [Symbol.asyncDispose]: end,
  };
}

async function start(directory: string): Promise<ChildProcess> {
  const file = path.join(import.meta.dirname, 'project-process.ts');
  const child = fork(file, [directory], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  await Promise.race([once(child, 'message'), once(child, 'exit')]);
  return child;
}

function answerOf(child: ChildProcess, task: Task, timeLimitMs: number): Promise<Answer> {
  return new Promise((resolve) => {
    const begin = performance.now();
    const finish = (answer: Answer) => {
      clearTimeout(timer);
      child.off('message', finish).off('exit', onExit);
      resolve(answer);
    };
    const stopped = (status: 'time-limit' | 'crashed', reason: Answer['reasons'][number]): Answer => ({
      status,
      reasons: [reason],
      seconds: (performance.now() - begin) / 1000,
      cpuSeconds: 0,
    });
    const onExit = () => {
      finish(stopped('crashed', { kind: 'crashed', what: 'the process ended' }));
    };
    const timer = setTimeout(() => {
      const what = task.kind === 'init' ? 'no first test in time' : 'its tests did not end in time';
      finish(stopped('time-limit', { kind: 'time limit', what }));
    }, timeLimitMs);
    child.on('message', finish).on('exit', onExit);
    if (child.connected) child.send(task);
    else onExit();
  });
}
