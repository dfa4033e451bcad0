import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Sources } from './imports.ts';

const FOLDERS = ['app', 'server', 'client', 'examples', 'e2e', 'bench', 'prisma'];
const NOT_OURS =
  /^(?:server\/db\/generated|client\/dist|.+\/(?:node_modules|\.next))\/|(?:^|\/)next-env\.d\.ts$/;

/** Reads every script of the project, without what is generated or installed. */
export async function readSources(root: string): Promise<Sources> {
  const files: string[] = [];
  for (const entry of await readdir(root, { withFileTypes: true })) {
    if (entry.isFile()) files.push(entry.name);
  }
  for (const folder of FOLDERS) {
    const found = await readdir(path.join(root, folder), { recursive: true }).catch(() => []);
    for (const file of found) files.push(`${folder}/${file.split(path.sep).join('/')}`);
  }
  const sources: Sources = new Map();
  for (const file of files.sort()) {
    if (!/\.(ts|tsx|js|mjs)$/.test(file) || NOT_OURS.test(file)) continue;
    sources.set(file, await readFile(path.join(root, file), 'utf8'));
  }
  return sources;
}
