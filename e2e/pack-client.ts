import { execFile } from 'node:child_process';
import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { projectRoot } from '#server/env.ts';

const run = promisify(execFile);

/**
 * Packs the client as npm publishes it and installs that into a folder, as a merchant does; asks
 * no registry. The folder gets a package.json for ES modules unless it has one.
 */
export async function installClient(folder: string): Promise<void> {
  const client = path.join(projectRoot(), 'client');
  await run('npm', ['pack', '--pack-destination', folder], { cwd: client });
  const packed = (await readdir(folder)).find((file) => file.endsWith('.tgz'));
  if (!packed) throw new Error('npm pack made nothing');
  await writeFile(path.join(folder, 'package.json'), '{"type":"module"}', { flag: 'a' });
  const quiet = ['--offline', '--no-audit', '--no-fund', '--no-package-lock'];
  await run('npm', ['install', ...quiet, `./${packed}`], { cwd: folder });
}
