// Plain JavaScript, because server/bootstrap.js needs it before anything is installed.
import { linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * A process's start in clock ticks since boot, where /proc has it. A process id alone is reused: in
 * a container the same id may return with the next restart.
 */
function startOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name, in brackets, may hold spaces. The start is field 22.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}

/** The folder of a lock: a copy has a different one, although it holds the lock's file. */
function placeOf(path) {
  const { dev, ino } = statSync(dirname(path));
  return `${dev}:${ino}`;
}

/** Whether the process that wrote the lock is running, and wrote it in this folder. */
function isHeld(path, holder) {
  const [pidText = '', start = '', place] = holder.trimEnd().split(' ');
  if (place !== placeOf(path)) return false;
  const pid = Number(pidText);
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error.code !== 'EPERM') return false;
  }
  return start === '' || startOf(pid) === start;
}

function readHolder(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return null;
    throw error;
  }
}

/** Removes a dead holder's file, and puts it back if a live process was quicker. */
function clearStale(path) {
  const aside = `${path}.${process.pid}.stale`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if (error.code === 'ENOENT') return;
    throw error;
  }
  const holder = readHolder(aside);
  if (holder !== null && isHeld(path, holder)) {
    try {
      linkSync(aside, path);
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
  }
  rmSync(aside, { force: true });
}

export function takeLock(path) {
  const mine = `${process.pid} ${startOf(process.pid)} ${placeOf(path)}\n`;
  const draft = `${path}.${process.pid}.new`;
  for (;;) {
    try {
      // The file is written before it is linked, so that nobody reads an empty lock.
      writeFileSync(draft, mine);
      linkSync(draft, path);
      return { taken: true, release: () => releaseLock(path, mine) };
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    } finally {
      rmSync(draft, { force: true });
    }
    const holder = readHolder(path);
    if (holder !== null && isHeld(path, holder)) {
      return { taken: false, holderPid: Number.parseInt(holder, 10) };
    }
    if (holder !== null) clearStale(path);
  }
}

export function gatewayLock(dataDir) {
  return join(dataDir, 'gateway.lock');
}

export function lockHolder(path) {
  const holder = readHolder(path);
  return holder !== null && isHeld(path, holder) ? Number.parseInt(holder, 10) : null;
}

function releaseLock(path, mine) {
  if (readHolder(path) === mine) rmSync(path, { force: true });
}
