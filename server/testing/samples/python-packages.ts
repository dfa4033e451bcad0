import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { runProgram } from '../../lib/run-program.ts';
import { childEnvironment, projectRoot } from '../../settings/settings.ts';

// A machine without a package index should find out soon, not after five patient tries.
const PIP = ['-m', 'pip', 'install', '--disable-pip-version-check', '--no-input', '--quiet'];
const ONCE_AND_SOON = ['--retries=1', '--timeout=10'];
// Everything is pinned, so nothing is resolved; other packages would need a compiler.
const AS_LISTED = ['--no-deps', '--only-binary=:all:', '--no-compile'];

/** A folder for `PYTHONPATH`, or the reason why there is none. */
export type PythonPackages = { folder: string; missing: '' } | { folder: ''; missing: string };

/**
 * Installs the packages of a requirements file with this machine's Python, unless that was done
 * before. They stay in `node_modules/.cache`; nothing else on the machine changes. Several
 * processes may call this at once.
 *
 * @param file a requirements file that lists every needed package with its version
 */
export async function providePythonPackages(file: string): Promise<PythonPackages> {
  const python = await runProgram('python3', ['--version'], { env: childEnvironment() });
  if (!python.ok) return { folder: '', missing: 'no python3 on this machine' };
  const key = createHash('sha256').update(python.output).update(readFileSync(file)).digest('hex');
  const name = `${path.basename(file, '.txt')}-${key.slice(0, 16)}`;
  const cache = path.join(projectRoot(), 'node_modules', '.cache', 'python');
  const folder = path.join(cache, name);
  if (existsSync(folder)) return { folder, missing: '' };

  await mkdir(cache, { recursive: true });
  // Built beside its final place, so that an interrupted installation does not count.
  const unfinished = `${folder}.${randomUUID()}`;
  const args = [...PIP, ...ONCE_AND_SOON, ...AS_LISTED, '--target', unfinished, '-r', file];
  const pip = await runProgram('python3', args, { env: childEnvironment() });
  if (pip.ok) await rename(unfinished, folder).catch(() => undefined);
  // A faster process has left the same folder there.
  await rm(unfinished, { recursive: true, force: true });
  if (existsSync(folder)) return { folder, missing: '' };
  return { folder: '', missing: `pip could not install it: ${reasonIn(pip.output)}` };
}

/** pip's last error, which is the one that ended it. */
function reasonIn(output: string): string {
  const lines = output.trim().split('\n');
  const errors = lines.filter((line) => line.startsWith('ERROR:'));
  return (errors.at(-1) ?? lines.at(-1) ?? '').slice(0, 200);
}
