// Plain JavaScript, because server/bootstrap.js needs it before anything is installed.
import { linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * A process's start in clock ticks since boot, where /proc tells it. A process id alone comes
 * back: in a container the next one with the same id is one restart away.
 */
function startOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name, in brackets, may hold spaces; the start is field 22.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}

/** The folder of a lock: a copy of it has another, and holds a copy of the lock. */
function placeOf(path) {
  const { dev, ino } = statSync(dirname(path));
  return `${dev}:${ino}`;
}

/** Whether the process that wrote it runs, and wrote it here. */
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

/** Takes the file of a dead holder away, and gives it back if a live one was quicker. */
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
      // Written first and linked then, so that nobody reads an empty lock.
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
