import { mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { log } from './log.mjs';

const touchIntervalMs = 2_000;
/** The owner of a lock that was not touched for this time has died. This also works across machines. */
const abandonedAfterMs = 60_000;

/** Runs `work` while no other set-up runs in this clone. Takes over a lock whose owner died. */
export async function withLock(file, work) {
  mkdirSync(dirname(file), { recursive: true });
  let reported = false;
  while (!tryLock(file)) {
    if (!reported) log('waiting for another set-up in this clone');
    reported = true;
    await delay(200);
  }
  const touching = setInterval(() => utimesSync(file, new Date(), new Date()), touchIntervalMs);
  try {
    return await work();
  } finally {
    clearInterval(touching);
    rmSync(file, { force: true });
  }
}

function tryLock(file) {
  if (create(file)) return true;
  // Only one process may remove the lock of a dead owner: a second one would remove the new lock of the first.
  const guard = `${file}.takeover`;
  if (!create(guard)) {
    if (ageOf(guard) > abandonedAfterMs) rmSync(guard, { force: true });
    return false;
  }
  try {
    if (isAbandoned(file)) rmSync(file, { force: true });
  } finally {
    rmSync(guard, { force: true });
  }
  return create(file);
}

function create(file) {
  try {
    writeFileSync(file, `${process.pid} ${hostname()}\n`, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

function isAbandoned(file) {
  const age = ageOf(file);
  if (age > abandonedAfterMs) return true;
  const [pid = '', host] = read(file).trim().split(' ');
  // An empty file is being written right now.
  return pid !== '' && host === hostname() && !isAlive(Number(pid));
}

function ageOf(file) {
  try {
    return Date.now() - statSync(file).mtimeMs;
  } catch {
    return 0;
  }
}

function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
