import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { takeLock } from '../lib/process-lock.js';
import { runProgram } from '../lib/run-program.ts';
import { childEnvironment, projectRoot } from '../settings/settings.ts';

const FOLDERS = ['app', 'server', 'public'];
const FILES = [
  'instrumentation.ts',
  'next.config.js',
  'package-lock.json',
  'postcss.config.js',
  'prisma/schema.prisma',
  'proxy.ts',
  'tsconfig.json',
];
const NOT_BUILT = /^server\/(db\/generated|testing|checks|supervisor|cli)\/|\.test\.tsx?$/;
const LOCK_POLL_MS = 250;

/** One hash over all inputs of a production build. */
async function sourceHash(root: string): Promise<string> {
  const files = [...FILES];
  for (const folder of FOLDERS) {
    const options = { recursive: true, withFileTypes: true } as const;
    const found = await readdir(path.join(root, folder), options).catch(() => []);
    for (const entry of found) {
      if (!entry.isFile()) continue;
      const file = path.join(path.relative(root, entry.parentPath), entry.name);
      files.push(file.split(path.sep).join('/'));
    }
  }
  const hash = createHash('sha256');
  for (const file of files.sort()) {
    if (NOT_BUILT.test(file)) continue;
    const content = await readFile(path.join(root, file)).catch(() => null);
    if (content) hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

const stampPath = (root: string): string => path.join(root, '.next', 'built-from');

async function isCurrent(root: string, hash: string): Promise<boolean> {
  if (!existsSync(path.join(root, '.next', 'BUILD_ID'))) return false;
  const stamp = await readFile(stampPath(root), 'utf8').catch(() => '');
  return stamp === hash;
}

/** Whether `.next` holds a production build of the current sources. */
async function buildIsCurrent(): Promise<boolean> {
  const root = projectRoot();
  return await isCurrent(root, await sourceHash(root));
}

/**
 * Makes a production build unless there is one of the same sources. Of two processes at once, the
 * second waits and finds nothing to do.
 *
 * @param signal aborts the build
 * @returns whether a build was made
 * @throws Error with Next's output when the build fails
 */
export async function buildWhenStale(signal?: AbortSignal): Promise<boolean> {
  const root = projectRoot();
  if (await buildIsCurrent()) return false;
  const lockPath = path.join(root, '.build.lock');
  let lock = takeLock(lockPath);
  while (!lock.taken) {
    await sleep(LOCK_POLL_MS);
    lock = takeLock(lockPath);
  }
  try {
    // Computed before the build: sources that change meanwhile make the next start build again.
    const hash = await sourceHash(root);
    if (await isCurrent(root, hash)) return false;
    // An interrupted build must not pass for the previous one.
    await rm(stampPath(root), { force: true });
    const program = path.join(root, 'node_modules', 'next', 'dist', 'bin', 'next');
    const env = childEnvironment({ NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' });
    const result = await runProgram(process.execPath, [program, 'build'], {
      env,
      cwd: root,
      signal,
    });
    if (!result.ok) throw new Error(`The build failed (${result.ending}).\n${result.output}`);
    await writeFile(stampPath(root), hash);
    return true;
  } finally {
    lock.release();
  }
}
