import type { ChildProcess } from 'node:child_process';

const children = new Set<ChildProcess>();

process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

/** Ends a child process with this one, also after Ctrl-C. A frozen one would stay for ever. */
export function endWithParent<T extends ChildProcess>(child: T): T {
  children.add(child);
  child.once('exit', () => children.delete(child));
  return child;
}
