import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import process from 'node:process';
import type { Writable } from 'node:stream';

/**
 * Waits for the end of its standard input, which comes with the end of this process, whatever ended it. Vitest kills a
 * process whose test does not come to an end: no code of this process runs then.
 */
const guard = `
trap '' HUP INT TERM
live=' ' quits=' ' records= folders=
while read -r what value; do
  case $what in
    child) live="$live$value " ;;
    quit) quits="$quits$value " ;;
    ended)
      case $live in *" $value "*) live="\${live%%" $value "*} \${live#*" $value "}" ;; esac
      case $quits in *" $value "*) quits="\${quits%%" $value "*} \${quits#*" $value "}" ;; esac ;;
    folder) folders="$folders$value
" ;;
    record) records="$records$value
" ;;
  esac
done
IFS='
'
for record in $records; do
  [ -f "$record" ] && live="$live$(sed -n 's/^{"pid":\\([1-9][0-9]*\\),.*/\\1/p' "$record") "
done
IFS=' '
for pid in $live; do kill -9 "$pid"; done 2>/dev/null
for pid in $quits; do kill -QUIT "$pid"; done 2>/dev/null
for pid in $quits; do
  n=0
  while kill -0 "$pid" && [ $n -lt 50 ]; do sleep 0.1; n=$((n + 1)); done
done 2>/dev/null
IFS='
'
for folder in $folders; do rm -rf -- "$folder"; done 2>/dev/null
`;

const children = new Set<ChildProcess>();
let toGuard: Writable | undefined;

process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

/** Ends a child process with this one, also after Ctrl-C or a kill. A frozen one would stay. */
export function endWithParent<T extends ChildProcess>(child: T): T {
  const { pid } = child;
  children.add(child);
  if (pid !== undefined) tell(`child ${pid}`);
  child.once('exit', () => {
    children.delete(child);
    tell(`ended ${String(pid)}`);
  });
  return child;
}

/**
 * The same for a server that removes what it has outside of its folder when it is asked to quit at once. The folder is removed
 * after it, also where this process disposes of the server itself.
 */
export function endServerWithParent<T extends ChildProcess>(child: T, folder: string): T {
  const { pid } = child;
  tell(`folder ${folder}`);
  tell(`quit ${String(pid)}`);
  child.once('exit', () => tell(`ended ${String(pid)}`));
  return child;
}

/** Ends the embedded Redis of a folder if this process is killed: the server survives that, which is its purpose. */
export function endRedisWithParent(folder: string): void {
  tell(`record ${path.join(folder, 'server.json')}`);
}

/**
 * The same for a process that is known by its id, also if the folder with its record is removed first. Returns what to call
 * when it has ended.
 */
export function endProcessWithParent(pid: number): () => void {
  tell(`child ${pid}`);
  return () => tell(`ended ${pid}`);
}

function tell(line: string): void {
  toGuard ??= startGuard();
  toGuard.write(`${line}\n`);
}

/** One for this process. It has a session of its own, so that a Ctrl-C does not reach it. */
function startGuard(): Writable {
  const child = spawn('/bin/sh', ['-c', guard], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  const { stdin } = child;
  stdin.on('error', () => {});
  child.unref();
  // It has the type of any stream.
  (stdin as unknown as { unref(): void }).unref();
  return stdin;
}
