import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDERS = ['bench/peer', 'server/wire', 'server/lib'];
const FILES = ['package-lock.json', 'prisma/schema.prisma'];
const NOT_BUILT = /(^|\/)(\.next|next-env\.d\.ts)/;

/** One hash over the peer's sources. */
function sourceHash(root: string): string {
  const found = FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  const files = [...found, ...FILES.map((file) => join(root, file))];
  const hash = createHash('sha256');
  for (const file of files.filter((each) => !NOT_BUILT.test(each)).sort()) {
    hash.update(`${file}\0`).update(readFileSync(file));
  }
  return hash.digest('hex');
}

/**
 * Builds the peer unless its build matches the current sources.
 *
 * @throws Error that names the log when the build fails
 */
export async function buildPeer(
  root: string,
  next: string,
  { env, stdio, logPath }: { env: NodeJS.ProcessEnv; stdio: StdioOptions; logPath: string },
): Promise<void> {
  const cwd = join(root, 'bench/peer');
  const stamp = join(cwd, '.next', 'built-from');
  const hash = sourceHash(root);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return;
  const build: ChildProcess = spawn(process.execPath, [next, 'build'], { cwd, env, stdio });
  const [code] = (await once(build, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`The peer does not build; see ${logPath}`);
  writeFileSync(stamp, hash);
}
