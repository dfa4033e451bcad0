import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { projectRoot } from '#server/settings/settings.ts';

const run = promisify(execFile);

/**
 * Packs the client as npm publishes it and installs it into a folder, as a merchant does, without a
 * registry. The folder gets a package.json for ES modules.
 */
export async function installClient(folder: string): Promise<void> {
  const client = path.join(projectRoot(), 'client');
  await run('npm', ['pack', '--pack-destination', folder], { cwd: client });
  const packed = (await readdir(folder)).find((file) => file.endsWith('.tgz'));
  if (!packed) throw new Error('npm pack made nothing');
  await writeFile(path.join(folder, 'package.json'), '{"type":"module"}');
  const quiet = ['--offline', '--no-audit', '--no-fund', '--no-package-lock'];
  await run('npm', ['install', ...quiet, `./${packed}`], { cwd: folder });
}

/** Builds the client and links it into a folder, as its developers do; this is quicker. */
export async function linkClient(folder: string): Promise<void> {
  const client = path.join(projectRoot(), 'client');
  const compiler = path.join(projectRoot(), 'node_modules', 'typescript', 'bin', 'tsc');
  await run(process.execPath, [compiler, '-p', client]);
  await mkdir(path.join(folder, 'node_modules'));
  await symlink(client, path.join(folder, 'node_modules', 'payment-gateway-client'));
  await writeFile(path.join(folder, 'package.json'), '{"type":"module"}');
}

/**
 * Makes the Express shop of the examples ready to run.
 *
 * @param addClient installs the client
 * @returns its folder, for the caller to remove; `shop.js` in it starts the shop
 */
export async function installExpressShop(
  addClient: (folder: string) => Promise<void>,
): Promise<string> {
  // The project's node_modules contain Express, so that no registry is needed.
  const caches = path.join(projectRoot(), 'node_modules', '.cache');
  await mkdir(caches, { recursive: true });
  const folder = await mkdtemp(path.join(caches, 'shop-'));
  await addClient(folder);
  const example = path.join(projectRoot(), 'examples', 'express');
  for (const file of ['shop.js', 'pages.js', 'settings.js']) {
    await copyFile(path.join(example, file), path.join(folder, file));
  }
  return folder;
}
