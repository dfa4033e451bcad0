import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { runProgram } from '../../lib/run-program.ts';
import { childEnvironment, projectRoot } from '../../settings/settings.ts';

/** A program's file, or the reason why there is none. */
export type GoProgram = { file: string; missing: '' } | { file: ''; missing: string };

/**
 * Builds a program with this machine's Go, unless that was done before. It stays in
 * `node_modules/.cache`.
 *
 * @param source a module path with its version, as `go install` takes it
 */
export async function provideGoProgram(source: string): Promise<GoProgram> {
  const [module = '', version = ''] = source.split('@');
  const folder = path.join(projectRoot(), 'node_modules', '.cache', 'go', version);
  const file = path.join(folder, path.basename(module));
  if (existsSync(file)) return { file, missing: '' };
  const go = await runProgram('go', ['version'], { env: childEnvironment() });
  if (!go.ok) return { file: '', missing: 'no go on this machine' };
  await mkdir(folder, { recursive: true });
  const env = childEnvironment({ GOBIN: folder });
  const built = await runProgram('go', ['install', source], { env });
  if (built.ok && existsSync(file)) return { file, missing: '' };
  return { file: '', missing: `go could not build it: ${built.output.trim().slice(-200)}` };
}
