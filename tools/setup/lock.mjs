import { mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { say } from './say.mjs';

const touchEvery = 2_000;
/** A lock that nobody touched for so long belongs to a process that is gone, on whatever machine it ran. */
const abandonedAfter = 60_000;

/** Runs `work` while no other set-up works in this clone. A lock whose owner died is taken over. */
export async function withLock(file, work) {
  mkdirSync(dirname(file), { recursive: true });
  let told = false;
  while (!tryLock(file)) {
    if (!told) say('another set-up is at work in this clone: waiting for it');
    told = true;
    await delay(200);
  }
  const touching = setInterval(() => utimesSync(file, new Date(), new Date()), touchEvery);
  try {
    return await work();
  } finally {
    clearInterval(touching);
    rmSync(file, { force: true });
  }
}

function tryLock(file) {
  if (create(file)) return true;
  // Two that find the same dead owner must not both remove: the second would remove the first one's new lock.
  const guard = `${file}.takeover`;
  if (!create(guard)) {
    if (ageOf(guard) > abandonedAfter) rmSync(guard, { force: true });
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
  if (age > abandonedAfter) return true;
  const [pid = '', host] = read(file).trim().split(' ');
  // An empty file is one that is being written this moment.
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
