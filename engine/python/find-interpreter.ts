import { execFile } from 'node:child_process';
import * as z from 'zod';
import { PythonUnavailable } from './python.ts';

/** A Python interpreter that was found on this machine. */
export interface Interpreter {
  /** The path of the program itself. The program on the PATH may be a script that needs environment variables. */
  readonly executable: string;
  /** The version, such as `3.12`. */
  readonly version: string;
}

const probe =
  'import json, os, sys; print(json.dumps({"executable": sys.executable, "version": sys.version_info[:2], "system": os.name}))';
const probed = z.object({
  executable: z.string().min(1),
  version: z.tuple([z.number(), z.number()]),
  system: z.string(),
});

const oldest = [3, 9] as const;
const probeTimeoutMs = 30_000;
const hint = 'Install Python 3.9 or later, or choose its program with --python';

/** Starts a program once, and asks it for its Python version. Throws PythonUnavailable. */
export async function findInterpreter(
  program: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Interpreter> {
  const text = await new Promise<string>((resolve, reject) => {
    const options = { env: environment, timeout: probeTimeoutMs, shell: false } as const;
    execFile(program, ['-I', '-c', probe], options, (error, stdout) => {
      if (error === null) return resolve(stdout);
      const why = 'code' in error && typeof error.code === 'string' ? error.code : 'the program failed';
      reject(new PythonUnavailable(`"${program}" could not be started (${why}). ${hint}`, { cause: error }));
    }).stdin?.end();
  });
  const { executable, version, system } = read(text, program);
  const name = version.join('.');
  if (system !== 'posix')
    throw new PythonUnavailable('Python components run only on Linux and macOS: mock the component');
  if (version[0] !== oldest[0] || version[1] < oldest[1]) {
    throw new PythonUnavailable(`"${program}" is Python ${name}. ${hint}`);
  }
  return { executable, version: name };
}

function read(text: string, program: string): z.infer<typeof probed> {
  try {
    return probed.parse(JSON.parse(text));
  } catch (error) {
    throw new PythonUnavailable(`"${program}" is not a Python 3 interpreter. ${hint}`, { cause: error });
  }
}
